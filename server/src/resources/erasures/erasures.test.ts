import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type Tenant, type TestService } from '../../../tests/service.ts';
import { csv, customerRows, orderRows, shopText } from '../../../tests/shop.ts';

let service: TestService;
let tenant: Tenant;
let modelId: string;
let taskId: string;

/** A name long enough to be found wherever it is kept. */
const person = 'person-to-be-forgotten-7f3a';
const named = (id: string | number | undefined) => (id === 'C1' ? person : id);
const contract = shopText('contract.yaml');
const contractWithPeople = contract.replace(
  '        value: since\n',
  '        value: since\n      - property: entityKind\n        value: individual\n',
);
const customers = csv(
  'customer_id,segment,since',
  customerRows.map(([id, ...rest]) => [named(id)!, ...rest]),
);
const orders = csv(
  'order_id,customer_id,ordered_at,amount',
  orderRows.map(([order, id, ...rest]) => [order, named(id)!, ...rest]),
);

async function ingest({ client }: Tenant, document: string, mode: 'append' | 'replace') {
  const proposed = await client.post('/v1/api/contracts', { document, accept: true });
  expect(proposed.status, proposed.text).toBe(201);
  const asked = await client.post('/v1/api/ingestions', {
    files: [
      { file_id: await client.upload('customers.csv', customers), table: 'customers', mode },
      { file_id: await client.upload('orders.csv', orders), table: 'orders', mode },
    ],
  });
  const ingested = await client.finished(`/v1/api/ingestions/${asked.body.id}`);
  expect(ingested.body.status, ingested.text).toBe('succeeded');
}

async function erase({ client }: Tenant) {
  const asked = await client.post('/v1/api/erasures', { identifier: person });
  expect(asked.status, asked.text).toBe(202);
  expect(asked.text).not.toContain(person);
  return client.finished(`/v1/api/erasures/${asked.body.id}`);
}

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.tenant('Forgetful');
  const { client } = tenant;
  await ingest(tenant, contractWithPeople, 'append');
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
  taskId = task.body.id;
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

async function objectsNaming(name: string, { ctx }: Tenant): Promise<string[]> {
  const { storage } = service.service.app;
  const found = [];
  for await (const { key } of storage.list('')) {
    if (key.split('/')[1] !== ctx.workspaceId) continue;
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
  expect(new Set(await objectsNaming(person, tenant))).toEqual(new Set(['files', 'identifiers']));

  const done = await erase(tenant);
  expect(done.body, done.text).toMatchObject({ status: 'succeeded', erased: { identifiers: 1, predictions: 1 } });
  expect(done.body.erased.files).toHaveLength(2);
  expect(done.body.erased.label_files).toHaveLength(1);

  expect(await objectsNaming(person, tenant)).toEqual([]);
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

test('leaves the labels of others, so that the task can be trained again', async () => {
  const { client } = tenant;
  const { labels } = (await client.get(`/v1/api/tasks/${taskId}`)).body;
  const file = (await client.get(`/v2/api/files/${labels.train}`)).body;
  const { text } = await client.get(`/v2/api/files/${labels.train}/content`);
  const before = shopText('tasks/returns/train.csv').trimEnd().split('\n');
  expect(text.trimEnd().split('\n')).toEqual(before.filter((line) => !line.includes(',C1,')));
  expect(createHash('sha256').update(text).digest('hex')).toBe(file.sha256);
  const run = await client.post('/v1/api/training-runs', { task_id: taskId });
  const trained = await client.finished(`/v1/api/training-runs/${run.body.id}`);
  expect(trained.body.status, trained.text).toBe('succeeded');
}, 120_000);

test('names that are kept as text are not called erased; they can be once they are numbers', async () => {
  const other = await service.tenant('Textual');
  await ingest(other, contract, 'append');
  const refused = await erase(other);
  expect(refused.body).toMatchObject({ status: 'failed', erased: {}, failure: { code: 'name_kept_as_text' } });
  expect(refused.body.failure.detail).toContain('customers.customer_id, orders.customer_id');
  expect(new Set(await objectsNaming(person, other))).toEqual(new Set(['files', 'lake', 'snapshots']));

  await ingest(other, contractWithPeople, 'replace');
  const done = await erase(other);
  expect(done.body, done.text).toMatchObject({ status: 'succeeded', erased: { identifiers: 1 } });
  expect(done.body.erased.snapshots).toHaveLength(1);
  expect(await objectsNaming(person, other)).toEqual([]);
}, 120_000);

test('erasing a name nobody has changes nothing', async () => {
  const asked = await tenant.client.post('/v1/api/erasures', { identifier: 'nobody-by-this-name' });
  const done = await tenant.client.finished(`/v1/api/erasures/${asked.body.id}`);
  expect(done.body).toMatchObject({
    status: 'succeeded',
    erased: { identifiers: 0, predictions: 0, files: [], batches: [] },
  });
});
