/**
 * What routes may ask of whoever calls them: a scope, a channel, a workspace that is archived. With routes and a
 * credential made here, in front of a real database.
 */
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Permission } from '../src/access/authorize.ts';
import { organizationContext } from '../src/access/context.ts';
import { openApiKeys } from '../src/access/credentials/api-key.ts';
import type { Credential } from '../src/access/credentials/credential.ts';
import { type Database, system, tenant } from '../src/access/transactions.ts';
import { create } from '../src/api/idempotency.ts';
import { openRoute, type Route, route } from '../src/api/route.ts';
import { newId } from '../src/lib/crypto/ids.ts';
import { insertWorkspace } from '../src/resources/workspaces/sql.ts';
import { record } from '../src/trail/record.ts';
import { type Gate, openGate, principalOf, requestsPerMinute, visitBy } from './gate.ts';
import { expectRefusal } from './problems.ts';
import { type Client, openClient, startTestService, type Tenant, type TestService } from './service.ts';

let service: TestService;
let db: Database;
let gate: Gate;
let url: string;
let a: Tenant;
let b: Tenant;
const visits = new Map<string, Tenant>();

beforeAll(async () => {
  service = await startTestService({}, 'none');
  ({ db } = service.service.app);
  [a, b] = await Promise.all([service.tenant('Aa'), service.tenant('Bb')]);
  visits.set('visit_a', a).set('visit_b', b);
  gate = await openGate(db, routes(), [openApiKeys(db), visitBy(visits)]);
  ({ url } = gate);
});
afterAll(async () => {
  await gate.close();
  await service.close();
});

const organizationPath = '/v1/api/organization/audit';
const workspacePath = '/v1/api/workspace/audit';
const namesPath = '/v1/api/organization/workspaces';
const archivePath = '/v1/api/workspace/unarchival';
const notesPath = '/v1/api/workspace/notes';
const list = (path: string) => ({ method: 'GET', path, operation: 'audit.list', summary: '', answers: {} }) as const;
const post = (path: string) => ({ method: 'POST', path, operation: 'acts.make', summary: '', answers: {} }) as const;

function routes(): Route[] {
  const archivable = { ...post(archivePath), access: 'archive_workspaces', archived: 'admitted' } as const;
  return [
    route({ ...list(organizationPath), access: 'view_activity_logs', scope: 'organization' }, async (ctx) => {
      const { workspaceId }: { workspaceId: null } = ctx;
      return { status: 200, body: JSON.stringify({ workspaceId, entries: await tenant(db, ctx, selectEntries) }) };
    }),
    route({ ...list(workspacePath), access: 'view_activity_logs' }, async (ctx) => {
      const { workspaceId, timeZone }: { workspaceId: string; timeZone: string } = ctx;
      return { status: 200, body: JSON.stringify({ workspaceId, timeZone }) };
    }),
    route(
      {
        ...post(namesPath),
        access: 'create_workspaces',
        scope: 'organization',
        creates: true,
        body: Type.Object({ name: Type.String() }),
      },
      (ctx, { body: { name } }) =>
        create(db, ctx, 201, async (tx) => {
          const id = newId('ws');
          const { organizationId: organization_id } = ctx;
          await insertWorkspace(tx, { id, organization_id, name, time_zone: 'UTC', language: 'en' });
          await record(tx, ctx, 'workspace-creation', { type: 'workspace', id }, { name });
          return { id };
        }),
    ),
    route(archivable, async (ctx) => {
      await tenant(db, ctx, async (tx) => {
        await tx.updateTable('workspaces').set({ status: 'active' }).where('id', '=', ctx.workspaceId).execute();
        await record(tx, ctx, 'workspace-unarchival', { type: 'workspace', id: ctx.workspaceId });
      });
      return { status: 204 };
    }),
    route({ ...post(notesPath), access: 'archive_workspaces' }, async () => ({ status: 204 })),
    route({ ...post('/v1/api/visits/end'), access: 'view_models', channels: ['dashboard'] }, async () => ({
      status: 204,
      headers: { 'set-cookie': ['session=; Max-Age=0', 'device=; Max-Age=0'] },
    })),
    openRoute(
      {
        ...post('/v1/api/sign-in'),
        access: 'public',
        form: true,
        body: Type.Object({ SAMLResponse: Type.String(), RelayState: Type.Optional(Type.String()) }),
      },
      async (_, { body: { SAMLResponse } }) => ({ status: 200, body: JSON.stringify({ SAMLResponse }) }),
    ),
  ];
}

const selectEntries = (tx: Parameters<Parameters<typeof tenant>[2]>[0]) =>
  tx.selectFrom('audit_entries').select(['action', 'workspace_id', 'organization_id']).orderBy('id').execute();

const withKey = (tenant: Tenant): Client => openClient(url, tenant.client.key);
const visiting = (id: string, method: string, path: string, options: Parameters<Client['send']>[2] = {}) =>
  openClient(url, '').send(method, path, { ...options, headers: { 'x-visit': id, ...options.headers } });

async function entriesOf(requestId: string | null) {
  return system(db, 'test', (tx) =>
    tx.selectFrom('audit_entries').selectAll().where('request_id', '=', requestId).execute(),
  );
}

describe('a route of an organization', () => {
  test('sees what is of the organization as a whole, and nothing of a workspace', async () => {
    const { status, body } = await visiting('visit_a', 'GET', organizationPath);
    expect(status).toBe(200);
    expect(body.workspaceId).toBeNull();
    const actions = body.entries.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(['organization-creation', 'member-addition']));
    // Left in the workspace, by the same command.
    expect(actions).not.toContain('api-key-creation');
    for (const entry of body.entries)
      expect(entry).toMatchObject({ workspace_id: null, organization_id: a.ctx.organizationId });
  });

  test('is not for a key of a workspace, which leaves an entry of its refusal', async () => {
    const reply = await withKey(a).get(organizationPath);
    expectRefusal(reply, 403, 'wrong_scope');
    expect(await entriesOf(reply.headers.get('request-id'))).toEqual([
      expect.objectContaining({
        action: 'access-denial',
        outcome: 'denied',
        workspace_id: a.ctx.workspaceId,
        channel: 'api',
      }),
    ]);
  });

  test('leaves entries that are of no workspace', async () => {
    const made = await visiting('visit_a', 'POST', namesPath, { body: { name: 'Second' } });
    expect(made.status, made.text).toBe(201);
    expect(await entriesOf(made.headers.get('request-id'))).toEqual([
      expect.objectContaining({
        action: 'workspace-creation',
        target_id: made.body.id,
        workspace_id: null,
        organization_id: a.ctx.organizationId,
        actor_type: 'user',
        actor_id: a.userId,
      }),
    ]);
  });

  test('creates once for an Idempotency-Key, which is another in another organization', async () => {
    const send = (id: string, name: string) =>
      visiting(id, 'POST', namesPath, { body: { name }, headers: { 'idempotency-key': 'k1' } });
    const [first, again, elsewhere] = [
      await send('visit_a', 'Third'),
      await send('visit_a', 'Third'),
      await send('visit_b', 'Third'),
    ];
    expect(first.status, first.text).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(elsewhere.headers.get('idempotent-replayed')).toBeNull();
    expect(elsewhere.body.id).not.toBe(first.body.id);
    expectRefusal(await send('visit_a', 'Fourth'), 422, 'idempotency_key_reused');
  });
});

describe('a route of a workspace', () => {
  test('has the facts of the workspace, whatever the caller brings', async () => {
    const facts = { workspaceId: a.ctx.workspaceId, timeZone: a.ctx.timeZone };
    expect((await withKey(a).get(workspacePath)).body).toEqual(facts);
    expect((await visiting('visit_a', 'GET', workspacePath)).body).toEqual(facts);
  });

  test('is not for who is recognised in the organization as a whole', async () => {
    const held = principalOf(a, 'organization', 'visit_whole');
    const inWhole: Credential = { ...visitBy(visits), recognise: () => async () => held };
    const other = await openGate(db, routes(), [inWhole]);
    const reply = await openClient(other.url, '').get(workspacePath);
    await other.close();
    expectRefusal(reply, 403, 'wrong_scope');
    expect(await entriesOf(reply.headers.get('request-id'))).toEqual([
      expect.objectContaining({ action: 'access-denial', workspace_id: null, organization_id: a.ctx.organizationId }),
    ]);
  });
});

describe('an archived workspace', () => {
  const setStatus = (status: string) =>
    system(db, 'test', (tx) =>
      tx.updateTable('workspaces').set({ status }).where('id', '=', b.ctx.workspaceId).execute(),
    );

  test('admits what is read and the acts that are meant for it, and no other', async () => {
    const client = withKey(b);
    await setStatus('archived');
    expect((await client.get(workspacePath)).status).toBe(200);
    expectRefusal(await client.post(notesPath), 409, 'workspace_archived');
    const unarchived = await client.post(archivePath);
    expect(unarchived.status, unarchived.text).toBe(204);
    expect(await entriesOf(unarchived.headers.get('request-id'))).toEqual([
      expect.objectContaining({ action: 'workspace-unarchival', target_id: b.ctx.workspaceId }),
    ]);
    expect((await client.post(notesPath)).status).toBe(204);
  });

  test('admits such an act of nobody who lacks the right', async () => {
    const scoped: readonly Permission[] = ['view_models'];
    const { key } = await b.as('creator', scoped);
    await setStatus('archived');
    const refused = await openClient(url, key).post(archivePath);
    await setStatus('active');
    expectRefusal(refused, 403, 'permission_denied');
  });
});

describe('a credential', () => {
  test('says through which channel its bearer came in, in every entry', async () => {
    const byKey = await withKey(b).post(archivePath);
    const byVisit = await visiting('visit_b', 'POST', archivePath);
    const channels = async (reply: typeof byKey) =>
      (await entriesOf(reply.headers.get('request-id'))).map(({ channel }) => channel);
    expect([await channels(byKey), await channels(byVisit)]).toEqual([['api'], ['dashboard']]);
  });

  test('counts its requests apart from those of others', async () => {
    const leftOf = (reply: { headers: Headers }) => Number(/r=(\d+)/.exec(reply.headers.get('ratelimit') ?? '')?.[1]);
    visits.set('visit_c', a);
    expect(leftOf(await visiting('visit_c', 'GET', workspacePath))).toBe(requestsPerMinute - 1);
    expect(leftOf(await visiting('visit_c', 'GET', organizationPath))).toBe(requestsPerMinute - 2);
    // Of the same user, by another visit.
    visits.set('visit_d', a);
    expect(leftOf(await visiting('visit_d', 'GET', workspacePath))).toBe(requestsPerMinute - 1);
  });

  test('is the first that a request carries, and no second one makes good for it', async () => {
    const both = await visiting('visit_a', 'GET', workspacePath, { headers: { authorization: 'Bearer lst_wrong' } });
    expectRefusal(both, 401, 'unauthenticated');
  });

  test('is asked for by name where there is none', async () => {
    const none = await openClient(url, '').get(workspacePath);
    expectRefusal(none, 401, 'unauthenticated');
    expect(none.body.detail).toBe(
      'send the key as Authorization: Bearer lst_…, or send the visit as x-visit; this request has no such header',
    );
  });

  test('of a channel that the route is not for is not taken, and told so', async () => {
    expectRefusal(await withKey(a).post('/v1/api/visits/end'), 403, 'session_required');
    expectRefusal(await openClient(url, '').post('/v1/api/visits/end'), 401, 'unauthenticated');
    const ended = await visiting('visit_a', 'POST', '/v1/api/visits/end');
    expect(ended.status).toBe(204);
    expect(ended.headers.getSetCookie()).toEqual(['session=; Max-Age=0', 'device=; Max-Age=0']);
  });
});

test('a route may take a form', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const send = (raw: string) => openClient(url, '').send('POST', '/v1/api/sign-in', { raw, headers });
  expect((await send('SAMLResponse=PHg%2B&RelayState=')).body).toEqual({ SAMLResponse: 'PHg+' });
  expectRefusal(await send('RelayState=x'), 422, 'schema_mismatch', '/SAMLResponse');
});

test('in an organization as a whole nothing is written into a workspace', async () => {
  const { organizationId } = a.ctx;
  const whole = organizationContext(organizationId, { type: 'operator', id: null, label: 'test' });
  const { workspaceId: workspace_id } = a.ctx;
  const key = {
    id: 'key_x',
    organization_id: organizationId,
    user_id: a.userId,
    name: 'x',
    hint: 'x',
    secret_hash: 'x',
  };
  for (const id of [workspace_id, ''])
    await expect(
      tenant(db, whole, (tx) =>
        tx
          .insertInto('api_keys')
          .values({ ...key, workspace_id: id })
          .execute(),
      ),
    ).rejects.toMatchObject({ code: id === '' ? '23503' : '42501' });
});
