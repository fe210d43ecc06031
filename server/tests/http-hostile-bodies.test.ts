/** Whatever the body of one tenant's request holds, others are answered meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from './problems.ts';
import { type Client, type Reply, startTestService, type TestService } from './service.ts';

let service: TestService;
let client: Client;

beforeAll(async () => {
  service = await startTestService({ logLevel: 'fatal' }, 'api');
  ({ client } = await service.tenant('Shop'));
});
afterAll(() => service.close());

const send = (path: string, raw: string) =>
  client.send('POST', path, { raw, headers: { 'content-type': 'application/json' } });

/**
 * Asks for the service's health over and over while `work` runs, and measures the longest turn of the event loop that
 * answers both: in milliseconds of its processor time, which other programs of the machine do not lengthen.
 */
async function longestTurn<T>(work: () => Promise<T>): Promise<{ readonly done: T; readonly turnMs: number }> {
  let isRunning = true;
  let turnMs = 0;
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  const turning = (async () => {
    for (let before = cpuMs(); isRunning; ) {
      await sleep(1);
      const now = cpuMs();
      turnMs = Math.max(turnMs, now - before);
      before = now;
    }
  })();
  const asking = (async () => {
    while (isRunning) {
      expect((await service.anonymous.get('/healthz')).status).toBe(200);
      await sleep(20);
    }
  })();
  try {
    return { done: await work(), turnMs };
  } finally {
    isRunning = false;
    await Promise.all([turning, asking]);
  }
}

/** How many times longer a hostile body may hold everybody up than a harmless one of its length does. */
const ratioMax = 10;

/**
 * Sends a body while health is asked for; returns its answer, and its longest turn relative to a harmless body's. What
 * it takes is the least of up to three times: memory that others left behind is cleared away in some turn or other.
 */
async function attack(path: string, raw: string): Promise<{ readonly reply: Reply; readonly ratio: number }> {
  const harmless = JSON.stringify({ name: 'x'.repeat(Math.max(1, raw.length - 20)) });
  const turns: number[] = [];
  for (let time = 0; time < 3; time++) turns.push((await longestTurn(() => send('/v1/api/tasks', harmless))).turnMs);
  for (let time = 1, least = Infinity; ; time++) {
    const { done: reply, turnMs } = await longestTurn(() => send(path, raw));
    least = Math.min(least, turnMs / Math.max(...turns));
    if (least < ratioMax || time === 3) return { reply, ratio: least };
  }
}

const many = (count: number, make: (at: number) => string, between = ',') =>
  Array.from({ length: count }, (_, at) => make(at)).join(between);

describe('a body of JSON', () => {
  test.each<[string, string, string, number, string]>([
    [
      'a list of a million numbers',
      '/v2/api/batches',
      `{"files":[${many(900_000, () => '1')}]}`,
      413,
      'limit_exceeded',
    ],
    [
      'a list of a million objects',
      '/v2/api/files/upload',
      `{"files":[${many(600_000, () => '{}')}]}`,
      413,
      'limit_exceeded',
    ],
    ['many unknown fields', '/v1/api/tasks', `{${many(150_000, (at) => `"k${at}":1`)}}`, 413, 'limit_exceeded'],
    [
      'many fields of its own choice',
      '/v1/api/ingestions',
      `{"files":[],"metadata":{${many(150_000, (at) => `"k${at}":1`)}}}`,
      413,
      'limit_exceeded',
    ],
    ['lists in lists', '/v1/api/tasks', '['.repeat(2_000_000), 400, 'malformed_json'],
    ['objects in objects', '/v1/api/tasks', '{"a":'.repeat(400_000), 400, 'malformed_json'],
    [
      'as many items as may be counted',
      '/v2/api/batches',
      `{"files":[${many(19_000, () => '1')}]}`,
      422,
      'schema_mismatch',
    ],
    [
      'as many texts as may be counted',
      '/v2/api/batches',
      `{"files":[${many(19_000, () => '"x"')}]}`,
      422,
      'schema_mismatch',
    ],
    [
      'as many unknown fields as may be counted',
      '/v1/api/tasks',
      `{${many(19_000, (at) => `"k${at}":1`)}}`,
      422,
      'schema_mismatch',
    ],
    ['quotes that never end', '/v1/api/tasks', `{"name":"${'\\\\'.repeat(900_000)}`, 400, 'malformed_json'],
    ['commas alone', '/v1/api/tasks', ','.repeat(2_000_000), 413, 'limit_exceeded'],
  ])('of %s is refused while others are answered', async (_, path, raw, status, code) => {
    const { reply, ratio } = await attack(path, raw);
    expectRefusal(reply, status, code as 'limit_exceeded');
    expect(ratio).toBeLessThan(ratioMax);
  });
});

describe('a text that customers write', () => {
  const keys = (count: number) => many(count, (at) => `key${at}: 1`, '\n');
  const contract = (document: string) => JSON.stringify({ document });
  const task = (definition: string) => JSON.stringify({ name: 'hostile', definition });
  const tables = (count: number, columns: number) =>
    `kind: DataContract\nid: wide\nversion: "1"\nschema:\n${many(
      count,
      (table) =>
        `  - name: t${table}\n    properties:\n${many(columns, (column) => `      - { name: c${column}, logicalType: string }`, '\n')}`,
      '\n',
    )}`;

  test.each<[string, string, string, number, string]>([
    ['a contract of many keys', '/v1/api/contracts', contract(keys(40_000)), 422, 'invalid_contract'],
    ['a contract of brackets', '/v1/api/contracts', contract('['.repeat(700_000)), 422, 'invalid_contract'],
    [
      'a contract in JSON',
      '/v1/api/contracts',
      contract(`{${many(25_000, (at) => `"key${at}": 1`)}}`),
      422,
      'invalid_contract',
    ],
    ['a contract of wrong marks', '/v1/api/contracts', contract(']'.repeat(150_000)), 422, 'invalid_contract'],
    ['a contract of too many tables', '/v1/api/contracts', contract(tables(1_001, 1)), 422, 'invalid_contract'],
    ['a contract of too wide a table', '/v1/api/contracts', contract(tables(1, 5_001)), 422, 'invalid_contract'],
    ['a contract of too many columns', '/v1/api/contracts', contract(tables(5, 4_001)), 422, 'invalid_contract'],
    ['a task of many keys', '/v1/api/tasks', task(keys(15_000)), 422, 'invalid_task'],
    ['a task of brackets', '/v1/api/tasks', task('['.repeat(200_000)), 422, 'invalid_task'],
    [
      'a query of brackets',
      '/v1/api/tasks',
      task(`PREDICT exists(a WHERE ${'('.repeat(190_000)}`),
      422,
      'invalid_task',
    ],
    ['a query of NOT', '/v1/api/tasks', task(`PREDICT exists(a WHERE ${'NOT '.repeat(48_000)}`), 422, 'invalid_task'],
  ])('as %s is refused while others are answered', async (_, path, raw, status, code) => {
    const { reply, ratio } = await attack(path, raw);
    expectRefusal(reply, status, code as 'invalid_task');
    expect(ratio).toBeLessThan(ratioMax);
  });

  test('is taken at the limit of tables and columns', async () => {
    const { client } = await service.tenant('Wide');
    const taken = await client.post('/v1/api/contracts', { document: tables(1_000, 20), accept: true });
    expect(taken.status, taken.text.slice(0, 500)).toBe(201);
  });
});

describe('a request', () => {
  test.each<[string, string, string]>([
    ['fields', JSON.stringify(Object.fromEntries(Array.from({ length: 201 }, (_, at) => [at, 1]))), '/metadata'],
    ['bytes', JSON.stringify({ a: 'x'.repeat(17_000) }), '/metadata'],
    ['bytes in depth', JSON.stringify({ a: [{ b: ['x'.repeat(17_000)] }] }), '/metadata'],
  ])('whose metadata has too many %s is refused', async (_, metadata, pointer) => {
    const reply = await send('/v1/api/ingestions', `{"files":[{"file_id":"f","table":"t"}],"metadata":${metadata}}`);
    expectRefusal(reply, 422, 'schema_mismatch', pointer);
    expect(reply.body.detail).toMatch(/must not (have|be) more than \d+/);
  });

  test('that names a thing by a long text is refused', async () => {
    const long = 'x'.repeat(301);
    const files = [{ file_id: long, table: 't' }];
    expectRefusal(await client.post('/v1/api/ingestions', { files }), 422, 'schema_mismatch', '/files/0/file_id');
    expectRefusal(await client.get(`/v1/api/models/${long}`), 404, 'route_not_found');
    expectRefusal(await client.get(`/v1/api/predictions?model_id=${'x'.repeat(2_001)}`), 400, 'invalid_parameter');
  });

  test.each<[string, string, Record<string, string>]>([
    ['a query of a megabyte', `/v1/api/models?a=${'x'.repeat(1_000_000)}`, {}],
    ['ten thousand parameters', `/v1/api/models?${many(10_000, (at) => `a${at}=1`, '&')}`, {}],
    ['a path of a megabyte', `/v1/api/models/${'x'.repeat(1_000_000)}`, {}],
    [
      'ten thousand headers',
      '/v1/api/models',
      Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`x-${at}`, '1'])),
    ],
  ])('with %s is refused by its head', async (_, path, headers) => {
    const { done } = await longestTurn(() => client.send('GET', path, { headers }));
    expectRefusal(done, 431, 'headers_too_large');
  });

  test('with as many unknown parameters as a head holds is told some of them', async () => {
    const reply = await client.get(`/v1/api/models?${many(2_500, (at) => `a${at}`, '&')}`);
    expectRefusal(reply, 400, 'invalid_parameter');
    expect(reply.body.errors.length).toBeLessThanOrEqual(20);
  });
});
