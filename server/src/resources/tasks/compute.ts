import { refuse } from '../../errors.ts';
import { Failure, type Problem } from '../../lib/failure.ts';
import { describeFile } from '../../lib/files/read.ts';
import { type Notice, sayNotice } from '../../ml/contract/notices.ts';
import { parseStoredContract } from '../../ml/contract/parse.ts';
import { openTables } from '../../ml/lake/open.ts';
import { labelFileColumns, requireColumns } from '../../ml/tasks/label-columns.ts';
import { type LabelMonth, labelMonths } from '../../ml/tasks/label-months.ts';
import { readOutputs } from '../../ml/tasks/labels.ts';
import { parseStoredTask, parseTask } from '../../ml/tasks/parse-task.ts';
import { resolveTask } from '../../ml/tasks/resolve.ts';

export type InspectLabelsTask = {
  readonly name: string;
  /** One that can be read. */
  readonly definition: string;
  /** Local files, their names in messages, and the fields of the request that name them. */
  readonly files: readonly { readonly path: string; readonly name: string; readonly at: string }[];
};

/** Looks at the heads of label files for the columns that a task calls. Throws Failure 'invalid_task'. */
export async function inspectLabels({ name, definition, files }: InspectLabelsTask): Promise<void> {
  const wanted = labelFileColumns(parseTask(definition, name, 'definition'));
  const problems: Problem[] = [];
  for (const { path, name, at } of files) {
    try {
      const header = (await describeFile(path, { nameOf: () => name })).columns.map((column) => column.name);
      requireColumns(name, header, wanted);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'invalid') throw error;
      problems.push({ at, message: error.message });
    }
  }
  if (problems.length === 0) return;
  throw refuse('invalid_task', problems.map(({ message }) => message).join('; '), { problems });
}

export type CountLabelsTask = {
  readonly name: string;
  /** One that can be read, with a target. */
  readonly definition: string;
  readonly contract: string;
  /** Local file with the frozen tables, and the dictionary of names; null when there is none. */
  readonly frozen: string;
  readonly identifiers: string | null;
  /** Local time of the workspace in microseconds: later dates count as in the future. */
  readonly now: number;
};

export type CountedLabels = {
  /** The output whose labels they are. */
  readonly output: string;
  readonly rows: number;
  readonly months: readonly LabelMonth[];
  readonly warnings: readonly string[];
  readonly warning_codes: readonly Notice[];
};

/** Lays out the labels of a task over the tables, as training does, and counts those of its first output. */
export async function countLabels(given: CountLabelsTask): Promise<CountedLabels> {
  const { name, definition, contract, frozen, identifiers, now } = given;
  const warnings: string[] = [];
  const task = resolveTask(
    parseStoredTask(definition, name, 'definition', warnings),
    parseStoredContract(contract, 'the active contract'),
    'definition',
  );
  const noticed: Notice[] = [];
  const labelled = await readOutputs(task, await openTables(frozen, identifiers), [], noticed, now);
  const { name: output, examples } = labelled.outputs[0];
  const rows = examples.labels.reduce((count, label) => count + (Number.isNaN(label) ? 0 : 1), 0);
  const told = [...noticed.map(sayNotice), ...warnings];
  return { output, rows, months: labelMonths(task, labelled), warnings: told, warning_codes: noticed };
}
