import { refuse } from '../../errors.ts';
import { Failure, type Problem } from '../../lib/failure.ts';
import { describeFile } from '../../lib/files/read.ts';
import { labelFileColumns, requireColumns } from '../../ml/tasks/label-columns.ts';
import { parseTask } from '../../ml/tasks/parse-task.ts';

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
