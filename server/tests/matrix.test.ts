/**
 * Every route for every kind of caller, against the permission matrix as it is printed. The routes come from the route
 * table: one without an expectation here fails. Nothing that one workspace wrote may show in an answer to another.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../src/lib/crypto/ids.ts';
import { openMetrics } from '../src/lib/metrics/metrics.ts';
import { createKey } from '../src/resources/api-keys/create.ts';
import { allRoutes } from '../src/routes.ts';
import { type Role, roles } from '../src/tenancy/authorize.ts';
import type { Context } from '../src/tenancy/context.ts';
import { graphModel, system } from '../src/tenancy/doors.ts';
import { type AuditAction, auditActions } from '../src/tenancy/events.ts';
import type { Route } from '../src/tenancy/route.ts';
import { type Client, type Reply, startTestService, type Tenant, type TestService } from './service.ts';
import { shopText } from './shop.ts';
import { contractText, makeBatch, makeWorld, nowhere, type World } from './world.ts';

/** The printed matrix, copied by hand. */
const printed: Readonly<Record<string, readonly Role[]>> = {
  'View models; view model versions': ['creator', 'developer', 'analyst', 'auditor', 'member'],
  'Manage aliases; invoke predictions': ['creator', 'developer'],
  'View batches': ['creator', 'developer', 'analyst', 'member'],
  'Create batches; cancel batches': ['creator', 'developer'],
  'Download results; delete results': ['creator'],
  'View files': ['creator', 'member'],
  'Upload, download, delete files': ['creator'],
};

type Expectation = {
  /** A line of the printed matrix; `anyone`; or `address`, whoever holds one that was signed. */
  readonly right: string;
  /** Of the answer to those who may. */
  readonly status: number;
  /** Of the parameters in the path, in order. */
  readonly ids?: (world: World) => readonly string[];
  readonly body?: (world: World) => unknown;
  readonly idsInBody?: true;
  /** Further bodies that name things of one's own beside foreign ones. */
  readonly mixed?: (own: World, foreign: World) => readonly unknown[];
  /** Makes what the call uses up; returns the parameters in the path. */
  readonly fresh?: (world: World, creator: Client) => Promise<readonly string[]>;
  /** What the trail has of it; a route that changes something has one. */
  readonly audit?: AuditAction;
  /** A list, which a cursor leads through. */
  readonly list?: true;
  /** What the ids name is the same in every workspace. */
  readonly isShared?: true;
};

const viewModels = { right: 'View models; view model versions', status: 200 };
const manage = { right: 'Manage aliases; invoke predictions', status: 200 };
const files = { right: 'Upload, download, delete files', status: 200 };
const viewBatches = { right: 'View batches', status: 200 };
const results = { right: 'Download results; delete results', status: 200 };
const anyone = { right: 'anyone', status: 200 };
const sunset = { right: 'anyone', status: 410 };
let counter = 0;
/** A version of the graph model, which no workspace owns. */
const released = newId('gfm');
const unused = (): string => `fresh-${++counter}`;
const declared = () => ({ files: [{ path: `${unused()}.csv`, content_type: 'text/csv', md5: `${'A'.repeat(22)}==` }] });

const current: Readonly<Record<string, Expectation>> = {
  'GET /healthz': anyone,
  'GET /readyz': anyone,
  'GET /metrics': anyone,
  'POST /v1/api/risk_score': sunset,
  'POST /v1/api/entities/context/contact': sunset,
  'POST /v1/api/entities/context/transaction': sunset,
  'POST /v1/api/entities/context/invoices': sunset,

  'POST /v2/api/files/upload': { ...files, status: 201, body: declared, audit: 'batch-input-upload-request' },
  'PUT /v2/api/files/{id}/content': { right: 'address', status: 403, ids: ({ file }) => [file] },
  'GET /v2/api/files': { right: 'View files', status: 200, list: true },
  'GET /v2/api/files/{id}': { right: 'View files', status: 200, ids: ({ file }) => [file] },
  'GET /v2/api/files/{id}/content': { ...files, ids: ({ file }) => [file] },
  'DELETE /v2/api/files/{id}': {
    ...files,
    ids: ({ file }) => [file],
    fresh: async (_, creator) => [(await creator.post('/v2/api/files/upload', declared())).body.files[0].id],
    audit: 'batch-input-deletion',
  },

  'POST /v1/api/contracts': {
    ...files,
    status: 201,
    body: () => ({ document: contractText('fresh') }),
    audit: 'data-contract-version',
  },
  'POST /v1/api/contracts/{id}/acceptance': {
    ...files,
    ids: ({ contract }) => [contract],
    fresh: proposeContract,
    audit: 'data-contract-version',
  },
  'POST /v1/api/contracts/{id}/rejection': {
    ...files,
    ids: ({ contract }) => [contract],
    fresh: proposeContract,
    audit: 'data-contract-version',
  },
  'GET /v1/api/contracts': { ...viewModels, list: true },
  'GET /v1/api/contracts/{id}': { ...viewModels, ids: ({ contract }) => [contract] },

  'POST /v1/api/ingestions': {
    ...files,
    status: 202,
    idsInBody: true,
    body: ({ file }) => ({ files: [{ file_id: file, table: 'customers' }] }),
    audit: 'ingestion-lifecycle',
  },
  'GET /v1/api/ingestions': { ...viewModels, list: true },
  'GET /v1/api/ingestions/{id}': { ...viewModels, ids: ({ ingestion }) => [ingestion] },
  'GET /v1/api/ingestions/{id}/deviations': { ...files, ids: ({ ingestion }) => [ingestion] },

  'POST /v1/api/tasks': {
    ...manage,
    status: 201,
    idsInBody: true,
    body: ({ file }) => ({ name: unused(), definition: shopText('tasks/returns/task.yaml'), labels: { train: file } }),
    audit: 'task-creation',
  },
  'GET /v1/api/tasks': { ...viewModels, list: true },
  'GET /v1/api/tasks/{id}': { ...viewModels, ids: ({ task }) => [task] },

  'POST /v1/api/training-runs': {
    ...manage,
    status: 202,
    idsInBody: true,
    body: ({ task }) => ({ task_id: task, model: unused() }),
    audit: 'training-run-lifecycle',
  },
  'GET /v1/api/training-runs': { ...viewModels, list: true },
  'GET /v1/api/training-runs/{id}': { ...viewModels, ids: ({ run }) => [run] },
  'GET /v1/api/training-runs/{id}/events': { ...viewModels, ids: ({ run }) => [run] },
  'POST /v1/api/training-runs/{id}/interrupt': {
    ...manage,
    ids: ({ run }) => [run],
    fresh: async ({ task }, creator) => [
      (await creator.post('/v1/api/training-runs', { task_id: task, model: unused() })).body.id,
    ],
    audit: 'training-run-lifecycle',
  },

  'GET /v1/api/rfm-versions': { ...viewModels, list: true },
  'GET /v1/api/rfm-versions/{id}': { ...viewModels, ids: ({ encoder }) => [encoder] },
  'GET /v1/api/rfm-versions/{id}/export': { ...files, ids: ({ encoder }) => [encoder] },
  'GET /v1/api/gfm-versions': viewModels,
  'GET /v1/api/gfm-versions/{id}': { ...viewModels, ids: () => [released], isShared: true },
  'POST /v1/api/gfm-versions/{id}/adoption': {
    ...manage,
    ids: () => [released],
    isShared: true,
    audit: 'gfm-version-adoption',
  },
  'POST /v1/api/embeddings': {
    ...manage,
    idsInBody: true,
    body: ({ canary, encoder }) => ({ keys: [`${canary}C1`], rfm_version_id: encoder }),
    audit: 'embedding-request',
  },
  'POST /v1/api/embeddings/neighbors': {
    ...manage,
    idsInBody: true,
    body: ({ canary, encoder }) => ({ key: `${canary}C1`, rfm_version_id: encoder }),
    audit: 'embedding-request',
  },

  'GET /v1/api/models': { ...viewModels, list: true },
  'GET /v1/api/models/{model_id}': { ...viewModels, ids: ({ model }) => [model] },
  'GET /v1/api/models/{model_id}/versions': { ...viewModels, ids: ({ model }) => [model], list: true },
  'GET /v1/api/models/{model_id}/versions/{version_id}': { ...viewModels, ids: versionIds },
  'POST /v1/api/models/{model_id}/versions/{version_id}/activation': {
    ...manage,
    ids: versionIds,
    fresh: async ({ model, spare }, creator) => {
      await creator.post(`/v1/api/models/${model}/versions/${spare}/deactivation`);
      return [model, spare];
    },
    audit: 'model-version-activation',
  },
  'POST /v1/api/models/{model_id}/versions/{version_id}/deactivation': {
    ...manage,
    ids: versionIds,
    fresh: async ({ model, spare }, creator) => {
      await creator.post(`/v1/api/models/${model}/versions/${spare}/activation`);
      return [model, spare];
    },
    audit: 'model-version-deactivation',
  },
  'GET /v1/api/models/{model_id}/aliases/{alias}': { ...viewModels, ids: aliasIds },
  'PUT /v1/api/models/{model_id}/aliases/{alias}': {
    ...manage,
    ids: aliasIds,
    idsInBody: true,
    body: ({ version }) => ({ version_id: version }),
    fresh: async ({ model }) => [model, unused()],
    audit: 'model-version-promotion',
  },
  'DELETE /v1/api/models/{model_id}/aliases/{alias}': {
    ...manage,
    status: 204,
    ids: aliasIds,
    fresh: async ({ model, version }, creator) => {
      const alias = unused();
      await creator.send('PUT', `/v1/api/models/${model}/aliases/${alias}`, { body: { version_id: version } });
      return [model, alias];
    },
    audit: 'model-version-demotion',
  },

  'POST /v1/api/prediction/{model_id}/{name}': {
    ...manage,
    ids: aliasIds,
    body: () => ({ customer_id: 'C1' }),
    audit: 'prediction-consumption',
  },
  'GET /v1/api/predictions': { ...manage, list: true },
  'GET /v1/api/predictions/{id}': { ...manage, ids: ({ prediction }) => [prediction] },

  'POST /v1/api/erasures': {
    ...files,
    status: 202,
    body: () => ({ identifier: unused() }),
    audit: 'erasure-lifecycle',
  },
  'GET /v1/api/erasures': { ...files, list: true },
  'GET /v1/api/erasures/{id}': { ...files, ids: ({ erasure }) => [erasure] },

  'POST /v2/api/batches': {
    right: 'Create batches; cancel batches',
    status: 202,
    idsInBody: true,
    body: ({ file, model, alias }) => ({ files: [file], model: `${model}/${alias}` }),
    mixed: (own, foreign) => [
      { files: [own.file], model: `${foreign.model}/${foreign.alias}` },
      { files: [own.file], model: { model_id: own.model, version_id: foreign.version } },
      { files: [{ path: `${foreign.canary}/customers.csv` }], model: `${own.model}/${own.alias}` },
    ],
    audit: 'batch-request',
  },
  'GET /v2/api/batches': { ...viewBatches, list: true },
  'GET /v2/api/batches/{id}': { ...viewBatches, ids: ({ batch }) => [batch] },
  'POST /v2/api/batches/{id}/interrupt': {
    right: 'Create batches; cancel batches',
    status: 200,
    ids: ({ batch }) => [batch],
    fresh: async ({ file, model, alias }, creator) => [
      (await creator.post('/v2/api/batches', { files: [file], model: `${model}/${alias}` })).body.id,
    ],
    audit: 'batch-interrupt-request',
  },
  'GET /v2/api/batches/{id}/errors': { ...results, ids: ({ batch }) => [batch], list: true },
  'GET /v2/api/batches/{id}/result': { ...results, ids: ({ batch }) => [batch] },
  'GET /v2/api/batches/{id}/result/files/{position}': {
    right: 'address',
    status: 403,
    ids: ({ batch }) => [batch, '0'],
  },
  'GET /v2/api/batches/{id}/result/archive': { right: 'address', status: 403, ids: ({ batch }) => [batch] },
  'DELETE /v2/api/batches/{id}/result': {
    ...results,
    ids: ({ batch }) => [batch],
    fresh: async ({ canary, model, alias }, creator) => [await makeBatch(creator, canary, `${model}/${alias}`)],
    audit: 'batch-result-deletion',
  },
};

/** What has moved to v2 is still served under v1, with the same rights; signed addresses are not. */
const expectations: Readonly<Record<string, Expectation>> = {
  ...current,
  ...Object.fromEntries(
    Object.entries(current)
      .filter(([route, { right }]) => / \/v2\//.test(route) && right !== 'address')
      .map(([route, expectation]) => [
        route.replace('/v2/api/batches', '/v1/api/batches').replace('/v2/api/files', '/v1/api/batch-inputs'),
        expectation,
      ]),
  ),
};

function versionIds({ model, version }: World) {
  return [model, version];
}

function aliasIds({ model, alias }: World) {
  return [model, alias];
}

async function proposeContract(_: World, creator: Client) {
  return [(await creator.post('/v1/api/contracts', { document: contractText('fresh') })).body.id as string];
}

let service: TestService;
let a: Tenant;
let here: World;
let there: World;
/** Callers in A's workspace by kind. */
const callers = new Map<string, { client: Client; keyId: string; role: Role }>();
/** Creators who ask for what is elsewhere: in another organization, and in another workspace of their own. */
const foreigners = new Map<string, { client: Client; own: World | null; foreign: World }>();
let routes: readonly Route[];

beforeAll(async () => {
  service = await startTestService();
  const { app } = service.service;
  routes = allRoutes(app, openMetrics());
  await graphModel(app.db, (tx) =>
    tx
      .insertInto('gfm_versions')
      .values({
        id: released,
        name: 'matrix-1',
        model_snapshot: 'matrix-1@2026-01-01',
        generated_at: new Date(),
        is_synthetic: true,
        files: '{}',
        storage_prefix: `gfm/${released}/`,
      })
      .execute(),
  );
  const canaries = ['canarya5d3', 'canaryb7e1'];
  a = await service.tenant(canaries[0]);
  const b = await service.tenant(canaries[1]);
  [here, there] = await Promise.all([makeWorld(a, canaries[0]), makeWorld(b, canaries[1])]);
  for (const role of roles) callers.set(role, { ...(await member(role)), role });
  callers.set('a key scoped to nothing', { ...(await member('creator', [])), role: 'creator' });
  foreigners.set('from here to another organization', { client: a.client, own: here, foreign: there });
  foreigners.set('from another organization', { client: b.client, own: there, foreign: here });
  foreigners.set('from another workspace', { client: await secondWorkspace(), own: null, foreign: here });
});
afterAll(() => service.close());

async function member(role: Role, scopes?: []) {
  const client = await a.as(role, scopes);
  return { client, keyId: client.keyId };
}

/** A key of A's Creator in a second, empty workspace. */
async function secondWorkspace(): Promise<Client> {
  const { db } = service.service.app;
  const workspace = { id: `ws_${'0'.repeat(8)}second`, organization_id: a.ctx.organizationId, name: 'Second' };
  await system(db, 'test', (tx) => tx.insertInto('workspaces').values(workspace).execute());
  const ctx: Context = { ...a.ctx, workspaceId: workspace.id };
  return service.client((await createKey(db, ctx, { name: 'second', userId: a.userId })).secret);
}

/** Sends a request, and sees to it that none of the canaries shows in any part of the answer. */
async function send(
  client: Client,
  route: string,
  { ids = [], body, forbidden }: { ids?: readonly string[]; body?: unknown; forbidden: readonly string[] },
): Promise<Reply> {
  const [method, template] = route.split(' ');
  let at = 0;
  const path = template.replace(/\{\w+\}/g, () => encodeURIComponent(ids[at++]));
  const reply = await client.send(method, path, body === undefined ? {} : { body });
  const whole = `${JSON.stringify([...reply.headers])}${reply.text}`;
  for (const canary of forbidden) expect(whole.includes(canary), `${route} tells of ${canary}: ${whole}`).toBe(false);
  expect(reply.headers.get('request-id'), route).toMatch(/^req_/);
  return reply;
}

async function trailOf(requestId: string) {
  return system(service.service.app.db, 'test', (tx) =>
    tx.selectFrom('audit_entries').selectAll().where('request_id', '=', requestId).execute(),
  );
}

test('every route has an expectation, and none is left over', () => {
  expect(routes.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(Object.keys(expectations).sort());
  for (const [route, { right, audit }] of Object.entries(expectations)) {
    expect(right in printed || right === 'anyone' || right === 'address', route).toBe(true);
    const changes = !route.startsWith('GET') && right in printed;
    expect(audit !== undefined, `${route} leaves an entry`).toBe(changes);
    if (audit) expect(audit in auditActions).toBe(true);
  }
});

describe.each(Object.entries(expectations))('%s', (route, expectation) => {
  const { right, status, ids, body, idsInBody, mixed, fresh, audit, list, isShared } = expectation;
  const isOpen = !(right in printed);

  test('is for those whom the matrix names, and leaves its trail', async () => {
    for (const [kind, { client, keyId, role }] of callers) {
      const forbidden = [there.canary];
      const may = isOpen || (printed[right].includes(role) && kind === role);
      const path = may && fresh ? await fresh(here, a.client) : (ids?.(here) ?? []);
      const reply = await send(client, route, { ids: path, body: body?.(here), forbidden });
      expect(reply.status, `${kind}: ${reply.text}`).toBe(may ? status : 403);
      const trail = await trailOf(reply.headers.get('request-id')!);
      const entry = { actor_id: keyId, workspace_id: a.ctx.workspaceId, ip: expect.any(String), channel: 'api' };
      if (!may) {
        expect(reply.body).toMatchObject({ code: 'permission_denied', status: 403 });
        const denial = { ...entry, action: 'access-denial', outcome: 'denied', target_id: route };
        expect(trail, kind).toEqual([expect.objectContaining(denial)]);
      } else if (audit) {
        const told = { ...entry, action: audit, outcome: 'succeeded' };
        expect(
          trail.filter(({ action }) => action === audit),
          kind,
        ).toEqual([expect.objectContaining(told)]);
      }
    }
  });

  if (!isOpen)
    test('is not for who brings no key, whatever else they bring', async () => {
      const forbidden = [here.canary, there.canary];
      for (const world of [here, nowhere()]) {
        const reply = await send(service.anonymous, route, { ids: ids?.(world) ?? [], body: body?.(world), forbidden });
        expect(reply.status, reply.text).toBe(401);
        expect(reply.body.code).toBe('unauthenticated');
        expect(reply.headers.get('www-authenticate')).toBe('Bearer');
      }
    });

  if (!isOpen && !isShared && (ids || idsInBody))
    test('tells what is elsewhere from what is nowhere to nobody', async () => {
      for (const [kind, { client, own, foreign }] of foreigners) {
        const asked = (world: World): [readonly string[], unknown][] => [
          [ids?.(world) ?? [], body?.(world)],
          // An id of theirs under one of one's own, in the path and in the body.
          ...(own && ids && ids(own).length > 1 && !route.startsWith('PUT')
            ? [[[ids(own)[0], ids(world)[1]], body?.(own)] satisfies [readonly string[], unknown]]
            : []),
          ...(own && mixed ? mixed(own, world).map((sent): [string[], unknown] => [[], sent]) : []),
          ...(own && ids && idsInBody ? [[ids(own), body?.(world)] satisfies [readonly string[], unknown]] : []),
        ];
        const elsewhere = asked(foreign);
        for (const [at, [path, sent]] of asked(nowhere()).entries()) {
          const told = [];
          for (const [theirs, body] of [[path, sent] as const, elsewhere[at]]) {
            const reply = await send(client, route, { ids: theirs, body, forbidden: [] });
            expect(reply.status, `${kind}: ${reply.text}`).toBe(404);
            const plain = withoutIds(reply, [...theirs, ...textsIn(body)]);
            expect(JSON.stringify(plain).includes(foreign.canary), `${kind}: ${reply.text}`).toBe(false);
            told.push(plain);
          }
          expect(told[0]).toEqual(told[1]);
        }
      }
    });

  if (list)
    test('lists what is here, and is led through by no cursor but its own', async () => {
      const path = route.split(' ')[1].replace('{model_id}', here.model).replace('{id}', here.batch);
      const { body: page } = await a.client.get(`${path}?limit=1`);
      expect(page).toMatchObject({ has_more: true, data: [expect.anything()] });
      const next = await a.client.get(`${path}?limit=1&cursor=${page.next_cursor}`);
      expect(next.body.data, next.text).toHaveLength(1);
      expect(next.body.data[0]).not.toEqual(page.data[0]);
      for (const [kind, { client, foreign }] of foreigners) {
        const own = route.includes('{') ? null : await send(client, route, { forbidden: [foreign.canary] });
        if (own) expect(own.status, kind).toBe(200);
        if (client === a.client || !own) continue;
        const replayed = await client.get(`${path}?limit=1&cursor=${page.next_cursor}`);
        expect(replayed.body, replayed.text).toMatchObject({ status: 400, code: 'invalid_cursor' });
      }
      for (const [other, { list, ids }] of Object.entries(expectations)) {
        // Under v1 a list is the same as under v2.
        if (!list || ids || expectation === expectations[other]) continue;
        const replayed = await a.client.get(`${other.split(' ')[1]}?cursor=${page.next_cursor}`);
        expect(replayed.body, replayed.text).toMatchObject({ status: 400, code: 'invalid_cursor' });
      }
      const bytes = Buffer.from(page.next_cursor, 'base64url');
      for (let at = 0; at < bytes.length; at++) {
        const altered = Buffer.from(bytes);
        altered[at] ^= 1;
        const replayed = await a.client.get(`${path}?cursor=${altered.toString('base64url')}`);
        expect(replayed.body, replayed.text).toMatchObject({ status: 400, code: 'invalid_cursor' });
      }
    });
});

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...value.split('/')];
  return typeof value === 'object' && value ? Object.values(value).flatMap(textsIn) : [];
}

/** An answer without what two requests differ in anyway. */
function withoutIds({ text, headers }: Reply, ids: readonly string[]) {
  const requestId = headers.get('request-id')!;
  let plain = text.replaceAll(requestId, '<request>');
  for (const id of ids) plain = plain.replaceAll(id, '<id>');
  const kept = [...headers].filter(([name]) => !['request-id', 'date', 'content-length', 'ratelimit'].includes(name));
  return { plain, kept };
}
