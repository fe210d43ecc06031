// What scoring costs as files grow: CPU per row and memory should stay where they are.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scoreFile } from './batch.ts';
import type { Cost } from './cost.ts';
import { compareFigures, type Row } from './figures.ts';
import { firstScoredId, fitSheet, makeTrainingSheet, plainVersion, writeSheet } from './sheets.ts';

const sizes = [10_000, 100_000, 1_000_000];
const longSize = 10_000_000;
const turns = 2;

/** Scores files of 10,000 to 1M rows × 50 columns with 200 trees of 31 leaves, with `long` 10M too. */
export async function benchGrowth({ long }: { long: boolean }): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lastro-bench-growth-'));
  try {
    const sheet = await makeTrainingSheet(join(folder, 'data'));
    const [fitted, version] = [join(folder, 'fitted'), join(folder, 'version')];
    await fitSheet(sheet, fitted);
    await plainVersion(sheet, fitted, version);
    const start = await leastCost(folder, version, 0);
    const measured: Sized[] = [];
    for (const rows of long ? [...sizes, longSize] : sizes)
      measured.push({ rows, cost: await leastCost(folder, version, rows) });
    return measured.slice(1).flatMap((size, before) => compareSizes(size, measured[before], start));
  } finally {
    await rm(folder, { recursive: true });
  }
}

type Sized = { readonly rows: number; readonly cost: Cost };

/** A chunk is 98,304 rows: memory is at its full size only where files have several. */
const severalChunks = 1_000_000;

function compareSizes(size: Sized, before: Sized, start: Cost): Row[] {
  const perMillion = ({ rows, cost }: Sized): number => ((cost.seconds - start.seconds) / rows) * 1e6;
  const name = `growth to ${size.rows} rows, vs ${before.rows}`;
  return [
    compareFigures(`${name}: CPU beyond the start`, perMillion(size), perMillion(before), {
      unit: 'CPU s per 1M rows',
      target: 0.8,
      note: `${size.cost.seconds.toFixed(2)} s in all; an empty file takes ${start.seconds.toFixed(2)} s`,
    }),
    compareFigures(`${name}: peak memory`, size.cost.peakMb, before.cost.peakMb, {
      unit: 'MB',
      ...(before.rows >= severalChunks ? { target: 0.8 } : {}),
      note: `${start.peakMb.toFixed(0)} MB with an empty file`,
    }),
  ];
}

async function leastCost(folder: string, version: string, rows: number): Promise<Cost> {
  await writeSheet(join(folder, 'rows.parquet'), firstScoredId, rows);
  const costs: Cost[] = [];
  for (let turn = 0; turn < (rows > 1_000_000 ? 1 : turns); turn++)
    costs.push(await scoreFile(folder, version, 'rows.parquet', 0));
  return {
    seconds: Math.min(...costs.map(({ seconds }) => seconds)),
    peakMb: Math.max(...costs.map(({ peakMb }) => peakMb)),
  };
}
