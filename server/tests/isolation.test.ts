/** What the database itself keeps apart, whatever a statement of ours asks for. Tables are read from its catalog. */
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../src/access/context.ts';
import { system, type Tx, tenant } from '../src/access/transactions.ts';
import { newId } from '../src/lib/crypto/ids.ts';
import { closeMonths } from '../src/resources/invoices/close-months.ts';
import { setFeature } from '../src/resources/organizations/features.ts';
import { setQuota } from '../src/resources/quotas/set.ts';
import { planSetup } from '../src/resources/setup-steps/report.ts';
import { meterUsage } from '../src/resources/usage/meter.ts';
import { sealEntries } from '../src/trail/seal.ts';
import { told } from './notifications/acts.ts';
import type { TestService } from './service.ts';
import { startWorlds } from './worlds.ts';

type Table = { readonly name: string; readonly columns: readonly string[] };

let service: TestService;
let tables: readonly Table[];
let a: Context;
let b: Context;
/** The ids of the users of an organization. */
const members = new Map<string, readonly string[]>();

/** Of the machinery, and read or written by no request. */
const withoutRows = ['event_readers', 'installation', 'migrations'];
/** The operator's, the same for everyone. */
const shared = ['gfm_versions', 'price_plans'];
/** How people, and the service, prove who they are: of no organization, and out of reach of any. */
const ofPeople = [
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
];
/** Kept, whoever asks: only rows are added. */
const appendOnly = ['audit_entries', 'membership_events'];

beforeAll(async () => {
  const worlds = await startWorlds();
  service = worlds.service;
  const [first, second] = [worlds.a.tenant, worlds.b.tenant];
  for (const one of [first, second]) {
    const creator = await one.signedIn('creator', 'organization');
    const { userId } = creator;
    const person = await one.signedIn('creator', 'workspace');
    const invited = await person.post('/v1/api/invitations', { email: 'guest@company.example', role: 'member' });
    expect(invited.status, invited.text).toBe(201);
    for (const cidr of ['0.0.0.0/0', '::/0']) {
      const rule = await person.post('/v1/api/ip-rules', { cidr, applies_to: 'api', confirm: true });
      expect(rule.status, rule.text).toBe(201);
    }
    const body = { preferences: [{ type: 'domain-creation', channels: 'both' }], mail_window: 'daily' };
    for (const path of ['/v1/api', '/v1/api/organization']) {
      const own = await creator.send('PATCH', `${path}/notification-preferences`, { body });
      expect(own.status, own.text).toBe(200);
      const all = await creator.send('PATCH', `${path}/notification-defaults`, {
        body: { preferences: body.preferences },
      });
      expect(all.status, all.text).toBe(200);
    }
    for (const [who, place] of [
      [person, '/v1/api'],
      [creator, '/v1/api/organization'],
    ] as const) {
      const asked = await who.post(`${place}/audit-exports`, {});
      expect(asked.status, asked.text).toBe(202);
    }
    await setFeature(service.service.app.db, one.ctx.organizationId, 'sso', true);
    await setFeature(service.service.app.db, one.ctx.organizationId, 'sftp', true);
    const login = await person.post('/v1/api/sftp-users', { name: 'files' });
    expect(login.status, login.text).toBe(201);
    await sql`insert into sftp_files (id, organization_id, workspace_id, sftp_user_id, name, status, bytes)
      values (${newId('sfl')}, ${one.ctx.organizationId}, ${one.ctx.workspaceId}, ${login.body.id}, 'a.csv', 'held', 0)`.execute(
      service.owner.kysely,
    );
    const oidc = { name: 'x', issuer: 'https://login.example', client_id: 'x', client_secret: 'x' };
    await sql`insert into file_parts (organization_id, workspace_id, file_id, starts, bytes, storage_key, sha256)
      select organization_id, workspace_id, id, 0, 1, storage_key, '' from files where workspace_id = ${one.ctx.workspaceId} limit 1`.execute(
      service.owner.kysely,
    );
    for (const made of [
      await creator.post('/v1/api/organization/domains', { domain: `${userId.replace('_', '-')}.example` }),
      await creator.post('/v1/api/organization/sso-connections/oidc', oidc),
      await creator.send('PUT', `/v1/api/organization/break-glass-admins/${userId}`),
    ])
      expect(made.status, made.text).toBeLessThan(300);
    const quota = { resource: 'predictions', limit: 1_000 } as const;
    await setQuota(service.service.app.db, { ...one.ctx, ...quota });
    await planSetup(service.service.app.db, one.ctx, ['data']);
    await keepOfVersions(one.ctx);
    members.set(one.ctx.organizationId, [one.userId, userId, person.userId]);
  }
  [a, b] = [first.ctx, second.ctx];
  await told(service);
  await sealEntries(service.service.app.db, service.service.app.keys.audit, { waits: true });
  const { db } = service.service.app;
  await meterUsage(db);
  const inTwoMonthsMs = 62 * 24 * 60 * 60 * 1000;
  expect(await closeMonths(db, new Date(Date.now() + inTwoMonthsMs))).toBe(2);
  for (const { organizationId, workspaceId } of [a, b])
    await sql`insert into quota_notices (organization_id, workspace_id, resource, month, percent, "limit")
      values (${organizationId}, ${workspaceId}, 'predictions', '2026-01-01', 80, 1)`.execute(service.owner.kysely);
  // A resource has its number apart only once events of it were removed.
  for (const { organizationId, workspaceId } of [a, b])
    await sql`insert into event_sequences (organization_id, workspace_id, resource_id, sequence)
      values (${organizationId}, ${workspaceId}, ${workspaceId}, 1)`.execute(service.owner.kysely);
  // A tree has these only once it is large, or old.
  for (const { organizationId, workspaceId } of [a, b])
    for (const tree of [organizationId, workspaceId])
      await sql`
        with node as (insert into audit_nodes (tree, level, position, hash) values (${tree}, 8, 0, ${Buffer.alloc(32)}))
        insert into audit_tombstones (tree, first_index, last_index, root, at, key_id, note)
        values (${tree}, 0, 0, ${Buffer.alloc(32)}, now(), '', '')`.execute(service.owner.kysely);
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select table_name as name, array_agg(column_name::text) as columns from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' group by 1 order by 1`.execute(service.owner.kysely);
  tables = rows.filter(({ name }) => !withoutRows.includes(name));
});
afterAll(() => service.close());

/**
 * A watched version with an alarm, an alias that was moved back, and what people and workers keep of versions: it takes
 * weeks of answers to come to these.
 */
async function keepOfVersions({ organizationId, workspaceId }: Context): Promise<void> {
  const of = sql`${organizationId}, ${workspaceId}`;
  for (const statement of [
    sql`insert into monitors (organization_id, workspace_id, model_id, enabled, auto_rollback, rollback_days, outcomes_min)
      select ${of}, id, true, true, 30, 200 from models where workspace_id = ${workspaceId} limit 1`,
    sql`insert into monitored_versions (organization_id, workspace_id, model_id, version_id)
      select ${of}, model_id, id from model_versions where workspace_id = ${workspaceId} on conflict do nothing`,
    sql`insert into monitored_days (organization_id, workspace_id, version_id, day, rows, counts)
      select ${of}, version_id, '2026-01-01', 0, '[]' from monitored_versions where workspace_id = ${workspaceId}`,
    sql`insert into model_alarms (id, organization_id, workspace_id, model_id, version_id, kind, signals, raised_at)
      select ${newId('alm')}, ${of}, model_id, version_id, 'drift', '[]', now() from monitored_versions
      where workspace_id = ${workspaceId} limit 1`,
    sql`insert into rollbacks (id, organization_id, workspace_id, model_id, alias, from_version_id, to_version_id, reason)
      select ${newId('rbk')}, ${of}, model_id, 'live', version_id, version_id, '[]' from monitored_versions
      where workspace_id = ${workspaceId} limit 1`,
    sql`insert into model_gates (organization_id, workspace_id, model_id, policy, updated_by)
      select ${of}, id, '{"checks": {}, "approvals": 0, "automatic": true}', 'test' from models
      where workspace_id = ${workspaceId} limit 1`,
    sql`insert into version_approvals (id, organization_id, workspace_id, model_id, version_id, alias, user_id, approved_by)
      select ${newId('apr')}, ${of}, model_id, id, 'live', 'usr_0', 'test' from model_versions
      where workspace_id = ${workspaceId} limit 1`,
    sql`insert into prediction_columns (organization_id, workspace_id, day, model_id, storage_key)
      select ${of}, '2026-01-01', id, '-' from models where workspace_id = ${workspaceId} limit 1`,
    sql`insert into watch_list_moves (id, organization_id, workspace_id, list_id, entry_id, at, from_score, to_score, because,
        from_version_id, version_id, snapshot_id)
      select ${newId('wlm')}, ${of}, list_id, id, now(), 0, 1, 'data', 'ver_0', 'ver_0', 'snp_0' from watch_list_entries
      where workspace_id = ${workspaceId} limit 1`,
    sql`insert into alias_splits (organization_id, workspace_id, model_id, alias, version_id, share, since, created_by)
      select ${of}, model_id, alias, version_id, 0.5, 'prd_', 'test' from aliases where workspace_id = ${workspaceId} limit 1`,
    sql`insert into shadow_predictions (organization_id, workspace_id, model_id, version_id, prediction_id)
      select ${of}, model_id, version_id, 'prd_0' from shadows where workspace_id = ${workspaceId} limit 1`,
  ])
    await statement.execute(service.owner.kysely);
}

const inA = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => tenant(service.service.app.db, a, work);
const anywhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => system(service.service.app.db, 'test', work);

/** How many rows a statement gives or changes; null where it is refused (42501, insufficient privilege). */
async function tried(door: typeof inA, statement: RawBuilder<unknown>): Promise<number | null> {
  try {
    const { rows, numAffectedRows } = await door((tx) => statement.execute(tx));
    return Number(numAffectedRows ?? rows.length);
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error;
    return null;
  }
}

/** The column that says whose a row is. */
function ownerOf({ name, columns }: Table): 'workspace_id' | 'organization_id' | 'id' | 'tree' {
  if (columns.includes('tree')) return 'tree';
  if (columns.includes('workspace_id') && name !== 'grants') return 'workspace_id';
  return name === 'organizations' ? 'id' : 'organization_id';
}

const tenantTables = (): readonly Table[] =>
  tables.filter(({ name }) => name !== 'users' && !shared.includes(name) && !ofPeople.includes(name));
const idOf = (ctx: Context, table: Table): string =>
  ['workspace_id', 'tree'].includes(ownerOf(table)) ? ctx.workspaceId : ctx.organizationId;

test('every table is under row-level security, and those of tenants say whose their rows are', async () => {
  expect(tables.length).toBeGreaterThan(15);
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    and not relrowsecurity order by 1`.execute(service.owner.kysely);
  expect(rows.map(({ name }) => name)).toEqual(withoutRows);
  for (const { name, columns } of tenantTables())
    expect(
      columns.some((column) => ['organization_id', 'tree'].includes(column)) || name === 'organizations',
      name,
    ).toBe(true);
});

describe('within a workspace', () => {
  test('no row of another is seen, and none at all outside of one', async () => {
    const empty: string[] = [];
    for (const table of tenantTables()) {
      const owner = sql.ref(ownerOf(table));
      const name = sql.table(table.name);
      const all = await tried(anywhere, sql`select 1 from ${name} where ${owner} = ${idOf(b, table)}`);
      if (all === 0) empty.push(table.name);
      // What is of no workspace, but of the organization as a whole, is seen in its workspaces.
      const theirs = table.columns.includes('organization_id')
        ? sql`organization_id <> ${a.organizationId}`
        : sql`false`;
      const foreign = sql`select 1 from ${name} where ${owner} <> ${idOf(a, table)} or ${theirs}`;
      expect(await tried(inA, foreign), table.name).toBe(0);
      const nowhere = (work: (tx: Tx) => Promise<unknown>) =>
        tenant(service.service.app.db, { organizationId: '', workspaceId: '' }, work);
      expect(await tried(nowhere as typeof inA, sql`select 1 from ${name}`), table.name).toBe(0);
    }
    // Else nothing was proved of the others.
    expect(empty.filter((name) => !['idempotency_keys'].includes(name))).toEqual([]);
    const users = await inA((tx) => tx.selectFrom('users').select('id').execute());
    expect(users.map(({ id }) => id).sort()).toEqual([...members.get(a.organizationId)!].sort());
  });

  test('in an organization as a whole, no row of a workspace is seen, and none of another organization', async () => {
    const { organizationId } = a;
    const inWhole: typeof inA = (work) => tenant(service.service.app.db, { organizationId, workspaceId: null }, work);
    const seen = [];
    for (const table of tenantTables()) {
      const name = sql.table(table.name);
      const isOfWorkspaces = ownerOf(table) === 'workspace_id';
      const owner = isOfWorkspaces ? sql`coalesce(workspace_id, organization_id)` : sql.ref(ownerOf(table));
      const foreign = sql`select 1 from ${name} where ${owner} is distinct from ${organizationId}`;
      expect(await tried(inWhole, foreign), table.name).toBe(0);
      if ((await tried(inWhole, sql`select 1 from ${name}`)) !== 0) seen.push(table.name);
      if (!isOfWorkspaces) continue;
      const ofWorkspaces = sql`delete from ${name} where workspace_id is not null`;
      expect((await tried(inWhole, ofWorkspaces)) ?? 0, table.name).toBe(0);
    }
    expect(seen).toEqual([
      ...['audit_checkpoints', 'audit_entries', 'audit_exports', 'audit_leaves'],
      ...['audit_nodes', 'audit_tombstones', 'audit_trees'],
      ...['break_glass_admins', 'domains', 'events', 'grants', 'invoice_lines', 'invoices', 'membership_events'],
      ...['notification_defaults', 'notification_mails', 'notification_preferences', 'notification_settings'],
      ...['notifications', 'organizations'],
      ...['sso_connections', 'workspaces'],
    ]);
  });

  test('no row of another is changed or removed', async () => {
    for (const table of tenantTables()) {
      const owner = sql.ref(ownerOf(table));
      const name = sql.table(table.name);
      const theirs = sql`${owner} = ${idOf(b, table)}`;
      const count = () => tried(anywhere, sql`select 1 from ${name} where ${theirs}`);
      const before = await count();
      expect((await tried(inA, sql`delete from ${name} where ${theirs}`)) ?? 0, table.name).toBe(0);
      expect((await tried(inA, sql`update ${name} set ${owner} = ${owner} where ${theirs}`)) ?? 0, table.name).toBe(0);
      expect(await count(), table.name).toBe(before);
    }
  });

  test('no row is given to another', async () => {
    for (const table of tenantTables().filter((table) => ownerOf(table) !== 'id')) {
      const name = sql.table(table.name);
      for (const column of ['workspace_id', 'organization_id'].filter((column) => table.columns.includes(column))) {
        const other = column === 'workspace_id' ? b.workspaceId : b.organizationId;
        const given = sql`update ${name} set ${sql.ref(column)} = ${other}`;
        expect(await refusedOrNone(given), `${table.name}.${column}`).toBe(true);
        const columns = sql.join(table.columns.map((known) => sql.ref(known)));
        const values = sql.join(table.columns.map((known) => (known === column ? sql`${other}` : sql.ref(known))));
        const copied = sql`insert into ${name} (${columns}) select ${values} from ${name} limit 1`;
        expect(await refusedOrNone(copied), `${table.name}.${column}`).toBe(true);
      }
    }
  });
});

/** Whether a statement changes nothing: no row, no right, or a constraint of which the row would be in breach. */
async function refusedOrNone(statement: RawBuilder<unknown>): Promise<boolean> {
  try {
    return ((await tried(inA, statement)) ?? 0) === 0;
  } catch (error) {
    // 23: integrity, 42501 is told above. Columns that are generated cannot be written either.
    return /^(23|428C9)/.test(String((error as { code?: string }).code));
  }
}

test('how people prove who they are is seen within no organization', async () => {
  for (const name of ofPeople) {
    expect(await tried(inA, sql`select 1 from ${sql.table(name)}`), name).toBeNull();
    expect(await tried(inA, sql`delete from ${sql.table(name)}`), name).toBeNull();
  }
});

test('what is only added to is changed by none of the roles of the service', async () => {
  for (const name of appendOnly)
    for (const door of [inA, anywhere]) {
      const table = sql.table(name);
      expect(await tried(door, sql`select 1 from ${table}`)).toBeGreaterThan(0);
      expect(await tried(door, sql`update ${table} set id = id`)).toBeNull();
      expect(await tried(door, sql`delete from ${table}`)).toBeNull();
      expect(await tried(door, sql`truncate ${table}`)).toBeNull();
    }
  // Nor by the owner of the tables, short of taking the trigger off.
  for (const statement of [
    sql`update audit_entries set id = id`,
    sql`delete from audit_entries`,
    sql`truncate audit_entries`,
  ])
    await expect(statement.execute(service.owner.kysely)).rejects.toMatchObject({ code: '42501' });
});

test('the roles of the service can do nothing beside', async () => {
  const { rows } = await sql<Record<string, unknown>>`
    select rolname, rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, rolcreatedb from pg_roles
    where rolname in ('lastro_app', 'lastro_system') order by 1`.execute(service.owner.kysely);
  const none = { rolsuper: false, rolbypassrls: false, rolcanlogin: false, rolcreaterole: false, rolcreatedb: false };
  expect(rows).toEqual([
    { rolname: 'lastro_app', ...none },
    { rolname: 'lastro_system', ...none },
  ]);
  for (const door of [inA, anywhere]) {
    expect(await tried(door, sql`create table stolen (id text)`)).toBeNull();
    expect(await tried(door, sql`alter table files disable row level security`)).toBeNull();
    expect(await tried(door, sql`select pg_read_file('/etc/hostname')`)).toBeNull();
  }
});
