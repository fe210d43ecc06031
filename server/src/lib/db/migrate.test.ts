import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../tests/support/samples/lib-db.ts';
import { migrate, withClient } from './migrate.ts';

let folder: string;
let databases: TestDatabase[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  databases = [];
  await write('0001-first.sql', 'create table first (n int);\ninsert into first values (1);\n');
  await write('0002-second.sql', 'insert into first values (2);');
});
afterEach(async () => {
  await rm(folder, { recursive: true });
  for (const { drop } of databases) await drop();
});

const write = (name: string, sql: string) => writeFile(join(folder, name), sql);

async function create(migrations?: string): Promise<TestDatabase['connection']> {
  const database = await createTestDatabase(migrations);
  databases.push(database);
  return database.connection;
}

async function ask(connection: TestDatabase['connection'], sql: string): Promise<unknown[]> {
  return withClient(connection, async (client) => (await client.query(sql)).rows);
}

test('files are applied in order, once each', async () => {
  const connection = await create();
  expect(await migrate(connection, folder)).toEqual(['0001-first.sql', '0002-second.sql']);
  expect(await migrate(connection, folder)).toEqual([]);
  await write('0003-third.sql', 'insert into first values (3);');
  expect(await migrate(connection, folder)).toEqual(['0003-third.sql']);
  expect(await ask(connection, 'select n from first order by n')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test('processes that migrate at the same moment apply each file once', async () => {
  const connection = await create();
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(connection, folder)));
  expect(applied.flat().sort()).toEqual(['0001-first.sql', '0002-second.sql']);
});

test('a file that fails leaves nothing of itself, and keeps those before', async () => {
  const connection = await create();
  await write('0002-second.sql', 'insert into first values (2); insert into nowhere values (1);');
  await expect(migrate(connection, folder)).rejects.toThrow(/0002-second.sql failed: relation "nowhere"/);
  expect(await ask(connection, 'select n from first')).toEqual([{ n: 1 }]);
  await write('0002-second.sql', 'insert into first values (2);');
  expect(await migrate(connection, folder)).toEqual(['0002-second.sql']);
});

test('a changed or vanished file is refused; other line ends are no change', async () => {
  const connection = await create();
  await migrate(connection, folder);
  await write('0001-first.sql', 'create table first (n int);\r\ninsert into first values (1);\r\n');
  expect(await migrate(connection, folder)).toEqual([]);
  await write('0001-first.sql', 'create table first (n bigint);');
  await expect(migrate(connection, folder)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/another version.*0001-first\.sql differs/),
  });
  await write('0001-first.sql', 'create table first (n int);\ninsert into first values (1);\n');
  await rm(join(folder, '0002-second.sql'));
  await expect(migrate(connection, folder)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/newer release.*up to 0002-second\.sql.*knows is 0001-first\.sql/),
  });
  await write('0002-other.sql', 'select 2;');
  await expect(migrate(connection, folder)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/another version.*had 0002-second\.sql where this one has 0002-other\.sql/),
  });
});

test('numbers have no gap', async () => {
  await write('0004-fourth.sql', 'select 1;');
  await expect(migrate(await create(), folder)).rejects.toThrow(/0004-fourth.sql is migration 0003/);
});

test('the roles are made once, by many databases at once, and see nothing special', async () => {
  const connections = await Promise.all([create(), create(), create()]);
  await Promise.all(connections.map((connection) => migrate(connection, folder)));
  const roles =
    "select rolname, rolsuper, rolbypassrls, rolcanlogin from pg_roles where rolname in ('lastro_app', 'lastro_system')";
  expect(await ask(connections[0], `${roles} order by 1`)).toEqual(
    ['lastro_app', 'lastro_system'].map((rolname) => ({
      rolname,
      rolsuper: false,
      rolbypassrls: false,
      rolcanlogin: false,
    })),
  );
  expect(await ask(connections[0], 'set role lastro_app; select 1').catch((error) => error)).not.toBeInstanceOf(Error);
});

test('a test database is a migrated copy of its own', async () => {
  const [one, other] = await Promise.all([create(folder), create(folder)]);
  await ask(one, 'insert into first values (9)');
  expect(await ask(other, 'select n from first order by n')).toEqual([{ n: 1 }, { n: 2 }]);
  expect(await migrate(other, folder)).toEqual([]);
});

test('a database that cannot be set up is refused with what its operator can do', async () => {
  const connection = await create();
  const absent = { ...connection, database: 'no_such_database' };
  await expect(migrate(absent, folder)).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringMatching(/"no_such_database" does not exist; create it first/),
  });
  const user = `guest_${connection.database}`;
  await ask(connection, `create role ${user} login`);
  try {
    await expect(migrate({ ...connection, user }, folder)).rejects.toMatchObject({ code: 'invalid' });
  } finally {
    await ask(connection, `drop role ${user}`);
  }
});
