import { extname } from 'node:path';
import { Failure } from '../lib/failure.ts';
import type { Column } from '../lib/files/column.ts';
import { describeFile, readChunks } from '../lib/files/read.ts';
import { openWriter } from '../lib/files/write.ts';
import { microsecondsPerDay } from '../ml/contract/contract.ts';
import { loadTables } from '../ml/graph/load.ts';
import { inputRequests, openVersion } from '../ml/inference/predict.ts';
import { readVersion } from '../ml/inference/version.ts';
import { parseDay } from '../ml/tasks/task.ts';
import { readArguments } from './arguments.ts';
import { openProgress, type ProgressLine } from './progress.ts';

const usage = {
  usage:
    'predict <version folder> --data <folder> --in rows.parquet --out scored.parquet [--reference-date D] [--factors N] [--language en|pt-BR]',
  positionals: 1,
  options: { data: 'value', in: 'value', out: 'value', 'reference-date': 'value', factors: 'value', language: 'value' },
  required: ['data', 'in', 'out'],
} as const;

const factorsDefault = 4;

/** Predicts every row of a file with a version, reading the tables of a folder. */
export async function predictCommand(args: readonly string[], log: (line: string) => void): Promise<number> {
  const { words, values } = readArguments(args, usage);
  const progress = openProgress(log);
  const language = values.language ?? 'en';
  if (language !== 'en' && language !== 'pt-BR')
    throw new Failure('invalid', `--language must be en or pt-BR, not ${language}`);
  const factors = values.factors === undefined ? factorsDefault : Number(values.factors);
  if (!Number.isInteger(factors) || factors < 0 || factors > 50)
    throw new Failure('invalid', `--factors must be a whole number from 0 to 50, not ${values.factors}`);
  let asOf = Date.now() * 1000;
  if (values['reference-date'] !== undefined) {
    const day = parseDay(values['reference-date']);
    if (Number.isNaN(day))
      throw new Failure(
        'invalid',
        `--reference-date must be a day such as 2025-12-31, not ${values['reference-date']}`,
      );
    if (day > asOf) throw new Failure('invalid', `--reference-date ${values['reference-date']} lies in the future`);
    asOf = day + microsecondsPerDay - 1;
  }
  const summary = await predictFile(
    words[0],
    values.data!,
    values.in!,
    values.out!,
    { asOf, factors, language },
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
  options: { asOf: number; factors: number; language: 'en' | 'pt-BR' },
  progress: ProgressLine,
): Promise<{ rows: number; rejected: number }> {
  const format = extname(to).slice(1);
  if (format !== 'parquet' && format !== 'csv' && format !== 'jsonl')
    throw new Failure('invalid', `--out must end in .parquet, .csv or .jsonl: ${to}`);
  const description = await describeFile(from);
  const version = readVersion(versionFolder);
  const present = new Set(description.columns.map(({ name }) => name));
  const requests = inputRequests(version, present);
  for (const warning of description.warnings) progress.say(`warning: ${warning}`);
  const unknown = [...present].filter((name) => !requests.some((request) => request.name === name));
  if (unknown.length > 0) progress.say(`warning: columns not read: ${unknown.join(', ')}`);
  const { tables, report } = await loadTables(data, version.contract, (line) => progress.say(line));
  for (const warning of report.warnings) progress.say(`warning: ${warning}`);
  const open = await openVersion(versionFolder, tables);
  const writer = await openWriter(to, format, open.columns);
  const refused: { row: number; column: string | null; reason: string; value: string | null }[] = [];
  let rows = 0;
  let rejected = 0;
  try {
    for await (const chunk of readChunks(from, requests)) {
      for (const reject of chunk.rejects) if (refused.length < rejectsKept) refused.push(reject);
      rejected += chunk.rejectedTotal;
      if (chunk.rows.rows === 0) continue;
      await writer.write(open.predict(chunk.rows, { ...options, dataUntil: Number.POSITIVE_INFINITY }));
      rows += chunk.rows.rows;
      progress.phase(`predicting: ${rows} rows`, 0, 1);
    }
    await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  } finally {
    open.close();
  }
  if (rejected > 0) await writeRejects(`${to}.rejects.csv`, refused);
  return { rows, rejected };
}

const rejectsKept = 100_000;

async function writeRejects(
  path: string,
  rejects: readonly { row: number; column: string | null; reason: string; value: string | null }[],
): Promise<void> {
  const writer = await openWriter(path, 'csv', [
    { name: 'row', type: 'integer' },
    { name: 'column', type: 'string' },
    { name: 'reason', type: 'string' },
    { name: 'value', type: 'string' },
  ]);
  const text = (values: readonly (string | null)[]) => {
    const dictionary = [...new Set(values.filter((value) => value !== null))];
    return {
      kind: 'text' as const,
      codes: Int32Array.from(values, (value) => (value === null ? -1 : dictionary.indexOf(value))),
      dictionary,
    };
  };
  await writer.write({
    rows: rejects.length,
    columns: new Map<string, Column>([
      ['row', { kind: 'number' as const, values: Float64Array.from(rejects, ({ row }) => row) }],
      ['column', text(rejects.map(({ column }) => column))],
      ['reason', text(rejects.map(({ reason }) => reason))],
      ['value', text(rejects.map(({ value }) => value))],
    ]),
  });
  await writer.close();
}
