// A file of a million rows scored through a version folder, whole processes in turns, against xgboost behind pandas.
// The rows are 50 FLOAT (32-bit) columns, 2 % missing, and an id, in Parquet with snappy; both sides score them as
// float32.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDuckDb, quoteText } from '../src/lib/duckdb/duckdb.ts';
import type { Cost } from './cost.ts';
import { compareFigures, compareTurns, type Row } from './figures.ts';
import { findPython, runScript } from './processes.ts';
import { sheetColumns } from './sheet-columns.ts';
import {
  firstScoredId,
  fitSheet,
  makeTrainingSheet,
  plainSize,
  plainVersion,
  type TrainingSheet,
  type TreeSize,
  writeRawSheet,
  writeSheet,
} from './sheets.ts';

const rows = 1_000_000;
const explainedRows = 100_000;
const peerExplainedRows = 5_000;
/** Whole processes: what else the host does moves one of them by 40 %, the other by 10. */
const turns = 6;
const columns = String(sheetColumns.length);

/** Scores 1M rows × 50 columns with two models, without and with factors; about five minutes on one core. */
export async function benchBatch(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lastro-bench-batch-'));
  try {
    const sheet = await makeTrainingSheet(join(folder, 'data'));
    const [fitted, plain] = [join(folder, 'fitted'), join(folder, 'plain')];
    const fittedSize = await fitSheet(sheet, fitted);
    await plainVersion(sheet, fitted, plain);
    await writeSheet(join(folder, 'rows.parquet'), firstScoredId, rows);
    await writeSheet(join(folder, 'few.parquet'), firstScoredId, explainedRows);
    const python = findPython('batch', ['xgboost', 'pandas']);
    if (python) await writePeerFiles(folder);
    return [
      ...(await compareVersion(folder, python, sheet, plain, plainSize)),
      ...(await compareVersion(folder, python, sheet, fitted, fittedSize)),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Scores a file in a process of its own. */
export function scoreFile(folder: string, version: string, file: string, factors: number): Promise<Cost> {
  const [data, out] = [join(folder, 'data'), join(folder, 'scored.csv')];
  return runScript(process.execPath, 'children/score.ts', [version, data, join(folder, file), out, String(factors)]);
}

/**
 * Debian's pandas reads no Parquet: it gets the rows as CSV, and a second peer as float32 with DuckDB's decoding added.
 */
async function writePeerFiles(folder: string): Promise<void> {
  const duckdb = await openDuckDb({ folders: [folder] });
  await duckdb.run(
    `copy (from read_parquet(${quoteText(join(folder, 'rows.parquet'))})) to ${quoteText(join(folder, 'rows.csv'))} (format csv, header)`,
  );
  duckdb.close();
  await writeRawSheet(join(folder, 'rows.parquet'), join(folder, 'rows.raw'));
}

async function compareVersion(
  folder: string,
  python: string | null,
  sheet: TrainingSheet,
  version: string,
  size: TreeSize,
): Promise<Row[]> {
  const model = join(folder, 'model.json');
  if (python) await trainPeer(folder, python, sheet, size, model);
  const ask = (...args: string[]): Promise<Cost> => runScript(python!, 'peers/batch.py', args);
  const ours: Cost[] = [];
  const decode: Cost[] = [];
  const csv: Cost[] = [];
  const raw: Cost[] = [];
  for (let turn = 0; turn < turns; turn++) {
    ours.push(await scoreFile(folder, version, 'rows.parquet', 0));
    decode.push(await runScript(process.execPath, 'children/decode.ts', [join(folder, 'rows.parquet')]));
    if (!python) continue;
    raw.push(await ask('raw', join(folder, 'rows.raw'), columns, model, join(folder, 'peer.csv')));
    csv.push(await ask('csv', join(folder, 'rows.csv'), model, join(folder, 'peer.csv')));
  }
  const told = await scoreFile(folder, version, 'few.parquet', 4);
  const untold = await scoreFile(folder, version, 'few.parquet', 0);
  const name = `${size.trees} trees x ${size.leaves} leaves`;
  const seconds = (costs: readonly Cost[]): number[] => costs.map((cost) => cost.seconds);
  const unit = 'CPU s per 1M rows';
  const perMillion = (told.seconds - untold.seconds) / (explainedRows / 1e6);
  const found = [
    compareTurns(`batch, ${name}: Parquet to CSV, vs decoding the Parquet alone`, seconds(ours), seconds(decode), {
      unit,
    }),
    compareFigures(`batch, ${name}: what 4 factors a row add, vs scoring without`, perMillion, least(ours), {
      unit,
      note: `on ${explainedRows} rows`,
    }),
  ];
  if (!python) return found;
  const decoded = raw.map(({ seconds }, turn) => seconds + decode[turn].seconds);
  const explained = await ask('explain', join(folder, 'rows.raw'), columns, model, String(peerExplainedRows));
  return [
    compareTurns(`batch, ${name}: vs pandas CSV, xgboost, CSV`, seconds(ours), seconds(csv), { unit, target: 6 }),
    compareTurns(`batch, ${name}: vs DuckDB decoding, xgboost, CSV`, seconds(ours), decoded, { unit, target: 6 }),
    compareFigures(`batch, ${name}: peak memory, vs pandas CSV, xgboost`, peak(ours), peak(csv), { unit: 'MB' }),
    ...found,
    compareFigures(
      `batch, ${name}: what 4 factors a row add, vs xgboost pred_contribs alone`,
      perMillion,
      explained.seconds / (peerExplainedRows / 1e6),
      { unit, note: `on ${explainedRows} and ${peerExplainedRows} rows; ours chosen, worded and written` },
    ),
  ];
}

function least(costs: readonly Cost[]): number {
  return Math.min(...costs.map(({ seconds }) => seconds));
}

function peak(costs: readonly Cost[]): number {
  return Math.max(...costs.map(({ peakMb }) => peakMb));
}

/** Trains an xgboost model with as many trees of the same size on the same rows. */
async function trainPeer(
  folder: string,
  python: string,
  { matrix, labels }: TrainingSheet,
  { trees, leaves, depth }: TreeSize,
  model: string,
): Promise<void> {
  const files = [join(folder, 'matrix'), join(folder, 'labels')];
  await writeFile(files[0], matrix.values);
  await writeFile(files[1], labels);
  const numbers = [matrix.rows, matrix.features, trees, leaves, depth].map(String);
  await runScript(python, 'peers/batch.py', ['train', ...files, ...numbers, model]);
}
