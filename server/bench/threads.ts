// How much sooner a training ends on two threads than on one, and whether it learns the same to the byte.
import { assert } from '../src/lib/failure.ts';
import type { FitWithThreads } from './children/fit-with-threads.ts';
import { compareTurns, type Row } from './figures.ts';
import { runScript } from './processes.ts';
import { listTasks } from './tasks.ts';

/** On how many threads a task is fitted, one after the other. */
const order = [1, 2, 1, 2, 1, 2];
/** Of fewer labels a training takes seconds, of which starting a thread is a part. */
const labelsMin = 10_000;
const target = 1.7;

/** Fits the tasks of many labels on one thread and on two by turns; some ten minutes. Throws where bytes differ. */
export async function benchThreads(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { folder, set, task } of listTasks()) {
    const seconds: [one: number[], two: number[]] = [[], []];
    const digests = new Set<string>();
    for (const threads of order) {
      const args = [folder, task, `${threads}`, `${labelsMin}`];
      const fitted = await runScript(process.execPath, 'children/fit-with-threads.ts', args);
      const { seconds: taken, digest } = fitted as unknown as FitWithThreads;
      if (digest === null) break;
      seconds[threads - 1].push(taken);
      digests.add(digest);
    }
    if (digests.size === 0) continue;
    assert(digests.size === 1, `${set}/${task} is the same on one thread and on two`);
    const note = 'seconds by the clock; the same bytes';
    rows.push(compareTurns(`${set}/${task}, two threads vs one`, seconds[1], seconds[0], { unit: 's', target, note }));
  }
  return rows;
}
