import { afterAll, beforeAll, expect, test } from 'vitest';
import { system } from '../src/access/transactions.ts';
import { runBeside } from './beside.ts';
import { startTestService, type Tenant, type TestService } from './service.ts';

let service: TestService;
let tenant: Tenant;

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.tenant('Shop');
});
afterAll(() => service.close());

const lastro = (...args: string[]) => runBeside(service, args);

test('the operator replaces a key: the new one answers, the revoked one does not', async () => {
  const { workspaceId } = tenant.ctx;
  const listed = await lastro('admin', 'keys', 'list', '--workspace', workspaceId);
  expect(listed.body).toMatchObject([{ name: 'Shop key', email: 'creator@shop.example', revoked_at: null }]);
  expect(JSON.stringify(listed.body)).not.toContain(tenant.client.key);

  const of = ['--workspace', workspaceId, '--email', 'creator@shop.example'];
  const made = await lastro('admin', 'keys', 'create', ...of, '--name', 'replacement', '--days', '30');
  expect(made.code, made.err).toBe(0);
  const [old] = listed.body;
  expect((await tenant.client.get('/v1/api/models')).status).toBe(200);
  expect((await lastro('admin', 'keys', 'revoke', '--key', old.key_id)).code).toBe(0);
  expect((await tenant.client.get('/v1/api/models')).status).toBe(401);
  expect((await service.client(made.body.api_key).get('/v1/api/models')).status).toBe(200);
  const after = (await lastro('admin', 'keys', 'list')).body;
  expect(after).toMatchObject([{ revoked_at: expect.any(String) }, { name: 'replacement', revoked_at: null }]);
});

test('the operator gives a workspace more of the time of workers', async () => {
  const { workspaceId } = tenant.ctx;
  const weighed = await lastro('admin', 'weigh', '--workspace', workspaceId, '--weight', '2.5');
  expect(weighed).toMatchObject({ code: 0, body: { workspace_id: workspaceId, weight: 2.5 } });
  const { rows } = await service.service.app.db.pool.query('select group_id, weight from pgboss.group_weight');
  expect(rows).toEqual([{ group_id: workspaceId, weight: 2.5 }]);
  const refused = await lastro('admin', 'weigh', '--workspace', workspaceId, '--weight', '0');
  expect(refused).toMatchObject({
    code: 2,
    err: expect.stringContaining('--weight must be a number from 0.01 to 100'),
  });
});

test('the operator lets an organization in again that has locked itself out', async () => {
  const { organizationId, workspaceId } = tenant.ctx;
  const session = await tenant.signedIn('creator', 'organization');
  const key = await tenant.as('developer');
  for (const path of ['/v1/api/ip-rules', '/v1/api/organization/ip-rules']) {
    const made = await session.post(path, { cidr: '192.0.2.0/24', applies_to: 'api' });
    expect(made.status, made.text).toBe(201);
  }
  expect((await key.get('/v1/api/tasks')).body).toMatchObject({ status: 403, code: 'address_not_allowed' });
  const cleared = await lastro('admin', 'ip-rules', 'clear', '--organization', organizationId);
  expect(cleared, cleared.err).toMatchObject({ code: 0, body: { organization_id: organizationId, deleted: 2 } });
  expect((await key.get('/v1/api/tasks')).status).toBe(200);
  const { rows } = await service.owner.pool.query(
    `select actor_type, channel, workspace_id from audit_entries where action = 'ip-rule-deletion'
     and organization_id = $1 order by workspace_id nulls last`,
    [organizationId],
  );
  const entry = { actor_type: 'operator', channel: 'cli' };
  expect(rows).toEqual([
    { ...entry, workspace_id: workspaceId },
    { ...entry, workspace_id: null },
  ]);
  const unknown = await lastro('admin', 'ip-rules', 'clear', '--organization', 'org_0');
  expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('there is no organization org_0') });
  const other = await lastro('admin', 'ip-rules', 'list', '--organization', organizationId);
  expect(other).toMatchObject({ code: 2, err: expect.stringContaining('there is no command admin ip-rules list') });
});

test('the operator makes an organization whose workspace has its zone and its language', async () => {
  const asked = ['--organization', 'Acme', '--email', 'ana@acme.example'];
  const zone = ['--time-zone', 'America/Manaus'];
  const made = await lastro('admin', 'bootstrap', ...asked, ...zone, '--language', 'pt-BR');
  expect(made.code, made.err).toBe(0);
  expect((await service.client(made.body.api_key).get('/v1/api/models')).status).toBe(200);
  const workspace = await system(service.service.app.db, 'test', (tx) =>
    tx.selectFrom('workspaces').selectAll().where('id', '=', made.body.workspace_id).executeTakeFirst(),
  );
  expect(workspace).toMatchObject({ name: 'Main', language: 'pt-BR', time_zone: 'America/Manaus' });
  const refused = await lastro('admin', 'bootstrap', ...asked, '--language', 'pt');
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('--language must be en or pt-BR, not pt') });
});

test('what it cannot do is said', async () => {
  const { workspaceId } = tenant.ctx;
  const refusals = [
    [['create', '--workspace', workspaceId, '--email', 'nobody@shop.example'], 'no user nobody@shop.example'],
    [['create', '--workspace', 'ws_0', '--email', 'creator@shop.example'], 'there is no workspace ws_0'],
    [['create', '--workspace', workspaceId], '--email is missing'],
    [['create', '--workspace', workspaceId, '--email', 'creator@shop.example', '--days', '0'], '--days must be'],
    [['revoke', '--key', 'key_0'], 'there is no key key_0'],
    [['rotate'], 'there is no command admin keys rotate'],
  ] as const;
  for (const [args, said] of refusals) {
    const { code, err } = await lastro('admin', 'keys', ...args);
    expect(err).toContain(said);
    expect(code).toBe(2);
  }
});

test('the operator makes a link by which a person signs in once', async () => {
  const made = await lastro('admin', 'sign-in', '--email', 'Creator@shop.example');
  expect(made.code, made.err).toBe(0);
  const { token, link, user_id } = made.body;
  expect(link).toMatch(new RegExp(`/sign-in#${token}$`));
  const signIn = () => service.anonymous.post('/v1/api/sessions/link', { token });
  expect((await signIn()).body).toMatchObject({ id: user_id, email_verified_at: expect.any(String) });
  expect((await signIn()).body).toMatchObject({ status: 422, code: 'token_invalid' });
  const unknown = await lastro('admin', 'sign-in', '--email', 'nobody@shop.example');
  expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('there is no user nobody@shop.example') });
});

test('the operator makes the next host key of SFTP, and tells both', async () => {
  expect((await lastro('admin', 'sftp-host-key', 'show')).body).toEqual({ host_keys: [] });
  const first = await lastro('admin', 'sftp-host-key', 'rotate', '--in-days', '0');
  expect(first.body, first.err).toMatchObject({ fingerprint: expect.stringMatching(/^SHA256:/) });
  const next = await lastro('admin', 'sftp-host-key', 'rotate');
  expect(next.code, next.err).toBe(0);
  const shown = await lastro('admin', 'sftp-host-key', 'show');
  expect(shown.body.host_keys).toEqual([first.body, next.body]);
  const again = await lastro('admin', 'sftp-host-key', 'rotate');
  expect(again).toMatchObject({ code: 2, err: expect.stringContaining('waits already') });
  const wrong = await lastro('admin', 'sftp-host-key', 'rotate', '--in-days', 'soon');
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('--in-days must be') });
});
