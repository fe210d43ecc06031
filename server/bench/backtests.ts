// A log of a million predictions over ninety days answered anew by another version, against a batch of such rows.
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDataset } from '../src/commands/dataset.ts';
import { generateLender } from '../src/commands/demo/lender.ts';
import { fitFolder } from '../src/commands/fit.ts';
import type { handlers } from '../src/compute.ts';
import { idsFrom } from '../src/lib/crypto/ids.ts';
import { type Column, sameText, textColumn } from '../src/lib/files/column.ts';
import { openWriter } from '../src/lib/files/write.ts';
import { byHandler, openPool, type TaskRunner } from '../src/lib/processes/pool.ts';
import { freezeTables } from '../src/ml/graph/frozen.ts';
import { seedRandom } from '../src/ml/statistics/random.ts';
import { readVersion } from '../src/ml/version/version.ts';
import type { judgeBacktest, replayPieces } from '../src/resources/backtests/compute.ts';
import type { TargetsTask } from '../src/resources/batches/scoring/open-targets.ts';
import type { scoreUnit } from '../src/resources/batches/scoring/score-unit.ts';
import { columnNames, outputColumn } from '../src/resources/prediction-columns/columns.ts';
import { answerKindOf } from '../src/resources/prediction-columns/replay.ts';
import { compareFigures, type Row } from './figures.ts';

const rows = 1_000_000;
const days = 90;
const customers = 2_000;
const batchRows = 100_000;
const processes = 2;
const secondsMax = 60;
const dayMs = 86_400_000;
const endMs = Date.parse('2026-01-01T00:00:00Z');
const silent = { phase: () => {}, say: () => {} };
const timeZone = 'America/Sao_Paulo';

/** Two versions of the demo lender, and a made-up log in columns; about four minutes on two cores. */
export async function benchBacktests(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lastro-bench-backtests-'));
  const pool = openPool<typeof handlers>({
    script: fileURLToPath(new URL('../src/compute.ts', import.meta.url)),
    size: processes,
    nice: 0,
  });
  const runner = byHandler(pool);
  try {
    const [data, version, frozen] = ['data', 'version', 'frozen'].map((name) => join(folder, name));
    await generateLender(data, { customers, seed: 5 });
    await fitFolder(data, 'default-90d', version, silent);
    const { tables } = await openDataset(data, silent);
    await freezeTables(tables, frozen);
    const documents = readFileSync(join(data, 'tables', 'customers.csv'), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',')[0]);
    const log = await writeLog(folder, documents, answerKindOf(readVersion(version)).field);
    const target = { modelId: 'mdl', versionId: 'ver', folder: version, graphModel: null };
    const task = { data: { id: 'data', frozen, identifiers: null }, targets: [target] };
    const replayed = await replay(runner, task, log, folder);
    const batch = await score(runner, task, documents, folder);
    return [
      compareFigures('a million predictions of 90 days answered anew', replayed, secondsMax, {
        unit: 's',
        target: 1,
        note: `${Math.round(rows / replayed)} rows/s in ${processes} processes, versions opened and answers compared`,
      }),
      compareFigures('a row of a backtest, vs of a batch with reasons', replayed / rows, batch / batchRows, {
        unit: 's',
        target: 1,
        note: `a batch of ${batchRows} such rows took ${batch.toFixed(1)} s in as many processes, opened already`,
      }),
    ];
  } finally {
    await pool.close(0);
    await rm(folder, { recursive: true });
  }
}

const months = [{ name: 'all', first: 'prd_' }];

async function replay({ run }: TaskRunner, task: TargetsTask, log: readonly string[], folder: string) {
  const began = performance.now();
  const told = join(folder, 'told');
  await writeFile(told, '');
  const common = { ...task, model: 0, compareWith: null, folder, told, timeZone, now: endMs };
  const pieces = log.map((path, number) => {
    return { path, number, format: 'columns' as const, range: { first: 0, count: rows } };
  });
  const parts = await Promise.all(
    Array.from({ length: processes }, (_, own) =>
      run<typeof replayPieces>({
        name: 'replayPieces',
        input: {
          ...common,
          pieces: pieces.filter(({ number }) => number % processes === own),
          ...{ first: 'prd_', until: 'prd_g', months },
        },
      }),
    ),
  );
  const judged = await run<typeof judgeBacktest>({
    name: 'judgeBacktest',
    input: {
      answers: parts[0].answers,
      pieces: parts.flatMap((part) => part.pieces),
      folder,
      months: months.map(({ name }) => name),
      cutoff: { probability: 0.1 },
    },
  });
  if (judged.rows !== rows) throw new Error(`${judged.rows} rows were answered`);
  return (performance.now() - began) / 1000;
}

/** A batch of rows of the same customers and days, in as many processes. */
async function score({ run }: TaskRunner, task: TargetsTask, documents: readonly string[], folder: string) {
  const random = seedRandom(8);
  const path = join(folder, 'asked.parquet');
  const writer = await openWriter(path, 'parquet', [
    { name: 'legal_document', type: 'string' },
    { name: 'reference_date', type: 'string' },
  ]);
  const pick = Array.from({ length: batchRows }, () => documents[Math.floor(random() * documents.length)]);
  const when = pick.map(() => new Date(endMs - random() * days * dayMs).toISOString().slice(0, 10));
  const columns = { legal_document: textColumn(pick), reference_date: textColumn(when) };
  await writer.write({ rows: batchRows, columns: new Map<string, Column>(Object.entries(columns)) });
  await writer.close();
  const began = performance.now();
  await Promise.all(
    Array.from({ length: processes }, async (_, own) => {
      const out = join(folder, `unit-${own}`);
      await mkdir(out);
      await run<typeof scoreUnit>({
        name: 'scoreUnit',
        input: {
          ...{ ...task, path, name: 'asked.parquet', isRepeating: false },
          range: { first: (own * batchRows) / processes, count: batchRows / processes },
          ...{ endpoints: null, fallback: 0, timeZone, language: 'en', isDayGiven: false, now: endMs, asOf: endMs },
          ...{ out: join(out, 'part'), format: 'parquet', csv: {}, errors: join(out, 'errors') },
        },
      });
    }),
  );
  return (performance.now() - began) / 1000;
}

/** A day of the log in each file, as the service stores it. */
async function writeLog(folder: string, documents: readonly string[], field: string): Promise<string[]> {
  const random = seedRandom(7);
  const paths: string[] = [];
  for (let day = 0; day < days; day++) {
    const from = endMs - (days - day) * dayMs;
    const count = Math.floor(((day + 1) * rows) / days) - Math.floor((day * rows) / days);
    const moments = Float64Array.from({ length: count }, (_, at) => Math.floor(from + (at * dayMs) / count));
    const ids = Array.from(moments, (ms, at) => `${idsFrom('prd', ms)}7${at.toString(16).padStart(19, '0')}`);
    const path = join(folder, `day-${String(day).padStart(2, '0')}.parquet`);
    const columns: Readonly<Record<string, Column>> = {
      [columnNames.id]: textColumn(ids),
      [columnNames.version]: sameText(count, 'ver_old'),
      [columnNames.generated]: { kind: 'time', values: moments.map((ms) => ms * 1000) },
      legal_document: textColumn(ids.map(() => documents[Math.floor(random() * documents.length)])),
      [outputColumn(field)]: { kind: 'number', values: Float64Array.from(ids, () => random()) },
    };
    const types = { text: 'string', time: 'timestamp', number: 'number' } as const;
    const written = Object.entries(columns).map(([name, { kind }]) => ({ name, type: types[kind] }));
    const writer = await openWriter(path, 'parquet', written);
    await writer.write({ rows: count, columns: new Map(Object.entries(columns)) });
    await writer.close();
    paths.push(path);
  }
  return paths;
}
