import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../tests/support/samples/lib-db.ts';
import { systemContext } from '../../access/context.ts';
import { type Database, type Tx, tenant } from '../../access/transactions.ts';
import { openDb } from '../../lib/db/db.ts';
import { migrate } from '../../lib/db/migrate.ts';
import { record } from '../record.ts';
import { type EventReader, handOn, type PlacedEvent } from './hand-on.ts';
import { numberEvents } from './number.ts';

const schemaFolder = fileURLToPath(new URL('../../schema', import.meta.url));
const ctx = systemContext({ organizationId: 'org_1', workspaceId: 'ws_1', timeZone: 'UTC', language: 'en' });
let database: TestDatabase;
let db: Database;

beforeEach(async () => {
  database = await createTestDatabase(schemaFolder);
  db = openDb(database.connection, { max: 8 });
  await sql`insert into organizations (id, name) values ('org_1', 'One')`.execute(db.kysely);
  await sql`insert into workspaces (id, organization_id, name) values ('ws_1', 'org_1', 'One')`.execute(db.kysely);
  await sql`create table noted (reader text not null, event text not null, at serial)`.execute(db.kysely);
  await sql`grant insert on noted to lastro_system`.execute(db.kysely);
  await sql`grant usage on sequence noted_at_seq to lastro_system`.execute(db.kysely);
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

const leave = (tx: Tx, id: string, say = '') =>
  record(
    tx,
    ctx,
    'batch-lifecycle',
    { type: 'batch', id },
    { status: 'failed', failure: { code: 'failed', detail: say } },
  );
const happen = (id: string, say = ''): Promise<void> => tenant(db, ctx, (tx) => leave(tx, id, say));
const nameOf = ({ resource_id, sequence }: PlacedEvent): string => `${resource_id} ${sequence}`;

/** A transaction that stays open until it is told to commit. */
async function begin(id: string) {
  const written = Promise.withResolvers<void>();
  const ending = Promise.withResolvers<void>();
  const done = tenant(db, ctx, async (tx) => {
    await leave(tx, id);
    written.resolve();
    await ending.promise;
  });
  await written.promise;
  return {
    commit() {
      ending.resolve();
      return done;
    },
  };
}

/** A reader that records what it reads in a table without unique constraints. */
const noting = (name: string, check: (event: PlacedEvent) => void = () => {}): EventReader => ({
  name,
  async read(tx, events) {
    for (const event of events) {
      await sql`insert into noted (reader, event) values (${name}, ${nameOf(event)})`.execute(tx);
      check(event);
    }
  },
});
async function noted(reader: string): Promise<string[]> {
  const { rows } = await sql<{ event: string }>`select event from noted where reader = ${reader} order by at`.execute(
    db.kysely,
  );
  return rows.map(({ event }) => event);
}
async function positions(): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; position: number }>`
    select resource_id || ' ' || sequence as name, position from events`.execute(db.kysely);
  return Object.fromEntries(rows.map(({ name, position }) => [name, position]));
}

test('what is written first and commits last comes last, and is not passed over', async () => {
  const early = await begin('early');
  await happen('late');
  expect(await numberEvents(db)).toBe(1);
  const reader = noting('one');
  expect(await handOn(db, reader)).toBe(1);
  await early.commit();
  expect(await numberEvents(db)).toBe(1);
  expect(await handOn(db, reader)).toBe(1);
  expect(await noted('one')).toEqual(['late 1', 'early 1']);
});

test('a resource keeps its order though an older transaction changes it after a newer one', async () => {
  // This transaction has its number before the others and changes the resource after them; a third one holds back the
  // horizon.
  const started = Promise.withResolvers<void>();
  const going = Promise.withResolvers<void>();
  const older = tenant(db, ctx, async (tx) => {
    await sql`select pg_current_xact_id()`.execute(tx);
    started.resolve();
    await going.promise;
    await leave(tx, 'shared');
  });
  await started.promise;
  const open = await begin('other');
  await happen('shared');
  going.resolve();
  await older;
  await numberEvents(db);
  expect(await positions()).toEqual({ 'shared 1': 1, 'shared 2': 2 });
  await open.commit();
  await numberEvents(db);
  expect(await positions()).toMatchObject({ 'other 1': 3 });
});

test('positions have no gaps, whatever is rolled back, and however few are given at once', async () => {
  for (let i = 0; i < 10; i++) {
    await happen(`r${i % 3}`);
    await tenant(db, ctx, async (tx) => {
      await leave(tx, `r${i % 3}`);
      throw new Error('rolled back');
    }).catch(() => {});
  }
  expect(await numberEvents(db, undefined, { most: 3 })).toBe(10);
  expect(Object.values(await positions()).sort((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, i) => i + 1));
});

test('workspaces take turns, and few get positions while a reader is far behind', async () => {
  await sql`insert into workspaces (id, organization_id, name) values ('ws_2', 'org_1', 'Two')`.execute(db.kysely);
  const many = (workspace: string, count: number) =>
    sql`insert into events (id, organization_id, workspace_id, type, resource_type, resource_id, sequence, payload)
      select ${workspace} || at, 'org_1', ${workspace}, 'batch-lifecycle', 'batch', ${workspace}, at, '{}'
      from generate_series(1, ${count}::int) as at`.execute(db.kysely);
  await many('ws_1', 1_250);
  await many('ws_2', 2);
  const number = () => numberEvents(db, undefined, { readers: ['slow'] });
  expect([await number(), await number()]).toEqual([1_100, 100]);
  expect(await positions()).toMatchObject({ 'ws_1 1': 1, 'ws_2 1': 2, 'ws_1 2': 3, 'ws_2 2': 4, 'ws_1 3': 5 });
  await handOn(db, noting('slow'));
  expect(await number()).toBe(52);
});

test('an effect and its progress commit together: a reader that throws is given the same again', async () => {
  await happen('a');
  await happen('b');
  await numberEvents(db);
  let isBroken = true;
  const reader = noting('one', () => {
    if (isBroken) throw new Error('broken');
  });
  await expect(handOn(db, reader)).rejects.toThrow('broken');
  expect(await noted('one')).toEqual([]);
  isBroken = false;
  expect(await handOn(db, reader)).toBe(2);
  expect(await handOn(db, reader)).toBe(0);
  expect(await noted('one')).toEqual(['a 1', 'b 1']);
});

test('a reader that cannot take an event comes as far as that one, and stops no other', async () => {
  for (let i = 0; i < 20; i++) await happen('r', i === 13 ? 'bad' : '');
  await numberEvents(db);
  const picky = noting('picky', ({ payload }) => {
    if ((payload as { failure: { detail: string } }).failure.detail === 'bad') throw new Error('it cannot be taken');
  });
  const other = noting('other');
  const [stuck, fine] = await Promise.allSettled([handOn(db, picky), handOn(db, other)]);
  expect(stuck).toMatchObject({ status: 'rejected', reason: { message: 'it cannot be taken' } });
  expect(fine).toMatchObject({ status: 'fulfilled', value: 20 });
  expect(await noted('picky')).toEqual(Array.from({ length: 13 }, (_, i) => `r ${i + 1}`));
  // A new process, in which the reader can take the event.
  expect(await handOn(db, noting('picky'))).toBe(7);
  expect(await noted('picky')).toEqual(await noted('other'));
});

test('several at once hand each event on once, in order, while more happen', async () => {
  const resources = ['a', 'b', 'c', 'd'];
  const perResource = 60;
  let isOver = false;
  const relaying = Array.from({ length: 3 }, async () => {
    // A call that finds another one at work does nothing, so only a round after everything has happened shows that
    // nothing is left.
    for (let last = false; !last; ) {
      last = isOver;
      await numberEvents(db, undefined, { most: 7 });
      for (const name of ['one', 'two']) await handOn(db, noting(name), undefined, 5);
    }
  });
  await Promise.all(
    resources.map(async (id) => {
      for (let i = 0; i < perResource; i++) await happen(id);
    }),
  );
  isOver = true;
  await Promise.all(relaying);
  await numberEvents(db);
  for (const name of ['one', 'two']) {
    await handOn(db, noting(name));
    const seen = await noted(name);
    expect(seen).toHaveLength(resources.length * perResource);
    for (const id of resources)
      expect(seen.filter((event) => event.startsWith(id))).toEqual(
        Array.from({ length: perResource }, (_, i) => `${id} ${i + 1}`),
      );
  }
  expect(await noted('one')).toEqual(await noted('two'));
});

test('a reader that is new is given all that ever happened, and none stops when it is told to', async () => {
  for (let i = 0; i < 12; i++) await happen('r');
  expect(await numberEvents(db, AbortSignal.abort(), { most: 5 })).toBe(5);
  expect(await numberEvents(db)).toBe(7);
  expect(await handOn(db, noting('new'), AbortSignal.abort())).toBe(0);
  expect(await handOn(db, noting('new'), undefined, 5)).toBe(12);
});

test('what happened before there were positions is handed on too, each resource in its order', async () => {
  const before = mkdtempSync(join(tmpdir(), 'lastro-schema-'));
  cpSync(schemaFolder, before, {
    recursive: true,
    filter: (path) => !path.endsWith('.sql') || basename(path) < '0013',
  });
  const old = await createTestDatabase(before);
  const oldDb: Database = openDb(old.connection, { max: 2 });
  try {
    // The clock was set back between the first and the second event of b.
    await sql`insert into events (id, organization_id, type, resource_type, resource_id, sequence, payload, created_at) values
      ('evt_3', 'org_1', 't', 'r', 'b', 2, '{}', '2026-01-01'), ('evt_2', 'org_1', 't', 'r', 'b', 1, '{}', '2026-01-03'),
      ('evt_1', 'org_1', 't', 'r', 'a', 1, '{}', '2026-01-02')`.execute(oldDb.kysely);
    expect(await migrate(old.connection, schemaFolder)).toContain('0013-event-relay.sql');
    await sql`insert into events (id, organization_id, type, resource_type, resource_id, sequence, payload) values
      ('evt_4', 'org_1', 't', 'r', 'a', 2, '{}')`.execute(oldDb.kysely);
    const seen: string[] = [];
    const reader: EventReader = { name: 'one', read: async (_, events) => void seen.push(...events.map(nameOf)) };
    expect([await numberEvents(oldDb), await handOn(oldDb, reader)]).toEqual([4, 4]);
    expect(seen).toEqual(['a 1', 'b 1', 'b 2', 'a 2']);
  } finally {
    await oldDb.close();
    await old.drop();
    rmSync(before, { recursive: true });
  }
});
