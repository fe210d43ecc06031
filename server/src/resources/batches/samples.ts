/** Two models of the shop: who returns, asked by customer, and which new order is late; test support. */
import { expect } from 'vitest';
import type { Client } from '../../../tests/service.ts';
import { csv, orderRows, shopText } from '../../../tests/shop.ts';

export type Trained = { readonly model_id: string; readonly version_id: string };

const lateTask = `entity: orders
key: order_id
time: date
label: late
kind: binary
metric: auroc
`;

const lateRows = orderRows.map(([id, , at, amount], i) => [at, id, (Number(amount) + i) % 3 === 0 ? 1 : 0]);
const half = lateRows.length / 2;

/** Takes the shop in, learns both tasks, and points `production` at each version. */
export async function learnShop(client: Client): Promise<{ returns: Trained; late: Trained }> {
  const proposed = await client.post('/v1/api/contracts', { document: shopText('contract.yaml'), accept: true });
  expect(proposed.status, proposed.text).toBe(201);
  const files = [];
  for (const table of ['customers', 'orders'])
    files.push({ file_id: await client.upload(`${table}.csv`, shopText(`tables/${table}.csv`)), table });
  const asked = await client.post('/v1/api/ingestions', { files });
  await client.finished(`/v1/api/ingestions/${asked.body.id}`);
  const texts = (folder: string) => ['task.yaml', 'train.csv', 'val.csv'].map((name) => shopText(`${folder}/${name}`));
  return {
    returns: await learn(client, 'returns', texts('tasks/returns')),
    late: await learn(client, 'late', [
      lateTask,
      csv('date,order_id,late', lateRows.slice(0, half)),
      csv('date,order_id,late', lateRows.slice(half)),
    ]),
  };
}

async function learn(client: Client, name: string, [definition, train, validation]: string[]): Promise<Trained> {
  const labels = {
    train: await client.upload(`${name}-train.csv`, train),
    validation: await client.upload(`${name}-val.csv`, validation),
  };
  const task = await client.post('/v1/api/tasks', { name, definition, labels });
  expect(task.status, task.text).toBe(201);
  const started = await client.post('/v1/api/training-runs', { task_id: task.body.id, alias: 'production' });
  const trained = await client.finished(`/v1/api/training-runs/${started.body.id}`);
  expect(trained.body.status, trained.text).toBe('succeeded');
  const { model_id, version_id } = trained.body;
  return { model_id, version_id };
}
