/** A thousand streams at once, beside some whose readers take nothing. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { tenant } from '../../src/access/transactions.ts';
import { createKey } from '../../src/resources/api-keys/create.ts';
import { record } from '../../src/trail/record.ts';
import { type EventStream, openEventStream } from '../event-stream.ts';
import { startTestService, type Tenant, type TestService } from '../service.ts';
import { choose, told } from './acts.ts';

let service: TestService;
let tenants: Tenant[];
/** The service's ends of all connections. */
const served: Socket[] = [];
const note = (message: unknown) => void served.push((message as { socket: Socket }).socket);
beforeAll(async () => {
  subscribe('net.server.socket', note);
  service = await startTestService();
  tenants = [await service.tenant('First'), await service.tenant('Second')];
});
afterAll(() => {
  unsubscribe('net.server.socket', note);
  return service.close();
});

const path = '/v1/api/notifications/stream';
const [peopleEach, streamsEach, slow, rounds, count] = [25, 20, 10, 3, 20];
/** What a slow reader is to be told: more than the buffers of a connection take. */
const [largeRows, largeBytes] = [1_500, 20_000];
/** What the service may hold for one of them: a few messages of this size. */
const heldMost = 8 * largeBytes;
/** How much longer the others may wait beside slow readers. Runs of the same differ by less than this. */
const slowdownMost = 2.5;

/** Somebody who is told of batches in the app alone, by a key. */
async function reader(one: Tenant, name: string): Promise<{ key: string; userId: string }> {
  const person = await one.signedIn('developer', 'workspace');
  await choose(person, 'preferences', [{ type: 'batch-lifecycle', channels: 'in_app' }]);
  const { secret } = await createKey(service.service.app.db, one.ctx, { name, userId: person.userId });
  return { key: secret, userId: person.userId };
}

/** Opens a stream and never reads of it; returns the service's end of the connection. */
async function openUnread(key: string): Promise<{ own: Socket; end: Socket }> {
  const { hostname, port } = new URL(service.url);
  const own = connect(Number(port), hostname).on('error', () => {});
  await once(own, 'connect');
  own.pause();
  own.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${key}\r\n\r\n`);
  const end = await vi.waitUntil(() => served.find(({ remotePort }) => remotePort === own.localPort));
  await vi.waitUntil(() => end.bytesWritten > 0, { timeout: 30_000 });
  return { own, end };
}

/** Has batches change in both workspaces; resolves with how long it took until every stream has told all, in order. */
async function deliver(streams: readonly EventStream[], round: number): Promise<number> {
  const startedAt = performance.now();
  for (const { ctx } of tenants)
    await tenant(service.service.app.db, ctx, async (tx) => {
      for (let at = 0; at < count; at++)
        await record(tx, ctx, 'batch-lifecycle', { type: 'batch', id: `bat_${round}_${at}` }, { status: 'queued' });
    });
  await Promise.all(
    streams.map(async (stream) => {
      const links: unknown[] = [];
      while (links.length < count) {
        const message = (await stream.next())!;
        if (message.event === 'notification') links.push(`${message.data.link}`.split('?')[0]);
      }
      expect(links).toEqual(Array.from({ length: count }, (_, at) => `/batches/bat_${round}_${at}`));
    }),
  );
  return performance.now() - startedAt;
}

test('E75 a thousand streams are told in order and once each; readers that take nothing hold up none, and are cut', async () => {
  const keys: string[] = [];
  for (const one of tenants) for (let at = 0; at < peopleEach; at++) keys.push((await reader(one, `stream ${at}`)).key);
  const sleeper = await reader(tenants[0], 'unread');
  await told(service);
  const streams: EventStream[] = [];
  for (const key of keys)
    for (let at = 0; at < streamsEach; at++) streams.push(await openEventStream(service.url, key, { path }));
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
  for (const stream of streams) expect((await stream.next())?.event).toBe('counts');
  let round = 0;
  // The first round warms up.
  await deliver(streams, round++);
  const alone: number[] = [];
  while (alone.length < rounds) alone.push(await deliver(streams, round++));

  const unread = await Promise.all(Array.from({ length: slow }, () => openUnread(sleeper.key)));
  const { organizationId, workspaceId } = tenants[0].ctx;
  await service.owner.pool.query(
    `insert into notifications (id, organization_id, workspace_id, user_id, event_id, dedupe_key, type, title, body, in_app)
    select 'ntf_large' || n, $1, $2, $3, 'evt_large' || n, 'large ' || n, 'batch-lifecycle', 'Large', repeat('x', $4), true
    from generate_series(1, $5::int) as n`,
    [organizationId, workspaceId, sleeper.userId, largeBytes, largeRows],
  );
  await vi.waitUntil(() => unread.every(({ end }) => end.writableNeedDrain), { timeout: 60_000 });
  const beside: number[] = [];
  const held: number[] = [];
  while (beside.length < rounds) {
    beside.push(await deliver(streams, round++));
    held.push(...unread.map(({ end }) => end.writableLength));
  }
  const taken = unread.map(({ end }) => end.bytesWritten);
  console.log({ alone, beside, heldMost: Math.max(...held), takenMost: Math.max(...taken) });
  const best = (times: readonly number[]) => Math.min(...times);
  expect(best(beside) / best(alone)).toBeLessThan(slowdownMost);
  expect(Math.max(...held)).toBeLessThan(heldMost);
  // The rest was not even made.
  expect(Math.max(...taken)).toBeLessThan((largeRows * largeBytes) / 2);
  await vi.waitUntil(() => unread.every(({ end }) => end.destroyed), { timeout: 120_000, interval: 100 });
  // Their places are free again.
  const again = await Promise.all(Array.from({ length: streamsEach }, () => openUnread(sleeper.key)));
  for (const { own } of [...unread, ...again]) own.destroy();
  await deliver(streams, round++);
  await Promise.all(streams.map((stream) => stream.close()));
});
