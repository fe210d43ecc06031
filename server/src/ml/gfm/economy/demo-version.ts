import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFiles } from '../facts/import.ts';
import { writeStore } from '../facts/store.ts';
import { fitEncoder } from '../fit.ts';
import { openFactGraph } from '../graph.ts';
import { saveGfm } from '../version.ts';
import { drawEconomy } from './draw.ts';
import { writeEconomy } from './write.ts';

/** Name of the version that comes with the service. */
export const demoVersionName = 'demo-1';

const companies = 300;
const seed = 1;
const millisecondsPerDay = 86_400_000;
const from = Date.parse('2018-01-01T00:00:00Z') / millisecondsPerDay;
const until = Date.parse('2024-12-31T00:00:00Z') / millisecondsPerDay;
const periods = 4;

/**
 * Makes the version that comes with the service: fitted on a synthetic economy of 300 companies, and marked as
 * synthetic. Each run gives the same result, except for `generatedAt` (milliseconds since 1970); it takes about half a
 * minute. Throws Failure 'conflict' when the folder exists.
 */
export async function makeDemoVersion(
  folder: string,
  generatedAt: number,
  progress: (phase: string, done: number, of: number) => void = () => {},
): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'lastro-demo-version-'));
  try {
    progress('making up an economy', 0, 1);
    await writeEconomy(join(work, 'economy'), drawEconomy({ companies, seed, from, until }));
    const files = ['nodes', 'records', 'relations'].map((name) => join(work, 'economy', 'graph', `${name}.csv`));
    const { store } = await importFiles(files, () => {});
    await writeStore(join(work, 'store'), store);
    const newest = store.facts.known.reduce((latest, known) => Math.max(latest, known), Number.NEGATIVE_INFINITY);
    const fitted = fitEncoder(openFactGraph(store), { until: newest }, progress);
    const options = { name: demoVersionName, until: newest, generatedAt, periods };
    await saveGfm(folder, join(work, 'store'), fitted, options, progress);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
