/** The types of the tables are those of the migrations, and every table is closed to other tenants. */
import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '../src/lib/db/migrate.ts';
import { generateTables, tablesFile } from './schema.ts';
import { startTestService, type TestService } from './service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

test('schema/tables.ts is what the migrations make; npm run schema writes it', async () => {
  expect(readFileSync(tablesFile, 'utf8')).toBe(await generateTables());
});

/** Nothing of a tenant is in these. */
const shared = new Set(['event_readers', 'gfm_versions', 'installation', 'migrations']);

/** How people prove who they are: of no tenant, and seen by the system alone. */
const ofPeople = new Set([
  ...[
    'attempts',
    'devices',
    'mail_suppressions',
    'one_time_tokens',
    'passkeys',
    'password_credentials',
    'recovery_codes',
    'saml_assertions',
  ],
  ...['sessions', 'sftp_host_keys', 'sign_in_challenges', 'sso_identities', 'totp_credentials'],
]);

test('every table has row-level security, with a policy for each of the two roles', async () => {
  const { rows } = await query(`
    select c.relname as name, c.relrowsecurity as secured,
      array(select p.polname::text from pg_policy p where p.polrelid = c.oid order by 1) as policies
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`);
  const open = rows.filter(({ name }) => !shared.has(name));
  expect(open.length).toBeGreaterThan(15);
  for (const table of open) {
    const policies = ofPeople.has(table.name) ? ['system'] : ['system', 'tenant'];
    expect(table, table.name).toMatchObject({ secured: true, policies });
  }
});

test('the roles of the service can neither log in nor go round the policies', async () => {
  const { rows } = await query(
    `select rolname, rolcanlogin, rolsuper, rolbypassrls, rolcreaterole from pg_roles where rolname like 'lastro\\_%' and rolname not like 'lastro\\_service\\_%' order by 1`,
  );
  expect(rows).toEqual(
    ['lastro_app', 'lastro_gfm', 'lastro_system'].map((rolname) => ({
      rolname,
      rolcanlogin: false,
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
    })),
  );
});

test('the role of the graph model sees its versions, and no other table', async () => {
  const { rows } = await query(
    `select table_name as name from information_schema.role_table_grants where grantee = 'lastro_gfm' group by 1 order by 1`,
  );
  expect(rows).toEqual([{ name: 'gfm_versions' }]);
  await expect(query('set local role lastro_gfm; select 1 from workspaces')).rejects.toMatchObject({ code: '42501' });
  await expect(query('set local role lastro_app; delete from gfm_versions')).rejects.toMatchObject({ code: '42501' });
});

test.each(['update audit_entries set action = action', 'delete from audit_entries', 'truncate audit_entries'])(
  'nobody rewrites the audit trail: %s',
  async (statement) => {
    await service.tenant(`Trail ${statement.slice(0, 4)}`);
    for (const role of ['lastro_app', 'lastro_system'])
      await expect(query(`set local role ${role}; ${statement}`), role).rejects.toMatchObject({ code: '42501' });
    await expect(query(statement), 'the owner, by mistake').rejects.toMatchObject({ code: '42501' });
  },
);

// biome-ignore lint/suspicious/noExplicitAny: rows of every shape
function query(text: string): Promise<pg.QueryResult<any>> {
  return withClient({ connectionString: service.databaseUrl }, (client) => client.query(text));
}
