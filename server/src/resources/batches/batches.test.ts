/** Batches over HTTP: files in, rows scored by child processes, results out. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, startTestService, type Tenant, type TestService } from '../../../tests/service.ts';
import { shopText } from '../../../tests/shop.ts';

let service: TestService;
let tenant: Tenant;
let client: Client;
let model: { model_id: string; version_id: string };

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.tenant('Shop');
  client = tenant.client;
  model = await learn(client);
}, 120_000);
afterAll(() => service.close());

test('a CSV file is scored in order, as the real-time route scores it', async () => {
  const rows = Array.from({ length: 40 }, (_, c) => `C${c},ref-${c}`);
  const file = await client.upload('2026/customers.csv', `customer_id,correlation_id\n${rows.join('\n')}\n`);
  const { batch, id } = await run({ files: [file], model: `${model.model_id}/production` });
  expect(batch).toMatchObject({
    status: 'succeeded',
    model: { ...model, alias: 'production' },
    progress: { rows: { total: 40, processed: 40, succeeded: 40, failed: 0 }, fraction: 1 },
    failure: null,
    warnings: [],
  });
  const result = await client.get(`/v2/api/batches/${id}/result`);
  expect(result.status, result.text).toBe(200);
  const [{ download_url, path, sha256, rows: count }] = result.body.files;
  expect({ path, count }).toEqual({ path: '2026/customers.csv', count: 40 });
  expect(result.body.download_url).toBe(download_url);
  const sent = await service.anonymous.get(download_url);
  expect(sent.status, sent.text).toBe(200);
  expect(createHash('sha256').update(sent.text).digest('hex')).toBe(sha256);
});

async function run(body: Record<string, unknown>) {
  const asked = await client.post('/v2/api/batches', body);
  expect(asked.status, asked.text).toBe(202);
  const { id } = asked.body;
  const { body: batch } = await client.finished(`/v2/api/batches/${id}`);
  return { id, batch };
}

/** Takes the shop in, learns who returns, and puts the version into production. */
async function learn(client: Client): Promise<{ model_id: string; version_id: string }> {
  const proposed = await client.post('/v1/api/contracts', { document: shopText('contract.yaml'), accept: true });
  expect(proposed.status, proposed.text).toBe(201);
  const files = [];
  for (const table of ['customers', 'orders'])
    files.push({ file_id: await client.upload(`${table}.csv`, shopText(`tables/${table}.csv`)), table });
  const asked = await client.post('/v1/api/ingestions', { files });
  await client.finished(`/v1/api/ingestions/${asked.body.id}`);
  const labels = {
    train: await client.upload('train.csv', shopText('tasks/returns/train.csv')),
    validation: await client.upload('val.csv', shopText('tasks/returns/val.csv')),
  };
  const task = await client.post('/v1/api/tasks', {
    name: 'returns',
    definition: shopText('tasks/returns/task.yaml'),
    labels,
  });
  const started = await client.post('/v1/api/training-runs', { task_id: task.body.id, alias: 'production' });
  const trained = await client.finished(`/v1/api/training-runs/${started.body.id}`);
  expect(trained.body.status, trained.text).toBe('succeeded');
  const { model_id, version_id } = trained.body;
  return { model_id, version_id };
}
