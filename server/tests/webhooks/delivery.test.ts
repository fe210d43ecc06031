/** What reaches a receiver, and what does not. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tenant as inTenant } from '../../src/access/transactions.ts';
import { record } from '../../src/trail/record.ts';
import type { Tenant } from '../service.ts';
import { status } from './farm.ts';
import {
  deliveriesOf,
  delivery,
  emit,
  ended,
  type Hooks,
  inDatabase,
  ok,
  register,
  startHooks,
  trailOf,
  verified,
} from './hooks.ts';

let hooks: Hooks;
let here: Tenant;
let there: Tenant;

beforeAll(async () => {
  hooks = await startHooks();
  here = await hooks.service.tenant('Here');
  there = await hooks.service.tenant('There');
});
afterAll(() => hooks.close());

test('E01: an event is sent once, signed, as the bytes that are kept', async () => {
  const receiver = hooks.farm.receiver();
  const { id, secret } = await register(here.client, receiver.url, { events: ['batch-request'] });
  const [batch] = await emit(hooks, here, { payload: { model: 'm/production' } });
  const [request] = await receiver.received(1);
  const event = verified(secret, request);
  expect(Object.keys(event)).toEqual(['id', 'type', 'timestamp', 'workspace_id', 'api_version', 'sequence', 'data']);
  expect(event).toMatchObject({
    ...{ id: expect.stringMatching(/^evt_/), type: 'batch-request', workspace_id: here.ctx.workspaceId },
    ...{ sequence: 1, data: { id: batch, model: 'm/production' } },
  });
  const [row] = await ended(here.client, id, 1);
  expect(request).toMatchObject({ method: 'POST', path: receiver.path });
  expect(request.headers).toMatchObject({
    ...{ 'content-type': 'application/json', 'user-agent': 'Lastro-Webhooks/1', 'webhook-id': row.message_id },
    ...{ 'webhook-delivery-id': row.id, 'webhook-attempt': '1', 'webhook-trigger': 'auto' },
  });
  const detail = await delivery(here.client, row.id);
  expect(detail).toMatchObject({ status: 'succeeded', event_id: event.id, attempt_count: 1 });
  expect(Buffer.from(detail.body)).toEqual(request.body);
  expect(detail.attempts).toEqual([
    expect.objectContaining({
      ...{ number: 1, succeeded: true, url: receiver.url, remote_ip: '127.0.0.1', status_code: 200 },
      ...{ error_class: null, response_body: 'ok', total_ms: expect.any(Number) },
    }),
  ]);
  expect(receiver.requests).toHaveLength(1);
});

test('E02: each webhook is told of what it asked for', async () => {
  const asked = { one: ['batch-request'], beginning: ['batch-*'], other: ['model-version-*'], all: ['*'] };
  const receivers = Object.entries(asked).map(([name, events]) => ({ name, events, at: hooks.farm.receiver() }));
  const ids: Record<string, string> = {};
  for (const { name, events, at } of receivers) ids[name] = (await register(there.client, at.url, { events })).id;
  const [request] = await emit(hooks, there, { type: 'batch-request' });
  const [result] = await emit(hooks, there, { type: 'batch-result-download' });
  const typesOf = async (name: string, count: number) =>
    (await ended(there.client, ids[name], count)).map(({ event_type }) => event_type);
  expect(await typesOf('beginning', 2)).toEqual(['batch-request', 'batch-result-download']);
  expect(await typesOf('one', 1)).toEqual(['batch-request']);
  expect(await typesOf('other', 0)).toEqual([]);
  const all = await typesOf('all', 2);
  expect(all.filter((type) => String(type).startsWith('batch-'))).toEqual(['batch-request', 'batch-result-download']);

  const only = hooks.farm.receiver();
  const narrowed = await register(there.client, only.url, { events: ['*'], resource_ids: [result] });
  await emit(hooks, there);
  await inTenant(hooks.service.service.app.db, there.ctx, (tx) =>
    record(tx, there.ctx, 'batch-result-deletion', { type: 'batch', id: result }),
  );
  const [told] = await only.received(1);
  expect(verified(narrowed.secret, told).data.id).toBe(result);
  expect(request).not.toBe(result);
  expect(only.requests).toHaveLength(1);

  const unknown = await there.client.post('/v1/api/webhooks', { url: only.url, events: ['*', 'batch-reqest'] });
  expect([unknown.status, unknown.body.code, unknown.body.errors[0].pointer ?? unknown.body.errors[0].at]).toEqual([
    ...[422, 'schema_mismatch', '/events/1'],
  ]);
  expect(unknown.body.detail).toContain('batch-reqest');
});

test('E03: nothing of another workspace arrives, and nothing about it can be read', async () => {
  const receiver = hooks.farm.receiver();
  const mine = await register(here.client, receiver.url);
  const theirs = await register(there.client, receiver.url);
  await emit(hooks, here);
  const [row] = await ended(here.client, mine.id, 1);
  const [request] = await receiver.received(1);
  expect(() => verified(theirs.secret, request)).toThrow();
  for (const path of [`/webhooks/${mine.id}`, `/webhooks/${mine.id}/deliveries`, `/webhook-deliveries/${row.id}`])
    expect((await there.client.get(`/v1/api${path}`)).status, path).toBe(404);
  expect((await there.client.post(`/v1/api/webhook-deliveries/${row.id}/replay`)).status).toBe(404);
  expect(receiver.requests.every(({ body }) => JSON.parse(body.toString()).workspace_id === here.ctx.workspaceId)).toBe(
    true,
  );
});

test('E04: what is rolled back has no event, no entry and no delivery', async () => {
  const receiver = hooks.farm.receiver();
  const { id } = await register(here.client, receiver.url, { events: ['batch-*'] });
  const target = { type: 'batch', id: 'bat_rolledback' };
  const failing = inTenant(hooks.service.service.app.db, here.ctx, async (tx) => {
    await record(tx, here.ctx, 'batch-interrupt-request', target);
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  await emit(hooks, here);
  expect(await ended(here.client, id, 1)).toHaveLength(1);
  expect(await trailOf(hooks, 'batch-interrupt-request', target.id)).toEqual({ entries: [], events: [] });
});

test('E05: texts of every kind are signed as they are sent', async () => {
  const receiver = hooks.farm.receiver();
  const { secret } = await register(here.client, receiver.url, { events: ['batch-request'] });
  const payload = {
    ...{ name: 'São Paulo 🏦 \u2028\u2029', quoted: 'a "b" \\"c\\" \'d\'', number: 9_007_199_254_740_991 },
    ...{ lines: 'a\r\n\tb', nested: { deep: [{ '"': ['\u0001'] }] }, half: '\ud83d'.toWellFormed() },
  };
  await emit(hooks, here, { payload });
  const [request] = await receiver.received(1);
  expect(verified(secret, request).data).toMatchObject(payload);
});

test('E06: a test event is sent once, and counts neither for nor against a webhook', async () => {
  const receiver = hooks.farm.receiver(status(500));
  const { id, secret } = await register(here.client, receiver.url, { events: ['model-version-*'] });
  const asked = await here.client.post(`/v1/api/webhooks/${id}/test`);
  expect([asked.status, asked.body.trigger]).toEqual([202, 'test']);
  const [row] = await ended(here.client, id, 1);
  expect(row).toMatchObject({ id: asked.body.id, status: 'failed', attempt_count: 1, event_type: 'webhook-test' });
  const [request] = receiver.requests;
  expect(request.headers['webhook-trigger']).toBe('test');
  expect(verified(secret, request)).toMatchObject({ type: 'webhook-test', data: { id } });
  const [lane] = await inDatabase(hooks, 'select * from webhook_lanes where webhook_id = $1', [id]);
  expect(lane).toMatchObject({ failures_in_row: 0, failing_since: null, paused_until: null });
  expect(await trailOf(hooks, 'webhook-delivery-exhaustion', row.id)).toEqual({ entries: [], events: [] });
});

test('E07: whatever says 2xx has it, and its answer is kept in part', async () => {
  const noise = `\0\xff{"${'x'.repeat(10_000)}`;
  for (const [code, body] of [
    [204, ''],
    [201, ''],
    [200, noise],
  ] as const) {
    const receiver = hooks.farm.receiver(status(code, { 'x-own': 'yes' }, body));
    const { id } = await register(here.client, receiver.url, { events: ['batch-request'] });
    await emit(hooks, here);
    const [row] = await ended(here.client, id, 1);
    const [attempt] = (await delivery(here.client, row.id)).attempts;
    expect(attempt).toMatchObject({ succeeded: true, status_code: code });
    expect(attempt.response_headers).toMatchObject({ 'x-own': 'yes' });
    expect(Buffer.byteLength(attempt.response_body)).toBeLessThan(5_000);
    if (body !== '') expect(attempt.response_body).toContain('xxxx');
    await ok(here.client.send('DELETE', `/v1/api/webhooks/${id}`));
  }
});

test('a list of deliveries is narrowed by status, type and time', async () => {
  const receiver = hooks.farm.receiver();
  const { id } = await register(here.client, receiver.url, { events: ['batch-*'] });
  await emit(hooks, here, { type: 'batch-request' });
  await ended(here.client, id, 1);
  receiver.behave(status(500));
  const between = new Date().toISOString();
  await emit(hooks, here, { type: 'batch-result-download' });
  const [first, second] = await ended(here.client, id, 2);
  const only = async (query: string) => (await deliveriesOf(here.client, id, query)).map((row) => row.id);
  expect(await only('&status=failed')).toEqual([second.id]);
  expect(await only('&event_type=batch-request')).toEqual([first.id]);
  expect(await only(`&since=${between}`)).toEqual([second.id]);
  expect(await only(`&until=${between}`)).toEqual([first.id]);
  expect((await here.client.get(`/v1/api/webhooks/${id}/deliveries?since=soon`)).status).toBe(400);
});
