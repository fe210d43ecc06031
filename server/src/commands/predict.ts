import { rmSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { Failure } from '../lib/failure.ts';
import { type Column, pickRows, type Reject, type Rows, textColumn } from '../lib/files/column.ts';
import { type Chunk, type ColumnRequest, describeFile, type FileDescription, readChunks } from '../lib/files/read.ts';
import { openWriter } from '../lib/files/write.ts';
import type { WriteColumn } from '../lib/files/writer.ts';
import { instantsOf } from '../lib/time-zone.ts';
import { microsecondsPerDay } from '../ml/contract/contract.ts';
import { openGraphModel } from '../ml/gfm-link/reading.ts';
import { loadTables } from '../ml/graph/load.ts';
import { intervalColumn, type OpenVersion, openVersion } from '../ml/inference/predict.ts';
import { parseDay } from '../ml/tasks/target.ts';
import { type VectorProblem, vectorProblems } from '../ml/version/given-vectors.ts';
import { inputRequests } from '../ml/version/input-requests.ts';
import { echoed } from '../ml/version/schema.ts';
import { readVersion, type Version } from '../ml/version/version.ts';
import { readArguments, requireWritableFile, type Usage } from './arguments.ts';
import { openProgress, type ProgressLine } from './progress.ts';

export const predictUsage = {
  usage:
    'predict <version folder> --data <folder> --in rows.parquet --out scored.parquet [--reference-date D] [--factors N] [--language en|pt-BR] [--interval] [--gfm <graph model>]',
  about: `Predicts every row of a file with a version, in order. Rows that cannot be read, or hold a value that does not
convert, are not guessed at: they go to <out>.rejects.csv with the reason.

  <version folder>  what fit wrote
  --data            the folder of tables to read, under the contract of the version
  --in              rows to predict (CSV, Parquet, JSONL); model.md in the version folder names the columns
  --out             the answers, .parquet, .csv or .jsonl
  --reference-date  predict as of the end of this day, where a row names none; now by default
  --factors         how many reasons each answer comes with, 0 to 50; 4 by default
  --language        of the reasons, en or pt-BR
  --interval        a column interval says how sure each answer is, as JSON by field
  --gfm             the graph model that the version was learned with, where it reads one`,
  positionals: 1,
  options: {
    data: 'value',
    in: 'value',
    out: 'value',
    'reference-date': 'value',
    factors: 'value',
    language: 'value',
    interval: 'flag',
    gfm: 'value',
  },
  required: ['data', 'in', 'out'],
} as const satisfies Usage;

const factorsDefault = 4;
/** Rows predicted at a time: what is read and computed for so many stays in a near cache and in little memory. */
const rowsPerChunk = 16_384;

/** Predicts every row of a file with a version, reading the tables of a folder. */
export async function predictCommand(args: readonly string[], log: (line: string) => void): Promise<number> {
  const { words, values } = readArguments(args, predictUsage);
  const progress = openProgress(log);
  const language = values.language ?? 'en';
  if (language !== 'en' && language !== 'pt-BR')
    throw new Failure('invalid', `--language must be en or pt-BR, not ${language}`);
  const factors = values.factors === undefined ? factorsDefault : Number(values.factors);
  if (!Number.isInteger(factors) || factors < 0 || factors > 50)
    throw new Failure('invalid', `--factors must be a whole number from 0 to 50, not ${values.factors}`);
  const now = Date.now() * 1000;
  let asOf = now;
  if (values['reference-date'] !== undefined) {
    const day = parseDay(values['reference-date']);
    if (Number.isNaN(day))
      throw new Failure(
        'invalid',
        `--reference-date must be a day such as 2025-12-31, not ${values['reference-date']}`,
      );
    if (day > now) throw new Failure('invalid', `--reference-date ${values['reference-date']} lies in the future`);
    asOf = day + microsecondsPerDay - 1;
  }
  const summary = await predictFile(
    words[0],
    values.data!,
    values.in!,
    values.out!,
    { now, asOf, factors, language, interval: values.interval !== undefined, gfm: values.gfm },
    progress,
  );
  progress.say(`${summary.rows} rows predicted, ${summary.rejected} rejected; wrote ${values.out}`);
  return 0;
}

/** Streams rows of a file through a version into a file, in order; rejected rows go to `<out>.rejects.csv` with their reason. */
export async function predictFile(
  versionFolder: string,
  data: string,
  from: string,
  to: string,
  options: ScoreOptions,
  progress: ProgressLine,
): Promise<{ rows: number; rejected: number }> {
  const version = readVersion(versionFolder);
  const source = await openSource(version, from, to, progress);
  const { tables, report } = await loadTables(data, version.contract, (line) => progress.say(line), options.now);
  for (const warning of report.warnings) progress.say(`warning: ${warning}`);
  const model = options.gfm === undefined ? undefined : await openGraphModel(options.gfm);
  const open = await openVersion(versionFolder, tables, { version, model });
  try {
    return await scoreFile(open, source, options, progress);
  } finally {
    open.close();
  }
}

type ScoreOptions = {
  readonly now?: number;
  readonly asOf: number;
  readonly factors: number;
  readonly language: 'en' | 'pt-BR';
  readonly interval?: boolean;
  /** Of the data, where that is not UTC. */
  readonly timeZone?: string;
  /** The folder of the graph model that the version reads. */
  readonly gfm?: string | undefined;
};

/** A file to score, and where to. */
type Source = {
  readonly from: string;
  readonly to: string;
  readonly format: 'parquet' | 'csv' | 'jsonl';
  readonly requests: readonly ColumnRequest[];
};

/** Looks at a file before anything takes long. Throws Failure 'invalid' where a version cannot score it, or nothing can be written. */
export async function openSource(version: Version, from: string, to: string, progress: ProgressLine): Promise<Source> {
  const format = requireFormat(from, to);
  const description = await describeFile(from);
  const requests = requestsOf(version, description);
  for (const warning of description.warnings) progress.say(`warning: ${warning}`);
  const unread = new Set(requests.map(({ name }) => name.toLowerCase()));
  const unknown = description.columns.map(({ name }) => name).filter((name) => !unread.has(name.toLowerCase()));
  if (unknown.length > 0) progress.say(`warning: columns not read: ${unknown.join(', ')}`);
  return { from, to, format, requests };
}

/** The format that the name of an output asks for. Throws Failure 'invalid'. */
export function requireFormat(from: string, to: string): Source['format'] {
  const format = extname(to).slice(1);
  if (format !== 'parquet' && format !== 'csv' && format !== 'jsonl')
    throw new Failure('invalid', `--out must end in .parquet, .csv or .jsonl: ${to}`);
  requireWritableFile('--out', to);
  if (resolve(from) === resolve(to))
    throw new Failure('invalid', `--out ${to} is the file of --in; choose another name`);
  return format;
}

/** Scores what `openSource` looked at. */
export async function scoreFile(
  open: OpenVersion,
  { from, to, format, requests }: Source,
  options: ScoreOptions,
  progress: ProgressLine,
): Promise<{ rows: number; rejected: number }> {
  const columns = options.interval ? [...open.columns, intervalColumn] : open.columns;
  return writeRows(
    { from, to, format, requests, columns, now: options.now },
    progress,
    (rows) => onClock(open.predict(rows, { ...options, dataUntil: Number.POSITIVE_INFINITY }), options.timeZone),
    (rows) => vectorProblems(rows, open.inputs),
  );
}

/** Answers that say as of which instant they are, not as of which moment on the clock of the data. */
function onClock(answer: Rows, timeZone = 'UTC'): Rows {
  const asOf = answer.columns.get('as_of');
  if (timeZone === 'UTC' || asOf?.kind !== 'time') return answer;
  const values = instantsOf(timeZone, asOf.values);
  return { ...answer, columns: new Map([...answer.columns, ['as_of', { kind: 'time', values }]]) };
}

/**
 * Streams rows of a file through `answer` into another, in order. Rows that cannot be read, or ask about a day after `now`, go to
 * `<out>.rejects.csv` with their reason.
 */
export async function writeRows(
  {
    from,
    to,
    format,
    requests,
    columns,
    now = Number.POSITIVE_INFINITY,
  }: Source & { readonly columns: readonly WriteColumn[]; readonly now?: number | undefined },
  progress: ProgressLine,
  answer: (rows: Rows) => Rows,
  problemsOf: (rows: Rows) => readonly VectorProblem[] = () => [],
): Promise<{ rows: number; rejected: number }> {
  const writer = await openWriter(to, format, columns);
  const refused: Refused[] = [];
  let rows = 0;
  let rejected = 0;
  try {
    for await (const chunk of readChunks(from, requests, { rowsPerChunk, takesFloats: true })) {
      const { kept, late } = withoutRows(chunk, now, problemsOf(chunk.rows));
      const rejects = [...chunk.rejects, ...late].toSorted((a, b) => a.row - b.row);
      refused.push(...rejects.slice(0, rejectsKept - refused.length));
      // A row may have several things wrong with it.
      rejected += chunk.rejectedTotal + chunk.rows.rows - kept.rows;
      if (kept.rows === 0) continue;
      await writer.write(answer(kept));
      rows += kept.rows;
      progress.phase('rows predicted', rows, 0);
    }
    await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  }
  const rejectsPath = `${to}.rejects.csv`;
  // Those of an earlier run would be taken for this one's.
  rmSync(rejectsPath, { force: true });
  if (rejected > 0) {
    await writeRejects(rejectsPath, refused);
    const shown = refused.length < rejected ? `the first ${refused.length} of them` : 'they';
    progress.say(
      `warning: ${rejected} rows of ${from} were rejected; ${shown} stand in ${rejectsPath} with the reason`,
    );
  }
  if (rows === 0) progress.say(`warning: ${from} has no row to predict`);
  return { rows, rejected };
}

type Refused = Pick<Reject, 'row' | 'column' | 'reason' | 'value'>;

const rejectsKept = 100_000;

/** The version's columns that the file has, in any case; a value that does not convert costs its row. */
function requestsOf(version: Version, { columns }: FileDescription): ColumnRequest[] {
  const present = new Set(columns.map(({ name }) => name.toLowerCase()));
  const known = [...version.inputFields.map(({ name }) => name), ...echoed];
  const requests = inputRequests(version, new Set(known.filter((name) => present.has(name.toLowerCase()))));
  return requests.map((request) => ({ ...request, isStrict: true }));
}

/** Takes out the rows that ask about a day still to come, and those with problems. */
function withoutRows(
  { rows, rowNumbers }: Chunk,
  now: number,
  problems: readonly VectorProblem[],
): { kept: Rows; late: Refused[] } {
  const asked = rows.columns.get('reference_date');
  // Most files name no days and have no problems: nothing is looked at row by row.
  if (asked?.kind !== 'time' && problems.length === 0) return { kept: rows, late: [] };
  const days = asked?.kind === 'time' ? asked.values : new Float64Array(rows.rows);
  const numbers = Array.from(rowNumbers.keys());
  const wrong = new Set(problems.map(({ row }) => row));
  const late = [
    ...numbers
      .filter((row) => days[row] > now)
      .map((row) => ({
        row: rowNumbers[row],
        column: 'reference_date',
        reason: 'the day lies in the future',
        value: new Date(days[row] / 1000).toISOString().slice(0, 10),
      })),
    ...problems.map(({ row, column, message }) => ({ row: rowNumbers[row], column, reason: message, value: null })),
  ];
  if (late.length === 0) return { kept: rows, late };
  const kept = numbers.filter((row) => !(days[row] > now) && !wrong.has(row));
  return { kept: pickRows(rows, kept), late };
}

async function writeRejects(path: string, rejects: readonly Refused[]): Promise<void> {
  const writer = await openWriter(path, 'csv', [
    { name: 'row', type: 'integer' },
    { name: 'column', type: 'string' },
    { name: 'reason', type: 'string' },
    { name: 'value', type: 'string' },
  ]);
  await writer.write({
    rows: rejects.length,
    columns: new Map<string, Column>([
      ['row', { kind: 'number', values: Float64Array.from(rejects, ({ row }) => row) }],
      ['column', textColumn(rejects.map(({ column }) => column))],
      ['reason', textColumn(rejects.map(({ reason }) => reason))],
      ['value', textColumn(rejects.map(({ value }) => value))],
    ]),
  });
  await writer.close();
}
