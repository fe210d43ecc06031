/** A customer's way through the API: contract, files, ingestion, task, training run, alias, prediction. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { system } from '../src/access/transactions.ts';
import { startTestService, type Tenant, type TestService } from './service.ts';
import { shopText } from './shop.ts';

let service: TestService;
let tenant: Tenant;

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.tenant('Shop');
});
afterAll(() => service.close());

test('from tables to a prediction', async () => {
  const { client } = tenant;
  const proposed = await client.post('/v1/api/contracts', { document: shopText('contract.yaml'), accept: true });
  expect(proposed.status, proposed.text).toBe(201);
  const files = [];
  for (const table of ['customers', 'orders'])
    files.push({ file_id: await client.upload(`${table}.csv`, shopText(`tables/${table}.csv`)), table });
  const asked = await client.post('/v1/api/ingestions', { files });
  expect(asked.status, asked.text).toBe(202);
  const ingested = await client.finished(`/v1/api/ingestions/${asked.body.id}`);
  expect(ingested.body, ingested.text).toMatchObject({ status: 'succeeded', changed: true });

  const labels = {
    train: await client.upload('train.csv', shopText('tasks/returns/train.csv')),
    validation: await client.upload('val.csv', shopText('tasks/returns/val.csv')),
  };
  const definition = `${shopText('tasks/returns/task.yaml')}features: {drop: [customers.segment]}\n`;
  const misspelt = `${definition}windov: 30d\n`;
  const refused = await client.post('/v1/api/tasks', { name: 'returns', definition: misspelt, labels });
  expect(refused.status, refused.text).toBe(422);
  expect(refused.body.code).toBe('invalid_task');
  expect(refused.body.errors).toEqual([
    {
      pointer: '/definition',
      code: 'invalid_task',
      detail: expect.stringMatching(/^line \d+, windov: unknown field; did you mean window\?$/),
      because: expect.objectContaining({ code: 'unknown_field', meant: 'window' }),
    },
  ]);
  const task = await client.post('/v1/api/tasks', { name: 'returns', definition, labels });
  expect(task.status, task.text).toBe(201);
  // Definitions with unknown fields were accepted once, and go on.
  await system(service.owner, 'test', (tx) =>
    tx.updateTable('tasks').set({ definition: misspelt }).where('id', '=', task.body.id).execute(),
  );
  const run = await client.post('/v1/api/training-runs', { task_id: task.body.id, alias: 'production' });
  expect(run.status, run.text).toBe(202);
  const trained = await client.finished(`/v1/api/training-runs/${run.body.id}`);
  expect(trained.body, trained.text).toMatchObject({ status: 'succeeded', fraction: 1 });
  expect(trained.body.warnings).toContainEqual({ code: 'data', message: 'definition: the field windov is not used' });
  const { model_id, version_id } = trained.body;

  const version = await client.get(`/v1/api/models/${model_id}/versions/${version_id}`);
  expect(version.body).toMatchObject({ status: 'active', aliases: ['production'], warnings: trained.body.warnings });
  const { naive, value } = version.body.metrics.outputs.prediction;
  expect(naive.constant).toBeLessThan(value);
  expect(naive).toMatchObject({ own_mean: expect.any(Number), own_last: expect.any(Number) });

  const features = [];
  let next = '';
  do {
    const page = await client.get(`/v1/api/models/${model_id}/versions/${version_id}/features?limit=20${next}`);
    expect(page.status, page.text).toBe(200);
    features.push(...page.body.data);
    next = page.body.has_more ? `&cursor=${page.body.next_cursor}` : '';
  } while (next !== '');
  expect(features).toHaveLength(version.body.metrics.features);
  const shares: number[] = features.map(({ importance }) => importance);
  expect(shares).toEqual(shares.toSorted((a, b) => b - a));
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 3);
  const read = new Set(features.flatMap(({ columns, path }) => [...columns, ...path]));
  expect(read.has('orders.customer_id')).toBe(true);
  expect(read.has('customers.segment'), 'the task drops it').toBe(false);
  expect(features[0]).toMatchObject({ columns: ['orders.amount'], path: ['orders.customer_id'], table: 'orders' });
  const answer = await client.post(`/v1/api/prediction/${model_id}/production`, { customer_id: 'C1' });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body).toMatchObject({ model_id, version_id, data_coverage: 'full' });
  expect(answer.body.prediction).toBeGreaterThan(0);
  const pinned = await client.post(`/v1/api/prediction/${model_id}/${version_id}`, { customer_id: 'C1' });
  expect(pinned.body.prediction).toBe(answer.body.prediction);
  const before = { customer_id: 'C1', reference_date: '2000-01-01' };
  const unborn = await client.post(`/v1/api/prediction/${model_id}/production`, before);
  expect(unborn.body, 'nothing was known by then').toMatchObject({ data_coverage: 'none' });
  const logged = await client.get(`/v1/api/predictions/${answer.body.prediction_id}`);
  expect(logged.body).toMatchObject({ inputs: { customer_id: 'C1' }, outputs: answer.body, alias: 'production' });

  // As of a version whose report has the number of its features only.
  const report = Buffer.from(JSON.stringify({ features: 38 }));
  const { app } = service.service;
  const { kysely } = service.owner;
  const stored = await kysely
    .selectFrom('model_versions')
    .select(['storage_prefix', 'files'])
    .where('id', '=', version_id)
    .executeTakeFirstOrThrow();
  const { sha256 } = await app.storage.put(`${stored.storage_prefix}report.json`, report);
  const hashes = JSON.stringify({ ...stored.files, 'report.json': sha256 });
  await kysely.updateTable('model_versions').set({ files: hashes }).where('id', '=', version_id).execute();
  const old = await client.get(`/v1/api/models/${model_id}/versions/${version_id}/features`);
  expect([old.status, old.body.detail]).toEqual([
    404,
    `version ${version_id} was made before versions kept what they read: train the model again to see it`,
  ]);
});
