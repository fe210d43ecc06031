// A script for a pool's children and, started with `parent`, a parent of one that can be killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDuckDb } from '../../../src/lib/duckdb/duckdb.ts';
import { Failure } from '../../../src/lib/failure.ts';
import { openPool } from '../../../src/lib/processes/pool.ts';
import { type Handler, serveTasks } from '../../../src/lib/processes/serve.ts';

let served = 0;
const kept: Buffer[] = [];
const forever = () => new Promise<never>(() => setInterval(() => {}, 1000));

const echo: Handler<unknown, unknown> = async (input) => input;
/** Who served, and how many it had served before. */
const who: Handler<null, { pid: number; before: number }> = async () => ({ pid: process.pid, before: served++ });
const count: Handler<number, string, { done: number }> = async (input, { progress }) => {
  for (let done = 1; done <= input; done++) progress({ done });
  return 'counted';
};
/** Says its process, then waits to be stopped: stops, returns all the same, or ignores it. */
const wait: Handler<'obey' | 'finish' | 'ignore', string, number> = async (how, { progress, signal }) => {
  progress(process.pid);
  if (how === 'ignore') return forever();
  await sleep(1_000_000, undefined, { signal }).catch((error) => {
    if (how === 'obey') throw error;
  });
  return 'what was done so far';
};
const block: Handler<null, never, number> = async (_, { progress }) => {
  for (;;) progress(process.pid);
};
const fail: Handler<'failure' | 'error' | 'text' | 'function', unknown> = async (how) => {
  const cause = Object.assign(new RangeError('disk'), { code: 'EIO' });
  if (how === 'failure')
    throw new Failure('limit_exceeded', 'Too many rows.', {
      problems: [{ at: 'row 3', message: 'one more' }],
      reason: 'too_many_rows',
      cause,
    });
  if (how === 'error') throw new TypeError('a bug', { cause });
  if (how === 'text') throw 'only words';
  return () => {};
};
const die: Handler<'exit' | 'crash' | 'heap', never> = async (how) => {
  if (how === 'exit') process.exit(7);
  if (how === 'crash') setImmediate(() => process.abort());
  const heap: unknown[] = [];
  while (how === 'heap') heap.push(new Array(100_000).fill({}));
  return forever();
};
const grow: Handler<number, number> = async (megabytes) => {
  for (let at = 0; at < megabytes; at++) kept.push(Buffer.alloc(2 ** 20, 1));
  return process.pid;
};
const look: Handler<null, Record<string, string | undefined>> = async () => ({ ...process.env });
/** Says its process, then uses without end what it is told to use. */
const use: Handler<{ what: Used; folder: string }, never, number[]> = async ({ what, folder }, { progress }) => {
  progress([process.pid]);
  await sleep(50);
  for (let at = 0; ; at++) {
    if (what === 'sleep') await forever();
    // Three of them wait for each other when each has 20 buffers, and then go on together.
    if (what === 'buffers of three' && at === 20) {
      writeFileSync(join(folder, String(process.pid)), '');
      while (readdirSync(folder).length < 3) await sleep(5);
    }
    if (what.startsWith('buffers')) kept.push(Buffer.alloc(32 << 20, 1));
    if (what === 'one buffer') kept.push(Buffer.alloc(2 ** 36, 1));
    if (what === 'heap') heap.push(Array.from({ length: 100_000 }, () => ({ at })));
    if (what === 'duckdb') await fillDuckDb();
    if (what === 'files') appendFileSync(join(folder, `${at % 7}`), Buffer.alloc(1 << 20, 1));
    if (what === 'processes') {
      const child = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
      progress([process.pid, child.pid!]);
      await once(child, 'exit');
    }
  }
};
type Used =
  | 'nothing'
  | 'sleep'
  | 'buffers'
  | 'buffers of three'
  | 'one buffer'
  | 'heap'
  | 'duckdb'
  | 'files'
  | 'processes';
const heap: unknown[] = [];
/** Rows of a table in memory, as many as DuckDB gets memory for. */
async function fillDuckDb(): Promise<void> {
  const duckdb = await openDuckDb({ threads: 2, memoryLimitMb: 100_000 });
  await duckdb.run('create table filled as select range a, random() b from range(100000000000)');
}

export const handlers = { echo, who, count, wait, block, fail, die, grow, look, use };

if (process.argv[2] === 'parent') {
  const pool = openPool<typeof handlers>({ script: import.meta.filename, size: 3, nice: 5 });
  const children = await Promise.all([pool.run({ name: 'who', input: null }), started('wait'), started('block')]);
  process.stdout.write(`${JSON.stringify(children)}\n`);

  function started(name: 'wait' | 'block'): Promise<number> {
    return new Promise((onProgress) => {
      void (name === 'wait'
        ? pool.run({ name, input: 'ignore' }, { onProgress })
        : pool.run({ name, input: null }, { onProgress }));
    });
  }
} else if (process.send !== undefined && process.argv[1] === import.meta.filename) serveTasks(handlers);
