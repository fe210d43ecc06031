/** Entities: found by their keys, told one by one, and with who is tied to them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeContract } from '../src/ml/contract/write.ts';
import { foundMax, hopsMax, pathHopsMax } from '../src/resources/entities/explore.ts';
import { expectRefusal } from './problems.ts';
import { sampleContract } from './samples.ts';
import type { Client, Tenant, TestService } from './service.ts';
import { csv } from './shop.ts';
import { takeIn } from './take-in.ts';
import { type Inhabited, startWorlds } from './worlds.ts';

let service: TestService;
let tied: Tenant;
let client: Client;
let shop: Inhabited;

const contract = sampleContract([
  { name: 'device', key: 'device_id', columns: { device_id: 'integer' } },
  {
    name: 'client',
    key: 'document',
    time: 'since',
    entityKind: 'company',
    columns: { document: 'string', since: 'date' },
  },
  {
    name: 'login',
    key: 'login_id',
    time: 'at',
    references: { document: 'client', device_id: 'device' },
    columns: { login_id: 'string', document: 'string', device_id: 'integer', at: 'date' },
  },
]);
const clients = ['a1', 'a2', 'a3', 'b/1'].map((document) => [document, '2022-01-01']);
const logins = [
  ['l1', 'a1', 1, '2022-03-01'],
  ['l2', 'a2', 1, '2022-04-01'],
  ['l3', 'a2', 2, '2022-05-01'],
  ['l4', 'b/1', 2, '2022-06-01'],
];
const loginFile = (rows: readonly (readonly (string | number)[])[]) => csv('login_id,document,device_id,at', rows);

beforeAll(async () => {
  const worlds = await startWorlds();
  ({ service } = worlds);
  shop = worlds.a;
  tied = await service.tenant('Tied', { timeZone: 'UTC' });
  client = tied.client;
  await takeIn(client, writeContract(contract), {
    device: csv('device_id', [[1], [2], [3]]),
    client: csv('document,since', clients),
    login: loginFile(logins),
  });
});
afterAll(() => service.close());

const day = 'reference_date=2022-12-31';

async function told(path: string) {
  const { body, status, text } = await client.get(path);
  expect(status, text).toBe(200);
  return body;
}

test('entities are found by the beginning of their keys, in one table or in all of entities', async () => {
  const found = await told(`/v1/api/entities?table=client&query=a&${day}`);
  expect(found).toMatchObject({ has_more: false, is_complete: true, as_of: '2022-12-31T23:59:59.999Z' });
  expect(found.data.map(({ key }: { key: string }) => key)).toEqual(['a1', 'a2', 'a3']);
  expect((await told('/v1/api/entities?table=client&query=a&limit=2')).has_more).toBe(true);
  expect((await told('/v1/api/entities?query=b')).data).toEqual([{ table: 'client', key: 'b/1' }]);
  expect((await told('/v1/api/entities?query=1')).data).toEqual([{ table: 'device', key: '1' }]);
  expect((await told('/v1/api/entities?table=client&reference_date=2021-12-31')).data).toEqual([]);
});

test('an entity is told with what refers to it and what it refers to, whatever its key is made of', async () => {
  const body = await told(`/v1/api/entities/client/${encodeURIComponent('b/1')}?${day}`);
  expect(body).toMatchObject({
    ...{ table: 'client', key: 'b/1', entity_kind: 'company', since: '2022-01-01' },
    ...{ first: '2022-06-01', last: '2022-06-01', snapshot_id: expect.stringMatching(/^snp_/) },
    tables: [{ table: 'login', reference: 'document', rows: 1, first: '2022-06-01', last: '2022-06-01' }],
  });
  expect(body.references).toEqual([]);
  const { references } = await told(`/v1/api/entities/login/l4?${day}`);
  expect(references).toEqual([
    { reference: 'document', table: 'client', row: 3, key: 'b/1' },
    { reference: 'device_id', table: 'device', row: 1, key: '2' },
  ]);
  const shopped = await shop.tenant.client.get(`/v1/api/entities/customers/${shop.world.canary}C1`);
  expect(shopped.body.tables, shopped.text).toMatchObject([{ table: 'orders', reference: 'customer_id' }]);
});

test('who is tied to an entity is told, and how two are tied, and a later row changes neither', async () => {
  const ask = async () => {
    const { snapshot_id: _, ...network } = await told(`/v1/api/entities/client/a1/network?hops=3&${day}`);
    const { snapshot_id: __, ...path } = await told(
      `/v1/api/entities/client/a1/path/${encodeURIComponent('b/1')}?${day}`,
    );
    const { snapshot_id: ___, ...entity } = await told(`/v1/api/entities/client/a1?${day}`);
    return { network, path, entity };
  };
  const before = await ask();
  expect(before.network.nodes.map(({ key, hops }: { key: string; hops: number }) => [key, hops])).toEqual([
    ['a1', 0],
    ['a2', 1],
    ['b/1', 2],
  ]);
  const edges = [
    { from: 0, to: 1, relation: 'device', count: 1, since: '2022-04-01' },
    { from: 1, to: 2, relation: 'device', count: 1, since: '2022-06-01' },
  ];
  expect(before.network).toMatchObject({ edges, left_out: { nodes: 0, edges: 0 } });
  expect(before.path).toMatchObject({ is_found: true, is_complete: true, edges });
  const rowsOf = (nodes: readonly { row: number }[]) => nodes.map(({ row }) => row);
  expect(rowsOf(before.path.nodes)).toEqual(rowsOf(before.network.nodes));
  // As of the day before, they were not tied yet.
  const earlier = await told('/v1/api/entities/client/a1/network?reference_date=2022-03-31');
  expect(earlier).toMatchObject({ nodes: [{ key: 'a1' }], edges: [] });

  const file = await client.upload(
    'login-2.csv',
    loginFile([
      ['l5', 'a3', 1, '2023-05-01'],
      ['l6', 'a1', 2, '2023-05-01'],
    ]),
  );
  const asked = await client.post('/v1/api/ingestions', { files: [{ file_id: file, table: 'login', mode: 'append' }] });
  const taken = await client.finished(`/v1/api/ingestions/${asked.body.id}`);
  expect(taken.body, taken.text).toMatchObject({ status: 'succeeded', changed: true });
  // The new data are answered from within half a minute.
  let now = await told('/v1/api/entities/client/a1/network');
  for (let tries = 0; tries < 300 && now.snapshot_id !== taken.body.snapshot_id; tries++)
    now = await told('/v1/api/entities/client/a1/network');
  expect(now.nodes.map(({ key }: { key: string }) => key)).toEqual(['a1', 'a2', 'a3', 'b/1']);
  expect(await ask()).toEqual(before);
});

test('what is not there is said, by table and by key', async () => {
  const none = await client.get('/v1/api/entities/client/nobody');
  expectRefusal(none, 404, 'not_found');
  expect(none.body.detail).toBe('no client has the key nobody by then');
  expect(none.body.because).toEqual({ code: 'no_entity', table: 'client', key: 'nobody' });
  const table = await client.get('/v1/api/entities/clients/a1/network');
  expectRefusal(table, 404, 'not_found');
  expect(table.body.detail).toContain('there is no table clients; there are device, client, login');
  const tables = { code: 'no_entity_table', name: 'clients', tables: ['device', 'client', 'login'] };
  expect(table.body.because).toEqual(tables);
  expect((await client.get('/v1/api/entities?table=clients')).body.because).toEqual(tables);
  expectRefusal(await client.get('/v1/api/entities/client/a1/path/nobody'), 404, 'not_found');
});

test('a workspace without data has no entities', async () => {
  const { client } = await service.tenant('Empty');
  const { body, text } = await client.get('/v1/api/entities?query=a');
  expect(body, text).toMatchObject({ snapshot_id: null, data: [] });
  const none = await client.get('/v1/api/entities/client/a1');
  expectRefusal(none, 404, 'not_found');
  expect(none.body.because).toEqual({ code: 'no_entity', table: 'client', key: 'a1' });
});

test.each([
  [`/v1/api/entities?limit=${foundMax}`, `/v1/api/entities?limit=${foundMax + 1}`, '/query/limit'],
  [
    `/v1/api/entities/client/a1/network?hops=${hopsMax}`,
    `/v1/api/entities/client/a1/network?hops=${hopsMax + 1}`,
    '/query/hops',
  ],
  [
    `/v1/api/entities/client/a1/path/a2?hops=${pathHopsMax}`,
    `/v1/api/entities/client/a1/path/a2?hops=${pathHopsMax + 1}`,
    '/query/hops',
  ],
])('%s passes, and one more is refused', async (within, beyond, pointer) => {
  await told(within);
  expectRefusal(await client.get(beyond), 400, 'invalid_parameter', pointer);
});

test('a day that is none, or is to come, is refused', async () => {
  const ask = (date: string) => client.get(`/v1/api/entities/client/a1?reference_date=${date}`);
  expectRefusal(await ask('soon'), 422, 'invalid_input', '/query/reference_date');
  expectRefusal(await ask('9999-12-31'), 422, 'reference_date_in_future', '/query/reference_date');
});

test('a look at whom an entity is leaves an entry that tells who looked, and not at which key', async () => {
  const look = async (key: string) => {
    const { status, headers, text } = await client.send('POST', `/v1/api/entities/client/${key}/reveal`);
    expect(status, text).toBe(204);
    const asked = `/v1/api/audit-entries?action=personal-data-reveal&limit=200`;
    const entries: readonly { context: { request_id: string }; target: { type: string; id: string }; data: unknown }[] =
      (await told(asked)).data;
    const made = entries.filter(({ context }) => context.request_id === headers.get('request-id'));
    expect(made).toHaveLength(1);
    expect(JSON.stringify(made)).not.toContain(`"${key}"`);
    return made[0];
  };
  const first = await look('a1');
  expect(first).toMatchObject({ target: { type: 'entity' }, data: { table: 'client' } });
  expect((await look('a1')).target).toEqual(first.target);
  expect((await look('a2')).target).not.toEqual(first.target);
  expectRefusal(await client.send('POST', '/v1/api/entities/client/nobody/reveal'), 404, 'not_found');
});
