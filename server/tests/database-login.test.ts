// The service runs with a database login that owns nothing; the owner's is used to migrate.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { withClient } from '../src/lib/db/migrate.ts';
import { openClient, startTestService, type TestService } from './service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** Runs statements as the service does, on one of its own connections. */
const asService = (statement: string, on = service.service) => on.app.db.pool.query(statement);
const asOwner = (statement: string) =>
  withClient({ connectionString: service.databaseUrl }, (client) => client.query(statement));
const rightsOf = `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
  exists (select from pg_class where relowner = pg_roles.oid) as owns from pg_roles where rolname = current_user`;
const none = {
  rolsuper: false,
  rolbypassrls: false,
  rolcreaterole: false,
  rolcreatedb: false,
  rolreplication: false,
  owns: false,
};

test('the login of the running service has no rights of its own', async () => {
  expect((await asOwner('select rolsuper from pg_roles where rolname = current_user')).rows).toEqual([
    { rolsuper: true },
  ]);
  expect((await asService(rightsOf)).rows).toEqual([none]);
});

test.each([
  ['switch a trigger off', 'alter table audit_entries disable trigger all'],
  ['pass all triggers by', 'set session_replication_role = replica'],
  ['drop a policy', 'drop policy tenant on workspaces'],
  ['open a table to all', 'alter table workspaces disable row level security'],
  ['become the owner', 'set role lastro'],
  ['log in as the owner', 'set session authorization lastro'],
  ['make a role', 'create role intruder superuser'],
  ['make a table', 'create table intruder ()'],
  ['replace a function', 'create or replace function refuse_change() returns trigger language sql as $$ select 1 $$'],
  ['read rows without a role', 'select * from audit_entries'],
  ['read passwords', 'select * from pg_authid'],
  ['run a program', "copy (select 1) to program 'true'"],
  ['read a file', "select pg_read_file('postgresql.conf')"],
  ['change settings of the server', "alter system set fsync = 'off'"],
  ['clear the trail', 'truncate audit_entries'],
])('it cannot %s', async (_, statement) => {
  await expect(asService(statement)).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|42P17|0A000)$/) });
});

/** Starts a second process on the database, with a login of its own. */
async function startAs(login: string, attributes: string): Promise<Service> {
  await asOwner(`create role ${login} login noinherit ${attributes}`);
  const url = new URL(service.databaseUrl);
  url.username = login;
  const config = readConfig({
    PORT: '0',
    LASTRO_DATA_DIR: join(service.folder, login),
    LASTRO_MASTER_SECRET: readFileSync(join(service.folder, 'secret'), 'utf8').trim(),
    LASTRO_DEMO: '0',
    LOG_LEVEL: 'error',
    DATABASE_URL: url.href,
    DATABASE_OWNER_URL: service.databaseUrl,
  });
  return startService(config, 'all');
}

test('a login that the operator made is used as it is, and gets what it needs', async () => {
  const { client } = await service.tenant('Operated');
  const other = await startAs('operator_made', '');
  try {
    expect((await asService('select current_user', other)).rows).toEqual([{ current_user: 'operator_made' }]);
    expect((await asService(rightsOf, other)).rows).toEqual([none]);
    expect((await openClient(other.url, client.key).get('/v2/api/batches')).status).toBe(200);
  } finally {
    await other.close();
  }
});

test.each([
  ['is a superuser', 'superuser'],
  ['sees past row-level security', 'bypassrls'],
])('a login of the operator that %s is refused', async (why, attribute) => {
  const message = new RegExp(`too_much_${attribute} of DATABASE_URL ${why}.*DATABASE_OWNER_URL`);
  await expect(startAs(`too_much_${attribute}`, attribute)).rejects.toThrow(message);
});
