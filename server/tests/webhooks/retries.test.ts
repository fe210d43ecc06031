/** What happens when a receiver does not take what is sent. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSmtpSink, parseMail, type SmtpSink } from '../notifications/smtp.ts';
import type { Tenant } from '../service.ts';
import { first, late, status } from './farm.ts';
import {
  delivery,
  emit,
  ended,
  type Hooks,
  inDatabase,
  ok,
  passDays,
  quickSchedule,
  register,
  startHooks,
  trailOf,
  until,
  verified,
} from './hooks.ts';

let hooks: Hooks;
let sink: SmtpSink;
let here: Tenant;

beforeAll(async () => {
  sink = await openSmtpSink();
  hooks = await startHooks({ smtpUrl: sink.url, mailFrom: 'Lastro <lastro@service.example>' });
  here = await hooks.service.tenant('Here');
});
afterAll(async () => {
  await hooks.close();
  await sink.close();
});

const events = ['batch-request'];
const laneOf = async (id: string) =>
  (await inDatabase(hooks, 'select * from webhook_lanes where webhook_id = $1', [id]))[0];

test('E08: what fails twice is sent a third time, signed anew, with the same id', async () => {
  const receiver = hooks.farm.receiver(first(2, status(500)));
  const { id, secret } = await register(here.client, receiver.url, { events });
  await emit(hooks, here);
  const [row] = await ended(here.client, id, 1);
  expect(row).toMatchObject({ status: 'succeeded', attempt_count: 3 });
  const { requests } = receiver;
  for (const request of requests) verified(secret, request);
  const header = (name: string) => requests.map(({ headers }) => headers[name]);
  expect(new Set(header('webhook-id'))).toEqual(new Set([row.message_id]));
  expect(header('webhook-attempt')).toEqual(['1', '2', '3']);
  const { attempts } = await delivery(here.client, row.id);
  expect(attempts.map(({ status_code }: { status_code: number }) => status_code)).toEqual([500, 500, 200]);
  expect(await laneOf(id)).toMatchObject({ failures_in_row: 0, failing_since: null });
});

test('E09: what always fails is tried as often as the schedule says, and told of once', async () => {
  const receiver = hooks.farm.receiver(status(503));
  const { id } = await register(here.client, receiver.url, { events: ['*'] });
  await emit(hooks, here);
  const [row] = await ended(here.client, id, 1);
  expect(row).toMatchObject({ status: 'failed', attempt_count: quickSchedule.length });
  const { entries, events: told } = await until(async () => {
    const trail = await trailOf(hooks, 'webhook-delivery-exhaustion', row.id);
    return trail.events.length > 0 ? trail : undefined;
  });
  expect([entries.length, told.length]).toEqual([1, 1]);
  expect(told[0].payload).toMatchObject({ webhook_id: id, event_type: 'batch-request', attempts: 4 });
  // News of a webhook that takes nothing is not sent to it.
  expect(await ended(here.client, id, 1)).toHaveLength(1);
  await ok(here.client.send('DELETE', `/v1/api/webhooks/${id}`));
});

test('E11: a receiver that asks to be tried later is, by seconds and by a date', async () => {
  for (const asked of ['2', () => new Date(Date.now() + 3_000).toUTCString()]) {
    const behaviour =
      (code: number) =>
      (...of: Parameters<ReturnType<typeof status>>) =>
        status(code, { 'retry-after': typeof asked === 'string' ? asked : asked() })(...of);
    const receiver = hooks.farm.receiver(first(1, behaviour(429)));
    const { id } = await register(here.client, receiver.url, { events });
    await emit(hooks, here);
    await ended(here.client, id, 1);
    const [one, two] = receiver.requests;
    // A date has whole seconds.
    expect(two.atMs - one.atMs).toBeGreaterThan(1_900);
    await ok(here.client.send('DELETE', `/v1/api/webhooks/${id}`));
  }
});

test('E12: what is no time to wait, or too long, harms nothing', async () => {
  for (const asked of ['-5', 'soon', '1e9', '', 'Thu, 01 Jan 1970 00:00:00 GMT']) {
    const receiver = hooks.farm.receiver(first(1, status(503, { 'retry-after': asked })));
    const { id } = await register(here.client, receiver.url, { events });
    await emit(hooks, here);
    expect((await ended(here.client, id, 1))[0], asked).toMatchObject({ status: 'succeeded', attempt_count: 2 });
    await ok(here.client.send('DELETE', `/v1/api/webhooks/${id}`));
  }
  const receiver = hooks.farm.receiver(status(503, { 'retry-after': '999999999' }));
  const { id } = await register(here.client, receiver.url, { events });
  await emit(hooks, here);
  const [row] = await until(async () => {
    const { data } = await ok(here.client.get(`/v1/api/webhooks/${id}/deliveries?status=queued`));
    return data[0]?.attempt_count === 1 ? data : undefined;
  });
  const hours = (Date.parse(row.next_attempt_at) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23);
  expect(hours).toBeLessThan(24.1);
  await ok(here.client.send('DELETE', `/v1/api/webhooks/${id}`));
});

test('E13: 410 disables the webhook, and people are told', async () => {
  const receiver = hooks.farm.receiver(status(410));
  const { id } = await register(here.client, receiver.url, { events });
  await emit(hooks, here);
  const [row] = await ended(here.client, id, 1);
  expect(row).toMatchObject({ status: 'failed', attempt_count: 1 });
  const shown = await ok(here.client.get(`/v1/api/webhooks/${id}`));
  expect(shown).toMatchObject({ status: 'disabled', disabled_reason: 'gone', disabled_at: expect.any(String) });
  const { entries, events: told } = await trailOf(hooks, 'webhook-disablement', id);
  expect([entries.length, told.length]).toEqual([1, 1]);
  expect(told[0].payload).toEqual({ id, url: new URL(receiver.url).origin, reason: 'gone' });
  expect(receiver.requests).toHaveLength(1);
});

test('E13: who owns a webhook that answered 410 reads of it in the inbox and by mail', async () => {
  const receiver = hooks.farm.receiver(status(410));
  const owner = await here.signedIn('creator', 'workspace');
  const analyst = await here.signedIn('analyst', 'workspace');
  const { id } = await register(owner, receiver.url, { events });
  await emit(hooks, here);
  const [told] = await until(async () => {
    const { data } = await ok(owner.get('/v1/api/notifications?limit=100'));
    const own = data.filter((row: { type: string; resource: { id: string } }) => row.type === 'webhook-disablement');
    return own.some((row: object) => JSON.stringify(row).includes(id)) ? own : undefined;
  });
  expect(JSON.stringify(told)).toContain(id);
  const { email } = await hooks.service.owner.kysely
    .selectFrom('users')
    .select('email')
    .where('id', '=', owner.userId)
    .executeTakeFirstOrThrow();
  const mail = await until(async () => {
    const mails = await Promise.all(sink.to(email).map(parseMail));
    return mails.find(({ text }) => text?.includes(id));
  });
  expect(mail.subject).toContain('Webhook disabled');
  const { data } = await ok(analyst.get('/v1/api/notifications?limit=100'));
  expect(JSON.stringify(data)).not.toContain(id);
});

test('a receiver that does not want a delivery is not asked again, and others go on', async () => {
  const receiver = hooks.farm.receiver(first(1, status(422, { 'webhook-delivery': 'abort' })));
  const { id } = await register(here.client, receiver.url, { events });
  await emit(hooks, here);
  expect((await ended(here.client, id, 1))[0]).toMatchObject({ status: 'failed', attempt_count: 1 });
  await emit(hooks, here);
  expect((await ended(here.client, id, 2))[1]).toMatchObject({ status: 'succeeded' });
  expect(await laneOf(id)).toMatchObject({ failures_in_row: 0 });
});

test('E22: who answers too late is sent it again, with the same id', async () => {
  const receiver = hooks.farm.receiver(first(1, late(11_000)));
  const { id } = await register(here.client, receiver.url, { events });
  await emit(hooks, here);
  const [row] = await ended(here.client, id, 1);
  expect(row).toMatchObject({ status: 'succeeded', attempt_count: 2 });
  expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual([row.message_id, row.message_id]);
  const { attempts } = await delivery(here.client, row.id);
  expect(attempts[0]).toMatchObject({ succeeded: false, error_class: 'timeout' });
});

test('E61: a webhook where nothing arrives for days is disabled; one that took something between is not', async () => {
  const receivers = [hooks.farm.receiver(status(500)), hooks.farm.receiver(first(4, status(500)))];
  const ids: string[] = [];
  for (const receiver of receivers) ids.push((await register(here.client, receiver.url, { events })).id);
  const [never, once] = ids;
  await emit(hooks, here);
  for (const id of ids) await ended(here.client, id, 1);
  await passDays(hooks, ids, 3);
  // The second one takes this; both fail again after it.
  await emit(hooks, here);
  for (const id of ids) await ended(here.client, id, 2);
  receivers[1].behave(status(500));
  await passDays(hooks, ids, 3);
  await emit(hooks, here);
  for (const id of ids) await ended(here.client, id, 3);
  const shown = await Promise.all(ids.map((id) => ok(here.client.get(`/v1/api/webhooks/${id}`))));
  expect(shown.map((one) => [one.status, one.disabled_reason])).toEqual([
    ['disabled', 'failing'],
    ['active', null],
  ]);
  expect((await trailOf(hooks, 'webhook-disablement', never)).events).toHaveLength(1);
  expect((await trailOf(hooks, 'webhook-disablement', once)).events).toEqual([]);
});
