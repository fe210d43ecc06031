/** kill -9 of workers at random moments, and many workers at once, under many events. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { draws } from '../samples.ts';
import type { Tenant } from '../service.ts';
import type { Receiver } from './farm.ts';
import {
  emit,
  type Hook,
  type Hooks,
  inDatabase,
  register,
  startHooks,
  startWorker,
  until,
  type Worker,
} from './hooks.ts';

const eventsPlanned = 5_000;
const killsPlanned = 20;
const receivers = 2;
const perTransaction = 10;
const seed = 20_261_123;
const draw = draws(seed);
const events = ['batch-request'];

let hooks: Hooks;
let here: Tenant;
beforeAll(async () => {
  hooks = await startHooks({}, 'api');
  here = await hooks.service.tenant('Here');
});
afterAll(() => hooks.close());

async function registerSome(): Promise<{ readonly at: Receiver; readonly hook: Hook }[]> {
  const some = [];
  for (let left = receivers; left > 0; left--) {
    const at = hooks.farm.receiver();
    some.push({ at, hook: await register(here.client, at.url, { events }) });
  }
  return some;
}

/** How many deliveries of webhooks have each status. */
async function statusesOf(ids: readonly string[]): Promise<Record<string, number>> {
  const text = 'select status, count(*)::int from webhook_deliveries where webhook_id = any($1) group by 1';
  const rows = await inDatabase(hooks, text, [ids]);
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

/** Waits until that many deliveries have succeeded, however long that takes. */
async function allSucceeded(ids: readonly string[], count: number): Promise<void> {
  for (let last = -1, since = performance.now(); ; await sleep(500)) {
    const { succeeded = 0 } = await statusesOf(ids);
    if (succeeded === count) return;
    if (succeeded !== last) since = performance.now();
    last = succeeded;
    if (performance.now() - since > 180_000)
      throw new Error(`it stands still: ${JSON.stringify(await statusesOf(ids))} of ${count}`);
  }
}

test('E26: under 20 kills every event arrives, none is lost from history, and what comes twice has the same id', async () => {
  const some = await registerSome();
  const ids = some.map(({ hook }) => hook.id);
  const workers = new Set<Worker>();
  const start = (): void => void workers.add(startWorker(hooks));
  start();
  start();
  const emitted: string[] = [];
  const writing = (async () => {
    while (emitted.length < eventsPlanned) emitted.push(...(await emit(hooks, here, { count: perTransaction })));
  })();
  for (let kills = 0; kills < killsPlanned; kills++) {
    const before = some.reduce((sum, { at }) => sum + at.requests.length, 0);
    // Each meets workers that deliver.
    await until(async () =>
      some.reduce((sum, { at }) => sum + at.requests.length, 0) > before + 20 ? true : undefined,
    );
    await sleep(draw.between(0, 500));
    const [victim] = workers;
    victim.kill('SIGKILL');
    await victim.ended;
    workers.delete(victim);
    start();
  }
  await writing;
  await allSucceeded(ids, eventsPlanned * receivers);
  expect(await statusesOf(ids)).toEqual({ succeeded: eventsPlanned * receivers });
  let twice = 0;
  for (const { at, hook } of some) {
    const rows = await inDatabase(hooks, 'select message_id from webhook_deliveries where webhook_id = $1', [hook.id]);
    const sent = at.requests.map(({ headers }) => headers['webhook-id']);
    expect(new Set(sent)).toEqual(new Set(rows.map(({ message_id }) => message_id)));
    const told = at.requests.map(({ body }) => JSON.parse(body.toString()).data.id);
    expect(new Set(told)).toEqual(new Set(emitted));
    twice += sent.length - rows.length;
  }
  console.log(`E26: ${eventsPlanned * receivers} deliveries, ${killsPlanned} kills, ${twice} requests came twice`);
  // What was under way at a kill, at most.
  expect(twice).toBeLessThanOrEqual(killsPlanned * 64);
  for (const worker of workers) worker.kill('SIGTERM');
  for (const worker of workers) expect(await worker.ended).toBe(0);
  for (const id of ids) await here.client.send('DELETE', `/v1/api/webhooks/${id}`);
});

test.each([2, 4])('E27: with %i workers nothing is sent twice', async (count) => {
  const some = await registerSome();
  const ids = some.map(({ hook }) => hook.id);
  const workers = Array.from({ length: count }, () => startWorker(hooks));
  const planned = 500;
  for (let emitted = 0; emitted < planned; emitted += perTransaction)
    await emit(hooks, here, { count: perTransaction });
  await allSucceeded(ids, planned * receivers);
  for (const { at } of some) {
    expect(at.requests).toHaveLength(planned);
    expect(new Set(at.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(planned);
  }
  for (const worker of workers) worker.kill('SIGTERM');
  for (const worker of workers) expect(await worker.ended).toBe(0);
  for (const id of ids) await here.client.send('DELETE', `/v1/api/webhooks/${id}`);
});
