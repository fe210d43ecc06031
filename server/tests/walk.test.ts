/** A customer's way through the API: contract, files, ingestion, task, training run, alias, prediction. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type Tenant, type TestService } from './service.ts';
import { shopText } from './shop.ts';

let service: TestService;
let tenant: Tenant;

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.tenant('Shop');
});
afterAll(() => service.close());

test('from tables to a prediction', { timeout: 120_000 }, async () => {
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
  const task = await client.post('/v1/api/tasks', {
    name: 'returns',
    definition: `${shopText('tasks/returns/task.yaml')}windov: 30d\n`,
    labels,
  });
  expect(task.status, task.text).toBe(201);
  expect(task.body.warnings).toEqual(['definition: the field windov is not used']);
  const run = await client.post('/v1/api/training-runs', { task_id: task.body.id, alias: 'production' });
  expect(run.status, run.text).toBe(202);
  const trained = await client.finished(`/v1/api/training-runs/${run.body.id}`);
  expect(trained.body, trained.text).toMatchObject({ status: 'succeeded', fraction: 1 });
  expect(trained.body.metrics.warnings).toEqual(['definition: the field windov is not used']);
  const { model_id, version_id } = trained.body;

  const version = await client.get(`/v1/api/models/${model_id}/versions/${version_id}`);
  expect(version.body).toMatchObject({ status: 'active', aliases: ['production'] });
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
});
