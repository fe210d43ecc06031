/** Counts and streams while much happens at once. The numbers are those of the cases in the study of events. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { system, tenant } from '../../src/access/transactions.ts';
import { revokeKey } from '../../src/resources/api-keys/revoke.ts';
import { record } from '../../src/trail/record.ts';
import { type EventStream, openEventStream } from '../event-stream.ts';
import { expectRefusal } from '../problems.ts';
import { type Client, startTestService, type Tenant, type TestService } from '../service.ts';
import { choose, happen, inboxOf, told } from './acts.ts';

let service: TestService;
let one: Tenant;
beforeAll(async () => {
  service = await startTestService();
  one = await service.tenant('Live');
});
afterAll(() => service.close());

type Reader = Client & { readonly userId: string; readonly byKey: Client };

/** Somebody who is told of batches in the app alone, with a key, and with nothing in the inbox yet. */
async function reading(): Promise<Reader> {
  const person = await one.signedIn('developer', 'workspace');
  await choose(person, 'preferences', [{ type: 'batch-lifecycle', channels: 'in_app' }]);
  const { body } = await person.post('/v1/api/api-keys', { name: person.userId });
  await told(service);
  await service.owner.kysely.deleteFrom('notifications').where('user_id', '=', person.userId).execute();
  return { ...person, byKey: service.client(body.secret) };
}

/** Has so many batches change, in one transaction. */
const batches = (count: number, id = 'bat_1') =>
  tenant(service.service.app.db, one.ctx, async (tx) => {
    for (let at = 0; at < count; at++)
      await record(tx, one.ctx, 'batch-lifecycle', { type: 'batch', id }, { status: 'queued' });
  });

/** Draws whole numbers below a bound, the same ones for a seed (Park and Miller 1988). */
function drawing(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

type State = { seen: boolean; read: boolean; archived: boolean };
const marks = {
  seen: (state: State) => ({ ...state, seen: true }),
  read: (state: State) => ({ ...state, seen: true, read: true }),
  unread: (state: State) => ({ ...state, read: false }),
  archive: (state: State) => ({ ...state, archived: true }),
  unarchive: (state: State) => ({ ...state, archived: false }),
} as const;
type Mark = keyof typeof marks;
const markNames = Object.keys(marks) as Mark[];

test('E73 after a thousand random marks by four clients at once the counts are what they should be', async () => {
  const reader = await reading();
  const [clientsMax, rounds, marksEach, ownedEach] = [4, 5, 50, 10];
  await batches(clientsMax * ownedEach);
  await told(service);
  // Oldest first. Each client marks notifications of its own; the first one has the oldest, and marks all up to one.
  const ids = (await inboxOf(reader)).map(({ id }) => id as string).reverse();
  expect(ids).toHaveLength(clientsMax * ownedEach);
  const states = new Map<string, State>(ids.map((id) => [id, { seen: false, read: false, archived: false }]));
  const post = async (path: string, body?: object): Promise<void> => {
    const reply = await reader.post(`/v1/api/notifications/${path}`, body);
    expect(reply.status, reply.text).toBe(200);
  };
  const run = async (client: number, draw: (below: number) => number): Promise<void> => {
    const own = ids.slice(client * ownedEach, (client + 1) * ownedEach);
    for (let at = 0; at < marksEach; at++) {
      const id = own[draw(own.length)];
      if (client === 0 && draw(5) === 0) {
        await post('mark-all-read', { before: id });
        for (const older of own.slice(0, own.indexOf(id) + 1))
          if (!states.get(older)!.archived) states.set(older, marks.read(states.get(older)!));
        continue;
      }
      const mark = markNames[draw(markNames.length)];
      await post(`${id}/${mark}`);
      states.set(id, marks[mark](states.get(id)!));
    }
  };
  const counts = async () => {
    const { unseen, unread } = (await reader.get('/v1/api/notifications/counts')).body;
    return { unseen: unseen.count, unread: unread.count };
  };
  const draws = Array.from({ length: clientsMax }, (_, client) => drawing(73 + client));
  for (let round = 0; round < rounds; round++) {
    await Promise.all(draws.map((draw, client) => run(client, draw)));
    const left = [...states.values()].filter(({ archived }) => !archived);
    expect(await counts()).toEqual({
      unseen: left.filter(({ seen }) => !seen).length,
      unread: left.filter(({ read }) => !read).length,
    });
    const listed = [...(await inboxOf(reader, '', 7)), ...(await inboxOf(reader, '&archived=true', 7))];
    const shown = listed.map(({ id, seen_at, read_at, archived_at }) => [
      id,
      { seen: seen_at !== null, read: read_at !== null, archived: archived_at !== null },
    ]);
    expect(new Map(shown as [string, State][])).toEqual(new Map([...states].sort(([a], [b]) => (a < b ? 1 : -1))));
  }
});

test('E74 what comes while all is marked as read stays unread', async () => {
  const reader = await reading();
  await batches(5);
  await told(service);
  for (let round = 0; round < 8; round++) {
    const before = await inboxOf(reader);
    const [marked] = await Promise.all([
      reader.post('/v1/api/notifications/mark-all-read', { before: before[0].id }),
      batches(3).then(() => told(service)),
    ]);
    expect(marked.status, marked.text).toBe(200);
    const known = new Set(before.map(({ id }) => id));
    const unread = await inboxOf(reader, '&unread=true');
    expect(unread.filter(({ id }) => known.has(id))).toEqual([]);
    expect(unread).toHaveLength(3);
  }
});

const path = '/v1/api/notifications/stream';
const open = ({ byKey }: Reader, lastId?: string) => openEventStream(service.url, byKey.key, { path, lastId });

/** The next notification of a stream, and the counts that came before it. */
async function nextNotification(stream: EventStream) {
  const counts = [];
  for (;;) {
    const message = await stream.next();
    if (message === null || message.event === 'notification') return { message, counts };
    counts.push(message.data);
  }
}

test('E75 a stream that is cut and resumed tells every notification once, and counts', async () => {
  const reader = await reading();
  let stream = await open(reader);
  expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(await stream.next()).toMatchObject({
    ...{ id: undefined, event: 'counts' },
    data: { unseen: { count: 0, has_more: false }, unread: { count: 0, has_more: false } },
  });
  const happening = (async () => {
    for (let at = 0; at < 40; at++) await happen(service, one.ctx, 'batch-lifecycle', { status: 'queued' });
  })();
  const ids: string[] = [];
  let last: string | undefined;
  while (ids.length < 40) {
    const { message } = await nextNotification(stream);
    expect(message).toMatchObject({ event: 'notification', data: { id: message!.id, type: 'batch-lifecycle' } });
    last = message!.id;
    ids.push(last);
    if (ids.length % 7 !== 0) continue;
    await stream.close();
    stream = await open(reader, last);
  }
  await happening;
  await told(service);
  const listed = (await inboxOf(reader.byKey)).map(({ id }) => id).reverse();
  expect(ids).toEqual(listed);
  // Ids grow, so that a reader can tell what it has.
  expect([...ids].sort()).toEqual(ids);
  expect((await reader.post(`/v1/api/notifications/${ids[0]}/read`)).status).toBe(200);
  for (;;) {
    const message = await stream.next();
    if (message?.event === 'counts' && (message.data.unread as { count: number }).count === 39) break;
    expect(message).not.toBeNull();
  }
  await stream.close();
});

test('E75 a stream ends with the right to it, and one that is not theirs resumes nothing', async () => {
  const [reader, other] = [await reading(), await reading()];
  await batches(1);
  await told(service);
  const [theirs] = await inboxOf(other);
  const refused = await reader.byKey.send('GET', path, { headers: { 'last-event-id': theirs.id } });
  expectRefusal(refused, 404, 'not_found');
  const stream = await open(reader);
  await stream.next();
  const keys = await service.owner.kysely
    .selectFrom('api_keys')
    .select('id')
    .where('user_id', '=', reader.userId)
    .execute();
  for (const { id } of keys) await revokeKey(service.service.app.db, one.ctx, id);
  await batches(1);
  expect((await nextNotification(stream)).message).toBeNull();
  const lowered = await open(other);
  await lowered.next();
  await system(service.service.app.db, 'test', (tx) =>
    tx.updateTable('grants').set({ role: 'billing_manager' }).where('user_id', '=', other.userId).execute(),
  );
  await batches(1);
  expect((await nextNotification(lowered)).message).toBeNull();
});
