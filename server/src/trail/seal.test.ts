import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../tests/support/samples/lib-db.ts';
import { type Context, organizationContext, systemContext } from '../access/context.ts';
import type { OrganizationScope } from '../access/scope.ts';
import { type Database, system, type Tx, tenant } from '../access/transactions.ts';
import { append, type Growing, rootOf } from '../lib/crypto/merkle.ts';
import { openNoteSigner, readPublicKey } from '../lib/crypto/signed-note.ts';
import { openDb } from '../lib/db/db.ts';
import { type Checkpoint, readCheckpoint } from './checkpoint.ts';
import { expireEntries } from './expire-entries.ts';
import { leafOf } from './leaf.ts';
import { type Leaf, readLeaves, readTrees } from './leaves.ts';
import { record } from './record.ts';
import { sealEntries } from './seal.ts';
import { readTombstone } from './tombstone.ts';

const schemaFolder = fileURLToPath(new URL('../schema', import.meta.url));
const one = systemContext({ organizationId: 'org_1', workspaceId: 'ws_1', timeZone: 'UTC', language: 'en' });
const two = { ...one, workspaceId: 'ws_2' };
const whole = organizationContext('org_1', one.actor);
const signer = openNoteSigner('test', Buffer.alloc(32, 7));
let database: TestDatabase;
let db: Database;

beforeEach(async () => {
  database = await createTestDatabase(schemaFolder);
  db = openDb(database.connection, { max: 12 });
  await sql`insert into organizations (id, name) values ('org_1', 'One')`.execute(db.kysely);
  await sql`insert into workspaces (id, organization_id, name) values ('ws_1', 'org_1', 'One'), ('ws_2', 'org_1', 'Two')`.execute(
    db.kysely,
  );
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

const leave = (tx: Tx, ctx: Context | Context<OrganizationScope>, id: string) =>
  record(tx, ctx, 'workspace-update', { type: 'workspace', id }, { name: id });
const act = (ctx: Context | Context<OrganizationScope>, id: string) => tenant(db, ctx, (tx) => leave(tx, ctx, id));
const seal = (most?: number) => sealEntries(db, signer, most === undefined ? {} : { most });
const leavesOf = (tree: string): Promise<Leaf[]> => system(db, 'test', (tx) => readLeaves(tx, tree, 0, 100_000));
const targetsOf = async (tree: string) => (await leavesOf(tree)).map(({ entry }) => entry!.target_id);

/** A transaction that stays open until it is told how to end. */
async function begin(ctx: Context, id: string) {
  const written = Promise.withResolvers<void>();
  const ending = Promise.withResolvers<void>();
  const done = tenant(db, ctx, async (tx) => {
    await leave(tx, ctx, id);
    written.resolve();
    await ending.promise;
  });
  await written.promise;
  const end = (how: () => void) => {
    how();
    return done.catch(() => {});
  };
  return { commit: () => end(ending.resolve), rollBack: () => end(() => ending.reject(new Error('no'))) };
}

/** Holds every leaf and every checkpoint of a tree against its entries, by the definition. */
async function check(tree: string): Promise<Checkpoint[]> {
  const leaves = await leavesOf(tree);
  expect(leaves.map(({ leaf_index }) => leaf_index)).toEqual(leaves.map((_, at) => at));
  const heads = new Map<number, Buffer>();
  const growing: Growing = { size: 0, peaks: [] };
  for (const { leaf_hash, entry } of leaves) {
    expect(leaf_hash).toEqual(leafOf(entry!));
    append(growing, leaf_hash);
    heads.set(growing.size, rootOf(growing.peaks));
  }
  const { rows } = await sql<{ size: number; prev_size: number; note: string }>`
    select size, prev_size, note from audit_checkpoints where tree = ${tree} order by size`.execute(db.kysely);
  let before = 0;
  const checkpoints = rows.map(({ size, prev_size, note }) => {
    const checkpoint = readCheckpoint(readPublicKey(signer.publicKey)!.open(note)!)!;
    expect(checkpoint).toMatchObject({ tree, size, root: heads.get(size) });
    expect(prev_size).toBe(before);
    before = size;
    return checkpoint;
  });
  expect(before).toBe(leaves.length);
  return checkpoints;
}

test('each workspace has a tree, and the organization one for what is done in it as a whole', async () => {
  for (const [ctx, id] of [
    [one, 'a'],
    [two, 'b'],
    [whole, 'c'],
    [one, 'd'],
  ] as const)
    await act(ctx, id);
  expect(await seal()).toBe(4);
  expect(await seal()).toBe(0);
  expect(await targetsOf('ws_1')).toEqual(['a', 'd']);
  expect(await targetsOf('ws_2')).toEqual(['b']);
  expect(await targetsOf('org_1')).toEqual(['c']);
  expect(await system(db, 'test', (tx) => readTrees(tx, '', 10))).toEqual([
    { tree: 'org_1', organization_id: 'org_1', workspace_id: null, size: 1 },
    { tree: 'ws_1', organization_id: 'org_1', workspace_id: 'ws_1', size: 2 },
    { tree: 'ws_2', organization_id: 'org_1', workspace_id: 'ws_2', size: 1 },
  ]);
  for (const tree of ['ws_1', 'ws_2', 'org_1']) await check(tree);
});

test('what is written first and commits last is sealed late, and is not passed over', async () => {
  const early = await begin(one, 'early');
  const never = await begin(one, 'never');
  await act(one, 'late');
  expect(await seal()).toBe(1);
  await never.rollBack();
  await early.commit();
  expect(await seal()).toBe(1);
  expect(await targetsOf('ws_1')).toEqual(['late', 'early']);
  await check('ws_1');
});

test('E68: writers that commit out of order, and several sealers: indexes without gaps, and nothing is skipped', async () => {
  let isOver = false;
  const sealing = Array.from({ length: 3 }, async (_, at) => {
    for (let last = false; !last; ) {
      last = isOver;
      await seal(5 + at);
    }
  });
  const expected: string[] = [];
  const writers = Array.from({ length: 6 }, async (_, writer) => {
    for (let round = 0; round < 15; round++) {
      const id = `${writer}-${round}`;
      const ctx = round % 3 === 0 ? two : one;
      const open = await begin(ctx, id);
      // Others are written and committed meanwhile.
      if ((writer + round) % 2 === 0) await act(ctx, `${id}-after`);
      if (round % 5 === 4) await open.rollBack();
      else {
        await open.commit();
        expected.push(id);
      }
      if ((writer + round) % 2 === 0) expected.push(`${id}-after`);
    }
  });
  await Promise.all(writers);
  isOver = true;
  await Promise.all(sealing);
  await seal();
  const sealed = [...(await targetsOf('ws_1')), ...(await targetsOf('ws_2'))];
  expect(sealed.sort()).toEqual(expected.sort());
  for (const tree of ['ws_1', 'ws_2']) expect((await check(tree)).length).toBeGreaterThan(1);
});

test('nodes of every eighth level are kept as the tree grows', async () => {
  await tenant(db, one, async (tx) => {
    for (let at = 0; at < 600; at++) await leave(tx, one, `t${at}`);
  });
  await seal(250);
  await check('ws_1');
  const { rows } = await sql<{ level: number; position: number; hash: Buffer }>`
    select level, position, hash from audit_nodes order by position`.execute(db.kysely);
  const leaves = await leavesOf('ws_1');
  expect(rows).toEqual(
    [0, 1].map((position) => {
      const growing: Growing = { size: 0, peaks: [] };
      for (const { leaf_hash } of leaves.slice(position * 256, (position + 1) * 256)) append(growing, leaf_hash);
      return { level: 8, position, hash: growing.peaks[0] };
    }),
  );
});

test('names and addresses can be taken out of an entry by its owner, and nothing else; its leaf stays', async () => {
  const label = 'Ana "x" \\ \u0001\u007f\n é😀 /';
  const ctx = { ...one, actor: { type: 'user', id: 'usr_1', label }, ip: '2001:db8::1', userAgent: null } as const;
  await tenant(db, ctx, (tx) => leave(tx, ctx, 'x'));
  await seal();
  const [before] = await leavesOf('ws_1');
  expect(before.entry).toMatchObject({ actor_label: label, ip: '2001:db8::1' });
  const hash = createHash('sha256').update(Buffer.from(before.entry!.salt!, 'hex'));
  const taken = hash.update(JSON.stringify([label, '2001:db8::1', null])).digest();
  const without = sql`actor_label = null, ip = null, user_agent = null, salt = null, personal = ${taken}`;
  for (const statement of [
    sql`update audit_entries set ${without}, outcome = 'denied'`,
    sql`update audit_entries set actor_label = null`,
    sql`update audit_entries set salt = null`,
  ])
    await expect(statement.execute(db.kysely)).rejects.toMatchObject({ code: '42501' });
  await sql`update audit_entries set ${without}`.execute(db.kysely);
  const [after] = await leavesOf('ws_1');
  expect(after.entry).toMatchObject({ actor_label: null, ip: null, salt: null, personal: taken.toString('hex') });
  await check('ws_1');
  await expect(sql`update audit_entries set personal = ${Buffer.alloc(32)}`.execute(db.kysely)).rejects.toMatchObject({
    code: '42501',
  });
});

test('months older than entries are kept are dropped with a tombstone of their leaves, which stay', async () => {
  const months = (
    await sql<{
      days: number;
    }>`select (extract(epoch from now() - date_trunc('month', now())) / 86400)::int as days`.execute(db.kysely)
  ).rows[0].days;
  await sql`select make_audit_months(now() - interval '8 months')`.execute(db.kysely);
  await act(one, 'new');
  for (const [id, age] of [
    ['a', 200],
    ['b', 200],
    ['c', 20],
  ] as const)
    await sql`insert into audit_entries (id, organization_id, workspace_id, action, outcome, actor_type, actor_label, channel, recorded_at)
      values (${id}, 'org_1', 'ws_1', 'login', 'failed', 'user', 'Ana', 'api', now() - make_interval(days => ${age}))`.execute(
      db.kysely,
    );
  await seal();
  const count = async () =>
    (await sql<{ count: number }>`select count(*) as count from audit_entries`.execute(db.kysely)).rows[0].count;
  expect(await expireEntries(db, signer, 400)).toBe(0);
  expect(await count()).toBe(4);
  expect(await expireEntries(db, signer, 90 + months)).toBeGreaterThan(0);
  expect((await leavesOf('ws_1')).map(({ entry }) => entry?.id.slice(0, 1))).toEqual(['a', undefined, undefined, 'c']);
  const { rows } = await sql<{ note: string }>`select note from audit_tombstones`.execute(db.kysely);
  expect(rows.map(({ note }) => readTombstone(readPublicKey(signer.publicKey)!.open(note)!))).toEqual([
    expect.objectContaining({ tree: 'ws_1', first: 1, last: 2 }),
  ]);
  await seal();
  expect((await leavesOf('ws_1')).at(-1)!.entry).toMatchObject({
    action: 'audit-entry-expiry',
    data: { first_index: 1, last_index: 2 },
  });
  // Neither what is young, nor what has no tombstone, is dropped, whoever asks.
  for (const [age, days] of [
    [20, 1],
    [20, 90],
    [300, 1],
  ] as const)
    await expect(
      system(db, 'test', (tx) =>
        sql`select drop_audit_month(date_trunc('month', now() - make_interval(days => ${age})), ${days})`.execute(tx),
      ),
    ).rejects.toMatchObject({ code: '42501' });
  await expect(tenant(db, one, (tx) => sql`select drop_audit_month(now(), 90)`.execute(tx))).rejects.toMatchObject({
    code: '42501',
  });
});

test.each(['audit_leaves', 'audit_nodes', 'audit_checkpoints', 'audit_tombstones'])(
  '%s is only added to, and by no tenant',
  async (table) => {
    for (const statement of [
      `update ${table} set tree = tree`,
      `delete from ${table}`,
      `truncate ${table}`,
      `insert into ${table} (tree) values ('ws_1')`,
    ]) {
      const run = (tx: Tx) => sql.raw(statement).execute(tx);
      await expect(tenant(db, one, run), statement).rejects.toMatchObject({ code: '42501' });
      if (!statement.startsWith('insert'))
        await expect(system(db, 'test', run), statement).rejects.toMatchObject({ code: '42501' });
    }
  },
);

test.each(['audit.unsealed', 'audit.entries_other'])('no tenant sees %s', async (table) => {
  const run = (tx: Tx) => sql.raw(`select from ${table}`).execute(tx);
  await expect(tenant(db, one, run)).rejects.toMatchObject({ code: '42501' });
});
