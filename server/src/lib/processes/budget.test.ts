/** A task that uses more than it may is killed from outside, and the next one finds a process. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { handlers } from '../../../tests/support/samples/lib-processes.ts';
import { Failure } from '../failure.ts';
import { type Budget, isOutOfMemory } from './budget.ts';
import { packError } from './messages.ts';
import { openPool, type Pool, type TaskExceeded } from './pool.ts';

const script = join(import.meta.dirname, '../../../tests/support/samples/lib-processes.ts');
const roomy: Budget = {
  work: 'Using',
  wallSeconds: 600,
  cpuSeconds: 600,
  memoryMb: 400,
  writtenMb: 1_000,
  advice: 'Send less.',
  raise: { wall: 'Raise A.', cpu: 'Raise B.', memory: 'Raise C.', written: 'Raise D.' },
};
const patient = { timeout: 120_000 };
type What = Parameters<typeof handlers.use>[0]['what'];

let folder: string;
let pool: Pool<typeof handlers> | null = null;
let told: TaskExceeded[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lastro-budget-'));
  told = [];
});
afterEach(async () => {
  await pool?.close(0);
  rmSync(folder, { recursive: true, force: true });
});

function open(budget: Partial<Budget>, size = 1): Pool<typeof handlers> {
  const budgets = { use: { ...roomy, ...budget }, who: roomy };
  pool = openPool<typeof handlers>({ script, size, nice: 0, budgets, onExceeded: (one) => told.push(one) });
  return pool;
}

/** Runs a task without end; returns what it was refused with and the processes it had. */
async function use(pool: Pool<typeof handlers>, what: What) {
  let pids: number[] = [];
  const onProgress = (all: number[]) => {
    pids = all;
  };
  const options = { folder, about: { job: 'ing_1' }, onProgress };
  const error = await pool.run({ name: 'use', input: { what, folder } }, options).then(
    () => null,
    (error: unknown) => error,
  );
  return { error, pids };
}

/** Whether a process runs. One that has ended and waits to be reaped does not. */
const isRunning = (pid: number) => {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
};

test.each<[What, Partial<Budget>, string, RegExp]>([
  ['nothing', { cpuSeconds: 0.3 }, 'cpu', /^Using needed more processor time than the 0\.3 seconds .* Raise B\.$/],
  ['sleep', { wallSeconds: 4 }, 'wall', /more time than the 4 seconds that one task may use; .* Raise A\.$/],
  ['buffers', {}, 'memory', /more memory than the 400 MB that one task may use; it had used \d+ MB .* Raise C\.$/],
  ['one buffer', {}, 'memory', /more memory than the 400 MB that one task may use\. Send less\. Raise C\.$/],
  ['heap', {}, 'memory', /more memory than the 400 MB/],
  ['duckdb', {}, 'memory', /more memory than the 400 MB/],
  ['files', { writtenMb: 20 }, 'written', /more space on disk than the 20 MB that one task may use; .* Raise D\.$/],
  ['processes', { cpuSeconds: 2 }, 'cpu', /more processor time than the 2 seconds/],
])('a task that uses %s without end is killed, and the next one runs', async (what, budget, limit, message) => {
  const pool = open(budget);
  const { error, pids } = await use(pool, what);
  expect(error).toBeInstanceOf(Failure);
  expect(error).toMatchObject({ code: 'limit_exceeded', reason: 'budget_exceeded' });
  expect((error as Failure).message).toMatch(message);
  expect((error as Failure).message).toContain('Send less.');
  expect(told).toMatchObject([{ task: 'use', limit, about: { job: 'ing_1' } }]);
  // Others may be killed before they have said anything.
  if (what === 'processes') expect(pids).toHaveLength(2);
  await pool.run({ name: 'who', input: null });
  // What ran out of memory in JavaScript has thrown, and its process may serve on.
  if (what !== 'one buffer') for (const pid of pids) await expect.poll(() => isRunning(pid), patient).toBe(false);
});

test.each([
  'Failed to append: Failed to commit: failed to pin block of size 256.0 KiB (572.1 MiB/572.2 MiB used)',
  'Failed to append: Failed to commit: could not allocate block of size 256.0 KiB (1.1 GiB/1.1 GiB used)',
  'Out of Memory Error: could not allocate block of size 32.0 KiB (47.6 MiB/47.6 MiB used)',
  'Array buffer allocation failed',
  'WebAssembly.Memory(): could not allocate memory',
])('%s says that memory could not be had, also as a cause', (message) => {
  expect(isOutOfMemory(packError(new Error(message)))).toBe(true);
  expect(isOutOfMemory(packError(new Error('writing failed', { cause: new Error(message) })))).toBe(true);
  expect(isOutOfMemory(packError(new Failure('invalid', message)))).toBe(false);
});

test('a thread whose heap is full says so to whoever shared work with it', () => {
  const cause = Object.assign(new Error('terminated'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
  expect(isOutOfMemory(packError(new Error('a thread that shared the work has ended', { cause })))).toBe(true);
});

test('tasks that give way on the processor leave the warm children of the others alone', async () => {
  const long = { ...roomy, isLong: true };
  const low = openPool<typeof handlers>({
    ...{ script, size: 3, nice: 0, heavyNice: 5, budgets: { wait: long, echo: long, who: roomy } },
  });
  pool = low;
  const who = async () => (await low.run({ name: 'who', input: null })).pid;
  const warm = await who();
  const stop = new AbortController();
  const begun: number[] = [];
  const wait = () =>
    low.run({ name: 'wait', input: 'finish' }, { signal: stop.signal, onProgress: (pid) => begun.push(pid) });
  const waits = [wait(), wait()];
  await vi.waitUntil(() => begun.length === 1, 10_000);
  for (let n = 0; n < 5; n++) expect(await who()).toBe(warm);
  expect(begun).toHaveLength(1);
  stop.abort();
  await Promise.allSettled(waits);
  for (let n = 0; n < 5; n++) {
    await low.run({ name: 'echo', input: n });
    expect(await who()).toBe(warm);
  }
});

test('what ends in time and within its budget is not disturbed', async () => {
  const pool = open({});
  const first = await pool.run({ name: 'who', input: null });
  expect((await pool.run({ name: 'who', input: null })).pid).toBe(first.pid);
  expect(told).toEqual([]);
});

test('a process killed by somebody else has not exceeded its budget', async () => {
  const pool = open({});
  const ended = pool.run(
    { name: 'use', input: { what: 'sleep', folder } },
    { onProgress: ([pid]) => process.kill(pid, 'SIGKILL') },
  );
  await expect(ended).rejects.toMatchObject({ name: 'ProcessDied', signal: 'SIGKILL' });
  expect(told).toEqual([]);
});

test('processes are started for the memory of their tasks, and make room for others', async () => {
  const pool = open({ memoryMb: 500, cpuSeconds: 0.2 });
  const first = await pool.run({ name: 'who', input: null });
  const { error, pids } = await use(pool, 'nothing');
  expect(error).toMatchObject({ reason: 'budget_exceeded' });
  expect(pids).not.toContain(first.pid);
  await expect.poll(() => isRunning(first.pid), patient).toBe(false);
});
