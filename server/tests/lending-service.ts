/** A workspace with the made-up lender in it, and questions trained there; test support. */
import { expect } from 'vitest';
import { lendingData, lendingFiles, lendingQueries } from './lending.ts';
import type { Client } from './service.ts';
import { takeIn } from './take-in.ts';
import { trainTask } from './train-task.ts';

/** Takes the lender's contract and tables in. */
export async function takeInLending(client: Client): Promise<void> {
  const files = lendingFiles(lendingData());
  const tables = ['customer', 'order', 'loan', 'instalment'].map((table) => [table, files[`tables/${table}.csv`]]);
  await takeIn(client, files['contract.yaml'], Object.fromEntries(tables));
}

/** Trains a question, with more clauses, as a model of its name and asks it once. */
export async function trainAndAsk(client: Client, name: keyof typeof lendingQueries, inputs: object, clauses = '') {
  const { task, run } = await trainTask(client, { name, definition: `${lendingQueries[name]} ${clauses}`.trim() });
  const { model_id, version_id } = run;
  const version = await client.get(`/v1/api/models/${model_id}/versions/${version_id}`);
  const reply = await client.post(`/v1/api/prediction/${model_id}/production`, inputs);
  expect(reply.status, reply.text).toBe(200);
  return { task, metrics: run.metrics, version: version.body, body: reply.body };
}
