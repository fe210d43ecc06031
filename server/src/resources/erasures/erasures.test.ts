import { createReadStream } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type Tenant, type TestService } from '../../../tests/service.ts';
import { csv, customerRows, orderRows, shopText } from '../../../tests/shop.ts';

let service: TestService;
let tenant: Tenant;
let modelId: string;

/** A name long enough to be found wherever it is kept. */
const person = 'person-to-be-forgotten-7f3a';
const named = (id: string | number | undefined) => (id === 'C1' ? person : id);

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.tenant('Forgetful');
  const { client } = tenant;
  const document = shopText('contract.yaml').replace(
    '        value: since\n',
    '        value: since\n      - property: entityKind\n        value: individual\n',
  );
  expect((await client.post('/v1/api/contracts', { document, accept: true })).status).toBe(201);
  const customers = csv(
    'customer_id,segment,since',
    customerRows.map(([id, ...rest]) => [named(id)!, ...rest]),
  );
  const orders = csv(
    'order_id,customer_id,ordered_at,amount',
    orderRows.map(([order, id, ...rest]) => [order, named(id)!, ...rest]),
  );
  const asked = await client.post('/v1/api/ingestions', {
    files: [
      { file_id: await client.upload('customers.csv', customers), table: 'customers' },
      { file_id: await client.upload('orders.csv', orders), table: 'orders' },
    ],
  });
  const ingested = await client.finished(`/v1/api/ingestions/${asked.body.id}`);
  expect(ingested.body.status, ingested.text).toBe('succeeded');
  const labels = shopText('tasks/returns/train.csv').replaceAll(',C1,', `,${person},`);
  const task = await client.post('/v1/api/tasks', {
    name: 'returns',
    definition: shopText('tasks/returns/task.yaml'),
    labels: { train: await client.upload('train.csv', labels) },
  });
  const run = await client.post('/v1/api/training-runs', { task_id: task.body.id, alias: 'production' });
  const trained = await client.finished(`/v1/api/training-runs/${run.body.id}`);
  expect(trained.body.status, trained.text).toBe('succeeded');
  modelId = trained.body.model_id;
}, 120_000);
afterAll(() => service.close());

async function ask(customer: string) {
  const reply = await tenant.client.post(`/v1/api/prediction/${modelId}/production`, {
    customer_id: customer,
    reference_date: '2023-09-01',
  });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

async function objectsNaming(name: string): Promise<string[]> {
  const { storage } = service.service.app;
  const found = [];
  for await (const { key } of storage.list('')) {
    const chunks: Buffer[] = [];
    for await (const chunk of createReadStream(await storage.localPath(key))) chunks.push(chunk as Buffer);
    if (Buffer.concat(chunks).includes(name)) found.push(key.split('/')[2]);
  }
  return found.sort();
}

test('forgets one, and answers about the others stay as they were', async () => {
  const { client } = tenant;
  const before = { person: await ask(person), other: await ask('C2') };
  expect(before.person.data_coverage).toBe('full');
  // Tables, snapshots and models hold numbers: the name is in the files as they came, and in the dictionary.
  expect(new Set(await objectsNaming(person))).toEqual(new Set(['files', 'identifiers']));

  const asked = await client.post('/v1/api/erasures', { identifier: person });
  expect(asked.status, asked.text).toBe(202);
  expect(asked.text).not.toContain(person);
  const done = await client.finished(`/v1/api/erasures/${asked.body.id}`);
  expect(done.body, done.text).toMatchObject({ status: 'succeeded', erased: { identifiers: 1, predictions: 1 } });
  expect(done.body.erased.files).toHaveLength(3);

  expect(await objectsNaming(person)).toEqual([]);
  const { rows } = await service.service.app.db.pool.query('select 1 from predictions where inputs::text like $1', [
    `%${person}%`,
  ]);
  expect(rows).toEqual([]);
  expect((await client.get(`/v1/api/predictions/${before.person.prediction_id}`)).body).toMatchObject({
    code: 'entity_erased',
    status: 410,
  });
  expect((await ask(person)).data_coverage).toBe('none');
  const after = await ask('C2');
  for (const name of ['prediction', 'key_factors', 'data_coverage', 'version_id'])
    expect(after[name], name).toEqual(before.other[name]);
});

test('erasing a name nobody has changes nothing', async () => {
  const asked = await tenant.client.post('/v1/api/erasures', { identifier: 'nobody-by-this-name' });
  const done = await tenant.client.finished(`/v1/api/erasures/${asked.body.id}`);
  expect(done.body).toMatchObject({
    status: 'succeeded',
    erased: { identifiers: 0, predictions: 0, files: [], batches: [] },
  });
});
