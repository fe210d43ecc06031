/** Limits of addresses, held by workers that stand still now and then, and after an outage. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { laneMax } from '../../src/resources/webhooks/delivering/choose.ts';
import type { Tenant } from '../service.ts';
import { ok as answersOk, status } from './farm.ts';
import {
  emit,
  type Hooks,
  inDatabase,
  mostInASecond,
  ok,
  register,
  startHooks,
  startWorker,
  until,
  type Worker,
} from './hooks.ts';
import { allSucceeded, emitMany, waitOf } from './load.ts';

let hooks: Hooks;
let here: Tenant;
const workers: Worker[] = [];

beforeAll(async () => {
  hooks = await startHooks({}, 'api');
  here = await hooks.service.tenant('Here');
});
afterEach(async () => {
  for (const worker of workers) worker.kill('SIGCONT');
  for (const worker of workers) worker.kill('SIGTERM');
  for (const worker of workers.splice(0)) await worker.ended;
});
afterAll(() => hooks.close());

const events = ['batch-request'];

function work(): Worker {
  const worker = startWorker(hooks, '0s,5s,10s,20s');
  workers.push(worker);
  return worker;
}

test('E36: many workers, some of which stand still now and then, pass no limit', async () => {
  const receiver = hooks.farm.receiver();
  const limit = 10;
  const count = 200;
  const { id } = await register(here.client, receiver.url, { events, rate_limit: limit });
  const [first] = [work(), work()];
  await emit(hooks, here, { count });
  for (let stops = 0; receiver.requests.length < count; stops++) {
    await sleep(700 + (stops % 7) * 100);
    first.kill('SIGSTOP');
    await sleep(300 + (stops % 5) * 50);
    first.kill('SIGCONT');
  }
  await allSucceeded(hooks, [id], count);
  expect(receiver.requests).toHaveLength(count);
  expect(mostInASecond(receiver.requests.map(({ atMs }) => atMs))).toBeLessThanOrEqual(limit + 1);
  await forget([id]);
});

test('E37: a webhook that comes back drains what waited at its limit, and what is new is sent too', async () => {
  const limit = 60;
  const backlog = 4_000;
  const receiver = hooks.farm.receiver(status(503));
  const beside = hooks.farm.receiver();
  const { id } = await register(here.client, receiver.url, { events, rate_limit: limit });
  const { id: other } = await register(here.client, beside.url, { events: ['batch-interrupt-request'] });
  work();
  work();
  await emitMany(hooks, here, { count: backlog });
  await until(async () => ((await waitingFor(id)) === backlog ? true : undefined));
  const before = receiver.requests.length;
  let atOnce = 0;
  let most = 0;
  receiver.behave(async (request, answer, times) => {
    most = Math.max(most, ++atOnce);
    await sleep(5);
    atOnce--;
    answersOk(request, answer, times);
  });
  // The pause after failures ends, and so do those before they are tried again.
  await inDatabase(hooks, "update webhook_deliveries set run_at = now() where webhook_id = $1 and status = 'queued'", [
    id,
  ]);
  await inDatabase(hooks, 'update webhook_lanes set paused_until = now() where webhook_id = $1', [id]);
  await receiver.received(before + 1_000);
  const [fresh] = await emit(hooks, here);
  await emit(hooks, here, { type: 'batch-interrupt-request' });
  const [news] = await beside.received(1);
  const left = backlog - (receiver.requests.length - before);
  await allSucceeded(hooks, [id], backlog + 1);
  const drained = receiver.requests.slice(before);
  const at = drained.findIndex(({ body }) => JSON.parse(body.toString()).data.id === fresh);
  const seconds = (drained.at(-1)!.atMs - drained[0].atMs) / 1_000;
  const inASecond = mostInASecond(drained.map(({ atMs }) => atMs));
  console.log(
    `E37: ${backlog} in ${seconds.toFixed(1)} s, ${inASecond} in a second and ${most} at once at most, the new one ` +
      `at place ${at}; another webhook's after ${Math.round(waitOf(news))} ms, ${left} before it`,
  );
  expect(new Set(drained.map(({ headers }) => headers['webhook-id'])).size).toBe(drained.length);
  expect(drained).toHaveLength(backlog + 1);
  expect(inASecond).toBeLessThanOrEqual(limit * 1.1);
  expect(most).toBeLessThanOrEqual(2 * laneMax);
  // What waited longest comes first; what is new comes in its turn.
  expect(at).toBeGreaterThan(backlog - 100);
  expect(left).toBeGreaterThan(backlog / 2);
  await forget([id, other]);
});

async function waitingFor(id: string): Promise<number> {
  const text = "select count(*)::int from webhook_deliveries where webhook_id = $1 and status = 'queued'";
  return (await inDatabase(hooks, text, [id]))[0].count;
}

async function forget(ids: readonly string[]): Promise<void> {
  for (const id of ids) await ok(here.client.send('DELETE', `/v1/api/webhooks/${id}`));
}
