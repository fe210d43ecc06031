import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../tests/support/samples/lib-db.ts';
import { systemContext } from '../access/context.ts';
import type { Database } from '../access/transactions.ts';
import { newId } from '../lib/crypto/ids.ts';
import { openDb } from '../lib/db/db.ts';
import { auditEntry } from './audit-entry.ts';
import { auditRows, type CommitItem, type GroupCommit, openGroupCommit, type RowSet, rowOf } from './group-commit.ts';

type Note = { readonly id: string; readonly note: string };

const notes: RowSet<Note> = {
  table: 'notes',
  columns: { id: { type: 'text', read: ({ id }) => id }, note: { type: 'jsonb', read: ({ note }) => note } },
};
/** A set with any number of rows per item. */
const words: RowSet<string> = { table: 'words', columns: { word: { type: 'text', read: (word) => word } } };

const schemaFolder = fileURLToPath(new URL('../schema', import.meta.url));
let database: TestDatabase;
let db: Database;
let commits: GroupCommit;
const workspaces = ['ws_a', 'ws_b'];

beforeAll(async () => {
  database = await createTestDatabase(schemaFolder);
  db = openDb(database.connection, { max: 4 });
  await sql`insert into organizations (id, name) values ('org_1', 'One')`.execute(db.kysely);
  for (const id of workspaces)
    await sql`insert into workspaces (id, organization_id, name) values (${id}, 'org_1', ${id})`.execute(db.kysely);
  await sql`create table notes (id text primary key, note jsonb not null)`.execute(db.kysely);
  await sql`create table words (word text not null)`.execute(db.kysely);
  await sql`grant insert on notes, words to lastro_system`.execute(db.kysely);
  commits = open();
});
afterAll(async () => {
  await commits.close();
  await db.close();
  await database.drop();
});

const open = () => openGroupCommit(db, [auditRows, notes, words]);
const item = (workspaceId: string, note = '{}', said: readonly string[] = []): CommitItem => {
  const ctx = systemContext({ organizationId: 'org_1', workspaceId, timeZone: 'UTC', language: 'en' });
  const id = newId('prd');
  return {
    entry: auditEntry(ctx, 'prediction-request', { type: 'prediction', id }, { say: '"é\\' }),
    rows: [rowOf(notes, { id, note }), ...said.map((word) => rowOf(words, word))],
  };
};
const kept = async (items: readonly CommitItem[]): Promise<number> => {
  const ids = items.map(({ entry }) => entry.target.id);
  const { rows } = await sql<{
    both: number;
  }>`select count(*) as both from notes join audit_entries on target_id = notes.id
    where notes.id = any(${ids}) and data ->> 'say' = '"é\\'`.execute(db.kysely);
  return rows[0].both;
};
test('items that come together are all durable, each with its row and its audit entry', async () => {
  const items = Array.from({ length: 700 }, (_, i) => item(workspaces[i % 2]));
  const epochs = await Promise.all(items.map((one) => commits.commit(one)));
  expect(epochs.every(({ auth, serving }) => auth === 0 && serving === 0)).toBe(true);
  expect(await kept(items)).toBe(700);
});

test('an item keeps any number of rows, of any of the sets', async () => {
  const items = [item('ws_a', '{}', ['one']), item('ws_b'), item('ws_a', '{}', ['two', 'three'])];
  await Promise.all(items.map((one) => commits.commit(one)));
  const { rows } = await sql<{ word: string }>`select word from words order by word`.execute(db.kysely);
  expect(rows.map(({ word }) => word)).toEqual(['one', 'three', 'two']);
  expect(await kept(items)).toBe(3);
});

test('an item that PostgreSQL refuses spoils none of those it came with', async () => {
  const items = Array.from({ length: 20 }, (_, i) => item('ws_a', i === 7 ? '{"text":"\\u0000"}' : '{}'));
  const ends = await Promise.allSettled(items.map((one) => commits.commit(one)));
  expect(ends.flatMap(({ status }, i) => (status === 'rejected' ? [i] : []))).toEqual([7]);
  expect(await kept(items)).toBe(19);
});

test('a revocation comes through a steady stream of answers, and shows in every one that comes after it', async () => {
  let revoked = Number.POSITIVE_INFINITY;
  let isOver = false;
  const stale: number[] = [];
  let after = 0;
  const streams = [open(), open(), open()];
  const stream = async (of: GroupCommit): Promise<void> => {
    while (!isOver) {
      const asked = performance.now();
      const { auth } = await of.commit(item('ws_b'));
      if (asked < revoked) continue;
      if (auth < 1) stale.push(asked);
      if (++after > 60) isOver = true;
    }
  };
  const running = streams.flatMap((of) => Array.from({ length: 8 }, () => stream(of)));
  await db.kysely.transaction().execute(async (tx) => {
    await sql`select lock_epochs('ws_b')`.execute(tx);
    await sql`update workspaces set auth_epoch = auth_epoch + 1 where id = 'ws_b'`.execute(tx);
  });
  revoked = performance.now();
  await Promise.all(running);
  expect(stale).toEqual([]);
  for (const of of streams) await of.close();
});

test('whatever changes a right waits for answers under way and counts up the epoch', async () => {
  await sql`insert into users (id, email, email_canonical, display_name) values ('usr_1', 'a@b', 'a@b', 'A')`.execute(
    db.kysely,
  );
  const epochs = async () =>
    (await db.kysely.selectFrom('workspaces').select('auth_epoch').orderBy('id').execute()).map(
      (row) => row.auth_epoch,
    );
  const steps = [
    [
      sql`insert into grants (id, organization_id, user_id, role) values ('grt_1', 'org_1', 'usr_1', 'developer')`,
      [1, 1],
    ],
    [sql`update grants set workspace_id = 'ws_a' where id = 'grt_1'`, [1, 1]],
    [sql`update users set status = 'suspended' where id = 'usr_1'`, [1, 1]],
    [
      sql`insert into api_keys (id, organization_id, workspace_id, user_id, name, hint, secret_hash)
        values ('key_1', 'org_1', 'ws_b', 'usr_1', 'k', 'h', 's')`,
      [0, 1],
    ],
    [sql`update api_keys set revoked_at = now() where id = 'key_1'`, [0, 1]],
    [sql`update workspaces set status = 'archived' where id = 'ws_a'`, [1, 0]],
    [sql`delete from grants where id = 'grt_1'`, [1, 0]],
  ] as const;
  for (const [statement, added] of steps) {
    const before = await epochs();
    await statement.execute(db.kysely);
    expect(await epochs()).toEqual(before.map((epoch, i) => epoch + added[i]));
  }
});

test('nothing is taken for durable while the database does not answer', async () => {
  const nowhere = openDb({ ...database.connection, host: '/tmp/nobody-listens-here' }, { max: 1 }) as Database;
  const none = openGroupCommit(nowhere, []);
  await expect(none.commit(item('ws_a'))).rejects.toMatchObject({ name: 'Failure', code: 'unavailable' });
  await none.close();
  await nowhere.close();
});

test('closing waits for what is under way and refuses more', async () => {
  const closing = open();
  const items = Array.from({ length: 300 }, () => item('ws_a'));
  const ends = items.map((one) => closing.commit(one));
  const closed = closing.close();
  await expect(closing.commit(item('ws_a'))).rejects.toMatchObject({ code: 'unavailable' });
  await closed;
  await Promise.all(ends);
  expect(await kept(items)).toBe(300);
});
