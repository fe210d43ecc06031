/** However fast tasks allocate, and whether or not the parent looks, memory stays under its ceiling. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { handlers } from '../../../tests/support/samples/lib-processes.ts';
import type { Budget } from './budget.ts';
import { openPool, type Pool, type TaskExceeded } from './pool.ts';
import { descendants, readProc } from './usage.ts';

const script = join(import.meta.dirname, '../../../tests/support/samples/lib-processes.ts');
const roomy: Omit<Budget, 'memoryMb'> = {
  ...{ work: 'Using', wallSeconds: 600, cpuSeconds: 600, writtenMb: 1_000, advice: 'Send less.' },
  raise: { wall: '.', cpu: '.', memory: '.', written: '.' },
};
let folder: string;
let pool: Pool<typeof handlers> | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lastro-budget-'));
});
afterEach(async () => {
  await pool?.close(0);
  rmSync(folder, { recursive: true, force: true });
});

/** Runs tasks at once; returns what each was refused with, and the most memory that all had together. */
async function runAtOnce(tasks: number, memoryMb: number) {
  const budgets = { use: { ...roomy, memoryMb }, who: { ...roomy, memoryMb } };
  const used: (number | null)[] = [];
  const onExceeded = (one: TaskExceeded) => used.push(one.used);
  pool = openPool<typeof handlers>({ script, size: tasks, nice: 0, budgets, onExceeded });
  const running = pool;
  const input = { what: 'buffers of three', folder } as const;
  let isOver = false;
  const ended = Promise.all(
    Array.from({ length: tasks }, () => running.run({ name: 'use', input }, { folder }).catch((error) => error)),
  ).finally(() => {
    isOver = true;
  });
  let peakMb = 0;
  while (!isOver) {
    const children = descendants(process.pid).filter((pid) => pid !== process.pid);
    peakMb = Math.max(peakMb, readProc(children).memoryMb);
    await sleep(5);
  }
  const errors = await ended;
  return { errors, peakMb, used };
}

test.runIf(process.platform === 'linux')(
  'all slots at their limit at once stay under the ceiling, and the next tasks run',
  async () => {
    const memoryMb = 700;
    const tasks = 3;
    const { errors, peakMb, used } = await runAtOnce(tasks, memoryMb);
    for (const error of errors) expect(error).toMatchObject({ reason: 'budget_exceeded' });
    const each = used.map((megabytes) => Math.round(megabytes ?? 0)).join(', ');
    console.log(`peak of all ${Math.round(peakMb)} MB, of ${tasks} budgets of ${memoryMb} MB; of each ${each} MB`);
    // A slot has an eighth more than its task may use.
    expect(peakMb).toBeLessThan((tasks * memoryMb * 8) / 7);
    expect(peakMb).toBeGreaterThan(0.9 * tasks * memoryMb);
    expect(await pool!.run({ name: 'who', input: null })).toMatchObject({ before: 0 });
  },
  120_000,
);

test.runIf(process.platform === 'linux')(
  'a task that allocates while the parent is too busy to look does not get much more than its budget',
  async () => {
    const memoryMb = 500;
    const budgets = { use: { ...roomy, memoryMb } };
    pool = openPool<typeof handlers>({ script, size: 1, nice: 0, budgets });
    const began = Promise.withResolvers<number>();
    const ended = pool.run(
      { name: 'use', input: { what: 'buffers', folder } },
      { onProgress: ([pid]) => began.resolve(pid) },
    );
    const refused = expect(ended).rejects.toMatchObject({ reason: 'budget_exceeded' });
    const pid = await began.promise;
    let peakMb = 0;
    // Nothing else runs in this process meanwhile.
    for (const until = Date.now() + 20_000; Date.now() < until; ) {
      const { memoryMb: usedMb } = readProc([pid]);
      // It falls back only once the limit has been met: before, it dips when garbage is collected.
      if (usedMb < peakMb && peakMb > memoryMb) break;
      peakMb = Math.max(peakMb, usedMb);
    }
    await refused;
    console.log(`${Math.round(peakMb)} MB were had of a budget of ${memoryMb} MB`);
    expect(peakMb).toBeGreaterThan(memoryMb);
    expect(peakMb).toBeLessThan(memoryMb + 512);
  },
  120_000,
);
