// Fits a task on a number of threads, and says how long that took and what bytes came of it.
// fit-with-threads.ts <data set> <task> <threads> <labels at least>
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataset, openTask } from '../../src/commands/dataset.ts';
import { readOutputs } from '../../src/ml/tasks/labels.ts';
import { fit } from '../../src/ml/training/fit.ts';

/** Nothing is fitted where labels are too few: then `digest` is null. */
export type FitWithThreads = { readonly seconds: number; readonly digest: string | null };

const [folder, name, threads, labelsMin] = process.argv.slice(2);
const dataset = await openDataset(folder, { say: () => {}, phase: () => {} } as never);
const task = openTask(dataset, name);
const files = ['train.csv', 'val.csv'].map((file) => join(folder, 'tasks', name, file));
const labels = await readOutputs(task, dataset.tables, files, [], Date.now() * 1000);
const isLarge = labels.outputs[0].examples.rows.length > Number(labelsMin);
console.log(JSON.stringify(isLarge ? await fitWith(Number(threads)) : { seconds: 0, digest: null }));

async function fitWith(threads: number): Promise<FitWithThreads> {
  const room = mkdtempSync(join(tmpdir(), 'lastro-threads-'));
  const out = join(room, 'version');
  const { tables, contract } = dataset;
  const start = performance.now();
  await fit({ tables, contract, task, ...labels, regime: { kind: 'rolling' }, threads }, out, () => {});
  const seconds = (performance.now() - start) / 1000;
  // The manifest has the SHA-256 of every file.
  const digest = readFileSync(join(out, 'manifest.json'), 'utf8');
  rmSync(room, { recursive: true });
  return { seconds, digest };
}
