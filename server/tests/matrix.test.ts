/**
 * Every route for every kind of caller, against the permission matrix as it is printed. The routes come from the route
 * table: one without an expectation fails. Nothing that one workspace wrote may show in an answer to another.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Role, roles } from '../src/access/authorize.ts';
import type { Context } from '../src/access/context.ts';
import { graphModel, system } from '../src/access/transactions.ts';
import type { Route } from '../src/api/route.ts';
import { openMetrics } from '../src/lib/metrics/metrics.ts';
import { createKey } from '../src/resources/api-keys/create.ts';
import type { Embedders } from '../src/resources/embeddings/about.ts';
import { allRoutes } from '../src/routes.ts';
import { auditActions } from '../src/trail/catalog.ts';
import { expectations, printed, released } from './matrix.ts';
import { type Client, type Reply, startTestService, type Tenant, type TestService } from './service.ts';
import { makeWorld, nowhere, type World } from './world.ts';

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
  routes = allRoutes(app, openMetrics(), {} as Embedders);
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
  const { isEndless = false } = expectations[route];
  const reply = await client.send(method, path, { isEndless, ...(body === undefined ? {} : { body }) });
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
  const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
  expect(routes.map(nameOf).sort()).toEqual(Object.keys(expectations).sort());
  for (const route of routes) expect(route.scope, nameOf(route)).toBe(expectations[nameOf(route)].scope);
  for (const [route, { right, scope, audit }] of Object.entries(expectations)) {
    expect(right in printed || right === 'anyone' || right === 'address', route).toBe(true);
    const changes = !route.startsWith('GET') && right in printed && scope === undefined;
    expect(audit !== undefined, `${route} leaves an entry`).toBe(changes);
    if (audit) expect(audit in auditActions).toBe(true);
  }
});

describe.each(Object.entries(expectations))('%s', (route, expectation) => {
  const { right, status, scope, ids, body, idsInBody, mixed, fresh, audit, list, isShared } = expectation;
  const isOpen = !(right in printed);

  test('is for those whom the matrix names, and leaves its trail', async () => {
    for (const [kind, { client, keyId, role }] of callers) {
      const forbidden = [there.canary];
      const may = isOpen || (scope === undefined && printed[right].includes(role) && kind === role);
      const path = may && fresh ? await fresh(here, a.client) : (ids?.(here) ?? []);
      const reply = await send(client, route, { ids: path, body: body?.(here), forbidden });
      expect(reply.status, `${kind}: ${reply.text}`).toBe(may ? status : 403);
      const trail = await trailOf(reply.headers.get('request-id')!);
      const entry = { actor_id: keyId, workspace_id: a.ctx.workspaceId, ip: expect.any(String), channel: 'api' };
      if (!may) {
        expect(reply.body).toMatchObject({ code: scope ? 'wrong_scope' : 'permission_denied', status: 403 });
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

  if (!isOpen && !isShared && !scope && (ids || idsInBody))
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
