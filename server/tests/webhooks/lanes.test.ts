/** How requests to addresses are spaced and paused, and that one does not hold another up. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { tenant as inTenant } from '../../src/access/transactions.ts';
import type { Outbound } from '../../src/lib/http/outbound.ts';
import { record } from '../../src/trail/record.ts';
import type { Tenant } from '../service.ts';
import { ok as answersOk, silent, status } from './farm.ts';
import {
  deliveriesOf,
  delivery,
  emit,
  ended,
  type Hooks,
  inDatabase,
  mostInASecond,
  register,
  startHooks,
  until,
} from './hooks.ts';

let hooks: Hooks;
let here: Tenant;

beforeAll(async () => {
  hooks = await startHooks({ webhookScheduleMs: [0, 200, 600_000] });
  here = await hooks.service.tenant('Here');
});
afterAll(() => hooks.close());

const events = ['batch-request'];
const laneOf = async (id: string) =>
  (await inDatabase(hooks, 'select * from webhook_lanes where webhook_id = $1', [id]))[0];

test('E36: a webhook with a limit is sent no more in any second, all of it, the oldest first', async () => {
  const receiver = hooks.farm.receiver();
  const limit = 50;
  const count = 200;
  const { id } = await register(here.client, receiver.url, { events, rate_limit: limit });
  const left = leavingOf(hooks.service.service.app.outbound, id);
  await emit(hooks, here, { count });
  await receiver.received(count);
  vi.restoreAllMocks();
  const rows = await ended(here.client, id, count);
  expect(rows.map((row) => row.attempt_count)).toEqual(rows.map(() => 1));
  expect(mostInASecond(left.map(({ atMs }) => atMs))).toBeLessThanOrEqual(limit * 1.05 + 1);
  // Those that are planned together may leave the other way round.
  for (const [at, row] of rows.entries())
    expect(Math.abs(left.findIndex((one) => one.deliveryId === row.id) - at)).toBeLessThanOrEqual(4);
});

/** Notes when requests of a webhook leave: this process also reads them, later when the machine is busy. */
function leavingOf(outbound: Outbound, webhookId: string): { readonly deliveryId: string; readonly atMs: number }[] {
  const left: { deliveryId: string; atMs: number }[] = [];
  const send = outbound.attempt;
  vi.spyOn(outbound, 'attempt').mockImplementation((request) => {
    const deliveryId = (request.headers as Record<string, string>)['webhook-delivery-id'];
    if (request.lane !== webhookId) return send(request);
    const ready = async () => {
      const isTime = await request.ready!();
      if (isTime) left.push({ deliveryId, atMs: performance.now() });
      return isTime;
    };
    return send({ ...request, ready });
  });
  return left;
}

test('E38: a webhook that fails again and again is paused, tried by one delivery, and goes on once it answers', async () => {
  const receiver = hooks.farm.receiver(status(500));
  const { id } = await register(here.client, receiver.url, { events });
  await emit(hooks, here, { count: 12 });
  await until(async () => ((await laneOf(id)).paused_until === null ? undefined : true));
  await until(async () => ((await deliveriesOf(here.client, id, '&status=running')).length === 0 ? true : undefined));
  const sent = receiver.requests.length;
  const attempts = async () => (await deliveriesOf(here.client, id)).map((row) => row.attempt_count);
  const before = await attempts();
  await emit(hooks, here, { count: 5 });
  await until(async () => ((await deliveriesOf(here.client, id)).length === 17 ? true : undefined));
  await sleep(1_000);
  expect([await attempts(), receiver.requests.length]).toEqual([[...before, 0, 0, 0, 0, 0], sent]);
  const lane = await laneOf(id);
  // Half a minute later one is sent, and no other while it is under way and after it failed.
  const pass = () => inDatabase(hooks, 'update webhook_lanes set paused_until = now() where webhook_id = $1', [id]);
  await pass();
  await receiver.received(sent + 1);
  await until(async () => ((await laneOf(id)).probes === 1 ? true : undefined));
  await sleep(500);
  expect(receiver.requests).toHaveLength(sent + 1);
  const paused = (row: { paused_until: Date; last_failed_at: Date }) =>
    Math.round((row.paused_until.getTime() - row.last_failed_at.getTime()) / 1_000);
  expect([paused(lane), paused(await laneOf(id))]).toEqual([30, 60]);
  receiver.behave(answersOk);
  await inDatabase(hooks, "update webhook_deliveries set run_at = now() where webhook_id = $1 and status = 'queued'", [
    id,
  ]);
  await pass();
  const rows = await ended(here.client, id, 17);
  expect(rows.map((row) => row.status)).toEqual(rows.map(() => 'succeeded'));
  expect(await laneOf(id)).toMatchObject({ failures_in_row: 0, paused_until: null, probes: 0 });
});

test('E33: an address that does not answer holds no other up, and has few requests under way', async () => {
  const dead = hooks.farm.receiver(silent);
  const lively = hooks.farm.receiver();
  const ofDead = await register(here.client, dead.url, { events });
  const ofLively = await register(here.client, lively.url, { events });
  const count = 40;
  await emit(hooks, here, { count });
  await lively.received(count);
  await ended(here.client, ofLively.id, count);
  expect(dead.requests.length).toBeLessThanOrEqual(4);
  const waiting = await deliveriesOf(here.client, ofDead.id, '&status=queued');
  expect(waiting.length).toBeGreaterThanOrEqual(count - 4);
  await here.client.send('DELETE', `/v1/api/webhooks/${ofDead.id}`);
});

test('E32: an event whose transaction began early and ends late is sent', async () => {
  const receiver = hooks.farm.receiver();
  const { id } = await register(here.client, receiver.url, { events: ['batch-interrupt-request', ...events] });
  let end = (): void => {};
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  let began = (): void => {};
  const begun = new Promise<void>((resolve) => {
    began = resolve;
  });
  const slow = inTenant(hooks.service.service.app.db, here.ctx, async (tx) => {
    await record(tx, here.ctx, 'batch-interrupt-request', { type: 'batch', id: 'bat_early' });
    began();
    await held;
  });
  await begun;
  await emit(hooks, here, { count: 3 });
  await ended(here.client, id, 3);
  end();
  await slow;
  const rows = await ended(here.client, id, 4);
  expect(rows.map((row) => row.event_type)).toContain('batch-interrupt-request');
  const last = JSON.parse((await receiver.received(4))[3].body.toString());
  expect(last.data).toEqual({ id: 'bat_early' });
  expect(await delivery(here.client, rows[3].id)).toMatchObject({ status: 'succeeded' });
});
