import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../tests/support/samples/lib-db.ts';
import { connectionAs, ensureLogin, scramVerifier, userOf } from './login.ts';
import { withClient } from './migrate.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const kept = async (name: string): Promise<string> => {
  const statement = 'select rolpassword from pg_authid where rolname = $1';
  const { rows } = await withClient(database.connection, (client) => client.query(statement, [name]));
  return rows[0].rolpassword;
};

test('the verifier of a password is the one that PostgreSQL makes itself', async () => {
  const password = randomBytes(32).toString('hex');
  await withClient(database.connection, (client) => client.query(`create role plain login password '${password}'`));
  const theirs = await kept('plain');
  const [, salt] = /^SCRAM-SHA-256\$4096:([^$]+)\$/.exec(theirs)!;
  expect(scramVerifier(password, Buffer.from(salt, 'base64'))).toBe(theirs);
});

test('a login gets its password whether it is new or not', async () => {
  await ensureLogin(database.connection, { name: 'again', password: 'one' });
  const first = await kept('again');
  await ensureLogin(database.connection, { name: 'again', password: 'two' });
  expect(await kept('again')).not.toBe(first);
});

test('an address keeps its server and database under another login', () => {
  const login = { name: 'service', password: 'p@ss/word' };
  const host = { host: 'db.example', port: 6543, database: 'lastro', user: 'service', password: 'p@ss/word' };
  expect(connectionAs({ connectionString: 'postgres://owner:secret@db.example:6543/lastro' }, login)).toEqual(host);
  expect(connectionAs({ connectionString: 'postgres://owner@db.example/lastro?sslmode=verify-full' }, login)).toEqual({
    ...{ ...host, port: 5432 },
    ssl: {},
  });
  const socket = { host: '/run/postgres', port: 5432, database: 'lastro', user: 'owner' };
  expect(connectionAs(socket, { name: 'service', password: null })).toEqual({ ...socket, user: 'service' });
  expect(userOf({ connectionString: 'postgres://ow%40ner@db.example/lastro' })).toBe('ow@ner');
});
