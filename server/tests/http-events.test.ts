/** What happened in a workspace, listed and followed over HTTP. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { system, tenant } from '../src/access/transactions.ts';
import { revokeKey } from '../src/resources/api-keys/revoke.ts';
import { type EventType, eventTypeNames, eventTypes } from '../src/trail/catalog.ts';
import { record } from '../src/trail/record.ts';
import { type EventStream, openEventStream } from './event-stream.ts';
import { printed } from './matrix/expectation.ts';
import { expectRefusal } from './problems.ts';
import { type Client, startTestService, type Tenant, type TestService } from './service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const open = (client: Client, options: Parameters<typeof openEventStream>[2] = {}) =>
  openEventStream(service.url, client.key, options);

const happen = (
  { ctx }: Pick<Tenant, 'ctx'>,
  type: EventType,
  target = { type: 'batch', id: 'bat_1' },
  payload: Record<string, unknown> = {},
): Promise<void> => tenant(service.service.app.db, ctx, (tx) => record(tx, ctx, type, target, payload));

/** A stream of what happens from now on. */
async function openNow(client: Client, query = ''): Promise<EventStream> {
  await relayed();
  return open(client, { query });
}

/** Resolves once all that has happened so far can be read. */
async function relayed(): Promise<void> {
  const unread = async () => {
    const { rows } = await system(service.service.app.db, 'test', (tx) =>
      sql<{ left: number }>`select count(*) as left from events
        where workspace_id is not null and id not in (select event_id from event_feed)`.execute(tx),
    );
    return rows[0].left;
  };
  while ((await unread()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
}

type Listed = { readonly id: string; readonly type: string; readonly resource_id: string; readonly data: object };

/** All events of a list, page by page. */
async function listed(client: Client, query: string, limit = 3): Promise<Listed[]> {
  const found: Listed[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await client.get(`/v1/api/events?limit=${limit}${query}${cursor && `&cursor=${cursor}`}`);
    expect(page.status, page.text).toBe(200);
    found.push(...page.body.data);
    cursor = page.body.next_cursor;
  }
  return found;
}

describe('the list', () => {
  let one: Tenant;
  let start: string;
  beforeAll(async () => {
    one = await service.tenant('List');
    await relayed();
    start = (await listed(one.client, '')).at(-1)!.id;
    for (let i = 0; i < 8; i++) {
      await happen(one, 'batch-lifecycle', { type: 'batch', id: `bat_${i % 2}` }, { status: `s${i}` });
      await happen(one, 'ingestion-lifecycle', { type: 'ingestion', id: 'ing_1' });
    }
    await relayed();
  });

  test('tells all that happened once, oldest or newest first, from page to page', async () => {
    const all = await listed(one.client, `&after=${start}`);
    expect(all.map(({ type }) => type)).toEqual(
      Array.from({ length: 8 }, () => ['batch-lifecycle', 'ingestion-lifecycle']).flat(),
    );
    expect(new Set(all.map(({ id }) => id)).size).toBe(16);
    expect(all[4]).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: 'batch-lifecycle',
      resource_type: 'batch',
      resource_id: 'bat_0',
      sequence: 2,
      created_at: expect.stringMatching(/Z$/),
      data: { id: 'bat_0', status: 's2' },
    });
    expect((await one.client.get(`/v1/api/events/${all[4].id}`)).body).toEqual(all[4]);
    expect(await listed(one.client, `&newest_first=true&after=${start}`)).toEqual(all.toReversed());
    const batches = all.filter(({ resource_id }) => resource_id === 'bat_1');
    expect(await listed(one.client, '&newest_first=true&resource_id=bat_1')).toEqual(batches.toReversed());
    expect(await listed(one.client, `&after=${all[12].id}`)).toEqual(all.slice(13));
    expect(await listed(one.client, `&after=${all.at(-1)!.id}`)).toEqual([]);
  });

  test('is narrowed by type, by resource and by when', async () => {
    const batches = await listed(one.client, '&type=batch-lifecycle&resource_id=bat_1');
    expect(batches.map(({ data }) => data)).toEqual(
      ['s1', 's3', 's5', 's7'].map((status) => ({ id: 'bat_1', status })),
    );
    expect(await listed(one.client, '&resource_type=ingestion')).toHaveLength(8);
    expect(await listed(one.client, '&type=batch-lifecycle,ingestion-lifecycle')).toHaveLength(16);
    const all = await listed(one.client, `&after=${start}`);
    const since = (await one.client.get(`/v1/api/events/${all[10].id}`)).body.created_at;
    const told = await listed(one.client, `&since=${since}`);
    expect(told).toEqual(all.slice(-told.length));
    expect(told.length).toBeGreaterThanOrEqual(6);
    expect(told.length).toBeLessThan(16);
    expect(await listed(one.client, '&since=2999-01-01T00:00:00Z')).toEqual([]);
  });

  test('refuses what it does not know', async () => {
    expectRefusal(
      await one.client.get('/v1/api/events?type=batch-lifecycle,party'),
      400,
      'invalid_parameter',
      '/query/type',
    );
    expectRefusal(await one.client.get('/v1/api/events?since=yesterday'), 400, 'invalid_parameter', '/query/since');
    expectRefusal(await one.client.get('/v1/api/events?after=evt_none'), 404, 'not_found');
    expectRefusal(await one.client.get('/v1/api/events/evt_none'), 404, 'not_found');
  });

  test('tells nothing to other workspaces', async () => {
    const other = await service.tenant('Other');
    await relayed();
    const theirs = await listed(other.client, '');
    expect(theirs.map(({ type }) => type)).toEqual(['workspace-creation', 'api-key-creation']);
    const [{ id }] = await listed(one.client, `&after=${start}`);
    expectRefusal(await other.client.get(`/v1/api/events/${id}`), 404, 'not_found');
    expectRefusal(await other.client.get(`/v1/api/events?after=${id}`), 404, 'not_found');
    const refused = await other.client.send('GET', '/v1/api/events/stream', { headers: { 'last-event-id': id } });
    expectRefusal(refused, 404, 'not_found');
  });
});

test('each event is told to those who may read what it is about', async () => {
  const one = await service.tenant('Rights');
  for (const type of eventTypeNames) await happen(one, type, { type: 'thing', id: `of ${type}` });
  await relayed();
  const readers = {
    creator: eventTypeNames,
    auditor: eventTypeNames.filter((type) =>
      ['view_models', 'view_members', 'view_activity_logs'].includes(eventTypes[type].readBy),
    ),
    member: eventTypeNames.filter((type) =>
      ['view_models', 'view_batches', 'view_files', 'view_members'].includes(eventTypes[type].readBy),
    ),
    billing_manager: eventTypeNames.filter((type) =>
      ['view_usage', 'view_invoices', 'view_members'].includes(eventTypes[type].readBy),
    ),
  } as const;
  for (const [role, types] of Object.entries(readers)) {
    const client = await one.as(role as keyof typeof readers);
    const told = await listed(client, '&resource_type=thing', 100);
    expect(told.map(({ type }) => type).sort(), role).toEqual([...types].sort());
    const hidden = eventTypeNames.find((type) => !(types as readonly string[]).includes(type));
    if (!hidden) continue;
    const [{ id }] = await listed(one.client, `&type=${hidden}&resource_type=thing`);
    expectRefusal(await client.get(`/v1/api/events/${id}`), 404, 'not_found');
    expect(await listed(client, `&type=${hidden}`)).toEqual([]);
  }
  const scoped = await one.as('creator', ['view_batches']);
  const told = await listed(scoped, '', 100);
  expect(new Set(told.map(({ type }) => eventTypes[type as EventType].readBy))).toEqual(new Set(['view_batches']));
  const stream = await openNow(scoped);
  await happen(one, 'model-version-creation');
  await happen(one, 'batch-lifecycle');
  expect(await stream.next()).toMatchObject({ event: 'batch-lifecycle' });
  await stream.close();
  expectRefusal(await (await one.as('creator', ['download_results'])).get('/v1/api/events'), 403, 'permission_denied');
  expect(printed['View members']).toHaveLength(6);
});

describe('the stream', () => {
  test('tells what happens from now on, and resumes after the last id without a miss or a double', async () => {
    const one = await service.tenant('Stream');
    await happen(one, 'batch-lifecycle', { type: 'batch', id: 'bat_before' });
    await relayed();
    const ids: string[] = [];
    const said: unknown[] = [];
    let stream = await openNow(one.client);
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.headers.get('ratelimit')).toMatch(/r=\d+/);
    const happening = (async () => {
      for (let i = 0; i < 60; i++) await happen(one, 'batch-lifecycle', { type: 'batch', id: 'bat_s' }, { at: i });
    })();
    for (let i = 0; i < 60; i++) {
      const { id, event, data } = (await stream.next())!;
      expect(event).toBe('batch-lifecycle');
      expect(data).toMatchObject({ id, type: event, resource_id: 'bat_s', sequence: i + 1 });
      ids.push(id);
      said.push((data.data as { at: number }).at);
      if (i % 13 !== 12) continue;
      await stream.close();
      stream =
        i % 2 ? await open(one.client, { lastId: id }) : await open(one.client, { query: `?last_event_id=${id}` });
    }
    await happening;
    await stream.close();
    expect(said).toEqual(Array.from({ length: 60 }, (_, i) => i));
    expect((await listed(one.client, '&resource_id=bat_s', 100)).map(({ id }) => id)).toEqual(ids);
  });

  test('is narrowed like the list', async () => {
    const one = await service.tenant('Narrowed');
    const stream = await openNow(one.client, '?type=batch-lifecycle&resource_id=bat_2');
    await happen(one, 'batch-lifecycle', { type: 'batch', id: 'bat_1' });
    await happen(one, 'batch-request', { type: 'batch', id: 'bat_2' });
    await happen(one, 'batch-lifecycle', { type: 'batch', id: 'bat_2' }, { status: 'queued' });
    expect(await stream.next()).toMatchObject({ data: { resource_id: 'bat_2', data: { status: 'queued' } } });
    await stream.close();
  });

  test.each(['the key is revoked', 'the role is lowered'])('ends when %s, and tells nothing after', async (how) => {
    const one = await service.tenant(`Ending ${how.split(' ')[1]}`);
    const { db } = service.service.app;
    const follower = await one.as('developer');
    const stream = await openNow(follower);
    await happen(one, 'batch-lifecycle');
    expect(await stream.next()).toMatchObject({ event: 'batch-lifecycle' });
    if (how === 'the key is revoked') await revokeKey(db, one.ctx, follower.keyId);
    else
      await system(db, 'test', (tx) =>
        tx.updateTable('grants').set({ role: 'billing_manager' }).where('user_id', '=', follower.userId).execute(),
      );
    await happen(one, 'batch-lifecycle');
    expect(await stream.next()).toBeNull();
  });

  test('ends when the key expires', async () => {
    const one = await service.tenant('Expiring');
    const follower = await one.as('developer');
    await system(service.service.app.db, 'test', (tx) =>
      tx
        .updateTable('api_keys')
        .set({ expires_at: new Date(Date.now() + 1_000) })
        .where('id', '=', follower.keyId)
        .execute(),
    );
    const stream = await openNow(follower);
    expect(await stream.next()).toBeNull();
  });

  test('is open so many times for a key, and a place is free again when one is closed', async () => {
    const one = await service.tenant('Many');
    const analyst = await one.as('analyst');
    await relayed();
    const streams = await Promise.all(Array.from({ length: 20 }, () => open(one.client)));
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
    const refused = await one.client.send('GET', '/v1/api/events/stream');
    expectRefusal(refused, 429, 'rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const other = await open(analyst);
    expect(other.status).toBe(200);
    await happen(one, 'batch-lifecycle');
    for (const stream of [...streams, other]) expect(await stream.next()).toMatchObject({ event: 'batch-lifecycle' });
    for (const stream of [...streams, other]) await stream.close();
    for (;;) {
      const stream = await open(one.client);
      await stream.close();
      if (stream.status === 200) break;
    }
  });
});

test('a service that closes ends its streams at once', async () => {
  const closing = await startTestService();
  const one = await closing.tenant('Shutdown');
  const stream = await openEventStream(closing.url, one.client.key);
  await stream.comment();
  const ended = stream.next();
  await closing.close();
  expect(await ended).toBeNull();
});
