import { open, rm, stat } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { Failure } from '../../../lib/failure.ts';
import type { CsvOptions } from '../../../lib/files/csv-dialect.ts';
import { describeFile, readChunks } from '../../../lib/files/read.ts';
import type { RowRange } from '../../../lib/files/source.ts';
import { openWriter } from '../../../lib/files/write.ts';
import type { WriteColumn } from '../../../lib/files/writer.ts';
import type { TaskContext } from '../../../lib/processes/serve.ts';
import type { TableContract } from '../../../ml/contract/contract.ts';
import { dateFormOf } from '../../../ml/contract/date-form-of.ts';
import { dayColumnOf } from '../../../ml/version/other-names.ts';
import { withInstants } from '../../../serving/rows/answers.ts';
import { columnsIn } from '../../../serving/rows/inputs.ts';
import { momentAt } from '../../../serving/rows/moments.ts';
import { addRowWarnings, type RowWarnings } from '../../../serving/rows/row-warnings.ts';
import { openScorer, rowsPerChunk, type ScoreOptions } from '../../../serving/rows/score.ts';
import type { OutputFormat } from '../batch.ts';
import { type TargetsTask, useTargets } from './open-targets.ts';
import { type RowNote, rowError } from './row-error.ts';
import { openPart } from './write-part.ts';

export type ScoreTask = Omit<ScoreOptions, 'targets' | 'eventDays' | 'usual'> &
  TargetsTask & {
    /** The local file, and its name in messages. */
    readonly path: string;
    readonly name: string;
    /** Whether the result repeats the columns of the file that nothing reads. */
    readonly isRepeating: boolean;
    /** The rows to score; null for all. */
    readonly range: RowRange | null;
    /** The as-of instant, in milliseconds, of rows that name no date. */
    readonly asOf: number;
    /** The file to write predictions to. `errors` is the one for the errors and the listed warnings, as JSONL. */
    readonly out: string;
    readonly format: OutputFormat;
    /** How CSV is written. */
    readonly csv: CsvOptions;
    readonly errors: string;
  };

export type ScoreProgress = { readonly succeeded: number; readonly failed: number };

export type ScoreResult = ScoreProgress & {
  /** Of which answered rows there is something to say. */
  readonly warnings: RowWarnings;
  /** The size of a CSV file's header in bytes; 0 for other formats. */
  readonly headerBytes: number;
  /** False when scoring was stopped early. The files then have the rows scored until then. */
  readonly isWhole: boolean;
};

/**
 * Scores rows of a file, in order, into a file of predictions and a file of errors and listed warnings. The same task
 * writes the same bytes.
 */
export async function scoreUnit(task: ScoreTask, context: TaskContext<ScoreProgress>): Promise<ScoreResult> {
  return useTargets(task, async (targets, eventDays, tables) => {
    const contracts = Array.from(tables.values(), ({ contract }) => contract);
    return scoreRows(task, { targets, eventDays }, contracts, context);
  });
}

async function scoreRows(
  task: ScoreTask,
  opened: Pick<ScoreOptions, 'targets' | 'eventDays'>,
  tables: readonly TableContract[],
  { progress, signal }: TaskContext<ScoreProgress>,
): Promise<ScoreResult> {
  const { path, range, out, format } = task;
  const nameOf = () => task.name;
  const description = await describeFile(path, { nameOf });
  const usual = momentAt(task.timeZone, task.asOf);
  const columns = columnsIn(description);
  const dayColumn = dayColumnOf(task.columnMapping);
  const dayForm = columns.has(dayColumn) ? await dateFormOf(path, dayColumn, tables, nameOf) : undefined;
  const fileColumns = task.isRepeating
    ? description.columns.flatMap(({ name, isNested }) => (isNested ? [] : [name]))
    : [];
  const scorer = openScorer({ ...task, ...opened, usual, dayForm: dayForm?.form, fileColumns }, columns);
  const writer = await openPart(out, format, scorer.columns, task.csv);
  const errors = await openErrors(task.errors);
  let succeeded = 0;
  let failed = 0;
  let warnings: RowWarnings = {};
  let listedRows = 0;
  let isWhole = true;
  try {
    const options = { nameOf, rowsPerChunk, keepsRejects: true, takesFloats: true, ...(range ? { range } : {}) };
    for await (const chunk of readRows(path, scorer.requests, options)) {
      const { rows, problems, failed: refused, warnings: own, listed } = scorer.score(chunk);
      if (rows.rows > 0) await writer.write(withInstants(rows, task.timeZone));
      await errors.write([...problems.map(rowError), ...listed.slice(0, listedMax - listedRows)]);
      listedRows = Math.min(listedMax, listedRows + listed.length);
      succeeded += rows.rows;
      failed += refused;
      warnings = addRowWarnings(warnings, own);
      progress({ succeeded, failed });
      // Lets the event loop run, so that a request to stop can arrive.
      await turn();
      isWhole = !signal.aborted;
      if (!isWhole) break;
    }
    await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  } finally {
    await errors.close();
  }
  return {
    succeeded,
    failed,
    warnings,
    isWhole,
    headerBytes: format === 'csv' ? await headerBytes(out, scorer.columns, task.csv) : 0,
  };
}

/** Rows of a unit whose warning is listed. */
const listedMax = 100_000;

/** Reads the chunks of a file. Damage found while reading is reported as 'file_unreadable'. */
async function* readRows(...asked: Parameters<typeof readChunks>): ReturnType<typeof readChunks> {
  try {
    yield* readChunks(...asked);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalid') throw error;
    throw new Failure('invalid', error.message, { reason: 'file_unreadable', cause: error });
  }
}

async function openErrors(path: string) {
  const file = await open(path, 'w');
  return {
    async write(notes: readonly RowNote[]) {
      if (notes.length > 0) await file.writeFile(`${notes.map((note) => JSON.stringify(note)).join('\n')}\n`);
    },
    close: () => file.close(),
  };
}

/** Returns how many bytes the writer puts before the first row, measured by writing a file without rows. */
async function headerBytes(out: string, columns: readonly WriteColumn[], csv: CsvOptions): Promise<number> {
  const path = `${out}.header`;
  const writer = await openWriter(path, 'csv', columns, csv);
  await writer.close();
  const { size } = await stat(path);
  await rm(path);
  return size;
}
