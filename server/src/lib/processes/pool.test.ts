import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { handlers } from '../../../tests/support/samples/lib-processes.ts';
import { Failure } from '../failure.ts';
import { openPool, type Pool, type PoolOptions, ProcessDied } from './pool.ts';
import { waitingPerGroupMax } from './waiting.ts';

const script = join(import.meta.dirname, '../../../tests/support/samples/lib-processes.ts');
const pools: Pool<typeof handlers>[] = [];
const open = (options: Partial<PoolOptions> = {}) => {
  const pool = openPool<typeof handlers>({ script, size: 1, nice: 0, ...options });
  pools.push(pool);
  return pool;
};
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close(0)));
});

const who = (pool: Pool<typeof handlers>) => pool.run({ name: 'who', input: null });
/** Starts a task that waits, and returns its process once it runs. */
const startWaiting = async (
  pool: Pool<typeof handlers>,
  how: 'obey' | 'finish' | 'ignore',
  signal?: AbortSignal,
  leaves = 0,
  group = '',
) => {
  const running = Promise.withResolvers<number>();
  const result = pool.run(
    { name: 'wait', input: how },
    { onProgress: running.resolve, leaves, group, ...(signal === undefined ? {} : { signal }) },
  );
  result.catch(running.reject);
  return { pid: await running.promise, result };
};
const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('input and output cross as they are', async () => {
  const input = { at: new Date(0), big: 2n ** 70n, bytes: new Uint8Array([1, 2]), map: new Map([[1, Number.NaN]]) };
  expect(await open().run({ name: 'echo', input })).toEqual(input);
});

test('a child serves one task after the other and keeps what it has in memory', async () => {
  const pool = open();
  const [one, two, three] = await Promise.all([who(pool), who(pool), who(pool)]);
  expect([one.before, two.before, three.before]).toEqual([0, 1, 2]);
  expect(new Set([one.pid, two.pid, three.pid]).size).toBe(1);
  expect(one.pid).not.toBe(process.pid);
});

test('a task that leaves a child free waits for another, and those that leave none pass it', async () => {
  const pool = open({ size: 2 });
  const stop = new AbortController();
  const long = await startWaiting(pool, 'finish', stop.signal, 1);
  let hasBegun = false;
  const second = startWaiting(pool, 'finish', stop.signal, 1).then(() => (hasBegun = true));
  const isRefused = expect(second).rejects.toThrow('aborted');
  const short = await who(pool);
  expect(short.pid).not.toBe(long.pid);
  expect((await who(pool)).pid).toBe(short.pid);
  expect(hasBegun).toBe(false);
  stop.abort();
  await long.result;
  await isRefused;
  const after = new AbortController();
  const third = await startWaiting(pool, 'finish', after.signal, 1);
  after.abort();
  await third.result;
});

test('groups take turns, however many tasks one of them has waiting', async () => {
  const pool = open();
  const stop = new AbortController();
  const first = await startWaiting(pool, 'finish', stop.signal);
  const order: string[] = [];
  const ask = (group: string) => pool.run({ name: 'who', input: null }, { group }).then(() => order.push(group));
  const all = ['many', 'many', 'many', 'many', 'one', 'two', 'two'].map(ask);
  stop.abort();
  await Promise.all([first.result, ...all]);
  expect(order).toEqual(['many', 'one', 'two', 'many', 'two', 'many', 'many']);
});

test('a group that wants all children leaves one to others', async () => {
  const pool = open({ size: 3 });
  const stop = new AbortController();
  const many = [
    await startWaiting(pool, 'finish', stop.signal, 0, 'many'),
    await startWaiting(pool, 'finish', stop.signal, 0, 'many'),
  ];
  const order: string[] = [];
  const ask = (group: string) => pool.run({ name: 'who', input: null }, { group }).then(() => order.push(group));
  const more = ask('many');
  await Promise.all(['few', 'others', 'few'].map(ask));
  expect(order).toEqual(['few', 'others', 'few']);
  stop.abort();
  await Promise.all([...many.map(({ result }) => result), more]);
});

test('tasks of each length begin beside longer and shorter ones, and hold none of their children', async () => {
  const pool = open({ size: 3 });
  const stop = new AbortController();
  const [short, long, longest] = [
    await startWaiting(pool, 'finish', stop.signal),
    await startWaiting(pool, 'finish', stop.signal, 1),
    await startWaiting(pool, 'finish', stop.signal, 2),
  ];
  expect(new Set([short.pid, long.pid, longest.pid]).size).toBe(3);
  stop.abort();
  await Promise.all([short.result, long.result, longest.result]);

  const other = new AbortController();
  const running = [
    await startWaiting(pool, 'finish', other.signal, 2),
    await startWaiting(pool, 'finish', other.signal, 1),
  ];
  let begun = 0;
  const count = () => void begun++;
  const waiting = [2, 1].map((leaves) =>
    pool.run({ name: 'wait', input: 'obey' }, { leaves, signal: other.signal, onProgress: count }),
  );
  const refused = waiting.map((one) => expect(one).rejects.toThrow('aborted'));
  for (let n = 0; n < 5; n++) await who(pool);
  expect(begun).toBe(0);
  other.abort();
  await Promise.all([...running.map(({ result }) => result), ...refused]);
});

test('a group that has too much waiting is refused, and others are not', async () => {
  const pool = open();
  const stop = new AbortController();
  const { result } = await startWaiting(pool, 'finish', stop.signal);
  const drop = new AbortController();
  const ask = (group: string) => pool.run({ name: 'who', input: null }, { group, signal: drop.signal });
  const many = Array.from({ length: waitingPerGroupMax }, () => ask('many'));
  const dropped = Promise.allSettled(many);
  await expect(ask('many')).rejects.toMatchObject({ code: 'unavailable' });
  const other = ask('other');
  drop.abort();
  await expect(other).rejects.toThrow('aborted');
  await dropped;
  stop.abort();
  await result;
});

test('a task that has to wait for a child says so, and one that is begun at once does not', async () => {
  const pool = open();
  const waited: string[] = [];
  const told = (name: string) => ({ onWait: () => void waited.push(name) });
  await pool.run({ name: 'who', input: null }, told('first'));
  const both = ['second', 'third'].map((name) => pool.run({ name: 'who', input: null }, told(name)));
  expect(waited).toEqual(['third']);
  await Promise.all(both);
  expect(waited).toEqual(['third']);
});

test('as many tasks run at once as the pool is large', async () => {
  const pool = open({ size: 2 });
  const stop = new AbortController();
  const [one, two] = await Promise.all([
    startWaiting(pool, 'finish', stop.signal),
    startWaiting(pool, 'finish', stop.signal),
  ]);
  expect(one.pid).not.toBe(two.pid);
  let thirdDone = false;
  const third = who(pool).then((answer) => {
    thirdDone = true;
    return answer;
  });
  expect(thirdDone).toBe(false);
  stop.abort();
  await Promise.all([one.result, two.result]);
  expect([one.pid, two.pid]).toContain((await third).pid);
});

test('progress arrives in order, the last before the end', async () => {
  const seen: number[] = [];
  const onProgress = ({ done }: { done: number }) => seen.push(done);
  expect(await open().run({ name: 'count', input: 100_000 }, { onProgress })).toBe('counted');
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen.at(-1)).toBe(100_000);
});

test('a Failure arrives as one, with its code, reason, message, problems, cause and stack', async () => {
  const error = await open()
    .run({ name: 'fail', input: 'failure' })
    .catch((failure: Error) => failure);
  expect(error).toBeInstanceOf(Failure);
  expect(error).toMatchObject({
    code: 'limit_exceeded',
    message: 'Too many rows.',
    reason: 'too_many_rows',
    problems: [{ at: 'row 3', message: 'one more' }],
    cause: { name: 'RangeError', message: 'disk', code: 'EIO' },
  });
  expect((error as Error).stack).toContain('tests/support/samples/lib-processes.ts');
});

test('any other error keeps its name and stack, and the child serves on', async () => {
  const pool = open();
  const { pid } = await who(pool);
  const error = await pool.run({ name: 'fail', input: 'error' }).catch((failure: Error) => failure);
  expect(error).not.toBeInstanceOf(Failure);
  expect(error).toMatchObject({ name: 'TypeError', message: 'a bug', cause: { message: 'disk' } });
  expect((error as Error).stack).toMatch(/^TypeError: a bug\n.*lib-processes\.ts/);
  await expect(pool.run({ name: 'fail', input: 'text' })).rejects.toThrow('only words');
  await expect(pool.run({ name: 'fail', input: 'function' })).rejects.toThrow('could not be cloned');
  await expect(pool.run({ name: 'echo', input: () => {} })).rejects.toThrow('could not be cloned');
  await expect(pool.run({ name: 'toString' as 'echo', input: 1 })).rejects.toThrow('no handler is called toString');
  expect((await who(pool)).pid).toBe(pid);
});

test.each([
  ['exit', { exitCode: 7, signal: null }],
  ['crash', { exitCode: null, signal: 'SIGABRT' }],
  ['heap', { name: 'ProcessDied' }],
] as const)('a child that ends by %s fails its task as one to run again, and is replaced', async (input, expected) => {
  const pool = open({ nodeFlags: ['--max-old-space-size=64'] });
  const [death, next] = await Promise.allSettled([pool.run({ name: 'die', input }), who(pool)]);
  expect(death).toMatchObject({ status: 'rejected', reason: expect.any(ProcessDied) });
  expect(death).toMatchObject({ reason: expected });
  expect(next).toMatchObject({ status: 'fulfilled', value: { before: 0 } });
});

test('so does one killed from outside, busy or idle', async () => {
  const pool = open();
  const { pid, result } = await startWaiting(pool, 'ignore');
  process.kill(pid, 'SIGKILL');
  await expect(result).rejects.toMatchObject({ name: 'ProcessDied', signal: 'SIGKILL' });
  const idle = await who(pool);
  expect(idle).toMatchObject({ before: 0 });
  process.kill(idle.pid, 'SIGKILL');
  // The death may be noticed before or after the next task is given out.
  await who(pool).catch((error) => expect(error).toBeInstanceOf(ProcessDied));
  expect((await who(pool)).pid).not.toBe(idle.pid);
});

test('a script that cannot start fails its tasks', async () => {
  const pool = open({ script: join(import.meta.dirname, 'no-such-script.ts') });
  await expect(who(pool)).rejects.toBeInstanceOf(ProcessDied);
});

test('a task stops when asked, and its child serves on', async () => {
  const pool = open();
  const stop = new AbortController();
  const { pid, result } = await startWaiting(pool, 'obey', stop.signal);
  const reason = new Error('interrupted by a user');
  stop.abort(reason);
  await expect(result).rejects.toBe(reason);
  expect((await who(pool)).pid).toBe(pid);
});

test('a task may answer the stop with what it has', async () => {
  const stop = new AbortController();
  const { result } = await startWaiting(open(), 'finish', stop.signal);
  stop.abort();
  expect(await result).toBe('what was done so far');
});

test('a task that does not stop is killed with its process', async () => {
  const pool = open({ stopGraceMs: 50 });
  const stop = new AbortController();
  const { pid, result } = await startWaiting(pool, 'ignore', stop.signal);
  stop.abort();
  await expect(result).rejects.toBe(stop.signal.reason);
  expect(isRunning(pid)).toBe(false);
  expect(await who(pool)).toMatchObject({ before: 0 });
});

test('a task stopped before its turn is never begun', async () => {
  const pool = open();
  const first = await startWaiting(pool, 'ignore');
  const stop = new AbortController();
  const second = pool.run({ name: 'echo', input: 1 }, { signal: stop.signal });
  stop.abort();
  await expect(second).rejects.toBe(stop.signal.reason);
  await expect(pool.run({ name: 'echo', input: 1 }, { signal: stop.signal })).rejects.toBe(stop.signal.reason);
  process.kill(first.pid, 'SIGKILL');
  await expect(first.result).rejects.toBeInstanceOf(ProcessDied);
  expect(await who(pool)).toMatchObject({ before: 0 });
});

test('a child that has grown too large is replaced after its task', async () => {
  const pool = open({ rssLimitMb: 300 });
  const small = await pool.run({ name: 'grow', input: 1 });
  expect(await pool.run({ name: 'grow', input: 300 })).toBe(small);
  expect((await who(pool)).pid).not.toBe(small);
});

test('a child without work is stopped', async () => {
  const pool = open({ idleMs: 1 });
  const first = await who(pool);
  while (isRunning(first.pid)) await new Promise((done) => setTimeout(done, 10));
  expect(await who(pool)).toMatchObject({ before: 0 });
});

test('closing waits for what runs and refuses what waits', async () => {
  const pool = open();
  const stop = new AbortController();
  const { pid, result } = await startWaiting(pool, 'finish', stop.signal);
  const queued = who(pool);
  const refused = expect(queued).rejects.toMatchObject({ code: 'unavailable' });
  const closing = pool.close(1_000_000);
  await refused;
  await expect(who(pool)).rejects.toMatchObject({ code: 'unavailable' });
  expect(isRunning(pid)).toBe(true);
  stop.abort();
  expect(await result).toBe('what was done so far');
  await closing;
  expect(isRunning(pid)).toBe(false);
});

test('closing kills what does not end in time', async () => {
  const pool = open();
  const { pid, result } = await startWaiting(pool, 'ignore');
  const death = expect(result).rejects.toMatchObject({ name: 'ProcessDied', signal: 'SIGKILL' });
  await pool.close(1);
  await death;
  expect(isRunning(pid)).toBe(false);
});

test('children see no environment but what they are given', async () => {
  expect(await open({ environment: { TZ: 'UTC' } }).run({ name: 'look', input: null })).toMatchObject({ TZ: 'UTC' });
  expect(Object.keys(await open().run({ name: 'look', input: null }))).not.toContain('PATH');
});

test.runIf(process.platform === 'linux')('all threads of a child have the low priority asked for', async () => {
  const pool = open({ nice: 7 });
  const { pid } = await who(pool);
  const nice = () =>
    readdirSync(`/proc/${pid}/task`).map((thread) => {
      const line = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
      // Field 19 of proc_pid_stat(5), counted after the name in parentheses.
      return Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[16]);
    });
  const expected = Math.max(7, getPriority());
  while (nice().some((value) => value !== expected)) await new Promise((done) => setTimeout(done, 10));
  expect(nice().length).toBeGreaterThan(1);
});

test.runIf(existsSync('/proc/self/autogroup'))('so has the session that a child leads', async () => {
  const { pid } = await who(open({ nice: 7 }));
  const nice = () => Number(/nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, 'utf8'))?.[1]);
  await vi.waitUntil(() => nice() === Math.max(7, getPriority()), 10_000);
});

test.skipIf(process.platform === 'win32')(
  'no child outlives a parent that is killed, whatever it is doing',
  async () => {
    const parent = spawn(process.execPath, [script, 'parent'], { stdio: ['ignore', 'pipe', 'pipe'] });
    const [line] = await once(parent.stdout, 'data');
    expect(JSON.parse(String(line))).toHaveLength(3);
    parent.stderr.resume();
    parent.kill('SIGKILL');
    // Children hold the parent's stderr, which closes with the last of them; this test waits for that.
    await once(parent, 'close');
  },
);
