import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../tests/support/samples/lib-db.ts';
import { type Db, glance, openDb, type Transaction, transaction } from './db.ts';
import { countRows, selectPage } from './page.ts';

type Tables = { counters: { id: number; total: number } };

let database: TestDatabase;
let db: Db<Tables>;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  db = openDb<Tables>(database.connection, { max: 4 });
  await sql`drop table if exists counters`.execute(db.kysely);
  await sql`create table counters (id bigint primary key, total bigint not null)`.execute(db.kysely);
  await db.kysely
    .insertInto('counters')
    .values([1, 2].map((id) => ({ id, total: 0 })))
    .execute();
});
afterEach(() => db.close());

const totals = () => db.kysely.selectFrom('counters').select('total').orderBy('id').execute();
const add = (tx: Transaction<Tables>, id: number) =>
  tx
    .updateTable('counters')
    .set((eb) => ({ total: eb('total', '+', 1) }))
    .where('id', '=', id)
    .execute();

test('a transaction keeps what it did, or nothing of it', async () => {
  const [updated] = await transaction(db, {}, (tx) => add(tx, 1));
  expect(updated!.numUpdatedRows).toBe(1n);
  const failing = transaction(db, {}, async (tx) => {
    await add(tx, 2);
    throw new RangeError('no');
  });
  await expect(failing).rejects.toThrow(RangeError);
  expect(await totals()).toEqual([{ total: 1 }, { total: 0 }]);
});

test('settings hold for their transaction only, whatever is in their values', async () => {
  const value = `it's a \\ "value"; drop table counters; --`;
  const read = sql<{ value: string }>`select current_setting('app.name', true) as value`;
  const one = openDb<Tables>(database.connection, { max: 1 });
  const inside = await transaction(one, { 'app.name': value, statement_timeout: '5000' }, (tx) => read.execute(tx));
  expect(inside.rows[0].value).toBe(value);
  expect((await transaction(one, {}, (tx) => read.execute(tx))).rows[0].value).toBe('');
  expect((await read.execute(one.kysely)).rows[0].value).toBe('');
  await one.close();
  await expect(transaction(db, { "x'; drop table counters; --": '1' }, totals)).rejects.toThrow(/no name of a setting/);
});

test('a glance reads with its settings, and leaves neither them nor a failed transaction behind', async () => {
  const one = openDb<Tables>(database.connection, { max: 1 });
  const name = `current_setting('app.name', true)`;
  const look = (settings: Record<string, string>) => glance(one, settings, `select ${name} as a, 1 as b`);
  expect(await look({ 'app.name': 'x' })).toEqual([{ a: 'x', b: 1 }]);
  await expect(glance(one, { 'app.name': 'y' }, 'select 1 / 0')).rejects.toThrow(/division by zero/);
  expect(await look({})).toEqual([{ a: expect.not.stringMatching(/./), b: 1 }]);
  await one.close();
});

test('an address reaches the same database', async () => {
  const byUrl = openDb<Tables>({ connectionString: database.url }, { max: 1 });
  await transaction(byUrl, {}, (tx) => add(tx, 1));
  await byUrl.close();
  expect(await totals()).toEqual([{ total: 1 }, { total: 0 }]);
});

test('a role taken on can do no more than it may, and is laid off with the transaction', async () => {
  await sql`do $$ begin create role test_reader nologin; exception when duplicate_object then null; end $$`.execute(
    db.kysely,
  );
  const one = openDb<Tables>(database.connection, { max: 1 });
  await expect(transaction(one, { role: 'test_reader' }, (tx) => add(tx, 1))).rejects.toMatchObject({ code: '42501' });
  await transaction(one, {}, (tx) => add(tx, 1));
  await one.close();
});

test('a setting nobody knows fails the transaction and leaves the connection usable', async () => {
  await expect(transaction(db, { role: 'nobody_at_all' }, totals)).rejects.toMatchObject({ code: '22023' });
  await transaction(db, {}, (tx) => add(tx, 1));
});

test('two transactions in a deadlock both succeed in the end', async () => {
  let started = 0;
  const crossing = (first: number, second: number) =>
    transaction(db, {}, async (tx) => {
      await add(tx, first);
      started++;
      while (started < 2) await sleep(5);
      await add(tx, second);
    });
  await Promise.all([crossing(1, 2), crossing(2, 1)]);
  expect(await totals()).toEqual([{ total: 2 }, { total: 2 }]);
  // One has to run again; on a busy machine PostgreSQL may end both.
  expect(started).toBeGreaterThan(2);
});

test('a conflict that does not go away reaches the caller after a bounded number of runs', async () => {
  let runs = 0;
  const conflict = transaction(db, {}, (tx) => {
    runs++;
    return sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`.execute(tx);
  });
  await expect(conflict).rejects.toMatchObject({ code: '40001' });
  expect(runs).toBe(5);
});

test('a violated constraint passes as PostgreSQL names it', async () => {
  const twice = transaction(db, {}, (tx) => tx.insertInto('counters').values({ id: 1, total: 0 }).execute());
  await expect(twice).rejects.toMatchObject({ code: '23505', constraint: 'counters_pkey' });
});

test('a transaction whose failed statement was swallowed is not taken for kept', async () => {
  const swallowed = transaction(db, {}, async (tx) => {
    await add(tx, 1);
    await sql`select 1 / 0`.execute(tx).catch(() => {});
  });
  await expect(swallowed).rejects.toThrow(/commits only what succeeded/);
  expect(await totals()).toEqual([{ total: 0 }, { total: 0 }]);
});

test('a statement that nobody awaits does not slip into the next transaction', async () => {
  let late: Promise<unknown> | undefined;
  const careless = transaction(db, {}, async (tx) => {
    late = add(tx, 1).catch((error) => error);
  });
  await expect(careless).rejects.toThrow(/every statement of a transaction is awaited/);
  await late;
  let kept: Transaction<Tables> | undefined;
  await transaction(db, {}, async (tx) => {
    kept = tx;
  });
  await expect(add(kept!, 1)).rejects.toThrow(/before its transaction ends/);
  expect(await totals()).toEqual([{ total: 0 }, { total: 0 }]);
});

test('statements asked for at once run one after the other', async () => {
  await transaction(db, {}, (tx) => Promise.all([add(tx, 1), add(tx, 1), add(tx, 2)]));
  expect(await totals()).toEqual([{ total: 2 }, { total: 1 }]);
});

test('a connection that dies in the middle is reported as unavailable and replaced', async () => {
  const killed = transaction(db, {}, async (tx) => {
    await add(tx, 1);
    await terminateOthers();
    await sleep(50);
    await add(tx, 1);
  });
  await expect(killed).rejects.toMatchObject({ name: 'Failure', code: 'unavailable' });
  await transaction(db, {}, (tx) => add(tx, 2));
  expect(await totals()).toEqual([{ total: 0 }, { total: 1 }]);
});

test('connections that died in the pool are replaced before a transaction begins', async () => {
  const all = () => Promise.all([1, 2, 1, 2].map((id) => transaction(db, {}, (tx) => add(tx, id))));
  await all();
  await terminateOthers();
  await all();
  expect(await totals()).toEqual([{ total: 4 }, { total: 4 }]);
});

test('a server that is not there is reported as unavailable', async () => {
  for (const connection of [
    { ...database.connection, host: '/tmp/nobody-listens-here' },
    { connectionString: 'postgres://lastro@127.0.0.1:1/lastro' },
  ]) {
    const nowhere = openDb<Tables>(connection, { max: 1 });
    await expect(transaction(nowhere, {}, (tx) => add(tx, 1))).rejects.toMatchObject({ code: 'unavailable' });
    await nowhere.close();
  }
});

test('a server that says nothing any more is reported as unavailable, and left', async () => {
  const impatient = openDb<Tables>(database.connection, { max: 1, timeoutMs: 100 });
  let pid = 0;
  const asked = transaction(impatient, {}, async (tx) => {
    pid = (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)).rows[0].pid;
    process.kill(pid, 'SIGSTOP');
    await sql`select 1`.execute(tx);
  });
  try {
    await expect(asked).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('in time') });
    expect(await transaction(impatient, {}, async () => 'another connection')).toBe('another connection');
  } finally {
    process.kill(pid, 'SIGCONT');
    await impatient.close();
  }
});

test('close releases the connections, also of a database that only ran transactions', async () => {
  const closing = openDb<Tables>(database.connection, { max: 1 });
  const pid = await transaction(closing, {}, async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    return rows[0].pid;
  });
  await closing.close();
  await closing.close();
  expect(closing.pool.totalCount).toBe(0);
  const isGone = async () =>
    (await sql`select from pg_stat_activity where pid = ${pid}`.execute(db.kysely)).rows.length === 0;
  while (!(await isGone())) await sleep(10);
});

test('an error of the work itself stays what it is, though it looks like a lost connection', async () => {
  const elsewhere = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  await expect(transaction(db, {}, () => Promise.reject(elsewhere))).rejects.toBe(elsewhere);
});

test('values arrive as the types say', async () => {
  const row = async (text: string) => Object.values((await sql.raw(`select ${text}`).execute(db.kysely)).rows[0]!)[0];
  expect(await row('9007199254740991::bigint')).toBe(Number.MAX_SAFE_INTEGER);
  await expect(row('9007199254740993::bigint')).rejects.toThrow(/fits in a number/);
  expect(await row("date '2026-11-21'")).toBe('2026-11-21');
  expect(await row("timestamptz '2026-11-21 12:00:00.123-03'")).toEqual(new Date('2026-11-21T15:00:00.123Z'));
  expect(await row('1.10::numeric')).toBe('1.10');
});

/** Ends a connection as a stopping server does, from another connection. */
async function terminateOthers(): Promise<void> {
  const killer = openDb<Tables>(database.connection, { max: 1 });
  await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(killer.kysely);
  await killer.close();
}

test('one holder leaves connections to others, and what it asks beyond waits for its own', async () => {
  const shared = openDb(database.connection, { max: 3, perHolder: 2 });
  try {
    const release = Promise.withResolvers<void>();
    let begun = 0;
    const hold = () =>
      transaction(
        shared,
        {},
        async (tx) => {
          begun++;
          await sql`select 1`.execute(tx);
          await release.promise;
        },
        'many',
      );
    const held = Promise.all([hold(), hold(), hold(), hold()]);
    try {
      await vi.waitUntil(() => begun === 2, 30_000);
      await transaction(shared, {}, (tx) => sql`select 1`.execute(tx), 'other');
      expect(begun).toBe(2);
    } finally {
      release.resolve();
    }
    await held;
    expect(begun).toBe(4);
  } finally {
    await shared.close();
  }
});

test('a page looks at so many rows for those that fit, says where it ended, and its count whether it is whole', async () => {
  await sql`drop table if exists entries`.execute(db.kysely);
  await sql`create table entries as select lpad(i::text, 3, '0') as id, i % 10 as kind from generate_series(1, 60) as i`.execute(
    db.kysely,
  );
  const listed = { table: 'entries', filters: { kind: '3' }, lookedAtMax: 4 };
  const read = (before: string | null, most = 2) =>
    transaction(db, {}, (tx) => selectPage<{ id: string }, Tables>(tx, { ...listed, before, most, bytesMax: 1_000 }));
  expect(await read(null)).toEqual({ rows: [], hasMore: true, last: '057' });
  expect(await read('057')).toEqual({ rows: [{ id: '053', kind: 3 }], hasMore: true, last: '053' });
  expect(await read('005')).toEqual({ rows: [{ id: '003', kind: 3 }], hasMore: false });
  expect(await read('006', 1)).toEqual({ rows: [{ id: '003', kind: 3 }], hasMore: false });
  const found: string[] = [];
  for (let before: string | null = null, hasMore = true; hasMore; ) {
    const page = await read(before);
    found.push(...page.rows.map(({ id }) => id));
    before = page.last ?? page.rows.at(-1)?.id ?? null;
    ({ hasMore } = page);
  }
  expect(found).toEqual(['053', '043', '033', '023', '013', '003']);
  const count = (lookedAtMax: number, most = 9) =>
    transaction(db, {}, (tx) => countRows(tx, { ...listed, lookedAtMax }, most));
  expect(await count(20)).toEqual({ count: 2, isWhole: false });
  expect(await count(60)).toEqual({ count: 6, isWhole: true });
  expect(await count(60, 3)).toEqual({ count: 3, isWhole: false });
});
