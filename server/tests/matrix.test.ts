/**
 * Every route for every kind of caller, against the permission matrix as it is printed. The routes come from the route
 * table: one without an expectation fails. Nothing that one workspace wrote may show in an answer to another.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Role, roles } from '../src/access/authorize.ts';
import type { Context } from '../src/access/context.ts';
import { graphModel, system } from '../src/access/transactions.ts';
import type { Route } from '../src/api/route.ts';
import { newId } from '../src/lib/crypto/ids.ts';
import { openMetrics } from '../src/lib/metrics/metrics.ts';
import { createKey } from '../src/resources/api-keys/create.ts';
import type { Embedders } from '../src/resources/embeddings/about.ts';
import { allRoutes } from '../src/routes.ts';
import { auditActions } from '../src/trail/catalog.ts';
import { printed } from './matrix/expectation.ts';
import { released } from './matrix/models.ts';
import { expectations } from './matrix.ts';
import type { Client, Reply, Tenant, TestService } from './service.ts';
import { nowhere, type World } from './world.ts';
import { startWorlds } from './worlds.ts';

let service: TestService;
let a: Tenant;
let b: Tenant;
let here: World;
let there: World;
/** Somebody who calls: by a key of A's workspace, or signed in, with a role there or in the whole organization. */
type Caller = {
  readonly client: Client;
  readonly actorId: string;
  readonly role: Role;
  readonly scopes: 'all' | 'none';
  readonly by: 'key' | 'session';
  readonly place: 'workspace' | 'organization';
};
const callers = new Map<string, Caller>();
/** Creators who ask for what is elsewhere: in another organization, and in another workspace of their own. */
const foreigners = new Map<string, { client: Client; session: Client; own: World | null; foreign: World }>();
let session: Client;
const makes = {
  async member(place: 'workspace' | 'organization') {
    return (await a.signedIn('developer', place)).userId;
  },
};
let routes: readonly Route[];

beforeAll(async () => {
  const worlds = await startWorlds();
  service = worlds.service;
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
  [a, b] = [worlds.a.tenant, worlds.b.tenant];
  await service.owner.pool.query("update organizations set features = array['sso', 'sftp']");
  for (const { tenant, world } of [worlds.a, worlds.b])
    for (const [table, id] of [
      ['organizations', tenant.ctx.organizationId],
      ['workspaces', tenant.ctx.workspaceId],
    ])
      await service.owner.pool.query(`update ${table} set name = $1 where id = $2`, [world.canary, id]);
  for (const { tenant, world } of [worlds.a, worlds.b]) await addSftp(tenant, world.canary);
  [here, there] = [worlds.a.world, worlds.b.world];
  for (const role of roles) {
    const key = await a.as(role);
    callers.set(`a key of ${role}`, { ...of(key, key.keyId, role), by: 'key' });
    for (const place of ['workspace', 'organization'] as const) {
      const person = await a.signedIn(role, place);
      callers.set(`${role} of the ${place}, signed in`, { ...of(person, person.userId, role), place });
    }
  }
  const scoped = await a.as('creator', []);
  callers.set('a key scoped to nothing', { ...of(scoped, scoped.keyId, 'creator'), by: 'key', scopes: 'none' });
  session = callers.get('creator of the organization, signed in')!.client;
  const theirs = await b.signedIn('creator', 'organization');
  foreigners.set('from here to another organization', { client: a.client, session, own: here, foreign: there });
  foreigners.set('from another organization', { client: b.client, session: theirs, own: there, foreign: here });
  const second = await secondWorkspace();
  foreigners.set('from another workspace', { client: second, session: theirs, own: null, foreign: here });
});
afterAll(() => service.close());

/** Two users of SFTP and two files that came by it. */
async function addSftp({ ctx: { organizationId, workspaceId }, userId }: Tenant, canary: string): Promise<void> {
  for (const name of [`${canary}-1`, `${canary}-2`]) {
    const user = newId('sftp');
    await service.owner.pool.query(
      `insert into sftp_users (id, organization_id, workspace_id, user_id, name, login, public_keys)
       values ($1, $2, $3, $4, $5, $1, '{ssh-ed25519}')`,
      [user, organizationId, workspaceId, userId, name],
    );
    await service.owner.pool.query(
      `insert into sftp_files (id, organization_id, workspace_id, sftp_user_id, name, status, bytes)
       values ($1, $2, $3, $4, $5, 'incomplete', 0)`,
      [newId('sfl'), organizationId, workspaceId, user, `${name}.csv`],
    );
  }
}

function of(client: Client, actorId: string, role: Role): Caller {
  return { client, actorId, role, scopes: 'all', by: 'session', place: 'workspace' };
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

/** Returns the entries of the trail that the requests left, by request. */
async function trailsOf(requestIds: readonly string[]) {
  const entries = await system(service.service.app.db, 'test', (tx) =>
    tx.selectFrom('audit_entries').selectAll().where('request_id', 'in', requestIds).execute(),
  );
  return Map.groupBy(entries, (entry) => entry.request_id);
}

test('every route has an expectation, and none is left over', () => {
  const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
  expect(routes.map(nameOf).sort()).toEqual(Object.keys(expectations).sort());
  for (const route of routes)
    expect(route.scope ?? 'workspace', nameOf(route)).toBe(expectations[nameOf(route)].scope ?? 'workspace');
  for (const [route, { right, status, scope, audit, isRead }] of Object.entries(expectations)) {
    expect(right in printed || ['anyone', 'oneself', 'address'].includes(right), route).toBe(true);
    const changes = !route.startsWith('GET') && !isRead && right in printed && status < 400;
    expect(audit !== undefined, `${route} leaves an entry`).toBe(changes);
    expect(scope === 'user', route).toBe(right === 'oneself');
    if (audit) expect(audit in auditActions).toBe(true);
  }
});

test('T28 what changes something is not done by reading its address', async () => {
  const read = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
  const changing = [...new Set(routes.map(({ path }) => path))].filter((path) => !read.has(path));
  expect(changing.length).toBeGreaterThan(20);
  for (const path of changing)
    for (const client of [a.client, session]) {
      const { status, text } = await client.get(path.replace(/\{\w+\}/g, 'x'));
      // Some are addresses of a resource whose id they would be, which keys may not read.
      expect([403, 404, 405], `${path}: ${text}`).toContain(status);
    }
});

test('T97 a key acts in its own workspace whatever a header names, and a session in none of others', async () => {
  for (const header of ['lastro-workspace', 'lastro-organization'])
    for (const id of ['none', newId('ws'), b.ctx.workspaceId, b.ctx.organizationId, `${a.ctx.workspaceId}, x`]) {
      const headers = { [header]: id };
      const byKey = await a.client.send('GET', '/v1/api/workspace', { headers });
      expect(byKey.body, byKey.text).toMatchObject({ id: a.ctx.workspaceId });
      const path = header === 'lastro-workspace' ? '/v1/api/workspace' : '/v1/api/organization';
      const signedIn = await session.send('GET', path, { headers });
      expect([signedIn.status, signedIn.body.code], signedIn.text).toEqual([404, 'not_found']);
    }
});

describe.each(Object.entries(expectations))('%s', (route, expectation) => {
  const { right, status, scope, ids, body, idsInBody, mixed, fresh, audit, list, isShared } = expectation;
  const { byPerson = false, spends = false, undo } = expectation;
  const isOpen = right === 'anyone' || right === 'address';
  /** Why a caller may not; null for one who may. */
  const refusalOf = ({ by, place, role, scopes }: Caller): string | null => {
    if (isOpen) return null;
    if (by === 'key' && byPerson) return 'session_required';
    if (by === 'key' && scope !== undefined) return 'wrong_scope';
    if (scope === 'user') return null;
    const holds =
      printed[right].includes(role) && scopes === 'all' && (scope === undefined || place === 'organization');
    return holds ? null : 'permission_denied';
  };
  /** Every role by key and signed in where its right holds or not; of other places, those who might get in by mistake. */
  const isTelling = ({ by, place, role }: Caller): boolean => {
    if (scope === undefined) return place === 'workspace' || role === 'creator' || role === 'auditor';
    if (scope === 'user') return (place === 'workspace' && by === 'session') || role === 'creator';
    return place === 'organization' || role === 'creator';
  };
  /** Who is asked as, where only people may, or for the organization as a whole. */
  const isOfPerson = byPerson || scope !== undefined;

  test('T69, T88 is for those whom the matrix names, and leaves its trail', async () => {
    if (isOpen) await service.owner.pool.query('delete from attempts');
    const ask = async ([kind, known]: readonly [string, Caller]) => {
      const forbidden = [there.canary];
      const refusal = refusalOf(known);
      const isSpent = spends && refusal === null && known.by === 'session';
      const anew = isSpent
        ? await a.signedIn(
            known.role,
            known.place === 'organization' || scope === 'organization' ? 'organization' : 'workspace',
          )
        : null;
      const { client, actorId } = anew ? { client: anew, actorId: anew.userId } : known;
      // Whoever has a role in the whole organization has none in one workspace alone, which they could leave.
      const isNowhere = spends && route.endsWith('/leave') && (scope === undefined) !== (known.place === 'workspace');
      const path = refusal === null && fresh ? await fresh(here, a.client, session, makes) : (ids?.(here) ?? []);
      const reply = await send(client, route, { ids: path, body: body?.(here), forbidden });
      const wanted = refusal !== null ? 403 : isNowhere ? 404 : status;
      expect(reply.status, `${kind}: ${reply.text}`).toBe(wanted);
      if (refusal === null && undo) await undo(session);
      return { kind, known, refusal, actorId, isNowhere, reply };
    };
    const telling = [...callers].filter(([, known]) => isTelling(known));
    // Who is refused changes nothing, and need not wait for the others.
    const asked = await Promise.all(telling.filter(([, known]) => refusalOf(known) !== null).map(ask));
    for (const caller of telling.filter(([, known]) => refusalOf(known) === null)) asked.push(await ask(caller));
    const trails = await trailsOf(asked.map(({ reply }) => reply.headers.get('request-id')!));
    for (const { kind, known, refusal, actorId, isNowhere, reply } of asked) {
      const trail = trails.get(reply.headers.get('request-id')!) ?? [];
      const entry = {
        ...{ actor_id: actorId, ip: expect.any(String), channel: known.by === 'key' ? 'api' : 'dashboard' },
        workspace_id: scope === undefined || known.by === 'key' ? a.ctx.workspaceId : null,
      };
      if (refusal !== null) {
        expect(reply.body, kind).toMatchObject({ code: refusal, status: 403 });
        const denial = { ...entry, action: 'access-denial', outcome: 'denied', target_id: route };
        expect(trail, kind).toEqual(refusal === 'session_required' ? [] : [expect.objectContaining(denial)]);
      } else if (audit && !isNowhere) {
        // A workspace that is made has its entry in itself.
        const workspace = audit === 'workspace-creation' ? { workspace_id: expect.any(String) } : {};
        const told = { ...entry, ...workspace, action: audit, outcome: 'succeeded' };
        expect(
          trail.filter(({ action }) => action === audit),
          kind,
        ).toEqual([expect.objectContaining(told)]);
      }
    }
  });

  if (!isOpen)
    test('T69 is not for who brings no key, whatever else they bring', async () => {
      const forbidden = [here.canary, there.canary];
      for (const world of [here, nowhere()]) {
        const reply = await send(service.anonymous, route, { ids: ids?.(world) ?? [], body: body?.(world), forbidden });
        expect(reply.status, reply.text).toBe(401);
        expect(reply.body.code).toBe('unauthenticated');
        expect(reply.headers.get('www-authenticate')).toBe('Bearer');
      }
    });

  if (!isOpen && !isShared && scope !== 'user' && (ids || idsInBody))
    test('T84, T96, T99 tells what is elsewhere from what is nowhere to nobody', async () => {
      for (const [kind, { client: withKey, session, own, foreign }] of foreigners) {
        const client = isOfPerson ? session : withKey;
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
    test('T98 lists what is here, and is led through by no cursor but its own', async () => {
      const path = route
        .split(' ')[1]
        .replace('{model_id}', here.model)
        .replace('{version_id}', here.spare)
        .replace('{id}', here.batch);
      const owner = isOfPerson ? session : a.client;
      const { body: page } = await owner.get(`${path}?limit=1`);
      expect(page).toMatchObject({ has_more: true, data: [expect.anything()] });
      const next = await owner.get(`${path}?limit=1&cursor=${page.next_cursor}`);
      expect(next.body.data, next.text).toHaveLength(1);
      expect(next.body.data[0]).not.toEqual(page.data[0]);
      for (const [kind, { client: withKey, session: signedIn, foreign }] of foreigners) {
        const client = isOfPerson ? signedIn : withKey;
        const mayShow = expectation.isOfOrganization && kind === 'from another workspace';
        const forbidden = mayShow ? [] : [foreign.canary];
        const own = route.includes('{') ? null : await send(client, route, { forbidden });
        if (own) expect(own.status, kind).toBe(200);
        if (client === owner || !own) continue;
        const replayed = await client.get(`${path}?limit=1&cursor=${page.next_cursor}`);
        expect(replayed.body, replayed.text).toMatchObject({ status: 400, code: 'invalid_cursor' });
      }
      // Of any two lists one is asked with a cursor of the other: the half that comes after each, and all by one under
      // another resource, which is not asked itself.
      const lists = Object.keys(expectations).filter((name) => expectations[name].list && !expectations[name].ids);
      const [before, after] = [true, false].map((isBefore) => lists.filter((name) => name < route === isBefore));
      const turned = [...after.filter((name) => name !== route), ...before];
      for (const other of ids ? turned : turned.slice(0, Math.ceil(turned.length / 2))) {
        // Under v1 a list is the same as under v2.
        if (expectation === expectations[other]) continue;
        const isOther = expectations[other].byPerson || expectations[other].scope !== undefined;
        const replayed = await (isOther ? session : a.client).get(`${other.split(' ')[1]}?cursor=${page.next_cursor}`);
        expect(replayed.body, replayed.text).toMatchObject({ status: 400, code: 'invalid_cursor' });
      }
      const bytes = Buffer.from(page.next_cursor, 'base64url');
      // That no bit of a cursor may change is tested beside it; here, that this list reads its cursors so.
      for (const at of [0, bytes.length >> 1, bytes.length - 1]) {
        const altered = Buffer.from(bytes);
        altered[at] ^= 1;
        const replayed = await owner.get(`${path}?cursor=${altered.toString('base64url')}`);
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
