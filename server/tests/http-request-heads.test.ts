/**
 * What is wrong with a request's key, parameters or address is told with a status, a code of the closed list, and the
 * place.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { system } from '../src/access/transactions.ts';
import { makeToken } from '../src/lib/crypto/tokens.ts';
import { createKey } from '../src/resources/api-keys/create.ts';
import { revokeKey } from '../src/resources/api-keys/revoke.ts';
import { checkProblem, expectRefusal } from './problems.ts';
import { type Client, startTestService, type Tenant, type TestService } from './service.ts';
import { contractBody } from './shop.ts';

let service: TestService;
let tenant: Tenant;
let client: Client;

beforeAll(async () => {
  // A worker would ask the database by itself, every moment.
  service = await startTestService({ logLevel: 'fatal' }, 'api');
  tenant = await service.tenant('Shop');
  client = tenant.client;
});
afterAll(() => service.close());

describe('a key', () => {
  const asked = (authorization?: string) =>
    service.anonymous.send('GET', '/v1/api/models', { headers: authorization === undefined ? {} : { authorization } });

  test.each<[string, (key: string) => string | undefined]>([
    ['missing', () => undefined],
    ['empty', () => ''],
    ['without its scheme', (key) => key],
    ['with another scheme', (key) => `Basic ${Buffer.from(`:${key}`).toString('base64')}`],
    ['with two spaces', (key) => `Bearer  ${key}`],
    ['cut short', (key) => `Bearer ${key.slice(0, -1)}`],
    ['too long', (key) => `Bearer ${key}0`],
    ['with a wrong checksum', (key) => `Bearer ${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`],
    ['with a letter changed', (key) => `Bearer ${key.slice(0, 10)}${key[10] === 'a' ? 'b' : 'a'}${key.slice(11)}`],
    ['of another kind', () => `Bearer ${makeToken('ses')}`],
  ])('%s is refused without a look into the database', async (_, make) => {
    const queries = await countConnections(async () => {
      const reply = await asked(make(client.key));
      expectRefusal(reply, 401, 'unauthenticated');
      expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    });
    expect(queries).toBe(0);
  });

  test('in the query or another header is not looked for', async () => {
    expectRefusal(await service.anonymous.get(`/v1/api/models?api_key=${client.key}`), 401, 'unauthenticated');
    const headers = { 'x-api-key': client.key, cookie: `key=${client.key}` };
    expectRefusal(await service.anonymous.send('GET', '/v1/api/models', { headers }), 401, 'unauthenticated');
  });

  test('unknown, revoked or expired is told apart by nobody', async () => {
    const { db } = service.service.app;
    const own = { name: 'short', userId: tenant.userId };
    const expired = await createKey(db, tenant.ctx, { ...own, expiresAt: new Date(Date.now() - 1000) });
    const revoked = await createKey(db, tenant.ctx, own);
    expect((await asked(`Bearer ${revoked.secret}`)).status).toBe(200);
    await revokeKey(db, tenant.ctx, revoked.id);
    const told = [];
    for (const secret of [makeToken('lst'), expired.secret, revoked.secret]) {
      const reply = await asked(`Bearer ${secret}`);
      expectRefusal(reply, 401, 'unauthenticated');
      const { request_id: _, ...rest } = reply.body;
      told.push(rest);
      expect(reply.text).not.toContain(secret);
    }
    expect(told[1]).toEqual(told[0]);
    expect(told[2]).toEqual(told[0]);
  });

  test('of a suspended user, or of one without a grant, is refused at once', async () => {
    const { db } = service.service.app;
    for (const end of ['suspension', 'removal']) {
      const developer = await tenant.as('developer');
      expect((await developer.get('/v1/api/models')).status).toBe(200);
      await system(db, 'test', async (tx) => {
        if (end === 'removal') await tx.deleteFrom('grants').where('user_id', '=', developer.userId).execute();
        else await tx.updateTable('users').set({ status: 'suspended' }).where('id', '=', developer.userId).execute();
      });
      expectRefusal(await developer.get('/v1/api/models'), 401, 'unauthenticated');
    }
  });

  test('of an archived workspace reads and does not change', async () => {
    const { db } = service.service.app;
    const other = await service.tenant('Archived');
    const setStatus = (status: string) =>
      system(db, 'test', (tx) =>
        tx.updateTable('workspaces').set({ status }).where('id', '=', other.ctx.workspaceId).execute(),
      );
    await setStatus('archived');
    expect((await other.client.get('/v1/api/models')).status).toBe(200);
    expectRefusal(await other.client.post('/v1/api/contracts', contractBody), 409, 'workspace_archived');
    expectRefusal(await other.client.post('/v1/api/prediction/mdl_1/production', {}), 409, 'workspace_archived');
    await setStatus('active');
    expectRefusal(await other.client.post('/v1/api/prediction/mdl_1/production', {}), 404, 'not_found');
    expect((await other.client.post('/v1/api/contracts', contractBody)).status).toBe(201);
  });
});

/** How often `work` took a connection to the database. */
async function countConnections(work: () => Promise<void>): Promise<number> {
  const { pool } = service.service.app.db;
  const { connect } = pool;
  let count = 0;
  pool.connect = ((...args: Parameters<typeof connect>) => {
    count++;
    return connect.apply(pool, args);
  }) as typeof pool.connect;
  try {
    await work();
  } finally {
    pool.connect = connect;
  }
  return count;
}

describe('a parameter', () => {
  test.each<[string, string]>([
    ['/v1/api/models?colour=red', '/query/colour'],
    ['/v1/api/models?__proto__=1', '/query/__proto__'],
    ['/v1/api/models?limit=0', '/query/limit'],
    ['/v1/api/models?limit=-1', '/query/limit'],
    ['/v1/api/models?limit=1.5', '/query/limit'],
    ['/v1/api/models?limit=many', '/query/limit'],
    ['/v1/api/models?limit=1e21', '/query/limit'],
    ['/v1/api/models?limit=1000000000000000000000', '/query/limit'],
    ['/v1/api/models?limit=', '/query/limit'],
    ['/v1/api/models?limit=1&limit=2', '/query/limit'],
    ['/v2/api/files?status=lost', '/query/status'],
    ['/v2/api/files?path=a%00b', '/query/path'],
    ['/v1/api/models/a%00b', '/path/model_id'],
    ['/v1/api/models/mdl_1/aliases/UPPER', '/path/alias'],
  ])('%s is told by its place', async (path, pointer) => {
    expectRefusal(await client.get(path), 400, 'invalid_parameter', pointer);
  });

  test.each(['/v1/api/models?limit=201', '/v1/api/models?limit=1000000000'])(
    '%s means the most there is',
    async (path) => {
      expect((await client.get(path)).status).toBe(200);
    },
  );

  test.each(['', 'x', 'AAAAAAAAAAAAAAAAAAAAAAAA', '%F0%9F%98%80', `${'A'.repeat(5_000)}`])(
    'a cursor that was never given out (%j) is refused',
    async (cursor) => {
      expectRefusal(await client.get(`/v1/api/models?cursor=${cursor}`), 400, 'invalid_cursor');
    },
  );
});

describe('an address', () => {
  test.each<[string, string]>([
    ['GET', '/'],
    ['GET', '/v1/api'],
    ['GET', '/v3/api/models'],
    ['POST', '/v1/api/nothing'],
    ['GET', `/v1/api/models/${'x'.repeat(5_000)}`],
    ['GET', '/v1//api/models'],
    ['GET', '/V1/API/models'],
    ['GET', '/v1/api/models/../../etc/passwd%00'],
  ])('%s %s does not exist, with a key or without, whatever is sent', async (method, path) => {
    for (const caller of [client, service.anonymous])
      for (const raw of method === 'GET' ? [undefined] : ['', '{}', '{', 'x'.repeat(3_000_000)])
        for (const type of ['application/json', 'text/plain'])
          expectRefusal(
            await caller.send(method, path, {
              ...(raw === undefined ? {} : { raw }),
              headers: { 'content-type': type },
            }),
            404,
            'route_not_found',
          );
  });

  test.each(['/', '/docs', '/v1/api/nothing'])('%s says what lists those that there are', async (path) => {
    expect((await service.anonymous.get(path)).body.detail).toBe(
      `there is no GET ${path}; openapi.json, the API document that comes with the service, lists what there is`,
    );
  });

  test.each(['/v1/api/models/%zz', '/v1/api/models/%', '/v1/api/models/%ff'])('%s cannot be read', async (path) => {
    expectRefusal(await client.get(path), 400, 'malformed');
  });

  test.each<[string, string, string]>([
    ['POST', '/v1/api/models', 'GET, HEAD'],
    ['PUT', '/v1/api/models/mdl_1', 'DELETE, GET, HEAD'],
    ['PATCH', '/v1/api/models/mdl_1/aliases/production', 'DELETE, GET, HEAD, PUT'],
    ['DELETE', '/v1/api/predictions/prd_1', 'GET, HEAD'],
    ['GET', '/v1/api/risk_score', 'POST'],
    ['OPTIONS', '/v2/api/files', 'GET, HEAD'],
    ['DELETE', '/v1/api/predictions/', 'GET, HEAD'],
  ])('%s %s is told which methods it takes', async (method, path, allow) => {
    const reply = await client.send(method, path);
    expectRefusal(reply, 405, 'method_not_allowed');
    expect(reply.headers.get('allow')).toBe(allow);
  });

  test('may end in a slash', async () => {
    expect((await client.get('/v1/api/models/')).status).toBe(200);
  });

  test('answers HEAD as GET, without the body', async () => {
    for (const path of ['/v1/api/models', '/healthz', '/v1/api/models/mdl_1', '/v1/api/nothing']) {
      const [head, get] = [await client.send('HEAD', path), await client.get(path)];
      expect([head.status, head.text, head.headers.get('content-type')]).toEqual([
        get.status,
        '',
        get.headers.get('content-type'),
      ]);
      expect(head.headers.get('request-id')).toMatch(/^req_/);
    }
  });

  test.each([
    '/v1/api/risk_score',
    '/v1/api/entities/context/contact',
    '/v1/api/entities/context/transaction',
    '/v1/api/entities/context/invoices',
  ])('%s was retired, which it says before anything else', async (path) => {
    for (const caller of [client, service.anonymous, service.client('nonsense')])
      for (const raw of ['', '{}', '{', 'x'.repeat(3_000_000)])
        for (const type of ['application/json', 'text/plain', '']) {
          const reply = await caller.send('POST', `${path}?any=1`, { raw, headers: { 'content-type': type } });
          expectRefusal(reply, 410, 'endpoint_sunset');
          expect(reply.headers.get('deprecation')).toMatch(/^@\d+$/);
          expect(reply.headers.get('link')).toMatch(/^<[^<>{}\s]+>; rel="successor-version"$/);
        }
  });

  test('of v1 that has moved says so in every answer', async () => {
    for (const [path, to] of [
      ['/v1/api/batches', '/v2/api/batches'],
      ['/v1/api/batch-inputs', '/v2/api/files'],
      ['/v1/api/batches/bat_1', '/v2/api/batches'],
    ])
      for (const caller of [client, service.anonymous]) {
        const reply = await caller.get(path);
        expect(reply.headers.get('deprecation')).toBe(`@${Date.parse('2026-01-01T00:00:00Z') / 1000}`);
        expect(reply.headers.get('link')).toBe(`<${to}>; rel="successor-version"`);
      }
    expect((await client.get('/v2/api/batches')).headers.get('deprecation')).toBeNull();
  });
});

test('a caller cannot choose the id of their request, nor whose address is told of it', async () => {
  const headers = { 'request-id': 'req_mine', 'x-request-id': 'req_mine', 'x-forwarded-for': '203.0.113.9' };
  const reply = await client.send('POST', '/v1/api/contracts', { body: contractBody, headers });
  expect(reply.status, reply.text).toBe(201);
  const id = reply.headers.get('request-id')!;
  expect(id).toMatch(/^req_[0-9a-f]{32}$/);
  const [entry] = await system(service.service.app.db, 'test', (tx) =>
    tx.selectFrom('audit_entries').selectAll().where('request_id', '=', id).execute(),
  );
  expect(entry.ip).toMatch(/^(::ffff:)?127\.0\.0\.1$|^::1$/);
});

test('a fault of ours says nothing of itself', async () => {
  const { pool } = service.service.app.db;
  const { connect } = pool;
  pool.connect = (() => Promise.reject(new Error('secret words at /secret/place'))) as unknown as typeof pool.connect;
  try {
    const reply = await client.get('/v1/api/models');
    checkProblem(reply);
    expect(reply.status).toBe(500);
    expect(reply.text).not.toMatch(/secret|server\.ts|at /);
  } finally {
    pool.connect = connect;
  }
});
