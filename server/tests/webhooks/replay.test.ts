/** Sending again, and what becomes of deliveries of webhooks that are disabled or deleted. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { resumeOrganization, suspendOrganization } from '../../src/resources/organizations/suspend.ts';
import { boundWaiting } from '../../src/resources/webhooks/delivering/bound.ts';
import { deliveryDays, expireDeliveries, payloadDays } from '../../src/resources/webhooks/expire.ts';
import type { Tenant } from '../service.ts';
import { status } from './farm.ts';
import {
  type Delivery,
  deliveriesOf,
  delivery,
  emit,
  ended,
  type Hooks,
  inDatabase,
  ok,
  passDays,
  register,
  startHooks,
  until,
  verified,
} from './hooks.ts';

let hooks: Hooks;
let here: Tenant;

beforeAll(async () => {
  hooks = await startHooks({ webhookScheduleMs: [0, 50] });
  here = await hooks.service.tenant('Here');
});
afterAll(() => hooks.close());

const events = ['batch-request'];
const replay = (id: string, headers?: Record<string, string>) =>
  here.client.post(`/v1/api/webhook-deliveries/${id}/replay`, undefined, headers);
const patch = (id: string, body: object) => ok(here.client.send('PATCH', `/v1/api/webhooks/${id}`, { body }));

test('E55: any delivery is sent again by a new one, with the same id and bytes', async () => {
  const receiver = hooks.farm.receiver();
  const { id, secret } = await register(here.client, receiver.url, { events });
  await emit(hooks, here);
  await ended(here.client, id, 1);
  receiver.behave(status(500));
  await emit(hooks, here);
  const originals = await ended(here.client, id, 2);
  expect(originals.map((row) => row.status)).toEqual(['succeeded', 'failed']);
  const details = await Promise.all(originals.map((row) => delivery(here.client, row.id)));
  await inDatabase(hooks, "update webhook_deliveries set created_at = created_at - interval '20 days' where id = $1", [
    originals[0].id,
  ]);
  receiver.behave(status(200));
  const before = receiver.requests.length;
  for (const [at, original] of originals.entries()) {
    const asked = await replay(original.id);
    expect([asked.status, asked.body.replay_of, asked.body.trigger]).toEqual([202, original.id, 'manual']);
    const request = (await receiver.received(before + at + 1))[before + at];
    verified(secret, request);
    expect(request.headers).toMatchObject({
      ...{ 'webhook-id': original.message_id, 'webhook-delivery-id': asked.body.id, 'webhook-trigger': 'manual' },
    });
    expect(request.body.toString()).toBe(details[at].body);
    const { created_at: _, ...after } = await delivery(here.client, original.id);
    expect(details[at]).toMatchObject(after);
  }
});

test('E56: the same request 50 times at once makes one delivery', async () => {
  const receiver = hooks.farm.receiver();
  const { id } = await register(here.client, receiver.url, { events });
  await emit(hooks, here);
  const [original] = await ended(here.client, id, 1);
  const key = { 'idempotency-key': 'replay-once' };
  const replies = await Promise.all(Array.from({ length: 50 }, () => replay(original.id, key)));
  expect(new Set(replies.map((reply) => `${reply.status} ${reply.body.id}`)).size).toBe(1);
  expect(await ended(here.client, id, 2)).toHaveLength(2);
});

test('E57: nothing is sent again to what is disabled or gone, nor what is no longer kept', async () => {
  const receiver = hooks.farm.receiver();
  const { id } = await register(here.client, receiver.url, { events });
  await emit(hooks, here);
  const [row] = await ended(here.client, id, 1);
  await patch(id, { status: 'disabled' });
  for (const path of [`/webhook-deliveries/${row.id}/replay`, `/webhooks/${id}/test`]) {
    const refused = await here.client.post(`/v1/api${path}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'webhook_disabled']);
  }
  await patch(id, { status: 'active' });
  await inDatabase(hooks, 'delete from webhook_payloads where event_id = $1', [row.event_id]);
  const expired = await replay(row.id);
  expect([expired.status, expired.body.code]).toEqual([410, 'payload_expired']);
  await ok(here.client.send('DELETE', `/v1/api/webhooks/${id}`));
  expect((await replay(row.id)).status).toBe(404);
  expect(await delivery(here.client, row.id)).toMatchObject({ status: 'succeeded', body: null });
});

test('E59: what happens while a webhook is disabled is skipped, and can be sent when it is enabled again', async () => {
  const receiver = hooks.farm.receiver();
  const { id } = await register(here.client, receiver.url, { events });
  await patch(id, { status: 'disabled' });
  await emit(hooks, here);
  const [row] = await ended(here.client, id, 1);
  expect(row).toMatchObject({ status: 'skipped', attempt_count: 0 });
  await patch(id, { status: 'active' });
  await ok(replay(row.id));
  const [request] = await receiver.received(1);
  expect(request.headers['webhook-id']).toBe(row.message_id);
});

test('E60: what waits for a webhook that is deleted is canceled, and for one that is disabled skipped', async () => {
  const receiver = hooks.farm.receiver(status(503, { 'retry-after': '3' }));
  const ids: string[] = [];
  for (let at = 0; at < 2; at++) ids.push((await register(here.client, receiver.url, { events })).id);
  const [deleted, disabled] = ids;
  await emit(hooks, here);
  await until(async () => {
    const rows = await Promise.all(ids.map((id) => deliveriesOf(here.client, id, '&status=queued')));
    return rows.every(([row]) => row?.attempt_count === 1) ? rows : undefined;
  });
  const [row] = await deliveriesOf(here.client, deleted);
  await ok(here.client.send('DELETE', `/v1/api/webhooks/${deleted}`));
  await patch(disabled, { status: 'disabled' });
  const sent = receiver.requests.length;
  await until(async () => ((await delivery(here.client, row.id)).status === 'canceled' ? true : undefined));
  expect(await ended(here.client, disabled, 1)).toMatchObject([{ status: 'skipped' }]);
  await sleep(3_500);
  expect(receiver.requests).toHaveLength(sent);
});

test('E58: all that failed since a moment is sent again, each once, and what arrived is not', async () => {
  const receiver = hooks.farm.receiver();
  const { id } = await register(here.client, receiver.url, { events, rate_limit: null });
  await emit(hooks, here);
  await ended(here.client, id, 1);
  const since = new Date().toISOString();
  receiver.behave(status(500));
  const count = 8;
  // Few enough at once for the webhook not to be paused.
  for (let at = 0; at < count; at += 4) {
    await emit(hooks, here, { count: 4 });
    await ended(here.client, id, 1 + at + 4);
    await passDays(hooks, [id], 1);
  }
  receiver.behave(status(200));
  const failed = await deliveriesOf(here.client, id, '&status=failed');
  expect(failed).toHaveLength(count);
  await ok(replay(failed[0].id));
  await ended(here.client, id, count + 2);
  const path = `/v1/api/webhooks/${id}/recoveries`;
  const dry = await here.client.post(path, { since, dry_run: true });
  expect([dry.status, dry.body.status, dry.body.total]).toEqual([200, 'dry_run', count - 1]);
  const sent = receiver.requests.length;
  const asked = await here.client.post(path, { since });
  expect([asked.status, asked.body.total]).toEqual([202, count - 1]);
  const done = await here.client.finished(`${path}/${asked.body.id}`);
  expect(done.body).toMatchObject({ status: 'succeeded', total: count - 1, queued: count - 1, expired: 0 });
  const rows = await ended(here.client, id, count + 2 + count - 1);
  const recovered = rows.filter((row) => row.recovery_id === asked.body.id);
  expect(recovered.map((row) => [row.status, row.trigger])).toEqual(recovered.map(() => ['succeeded', 'recover']));
  const messages = receiver.requests.slice(sent).map(({ headers }) => headers['webhook-id']);
  expect(messages.sort()).toEqual(
    failed
      .slice(1)
      .map((row) => row.message_id)
      .sort(),
  );
  // Nothing is left to be recovered.
  expect((await here.client.post(path, { since, dry_run: true })).body.total).toBe(0);
});

test('what waits for webhooks of a suspended organization is sent when that is resumed', async () => {
  const away = await hooks.service.tenant('Suspended');
  const receiver = hooks.farm.receiver();
  const beside = hooks.farm.receiver();
  const { id } = await register(away.client, receiver.url, { events });
  await register(here.client, beside.url, { events: ['batch-interrupt-request'] });
  const { db } = hooks.service.service.app;
  const { organizationId } = away.ctx;
  await suspendOrganization(db, organizationId);
  await emit(hooks, away, { count: 2 });
  await emit(hooks, here, { type: 'batch-interrupt-request' });
  await beside.received(1);
  const status = 'select status from webhook_deliveries where webhook_id = $1';
  await until(async () => ((await inDatabase(hooks, status, [id])).length === 2 ? true : undefined));
  await sleep(500);
  expect(await inDatabase(hooks, status, [id])).toEqual([{ status: 'queued' }, { status: 'queued' }]);
  expect(receiver.requests).toEqual([]);
  await resumeOrganization(db, organizationId);
  const rows = await ended(away.client, id, 2);
  expect(rows.map((row) => [row.status, row.attempt_count])).toEqual([
    ['succeeded', 1],
    ['succeeded', 1],
  ]);
});

test('while too much waits for a webhook, what happens is skipped, and recovered later', async () => {
  const hooks = await startHooks({ webhookScheduleMs: [0, 50], webhookWaitingMax: 4 });
  onTestFinished(() => hooks.close());
  const here = await hooks.service.tenant('Here');
  const receiver = hooks.farm.receiver(status(503, { 'retry-after': '600' }));
  const { id } = await register(here.client, receiver.url, { events });
  const since = new Date().toISOString();
  const { app } = hooks.service.service;
  await emit(hooks, here, { count: 3 });
  const statuses = async (count: number) => {
    const rows = await until(async () => {
      const found = await deliveriesOf(here.client, id);
      // What waits has been tried once: until then it may be running when it is counted.
      const isSettled = (row: Delivery) => row.status === 'skipped' || (row.status === 'queued' && row.attempt_count);
      return found.length === count && found.every(isSettled) ? found : undefined;
    });
    return rows.map((row) => row.status);
  };
  expect(await statuses(3)).toEqual(Array(3).fill('queued'));
  await boundWaiting(app);
  await emit(hooks, here);
  expect(await statuses(4)).toEqual(Array(4).fill('queued'));
  await boundWaiting(app);
  await emit(hooks, here, { count: 2 });
  expect(await statuses(6)).toEqual([...Array(4).fill('queued'), 'skipped', 'skipped']);
  // Once fewer wait, what happens is queued again.
  receiver.behave(status(200));
  await inDatabase(hooks, "update webhook_deliveries set run_at = now() where webhook_id = $1 and status = 'queued'", [
    id,
  ]);
  await ended(here.client, id, 6);
  await boundWaiting(app);
  await emit(hooks, here);
  expect((await ended(here.client, id, 7)).at(-1)).toMatchObject({ status: 'succeeded' });
  await ok(here.client.post(`/v1/api/webhooks/${id}/recoveries`, { since }));
  await receiver.received(4 + 4 + 1 + 2);
  const sent = (await ended(here.client, id, 9)).filter((row) => row.status === 'succeeded');
  expect(new Set(sent.map((row) => row.message_id)).size).toBe(7);
});

test('what was sent is kept for 30 days, and what became of it for 180', async () => {
  const receiver = hooks.farm.receiver();
  const { id } = await register(here.client, receiver.url, { events });
  await emit(hooks, here, { count: 4 });
  const rows = await ended(here.client, id, 4);
  const ages = [payloadDays - 1, payloadDays + 1, deliveryDays - 1, deliveryDays + 1];
  for (const [at, { id, event_id }] of rows.entries()) {
    const aged = `set created_at = created_at - ${ages[at]} * interval '1 day'`;
    await inDatabase(hooks, `update webhook_deliveries ${aged} where id = $1`, [id]);
    await inDatabase(hooks, `update webhook_payloads ${aged} where event_id = $1`, [event_id]);
  }
  // What still waits is no history, however old.
  const [waiting] = await inDatabase(
    hooks,
    `insert into webhook_deliveries (id, organization_id, workspace_id, webhook_id, message_id, event_id, event_type,
        trigger, status, run_at, created_at)
      select 'whd_waiting', organization_id, workspace_id, webhook_id, 'msg_waiting', 'evt_waiting', event_type, 'auto',
        'queued', now() + interval '1 hour', now() - interval '1 year'
      from webhook_deliveries where id = $1 returning id`,
    [rows[0].id],
  );
  await expireDeliveries(hooks.service.service.app);
  const shown = await Promise.all(rows.map((row) => here.client.get(`/v1/api/webhook-deliveries/${row.id}`)));
  expect(shown.map((reply) => [reply.status, reply.body.body === null])).toEqual([
    [200, false],
    [200, true],
    [200, true],
    [404, false],
  ]);
  const left = await inDatabase(hooks, 'select delivery_id from webhook_attempts where delivery_id = any($1)', [
    rows.map((row) => row.id),
  ]);
  expect(left.map((row) => row.delivery_id).sort()).toEqual(
    rows
      .slice(0, 3)
      .map((row) => row.id)
      .sort(),
  );
  expect(await inDatabase(hooks, 'select id from webhook_deliveries where id = $1', [waiting.id])).toHaveLength(1);
});
