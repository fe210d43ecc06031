/** What is wrong with a body is told with a status, a code of the closed list, and the place. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from './problems.ts';
import { type Client, startTestService, type TestService } from './service.ts';
import { shopText, taskBody } from './shop.ts';

let service: TestService;
let client: Client;

beforeAll(async () => {
  service = await startTestService({ logLevel: 'fatal' });
  ({ client } = await service.tenant('Shop'));
});
afterAll(() => service.close());

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

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', ''])(
    'sent as %j is refused',
    async (type) => {
      expectRefusal(await send('{}', { 'content-type': type }), 415, 'unsupported_media_type');
    },
  );

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
    ['an unknown field', taskBody({ colour: 'red' }), ['/colour']],
    ['an unknown field with a slash', taskBody({ 'a/b~c': 1 }), ['/a~1b~0c']],
    ['an unknown field deep down', taskBody({ labels: { test: 'x' } }), ['/labels/test']],
    ['a field of another type', taskBody({ definition: 7 }), ['/definition']],
    ['a name that does not fit', taskBody({ name: '7up' }), ['/name']],
    ['null where text belongs', taskBody({ labels: null }), ['/labels']],
  ])('that is %s is told where it is wrong', async (_, body, pointers) => {
    expectRefusal(await client.post('/v1/api/tasks', body), 422, 'schema_mismatch', ...pointers);
  });

  test.each<[string, object, string]>([
    [
      '/v1/api/tasks',
      taskBody({ name: 'último' }),
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

  test.each<[string, object, string]>([
    ['/v1/api/tasks', taskBody({ labels: { train: 'file_1' } }), '/labels/train'],
    ['/v1/api/ingestions', { files: [{ file_id: 'file_1', table: 'orders' }] }, '/files/0/file_id'],
    ['/v1/api/training-runs', { task_id: 'tsk_1' }, '/task_id'],
    ['/v2/api/batches', { files: ['file_1'], model: 'mdl_1/production' }, '/files/0'],
    ['/v2/api/batches', { files: [{ path: 'a.csv' }], model: 'mdl_1/production' }, '/files/0/path'],
  ])('of %s that names what is not there is told the field', async (path, body, pointer) => {
    expectRefusal(await client.post(path, body), 404, 'not_found', pointer);
  });

  test('of a batch is told what a model is named by', async () => {
    const file = await client.upload('a.csv', 'customer_id\nC1\n');
    const unknown = await client.post('/v2/api/batches', { files: [file], model: 'mdl_1/production' });
    expectRefusal(unknown, 404, 'not_found', '/model');
    const half = await client.post('/v2/api/batches', { files: [file], model: 'mdl_1' });
    expectRefusal(half, 422, 'invalid', '/model');
    expect(half.body.errors[0].detail).toContain('must be "<model>/<alias or version id>"');
  });

  test('is told twenty faults at most', async () => {
    const faults = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`f${at}`, 1]));
    const reply = await client.post('/v1/api/tasks', taskBody(faults));
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
