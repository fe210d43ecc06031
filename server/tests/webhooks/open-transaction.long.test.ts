/** Webhooks beside a transaction that stays open, so that nothing dead can be removed. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tenant } from '../service.ts';
import type { Receiver } from './farm.ts';
import { type Hooks, inDatabase, register, startHooks, startWorker, type Worker } from './hooks.ts';
import { allSucceeded, emitMany, quantile, steadily, waitOf } from './load.ts';

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

/** Has events happen for so many seconds; returns how long each request took to come. */
async function run(seconds: number): Promise<number[]> {
  const before = receiver.requests.length;
  await steadily({ perSecond, seconds }, (count) => emitMany(hooks, here, { count }));
  const all = before + perSecond * seconds * webhooks;
  await receiver.received(all);
  await allSucceeded(hooks, ids, all);
  return receiver.requests.slice(before).map(waitOf);
}

test('E31: a transaction that stays open makes deliveries little later', async () => {
  await run(5);
  const without = await run(25);
  const open = await hooks.service.owner.pool.connect();
  // The embedded database ends those that idle for a minute; not every database does.
  await open.query('set idle_in_transaction_session_timeout = 0');
  await open.query('begin isolation level repeatable read');
  await open.query('select pg_current_xact_id()');
  const beside = await run(45)
    .then(() => run(25))
    .finally(() => open.query('rollback'))
    .finally(() => open.release());
  const [{ dead }] = await inDatabase(
    hooks,
    "select n_dead_tup::int as dead from pg_stat_user_tables where relname = 'webhook_deliveries'",
  );
  const p99 = { without: quantile(without, 0.99), beside: quantile(beside, 0.99) };
  console.log(
    `E31: p99 ${Math.round(p99.without)} ms without, ${Math.round(p99.beside)} ms beside a transaction of 70 s, ` +
      `${dead} dead rows`,
  );
  expect(p99.beside / p99.without).toBeLessThan(3);
});
