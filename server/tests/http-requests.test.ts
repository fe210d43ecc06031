/** What is wrong with a request is told with a status, a code of the closed list, and the place. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeToken } from '../src/lib/crypto/tokens.ts';
import { createKey } from '../src/resources/api-keys/create.ts';
import { revokeKey } from '../src/resources/api-keys/revoke.ts';
import { system } from '../src/tenancy/doors.ts';
import { checkProblem, expectRefusal } from './problems.ts';
import { type Client, startTestService, type Tenant, type TestService } from './service.ts';
import { shopText } from './shop.ts';

let service: TestService;
let tenant: Tenant;
let client: Client;

beforeAll(async () => {
  service = await startTestService({ logLevel: 'fatal' });
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
    expectRefusal(await other.client.post('/v1/api/contracts', contract), 409, 'workspace_archived');
    expectRefusal(await other.client.post('/v1/api/prediction/mdl_1/production', {}), 409, 'workspace_archived');
    await setStatus('active');
    expectRefusal(await other.client.post('/v1/api/prediction/mdl_1/production', {}), 404, 'not_found');
    expect((await other.client.post('/v1/api/contracts', contract)).status).toBe(201);
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

const task = (more: object = {}) => ({ name: 'returns', definition: shopText('tasks/returns/task.yaml'), ...more });
const contract = { document: shopText('contract.yaml') };

describe('a body', () => {
  const send = (raw: string | Uint8Array, headers: Record<string, string> = {}) =>
    client.send('POST', '/v1/api/tasks', { raw, headers: { 'content-type': 'application/json', ...headers } });

  test.each<[string, string | Uint8Array]>([
    ['cut short', '{"name": "x"'],
    ['of two values', '{} {}'],
    ['empty', ''],
    ['of spaces', '   '],
    ['with a forbidden name', '{"name": "x", "__proto__": {"a": 1}}'],
    ['with a constructor', '{"constructor": {"prototype": {"a": 1}}}'],
    ['not in UTF-8', Buffer.from('{"name": "\xe9"}', 'latin1')],
    ['with NUL in a text', '{"name": "a\\u0000b"}'],
    ['with NUL in a name', '{"a\\u0000b": 1}'],
    ['with half of a surrogate pair', '{"name": "\\ud83d"}'],
    ['with the other half', '{"name": "\\ude00"}'],
    ['that nests without end', `{"labels": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    ['that nests objects', `${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`],
  ])('%s cannot be read', async (_, raw) => {
    expectRefusal(await send(raw), 400, 'malformed_json');
  });

  test('tells where NUL is', async () => {
    expectRefusal(await send('{"labels": {"a/b~c": ["\\u0000"]}}'), 400, 'malformed_json', '/labels/a~1b~0c/0');
  });

  test('may have a whole surrogate pair', async () => {
    expectRefusal(await send('{"name": "\\ud83d\\ude00"}'), 422, 'schema_mismatch', '/name', '/definition');
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    '',
  ])('sent as %j is refused', async (type) => {
    expectRefusal(await send('{}', { 'content-type': type }), 415, 'unsupported_media_type');
  });

  test('sent compressed is refused', async () => {
    expectRefusal(await send('{}', { 'content-encoding': 'gzip' }), 415, 'unsupported_media_type');
  });

  test('may say its charset', async () => {
    const reply = await send(JSON.stringify({}), { 'content-type': 'application/json; charset=utf-8' });
    expectRefusal(reply, 422, 'schema_mismatch', '/name', '/definition');
  });

  test('over the limit is refused', async () => {
    expectRefusal(await send(JSON.stringify({ name: 'x'.repeat(2 * 1024 * 1024) })), 413, 'body_too_large');
  });

  test.each<[string, unknown, string[]]>([
    ['null', null, ['']],
    ['a list', [], ['']],
    ['a number', 1, ['']],
    ['nothing in it', {}, ['/name', '/definition']],
    ['an unknown field', task({ colour: 'red' }), ['/colour']],
    ['an unknown field with a slash', task({ 'a/b~c': 1 }), ['/a~1b~0c']],
    ['an unknown field deep down', task({ labels: { test: 'x' } }), ['/labels/test']],
    ['a field of another type', task({ definition: 7 }), ['/definition']],
    ['a name that does not fit', task({ name: '7up' }), ['/name']],
    ['null where text belongs', task({ labels: null }), ['/labels']],
  ])('that is %s is told where it is wrong', async (_, body, pointers) => {
    expectRefusal(await client.post('/v1/api/tasks', body), 422, 'schema_mismatch', ...pointers);
  });

  test.each<[string, object, string]>([
    [
      '/v1/api/tasks',
      task({ name: 'último' }),
      '/name: must be letters without accents, digits, _ and -, a letter first',
    ],
    ['/v1/api/training-runs', { task_id: 'tsk_1', alias: 'Prod' }, '/alias: must be lower-case letters, digits and -,'],
    [
      '/v2/api/files/upload',
      { files: [{ path: 'a.csv', content_type: 'text/csv', md5: createHash('md5').digest('hex') }] },
      "/files/0/md5: must be the base64 of the MD5's 16 bytes, 24 characters that end in ==, not the hex that md5sum",
    ],
  ])('of %s whose texts do not fit is told in words what does', async (path, body, detail) => {
    const reply = await client.post(path, body);
    expectRefusal(reply, 422, 'schema_mismatch');
    expect(reply.body.detail).toContain(detail);
  });

  test('is told twenty faults at most', async () => {
    const faults = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`f${at}`, 1]));
    const reply = await client.post('/v1/api/tasks', task(faults));
    expectRefusal(reply, 422, 'schema_mismatch');
    expect(reply.body.errors).toHaveLength(20);
  });

  test('is not asked for where none is taken', async () => {
    const path = '/v1/api/contracts/con_1/acceptance';
    for (const raw of ['', '{}', 'anything'])
      for (const type of ['application/json', 'text/plain'])
        expectRefusal(await client.send('POST', path, { raw, headers: { 'content-type': type } }), 404, 'not_found');
    const headers = { 'content-type': 'application/json' };
    expectRefusal(await client.send('DELETE', '/v2/api/files/file_1', { headers }), 404, 'not_found');
  });
});

describe('an ingestion', () => {
  const ask = (...files: { file_id: string; table: string; mode?: string }[]) =>
    client.post('/v1/api/ingestions', { files });
  const send = () => client.upload('orders.csv', shopText('tables/orders.csv'));

  test.each(['../x y', '/etc/passwd', 'a\\b', '.hidden', '-x', ' orders', 'orders ', 'or\nders', 'a:b', '*'])(
    'into a table called %j is refused',
    async (table) => {
      const reply = await ask({ file_id: await send(), table: 'orders' }, { file_id: await send(), table });
      expectRefusal(reply, 422, 'invalid', '/files/1/table');
      expect(reply.body.detail).toBe(
        `/files/1/table must be letters, digits, _, and between them blanks, . and -; it is ${JSON.stringify(table)}`,
      );
    },
  );

  test('of a file that is given twice for a table is refused with both places', async () => {
    const file_id = await send();
    const other = { file_id: await send(), table: 'orders' };
    const reply = await ask({ file_id, table: 'orders' }, other, { file_id, table: 'orders', mode: 'upsert' });
    expectRefusal(reply, 422, 'invalid', '/files/2');
    expect(reply.body.detail).toBe(
      `/files/2 gives ${file_id} for orders again, as /files/0 does: a file is taken in once`,
    );
  });

  test('takes a file for two tables, whose names are words, or what the contract says', async () => {
    const { client } = await service.tenant('Odd names');
    const file_id = await client.upload('customers.csv', shopText('tables/customers.csv'));
    const document = shopText('contract.yaml').replaceAll('name: orders', 'name: orders/2023');
    expect((await client.post('/v1/api/contracts', { document, accept: true })).status).toBe(201);
    const files = ['ordens de serviço', '2023_orders.v-2', 'orders/2023'].map((table) => ({ file_id, table }));
    const reply = await client.post('/v1/api/ingestions', { files });
    expect(reply.status, reply.text).toBe(202);
    expectRefusal(
      await client.post('/v1/api/ingestions', { files: [...files, { file_id, table: 'orders/2024' }] }),
      422,
      'invalid',
      '/files/3/table',
    );
  });
});

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
    ['PUT', '/v1/api/models/mdl_1', 'GET, HEAD'],
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
  const reply = await client.send('POST', '/v1/api/contracts', { body: contract, headers });
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

describe('Idempotency-Key', () => {
  const metadata = { zebra: 1, a: { longer: [1, 2], b: 'x' }, text: 'é\u2028' };
  let files: { file_id: string; table: string }[];
  beforeAll(async () => {
    await client.post('/v1/api/contracts', { document: shopText('contract.yaml'), accept: true });
    files = [{ file_id: await client.upload('customers.csv', shopText('tables/customers.csv')), table: 'customers' }];
  });

  test('twenty times the same at once is one effect and one answer', async () => {
    const headers = { 'idempotency-key': 'twenty' };
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => client.post('/v1/api/ingestions', { files, metadata }, headers)),
    );
    for (const { status, text } of replies) expect(status, text).toBe(202);
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(replies.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    const { body } = await client.get('/v1/api/ingestions');
    expect(body.data).toHaveLength(1);
    expect(body.data[0].metadata).toEqual(metadata);
  });

  test('with another body is refused', async () => {
    const headers = { 'idempotency-key': 'twenty' };
    expectRefusal(await client.post('/v1/api/ingestions', { files }, headers), 422, 'idempotency_key_reused');
  });

  test('is of its route, and of its workspace', async () => {
    const headers = { 'idempotency-key': 'shared' };
    const other = await service.tenant('Other');
    const made = [];
    for (const caller of [client, other.client])
      made.push((await caller.post('/v1/api/contracts', contract, headers)).body.id);
    expect(made[0]).not.toBe(made[1]);
    expectRefusal(await client.post('/v1/api/tasks', task(), headers), 422, 'invalid_task');
  });

  test('gives addresses that hold anew, of the same files, and keeps none of them', async () => {
    const headers = { 'idempotency-key': 'addresses' };
    const text = 'a,b\n1,2\n';
    const md5 = createHash('md5').update(text).digest('base64');
    const body = { files: [{ path: 'again.csv', content_type: 'text/csv', md5 }] };
    const ask = async () => (await client.post('/v2/api/files/upload', body, headers)).body;
    const { db } = service.service.app;
    const first = await ask();
    const kept = await system(db, 'test', async (tx) => {
      const past = new Date(Date.now() - 60_000);
      await tx.updateTable('files').set({ expires_at: past }).where('id', '=', first.files[0].id).execute();
      return tx.selectFrom('idempotency_keys').selectAll().where('key', '=', 'addresses').executeTakeFirstOrThrow();
    });
    expect(JSON.stringify(kept)).not.toMatch(/signature|https?:/);
    const again = await ask();
    expect(again.id).toBe(first.id);
    const [{ id, upload_url, expires_at }] = again.files;
    expect(id).toBe(first.files[0].id);
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.now());
    expect((await client.get(`/v2/api/files/${id}`)).body.expires_at).toBe(expires_at);
    const put = await service.anonymous.send('PUT', upload_url, { raw: text, headers: again.files[0].headers });
    expect(put.status, put.text).toBe(200);
  });

  test('keeps nothing by which a body could be guessed', async () => {
    const body = { identifier: '11222333000181' };
    expect((await client.post('/v1/api/erasures', body, { 'idempotency-key': 'who' })).status).toBe(202);
    const { body_hash } = await system(service.service.app.db, 'test', (tx) =>
      tx.selectFrom('idempotency_keys').select('body_hash').where('key', '=', 'who').executeTakeFirstOrThrow(),
    );
    for (const algorithm of ['md5', 'sha1', 'sha256', 'sha512'])
      expect(body_hash).not.toBe(createHash(algorithm).update(JSON.stringify(body)).digest('hex'));
  });

  test('of a request that was refused is free for one that is right', async () => {
    const headers = { 'idempotency-key': 'second-try' };
    const refused = await client.post('/v1/api/contracts', { document: 'x' }, headers);
    expectRefusal(refused, 422, 'invalid_contract');
    expect((await client.post('/v1/api/contracts', contract, headers)).status).toBe(201);
  });

  test.each(['', 'x'.repeat(256)])('of %j is refused', async (key) => {
    const headers = { 'idempotency-key': key };
    expectRefusal(await client.post('/v1/api/tasks', task(), headers), 400, 'malformed');
  });
});

test('of ten who define a task of one name at once, one does', async () => {
  const file = await client.upload('labels.csv', shopText('tasks/returns/train.csv'));
  const body = { name: 'one-of-ten', definition: shopText('tasks/returns/task.yaml'), labels: { train: file } };
  const replies = await Promise.all(Array.from({ length: 10 }, () => client.post('/v1/api/tasks', body)));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const reply of replies) if (reply.status !== 201) expectRefusal(reply, 409, 'name_taken');
});

describe('paging', () => {
  test('under insertion and deletion skips no survivor and shows nothing twice', async () => {
    const declare = async (count: number) => {
      const files = Array.from({ length: count }, (_, at) => ({
        path: `page/${at}.csv`,
        content_type: 'text/csv',
        md5: `${'A'.repeat(22)}==`,
      }));
      const reply = await client.post('/v2/api/files/upload', { files });
      return reply.body.files.map(({ id }: { id: string }) => id) as string[];
    };
    const before = await declare(40);
    const deleted = new Set<string>();
    const seen: string[] = [];
    let cursor = '';
    for (let page = 0; ; page++) {
      const { body } = await client.get(`/v2/api/files?limit=7&status=awaiting_upload${cursor}`);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      if (!body.has_more) {
        expect(body.next_cursor).toBeNull();
        break;
      }
      cursor = `&cursor=${body.next_cursor}`;
      await declare(3);
      // One behind, one ahead, and the very one that the cursor stands after.
      for (const id of [seen[page], before[page], seen.at(-1)!]) {
        await client.send('DELETE', `/v2/api/files/${id}`);
        deleted.add(id);
      }
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(before.filter((id) => !deleted.has(id) && !seen.includes(id))).toEqual([]);
    expect(deleted.size).toBeGreaterThan(10);
  });

  test('a cursor is of its filters', async () => {
    const { body } = await client.get('/v2/api/files?limit=1&status=awaiting_upload');
    expectRefusal(await client.get(`/v2/api/files?cursor=${body.next_cursor}`), 400, 'invalid_cursor');
    const other = `/v2/api/files?status=deleted&cursor=${body.next_cursor}`;
    expectRefusal(await client.get(other), 400, 'invalid_cursor');
    const same = `/v2/api/files?limit=5&status=awaiting_upload&cursor=${body.next_cursor}`;
    expect((await client.get(same)).status).toBe(200);
  });
});
