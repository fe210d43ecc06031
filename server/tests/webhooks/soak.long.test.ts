/** Webhooks under a steady load for minutes. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { system, type Tx } from '../../src/access/transactions.ts';
import { selectDueLanes, selectNow } from '../../src/resources/webhooks/delivering/sql.ts';
import type { Tenant } from '../service.ts';
import type { Receiver } from './farm.ts';
import { type Hooks, inDatabase, register, startHooks, startWorker, type Worker } from './hooks.ts';
import { allSucceeded, emitMany, quantile, steadily } from './load.ts';

let hooks: Hooks;
let here: Tenant;
let worker: Worker;
let receiver: Receiver;
const ids: string[] = [];
const webhooks = 10;
const perSecond = 10;

beforeAll(async () => {
  hooks = await startHooks({}, 'api');
  here = await hooks.service.tenant('Here');
  worker = startWorker(hooks);
  receiver = hooks.farm.receiver();
  for (let at = 0; at < webhooks; at++)
    ids.push((await register(here.client, receiver.url, { events: ['batch-request'] })).id);
});
afterAll(async () => {
  worker.kill('SIGTERM');
  await worker.ended;
  await hooks.close();
});

/** Has events happen for so many seconds, until all have arrived. */
async function run(seconds: number): Promise<void> {
  const before = receiver.requests.length;
  await steadily({ perSecond, seconds }, (count) => emitMany(hooks, here, { count }));
  const all = before + perSecond * seconds * webhooks;
  await receiver.received(all);
  await allSucceeded(hooks, ids, all);
}

const measured = ['rss', 'lane', 'lease', 'row', 'claim'] as const;

test('E39: under a steady load neither memory nor tables nor the time of a claim grow', async () => {
  const samples: Record<(typeof measured)[number], number>[] = [];
  for (let at = 0; at < 12; at++) {
    await run(15);
    // As autovacuum does in time: what is dead is to be used again.
    await inDatabase(hooks, 'vacuum webhook_deliveries');
    samples.push({ rss: rssOf(worker.child.pid!), ...(await sizes()), claim: await claimTime() });
  }
  const third = (at: number, of: keyof (typeof samples)[number]) =>
    quantile(
      samples.slice(at * 4, at * 4 + 4).map((sample) => sample[of]),
      0.5,
    );
  const growth = (of: keyof (typeof samples)[number]) => third(2, of) / third(0, of);
  for (const of of measured)
    console.log(`E39: ${of}, every 15 s: ${samples.map((sample) => sample[of].toPrecision(3)).join(' ')}`);
  expect(growth('rss')).toBeLessThan(1.25);
  expect(growth('lane')).toBeLessThan(1.5);
  expect(growth('lease')).toBeLessThan(1.5);
  expect(growth('row')).toBeLessThan(1.25);
  expect(growth('claim')).toBeLessThan(3);
});

function rssOf(pid: number): number {
  const text = process.platform === 'linux' ? readFileSync(`/proc/${pid}/status`, 'utf8') : null;
  if (text) return Number(/VmRSS:\s+(\d+)/.exec(text)![1]) / 1_024;
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) / 1_024;
}

/** Of the indexes of what waits and of what is under way, in KiB; and of all tables, in bytes a delivery. */
async function sizes(): Promise<{ lane: number; lease: number; row: number }> {
  const [found] = await inDatabase(
    hooks,
    `select (pg_relation_size('webhook_deliveries_lane') / 1024)::int as lane,
      (pg_relation_size('webhook_deliveries_lease') / 1024)::int as lease,
      ((pg_total_relation_size('webhook_deliveries') + pg_total_relation_size('webhook_attempts')
        + pg_total_relation_size('webhook_payloads')) / (select count(*) from webhook_deliveries))::int as row`,
  );
  return found as { lane: number; lease: number; row: number };
}

/** How much longer it takes to look what is due than to ask for the time, of which the load of the machine is no part. */
async function claimTime(): Promise<number> {
  const times: { readonly due: number; readonly now: number }[] = [];
  const timeOf = async (ask: (tx: Tx) => Promise<unknown>) => {
    const start = performance.now();
    await system(hooks.service.service.app.db, 'test', ask);
    return performance.now() - start;
  };
  for (let at = 0; at < 20; at++) times.push({ due: await timeOf(selectDueLanes), now: await timeOf(selectNow) });
  const median = (of: 'due' | 'now') =>
    quantile(
      times.map((time) => time[of]),
      0.5,
    );
  return median('due') / median('now');
}
