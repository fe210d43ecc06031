/** What the operator of the host decides about organizations. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { system } from '../src/access/transactions.ts';
import { addMember } from '../src/resources/members/add.ts';
import { setFeature } from '../src/resources/organizations/features.ts';
import { showOrganization } from '../src/resources/organizations/show.ts';
import { createPlan } from '../src/resources/price-plans/create.ts';
import { listQuotas } from '../src/resources/quotas/list.ts';
import { setQuota } from '../src/resources/quotas/set.ts';
import { runBeside } from './beside.ts';
import { openBrowser } from './identity/browser.ts';
import { startTestService, type Tenant, type TestService } from './service.ts';

let service: TestService;
let tenant: Tenant;
let of: readonly string[];

beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  tenant = await service.tenant(`Shop ${Math.random()}`);
  of = ['--organization', tenant.ctx.organizationId];
});
afterAll(() => service.close());

const lastro = (...args: string[]) => runBeside(service, ['admin', ...args]);

/** Entries of what the operator did, the oldest first. */
async function entriesOf(organizationId: string) {
  const { rows } = await service.owner.pool.query(
    `select action, actor_type, channel, workspace_id, data from audit_entries
     where organization_id = $1 and action ~ '^(organization-[^c]|quota|price)' order by recorded_at`,
    [organizationId],
  );
  return rows;
}

test('an organization is made with a Creator who signs in by the link, once', async () => {
  const named = ['--name', 'Acme', '--creator-email', 'ana@acme.example'];
  const made = await lastro('organization', 'create', ...named, '--workspace', 'Credit', '--language', 'pt-BR');
  expect(made.code, made.err).toBe(0);
  const { organization_id, workspace_id, user_id, token, link } = made.body;
  expect(link).toMatch(new RegExp(`/sign-in#${token}$`));
  const ana = openBrowser(service.url);
  const signedIn = await ana.post('/v1/api/sessions/link', { token });
  expect(signedIn.body).toMatchObject({ id: user_id, email: 'ana@acme.example' });
  expect((await openBrowser(service.url).post('/v1/api/sessions/link', { token })).status).toBe(422);
  const workspace = { id: workspace_id, name: 'Credit', language: 'pt-BR' };
  expect((await ana.get('/v1/api/workspaces')).body.data).toMatchObject([workspace]);
  const renamed = await ana.send('PATCH', '/v1/api/organization', { name: 'Acme S.A.' });
  expect(renamed.body).toMatchObject({ id: organization_id, name: 'Acme S.A.' });
  const refused = await lastro('organization', 'create', '--name', 'Acme', '--creator-email', 'ana');
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('--creator-email must be an address') });
});

test('a suspended organization is refused to everybody, who keep their accounts and other organizations', async () => {
  const { organizationId } = tenant.ctx;
  const other = await service.tenant(`Other ${organizationId}`);
  const person = await tenant.signedIn('creator', 'organization');
  const email = 'both@company.example';
  await system(service.service.app.db, 'test', (tx) =>
    addMember(tx, other.ctx, { userId: person.userId, email, role: 'creator' }),
  );
  const inOther = { headers: { 'lastro-workspace': other.ctx.workspaceId } };
  const stream = await fetch(`${service.url}/v1/api/events/stream`, {
    headers: { authorization: `Bearer ${tenant.client.key}` },
  });
  expect(stream.status).toBe(200);
  const ended = stream.text().catch(() => 'broken off');

  const suspended = await lastro('organization', 'suspend', ...of);
  expect(suspended, suspended.err).toMatchObject({ body: { organization_id: organizationId, status: 'suspended' } });
  const refusal = { status: 403, code: 'organization_suspended' };
  expect((await tenant.client.get('/v1/api/models')).body).toMatchObject(refusal);
  for (const path of ['/v1/api/models', '/v1/api/organization', '/v1/api/members'])
    expect((await person.get(path)).body, path).toMatchObject(refusal);
  // As `ensure` asks once a second where nothing is sent.
  expect(await Promise.race([ended.then(() => 'ended'), sleep(10_000)])).toBe('ended');
  expect((await person.get('/v1/api/user')).status).toBe(200);
  expect((await person.get('/v1/api/sessions')).status).toBe(200);
  expect((await person.send('GET', '/v1/api/models', inOther)).status).toBe(200);
  expect((await other.client.get('/v1/api/models')).status).toBe(200);
  const again = await lastro('organization', 'suspend', ...of);
  expect(again).toMatchObject({ code: 2, err: expect.stringContaining('is suspended already') });

  const resumed = await lastro('organization', 'resume', ...of);
  expect(resumed, resumed.err).toMatchObject({ body: { organization_id: organizationId, status: 'active' } });
  expect((await tenant.client.get('/v1/api/models')).status).toBe(200);
  expect((await person.get('/v1/api/organization')).status).toBe(200);
  const entry = { actor_type: 'operator', channel: 'cli', workspace_id: null };
  expect(await entriesOf(organizationId)).toMatchObject([
    { ...entry, action: 'organization-suspension' },
    { ...entry, action: 'organization-resumption' },
  ]);
});

test('a suspension counts up the epochs of all workspaces, by which other processes notice', async () => {
  const epochs = async () =>
    (
      await service.owner.pool.query('select auth_epoch from workspaces where organization_id = $1 order by id', [
        tenant.ctx.organizationId,
      ])
    ).rows.map(({ auth_epoch }) => auth_epoch);
  const before = await epochs();
  await lastro('organization', 'suspend', ...of);
  expect(await epochs()).toEqual(before.map((epoch) => epoch + 1));
  await lastro('organization', 'resume', ...of);
  expect(await epochs()).toEqual(before.map((epoch) => epoch + 2));
});

test('features, quotas and the price plan are kept, shown and recorded', async () => {
  const { organizationId, workspaceId } = tenant.ctx;
  await createPlan(service.service.app.db, 'standard-2026', '{"monthly_fee":"499.00","prices":{}}');
  const commands = [
    ['feature', 'enable', 'sso', ...of],
    ['price-plan', 'set', ...of, '--plan', 'standard-2026'],
    ['quota', 'set', ...of, '--resource', 'predictions', '--limit', '2000000'],
    ['quota', 'set', ...of, '--workspace', workspaceId, '--resource', 'batch_rows', '--limit', '0'],
  ];
  for (const command of commands) {
    const { code, err } = await lastro(...command);
    expect(code, `${command.join(' ')}: ${err}`).toBe(0);
  }
  expect((await lastro('organization', 'show', ...of)).body).toMatchObject({
    ...{
      id: organizationId,
      status: 'active',
      second_factor: 'optional',
      single_sign_on: 'optional',
      members: 1,
      workspaces: 1,
    },
    ...{ features: ['sso'], price_plan: 'standard-2026' },
    quotas: [
      { workspace_id: null, resource: 'predictions', limit: 2_000_000 },
      { workspace_id: workspaceId, resource: 'batch_rows', limit: 0 },
    ],
  });
  const used = { used: 0, resets_at: expect.stringMatching(/^\d{4}-\d\d-01T/), period: 'month' };
  expect((await lastro('quota', 'show', '--workspace', workspaceId)).body).toEqual({
    workspace_id: workspaceId,
    quotas: [
      { resource: 'predictions', of: 'organization', limit: 2_000_000, ...used },
      { resource: 'batch_rows', of: 'workspace', limit: 0, ...used },
    ],
  });
  const entries = await entriesOf(organizationId);
  expect(entries.map(({ action }) => action)).toEqual([
    ...['organization-feature-update', 'price-plan-update', 'quota-update', 'quota-update'],
  ]);
  expect(entries.every(({ actor_type, channel }) => actor_type === 'operator' && channel === 'cli')).toBe(true);
  expect(entries[0].data).toMatchObject({ feature: 'sso', enabled: true });
  expect(entries.at(-1)).toMatchObject({
    workspace_id: workspaceId,
    data: { resource: 'batch_rows', limit: 0 },
  });
});

test('a feature is switched off, a quota replaced and taken away', async () => {
  const { db } = service.service.app;
  const { organizationId } = tenant.ctx;
  await setFeature(db, organizationId, 'sftp', true);
  await setFeature(db, organizationId, 'sso', true);
  await setFeature(db, organizationId, 'sftp', false);
  expect(await showOrganization(db, organizationId)).toMatchObject({ features: ['sso'] });
  await expect(setFeature(db, organizationId, 'sftp', false)).rejects.toThrow('sftp is off already');
  const quota = { organizationId, workspaceId: null, resource: 'predictions' } as const;
  for (const limit of [5, 7]) {
    await setQuota(db, { ...quota, limit });
    expect(await listQuotas(db, organizationId)).toMatchObject([{ resource: 'predictions', limit: limit }]);
  }
  await setQuota(db, { ...quota, limit: null });
  expect(await listQuotas(db, organizationId)).toEqual([]);
  await expect(setQuota(db, { ...quota, limit: null })).rejects.toThrow('there is no quota of predictions there');
  const other = await service.tenant(`Other ${organizationId}`);
  const foreign = { ...quota, workspaceId: other.ctx.workspaceId, limit: 1 };
  await expect(setQuota(db, foreign)).rejects.toThrow('the organization has no workspace');
  await expect(createPlan(db, 'Größe', '{}')).rejects.toThrow('up to 63 lower-case letters');
});

test('what the operator cannot do is said', async () => {
  const quota = ['quota', 'set', ...of, '--resource', 'predictions'];
  const refusals = [
    [['organization', 'suspend', '--organization', 'org_0'], 'there is no organization org_0'],
    [['organization', 'suspend'], '--organization is missing'],
    [['organization', 'delete', ...of], 'there is no command admin organization delete'],
    [['feature', 'enable', 'magic', ...of], 'there is no command admin feature enable magic'],
    [['quota', 'show', '--workspace', 'wsp_0'], 'there is no workspace wsp_0'],
    [['quota', 'show'], '--workspace is missing'],
    [['quota', 'set', ...of, '--limit', '1'], '--resource is missing'],
    [[...quota, '--limit', '1.5'], '--limit must be none, or a whole number'],
    [[...quota, '--limit', '1000000000001'], '--limit must be none, or a whole number'],
    [
      ['quota', 'set', ...of, '--resource', 'love', '--limit', '1'],
      '--resource must be one of predictions, batch_rows',
    ],
    [['promote'], 'there is no command admin promote; there are bootstrap'],
  ] as const;
  for (const [args, said] of refusals) {
    const { code, err } = await lastro(...args);
    expect(err, args.join(' ')).toContain(said);
    expect(code).toBe(2);
  }
  expect(await entriesOf(tenant.ctx.organizationId)).toEqual([]);
});

test('members of an organization change nothing that the operator has decided, whatever a statement asks for', async () => {
  const { pool } = service.owner;
  const inTenant = async (statement: string): Promise<unknown> => {
    const client = await pool.connect();
    try {
      await client.query('begin; set local role lastro_app');
      await client.query("select set_config('app.organization_id', $1, true)", [tenant.ctx.organizationId]);
      return await client.query(statement);
    } finally {
      await client.query('rollback');
      client.release();
    }
  };
  for (const set of ["status = 'active'", "features = '{sso}'", "price_plan = 'free'"])
    await expect(inTenant(`update organizations set ${set}`), set).rejects.toMatchObject({ code: '42501' });
  await expect(inTenant('delete from quotas')).rejects.toMatchObject({ code: '42501' });
  expect(await inTenant("update organizations set name = 'Other'")).toMatchObject({ rowCount: 1 });
});
