import { rmSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { Failure } from '../lib/failure.ts';
import { type Column, textColumn } from '../lib/files/column.ts';
import { type CsvDialect, type CsvOptions, csvDialects } from '../lib/files/csv-dialect.ts';
import { type CsvFormulas, csvFormulas } from '../lib/files/formulas.ts';
import { type Chunk, type ColumnRequest, readChunks } from '../lib/files/read.ts';
import { openWriter } from '../lib/files/write.ts';
import type { WriteColumn } from '../lib/files/writer.ts';
import type { RowProblem } from '../serving/rows/problem.ts';
import { rowsPerChunk, type Scored } from '../serving/rows/score.ts';
import { requireWritableFile } from './arguments.ts';
import type { ProgressLine } from './progress.ts';

/** A file to read rows from, and the file to write results to. */
export type Target = {
  readonly from: string;
  readonly to: string;
  readonly format: 'parquet' | 'csv' | 'jsonl';
  /** How CSV is written. */
  readonly csv: CsvOptions;
};

/** Returns the format that the ending of an output file names. Throws Failure 'invalid'. */
export function requireFormat(from: string, to: string): Target['format'] {
  const format = extname(to).slice(1);
  if (format !== 'parquet' && format !== 'csv' && format !== 'jsonl')
    throw new Failure('invalid', `--out must end in .parquet, .csv or .jsonl: ${to}`);
  requireWritableFile('--out', to);
  if (resolve(from) === resolve(to))
    throw new Failure('invalid', `--out ${to} is the file of --in; choose another name`);
  return format;
}

/** Reads the option --csv-formulas; `escape` by default. Throws Failure 'invalid'. */
export function requireFormulas(asked: string | undefined): CsvFormulas {
  const found = csvFormulas.find((known) => known === (asked ?? 'escape'));
  if (found === undefined)
    throw new Failure('invalid', `--csv-formulas must be ${csvFormulas.join(' or ')}, not ${asked}`);
  return found;
}

/** Reads the option --csv-dialect; `standard` by default. Throws Failure 'invalid'. */
export function requireDialect(asked: string | undefined): CsvDialect {
  const found = csvDialects.find((known) => known === (asked ?? 'standard'));
  if (found === undefined)
    throw new Failure('invalid', `--csv-dialect must be ${csvDialects.join(' or ')}, not ${asked}`);
  return found;
}

const rejectsKept = 100_000;

/**
 * Passes the rows of a file through `answer` and writes the results to another file, in order, as a stream. Rows
 * without an answer are written to `<out>.rejects.csv` with the reason.
 */
export async function writeRows(
  {
    from,
    to,
    format,
    requests,
    columns,
    csv,
  }: Target & { readonly requests: readonly ColumnRequest[]; readonly columns: readonly WriteColumn[] },
  progress: ProgressLine,
  answer: (chunk: Chunk) => Scored | Promise<Scored>,
): Promise<{ rows: number; rejected: number }> {
  const writer = await openWriter(to, format, columns, csv);
  const kept: RowProblem[] = [];
  let rows = 0;
  let rejected = 0;
  try {
    for await (const chunk of readChunks(from, requests, { rowsPerChunk, takesFloats: true, keepsRejects: true })) {
      const { rows: answered, problems, failed } = await answer(chunk);
      kept.push(...problems.slice(0, rejectsKept - kept.length));
      rejected += failed;
      if (answered.rows === 0) continue;
      await writer.write(answered);
      rows += answered.rows;
      progress.phase('rows predicted', rows, 0);
    }
    await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  }
  const rejectsPath = `${to}.rejects.csv`;
  // The rejects file of an earlier run could be mistaken for this run's.
  rmSync(rejectsPath, { force: true });
  if (rejected > 0) {
    await writeRejects(rejectsPath, kept, csv);
    const shown = kept.length < rejected ? `the first ${kept.length} of them` : 'they';
    progress.say(
      `warning: ${rejected} rows of ${from} were rejected; ${shown} stand in ${rejectsPath} with the reason`,
    );
  }
  if (rows === 0) progress.say(`warning: ${from} has no row to predict`);
  return { rows, rejected };
}

async function writeRejects(path: string, rejects: readonly RowProblem[], csv: CsvOptions): Promise<void> {
  const columns: WriteColumn[] = [
    { name: 'row', type: 'integer' },
    { name: 'column', type: 'string' },
    { name: 'reason', type: 'string' },
    { name: 'value', type: 'string' },
  ];
  const writer = await openWriter(path, 'csv', columns, csv);
  await writer.write({
    rows: rejects.length,
    columns: new Map<string, Column>([
      ['row', { kind: 'number', values: Float64Array.from(rejects, ({ row }) => row) }],
      ['column', textColumn(rejects.map(({ column }) => column))],
      ['reason', textColumn(rejects.map(reasonOf))],
      ['value', textColumn(rejects.map(({ value }) => value))],
    ]),
  });
  await writer.close();
}

function reasonOf({ code, message }: RowProblem): string {
  return code === 'reference_date_in_future' ? 'the day lies in the future' : message;
}
