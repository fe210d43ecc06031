/** What people are told in the app. The numbers are those of the cases in the study of events. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tenant } from '../../src/access/transactions.ts';
import { record } from '../../src/trail/record.ts';
import { expectRefusal } from '../problems.ts';
import { type Client, startTestService, type Tenant, type TestService } from '../service.ts';
import { choose, happen, inboxOf, told } from './acts.ts';

let service: TestService;
let one: Tenant;
beforeAll(async () => {
  service = await startTestService();
  one = await service.tenant('Inbox');
});
afterAll(() => service.close());

type Person = Client & { readonly userId: string };

/** Somebody who is told of batches in the app, and of nothing by mail. */
async function listening(role: 'developer' | 'analyst' = 'developer'): Promise<Person> {
  const person = await one.signedIn(role, 'workspace');
  await choose(person, 'preferences', [{ type: 'batch-lifecycle', channels: 'in_app' }]);
  await forget(person);
  return person;
}

/** Empties the inbox of somebody who has been told of signing in on a new device. */
async function forget({ userId }: Pick<Person, 'userId'>): Promise<void> {
  await told(service);
  await service.owner.kysely.deleteFrom('notifications').where('user_id', '=', userId).execute();
}

const countsOf = async (client: Client) => {
  const { body } = await client.get('/v1/api/notifications/counts');
  return { unseen: body.unseen.count, unread: body.unread.count };
};

test('a notification is told in the language of its reader, and what it says can be read by people', async () => {
  const person = await listening();
  expect((await person.send('PATCH', '/v1/api/user', { body: { language: 'pt-BR' } })).status).toBe(200);
  await happen(service, one.ctx, 'batch-lifecycle', {
    status: 'failed',
    failure: { code: 'x', detail: 'sem arquivo' },
  });
  await told(service);
  const [row] = await inboxOf(person);
  expect(row).toEqual({
    id: expect.stringMatching(/^ntf_/),
    workspace_id: one.ctx.workspaceId,
    event_id: expect.stringMatching(/^evt_/),
    type: 'batch-lifecycle',
    title: 'Lote com falha',
    body: 'Um lote mudou de situação.\n\nLote: bat_1\nSituação: com falha\nCódigo: x\nDetalhe: sem arquivo',
    said: {
      en: { title: 'Batch failed', body: expect.stringContaining('\nStatus: failed\nCode: x\n') },
      'pt-BR': { title: 'Lote com falha', body: expect.stringContaining('\nSituação: com falha\n') },
    },
    link: `/batches/bat_1?workspace=${one.ctx.workspaceId}`,
    created_at: expect.stringMatching(/Z$/),
    seen_at: null,
    read_at: null,
    archived_at: null,
  });
  expect((await person.get(`/v1/api/notifications/${row.id}`)).body).toEqual(row);
});

test('marks are of one notification, can be taken back, and are counted', async () => {
  const person = await listening();
  for (const status of ['queued', 'running', 'succeeded'])
    await happen(service, one.ctx, 'batch-lifecycle', { status });
  await told(service);
  const [newest, middle, oldest] = await inboxOf(person, '', 2);
  expect([oldest, middle, newest].map(({ title }) => title)).toEqual([
    'Batch queued',
    'Batch running',
    'Batch succeeded',
  ]);
  expect(await countsOf(person)).toEqual({ unseen: 3, unread: 3 });
  const mark = async ({ id }: { id: string }, how: string) => {
    const reply = await person.post(`/v1/api/notifications/${id}/${how}`);
    expect(reply.status, reply.text).toBe(200);
    return reply.body;
  };
  await mark(oldest, 'seen');
  expect(await countsOf(person)).toEqual({ unseen: 2, unread: 3 });
  const read = await mark(middle, 'read');
  expect([read.seen_at, read.read_at]).toEqual([expect.any(String), expect.any(String)]);
  expect(await mark(middle, 'read')).toEqual(read);
  expect(await countsOf(person)).toEqual({ unseen: 1, unread: 2 });
  await mark(newest, 'archive');
  expect(await countsOf(person)).toEqual({ unseen: 0, unread: 1 });
  expect((await inboxOf(person)).map(({ id }) => id)).toEqual([middle.id, oldest.id]);
  expect((await inboxOf(person, '&archived=true')).map(({ id }) => id)).toEqual([newest.id]);
  await mark(newest, 'unarchive');
  await mark(middle, 'unread');
  expect(await countsOf(person)).toEqual({ unseen: 1, unread: 3 });
  expect((await inboxOf(person, '&unseen=true')).map(({ id }) => id)).toEqual([newest.id]);
  expect(await inboxOf(person, '&unread=true')).toHaveLength(3);
});

test('what is more than 99 is counted as that', async () => {
  const person = await listening();
  await tenant(service.service.app.db, one.ctx, async (tx) => {
    for (let at = 0; at < 101; at++)
      await record(tx, one.ctx, 'batch-lifecycle', { type: 'batch', id: 'bat_many' }, { status: 'queued' });
  });
  await told(service);
  const { body } = await person.get('/v1/api/notifications/counts');
  expect(body).toEqual({
    unseen: { count: 99, has_more: true },
    unread: { count: 99, has_more: true },
    mail_suppression: null,
  });
});

test('nobody sees or marks what somebody else was told', async () => {
  const [ana, ben] = [await listening(), await listening()];
  await happen(service, one.ctx, 'batch-lifecycle', { status: 'queued' });
  await told(service);
  const [own] = await inboxOf(ana);
  const [other] = await inboxOf(ben);
  expect(other.id).not.toBe(own.id);
  for (const how of ['seen', 'read', 'unread', 'archive', 'unarchive'])
    expectRefusal(await ben.post(`/v1/api/notifications/${own.id}/${how}`), 404, 'not_found');
  expectRefusal(await ben.get(`/v1/api/notifications/${own.id}`), 404, 'not_found');
  expectRefusal(await ben.post('/v1/api/notifications/mark-all-read', { before: own.id }), 404, 'not_found');
  expect((await inboxOf(ana))[0]).toEqual(own);
});

test('a key sees what its maker is told in its workspace, as far as it may read it, and nothing of the organization', async () => {
  const creator = await one.signedIn('creator', 'organization');
  await forget(creator);
  const types = ['batch-lifecycle', 'model-version-creation', 'workspace-update'];
  const chosen = types.map((type) => ({ type, channels: 'in_app' }));
  await choose(creator, 'preferences', chosen);
  await choose(creator, 'preferences', chosen, '/v1/api/organization');
  const made = await creator.post('/v1/api/api-keys', { name: 'narrow', scopes: ['view_members', 'view_batches'] });
  expect(made.status, made.text).toBe(201);
  const key = service.client(made.body.secret);
  await happen(service, one.ctx, 'batch-lifecycle', { status: 'queued' });
  await happen(service, one.ctx, 'model-version-creation', {}, { type: 'model_version', id: 'ver_1' });
  await happen(
    service,
    { ...one.ctx, workspaceId: null },
    'workspace-update',
    { name: 'x' },
    { type: 'workspace', id: 'w' },
  );
  await told(service);
  const seen = (rows: { type: string; workspace_id: string | null }[]) =>
    rows.map(({ type, workspace_id }) => [type, workspace_id === null ? 'organization' : 'workspace']);
  expect(seen(await inboxOf(creator)).sort()).toEqual([
    ['api-key-creation', 'workspace'],
    ['batch-lifecycle', 'workspace'],
    ['model-version-creation', 'workspace'],
    ['workspace-update', 'organization'],
  ]);
  expect(seen(await inboxOf(key))).toEqual([['batch-lifecycle', 'workspace']]);
  expect(await countsOf(key)).toEqual({ unseen: 1, unread: 1 });
  expect(await countsOf(creator)).toEqual({ unseen: 4, unread: 4 });
});

test('who loses a role is told nothing more, and does not see what the new one may not read', async () => {
  const person = await listening();
  await choose(person, 'preferences', [{ type: 'workspace-update', channels: 'in_app' }]);
  await happen(service, one.ctx, 'batch-lifecycle', { status: 'queued' });
  await told(service);
  expect(await inboxOf(person)).toHaveLength(1);
  const creator = await one.signedIn('creator', 'workspace');
  const lowered = await creator.send('PATCH', `/v1/api/members/${person.userId}`, {
    body: { role: 'billing_manager' },
  });
  expect(lowered.status, lowered.text).toBe(200);
  await happen(service, one.ctx, 'batch-lifecycle', { status: 'running' });
  await happen(service, one.ctx, 'workspace-update', { name: 'x' }, { type: 'workspace', id: 'w' });
  await told(service);
  const rows = await service.owner.kysely
    .selectFrom('notifications')
    .select('type')
    .where('user_id', '=', person.userId)
    .execute();
  expect(rows.map(({ type }) => type).sort()).toEqual(['batch-lifecycle', 'workspace-update']);
});

test('an account takes its inbox, choices, mails and refused addresses with it, and nobody else loses any', async () => {
  const [person, other] = [await listening(), await listening()];
  const tables = ['notifications', 'notification_mails', 'notification_preferences', 'notification_settings'];
  const left = async ({ userId }: { userId: string }) => {
    const counts = [...tables, 'mail_suppressions'].map(async (table) => {
      const { rows } = await service.owner.pool.query(`select from ${table} where user_id = $1`, [userId]);
      return rows.length > 0;
    });
    return Promise.all(counts);
  };
  for (const { send, userId } of [person, other]) {
    const body = { mail_window: 'daily', preferences: [{ type: 'batch-lifecycle', channels: 'both' }] };
    expect((await send('PATCH', '/v1/api/notification-preferences', { body })).status).toBe(200);
    await service.owner.pool.query(
      "insert into mail_suppressions (id, user_id, email, reason) values ('sup_' || $1, $1, 'x', '550')",
      [userId],
    );
  }
  await happen(service, one.ctx, 'batch-lifecycle', { status: 'queued' });
  await told(service);
  const everything = tables.map(() => true).concat(true);
  expect([await left(person), await left(other)]).toEqual([everything, everything]);
  const deleted = await person.send('DELETE', '/v1/api/user');
  expect(deleted.status, deleted.text).toBe(204);
  await happen(service, one.ctx, 'batch-lifecycle', { status: 'running' });
  await told(service);
  expect([await left(person), await left(other)]).toEqual([everything.map(() => false), everything]);
});
