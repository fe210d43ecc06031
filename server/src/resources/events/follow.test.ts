import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type Tenant, type TestService } from '../../../tests/service.ts';
import { type Database, tenant } from '../../access/transactions.ts';
import type { News, Watcher } from '../../api/news.ts';
import { openPlaces } from '../../api/places.ts';
import { handOn } from '../../trail/outbox/hand-on.ts';
import { numberEvents } from '../../trail/outbox/number.ts';
import { record } from '../../trail/record.ts';
import { readFilter } from './event.ts';
import { type Following, followEvents, openFollowing } from './follow.ts';
import { keepFeed } from './keep-feed.ts';
import { newestPosition } from './sql.ts';

let service: TestService;
let db: Database;
let one: Tenant;
beforeAll(async () => {
  // The service runs without a worker: the test numbers and relays events itself.
  service = await startTestService({}, 'api');
  db = service.service.app.db;
  one = await service.tenant('Following');
  await happen(0, '');
});
afterAll(() => service.close());

/** Records this many events of a batch and relays them. Returns the position of the last one. */
async function happen(times: number, text: string): Promise<number> {
  for (let i = 0; i < times; i++)
    await tenant(db, one.ctx, (tx) =>
      record(
        tx,
        one.ctx,
        'batch-lifecycle',
        { type: 'batch', id: 'bat_1' },
        { status: 'failed', failure: { code: String(i), detail: text } },
      ),
    );
  await numberEvents(db);
  await handOn(db, keepFeed);
  return tenant(db, one.ctx, newestPosition);
}

const permissions = new Set(['view_batches'] as const);

async function follow(given: Partial<Following> = {}, after?: number): Promise<Readable> {
  const { auth_epoch: authEpoch } = await tenant(db, one.ctx, (tx) =>
    tx.selectFrom('workspaces').select('auth_epoch').where('id', '=', one.ctx.workspaceId).executeTakeFirstOrThrow(),
  );
  const following = {
    ...openFollowing(service.service.app),
    places: openPlaces('streams', { perKey: 5, perWorkspace: 5 }),
    limits: { heartbeatMs: 60_000, slowMs: 60_000 },
    ...given,
  };
  const ctx = { ...one.ctx, permissions, authEpoch };
  const start = after ?? (await tenant(db, one.ctx, newestPosition));
  const { body } = followEvents(following, ctx, { filter: readFilter(ctx, {}), after: start }, { onClose: () => {} });
  return body as Readable;
}

/** Reads until the text contains `looked`. */
async function readUntil(body: Readable, looked: string): Promise<string> {
  let text = '';
  for await (const part of body.iterator({ destroyOnReturn: false })) {
    text += part;
    if (text.includes(looked)) break;
  }
  return text;
}

test('while nothing happens, comments say that the stream lives', async () => {
  const body = await follow({ limits: { heartbeatMs: 1, slowMs: 60_000 } });
  await readUntil(body, ': still here\n\n');
  body.destroy();
});

test('a reader that takes nothing is cut off, keeps little in memory, and holds up no other', async () => {
  const places = openPlaces('streams', { perKey: 2, perWorkspace: 2 });
  const shared = { ...openFollowing(service.service.app), places };
  const after = await tenant(db, one.ctx, newestPosition);
  const slow = await follow({ ...shared, limits: { heartbeatMs: 60_000, slowMs: 300 } }, after);
  const quick = await follow(shared, after);
  const cut = once(slow, 'close');
  slow.read(0);
  const text = 'x'.repeat(8_000);
  const last = await happen(20, text);
  const told = await readUntil(quick, '"code":"19"');
  expect(told.match(/^event: batch-lifecycle$/gm)).toHaveLength(20);
  expect(slow.readableLength).toBeLessThan(32_000);
  await cut;
  expect(last).toBeGreaterThan(after);
  quick.destroy();
  await once(quick, 'close');
  // Both streams have released their places.
  for (const { ctx } of [one, one]) places.take(ctx);
  expect(() => places.take(one.ctx)).toThrow('2 open streams');
});

test('nothing is told while rights were last known too long ago, and nothing more once they have changed', async () => {
  const after = await tenant(db, one.ctx, newestPosition);
  const position = await happen(2, 'late');
  let watcher: Watcher | undefined;
  const news: News = {
    watch(given) {
      watcher = given;
      return () => {};
    },
  };
  const body = await follow({ news }, after);
  const { auth_epoch: authEpoch } = await tenant(db, one.ctx, (tx) =>
    tx.selectFrom('workspaces').select('auth_epoch').where('id', '=', one.ctx.workspaceId).executeTakeFirstOrThrow(),
  );
  let text = '';
  body.on('data', (part) => {
    text += part;
  });
  await once(body, 'data');
  const told = (askedAt: number) => watcher!.tell({ position, authEpoch, askedAt });
  told(performance.now() - 10_000);
  // Waits longer than reading the page takes.
  for (let i = 0; i < 20; i++) await tenant(db, one.ctx, newestPosition);
  expect(text).not.toContain('event:');
  while (!text.includes('"code":"1"')) {
    told(performance.now());
    await tenant(db, one.ctx, newestPosition);
  }
  const ended = once(body, 'end');
  watcher!.tell({ position: await happen(1, 'after'), authEpoch: authEpoch + 1, askedAt: performance.now() });
  await ended;
  expect(text).not.toContain('after');
});
