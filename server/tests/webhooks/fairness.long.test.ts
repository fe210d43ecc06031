/** What those who answer feel of others: measured beside the same load without them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tenant } from '../service.ts';
import { ok as answersOk, type Received, silent } from './farm.ts';
import { emit, type Hooks, inDatabase, ok, register, startHooks, startWorker, type Worker } from './hooks.ts';
import { emitMany, quantile, steadily, waitOf } from './load.ts';

let hooks: Hooks;
let worker: Worker;
beforeAll(async () => {
  hooks = await startHooks({}, 'api');
  worker = startWorker(hooks, '0s,30s,60s');
});
afterAll(async () => {
  worker.kill('SIGTERM');
  await worker.ended;
  await hooks.close();
});

const events = ['batch-request'];

test('E34: 100 dead webhooks of 1,000 hold those that answer up little', async () => {
  const [perWorkspace, deadOfEach, perSecond, seconds] = [100, 10, 100, 25];
  const healthy = hooks.farm.receiver();
  const dying = hooks.farm.receiver();
  const resources = Array.from({ length: perWorkspace }, (_, at) => `bat_${at}`);
  const places: { readonly tenant: Tenant; readonly ids: readonly string[] }[] = [];
  for (let at = 0; at < 10; at++) {
    const tenant = await hooks.service.tenant(`Place ${at}`);
    const urls = resources.map((_, at) => (at < deadOfEach ? dying : healthy).url);
    const made = await Promise.all(
      urls.map((url, at) => register(tenant.client, url, { events, resource_ids: [resources[at]] })),
    );
    places.push({ tenant, ids: made.map(({ id }) => id) });
  }
  const run = async (): Promise<number[]> => {
    const before = healthy.requests.length;
    const expected = before + perSecond * seconds * (1 - deadOfEach / perWorkspace);
    let turn = 0;
    await steadily({ perSecond, seconds }, async (count) => {
      const each = count / places.length;
      const about = resources.map((_, at) => resources[(turn * 37 + at * 7) % perWorkspace]);
      turn++;
      for (const { tenant } of places) await emitMany(hooks, tenant, { count: each, resources: about });
    });
    await healthy.received(Math.floor(expected * 0.95));
    return healthy.requests.slice(before).map(waitOf);
  };
  await run();
  const without = await run();
  dying.behave(silent);
  const beside = await run();
  const p99 = { without: quantile(without, 0.99), beside: quantile(beside, 0.99) };
  console.log(`E34: p99 ${Math.round(p99.without)} ms without, ${Math.round(p99.beside)} ms with 100 dead ones`);
  expect(dying.requests.length).toBeGreaterThan(0);
  expect(p99.beside / p99.without).toBeLessThan(3);
  dying.behave(answersOk);
  for (const { tenant, ids } of places)
    await Promise.all(ids.map((id) => ok(tenant.client.send('DELETE', `/v1/api/webhooks/${id}`))));
});

test('E35: 50,000 events of one workspace hold those of another up little', async () => {
  const count = 50_000;
  const noisy = await hooks.service.tenant('Noisy');
  const quiet = await hooks.service.tenant('Quiet');
  const loud = hooks.farm.receiver();
  const receiver = hooks.farm.receiver();
  const { id } = await register(noisy.client, loud.url, { events });
  await register(quiet.client, receiver.url, { events });
  const waits = async (events: number): Promise<number[]> => {
    const came: Received[] = [];
    for (let left = events; left > 0; left--) {
      await emit(hooks, quiet);
      came.push((await receiver.received(receiver.requests.length + 1)).at(-1)!);
      await sleep(100);
    }
    return came.map(waitOf);
  };
  const alone = await waits(20);
  await emitMany(hooks, noisy, { count });
  const beside = await waits(20);
  const made = 'select count(*)::int from webhook_deliveries where webhook_id = $1';
  const [{ count: expanded }] = await inDatabase(hooks, made, [id]);
  const seconds = (values: readonly number[], share: number) => (quantile(values, share) / 1_000).toFixed(2);
  console.log(
    `E35: ${seconds(alone, 0.5)} s alone (median), beside ${count} events ${seconds(beside, 0.5)} s and ` +
      `${seconds(beside, 1)} s at most, while of those ${expanded} were queued and ${loud.requests.length} had come`,
  );
  expect(loud.requests.length).toBeLessThan(count / 2);
  expect(Math.max(...beside) / quantile(alone, 0.5)).toBeLessThan(20);
});
