/** A workspace with the made-up lender in it, and questions trained there; test support. */
import { expect } from 'vitest';
import { lendingData, lendingFiles, lendingQueries } from './lending.ts';
import type { Client } from './service.ts';

/** Takes the lender's contract and tables in. */
export async function takeInLending(client: Client): Promise<void> {
  const files = lendingFiles(lendingData());
  const proposed = await client.post('/v1/api/contracts', { document: files['contract.yaml'], accept: true });
  expect(proposed.status, proposed.text).toBe(201);
  const uploaded = [];
  for (const table of ['customer', 'order', 'loan', 'instalment'])
    uploaded.push({ file_id: await client.upload(`${table}.csv`, files[`tables/${table}.csv`]!), table });
  const asked = await client.post('/v1/api/ingestions', { files: uploaded });
  const ingested = await client.finished(`/v1/api/ingestions/${asked.body.id}`);
  expect(ingested.body, ingested.text).toMatchObject({ status: 'succeeded' });
}

/** Trains a question as a model of its name and asks it once. */
export async function trainAndAsk(client: Client, name: keyof typeof lendingQueries, inputs: object) {
  const task = await client.post('/v1/api/tasks', { name, definition: lendingQueries[name] });
  expect(task.status, task.text).toBe(201);
  const run = await client.post('/v1/api/training-runs', { task_id: task.body.id, alias: 'production' });
  const trained = await client.finished(`/v1/api/training-runs/${run.body.id}`);
  expect(trained.body, trained.text).toMatchObject({ status: 'succeeded' });
  const { model_id, version_id } = trained.body;
  const version = await client.get(`/v1/api/models/${model_id}/versions/${version_id}`);
  const reply = await client.post(`/v1/api/prediction/${model_id}/production`, inputs);
  expect(reply.status, reply.text).toBe(200);
  return { task: task.body, metrics: trained.body.metrics, version: version.body, body: reply.body };
}
