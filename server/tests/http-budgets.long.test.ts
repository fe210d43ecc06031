/** Data that do not fit into the memory for answering at once. */
import { afterEach, expect, test } from 'vitest';
import { type Client, startTestService, type TestService } from './service.ts';
import { shopTables, shopText } from './shop.ts';
import { takeIn } from './take-in.ts';
import { trainTask } from './train-task.ts';

const definition = 'PREDICT sum(orders.amount) WITHIN 30d FOR customers';
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(...given: Parameters<typeof startTestService>): Promise<TestService> {
  const service = await startTestService(...given);
  closers.push(() => service.close());
  return service;
}

const answerOf = (client: Client, modelId: string) =>
  client.post(`/v1/api/prediction/${modelId}/production`, { customer_id: 'C1', reference_date: '2024-01-01' });

async function shopOf(service: TestService, name: string) {
  const { client } = await service.tenant(name);
  await takeIn(client, shopText('contract.yaml'), shopTables);
  const { run } = await trainTask(client, { name: 'amounts', definition });
  return { client, modelId: run.model_id };
}

test('data too large to be answered from at once are refused, and can be scored in batches', {
  timeout: 60_000,
}, async () => {
  const service = await start({ servingMemoryMb: 60 });
  const { client, modelId } = await shopOf(service, 'Large');
  const reply = await answerOf(client, modelId);
  expect(reply.status, reply.text).toBe(413);
  expect(reply.body).toMatchObject({ code: 'budget_exceeded' });
  expect(reply.body.detail).toMatch(/about 48 MB .* 40 MB for that: predict in batches.* LASTRO_SERVING_MEMORY_MB/);
  const files = [await client.upload('rows.csv', 'customer_id,reference_date\nC1,2024-01-01\n')];
  const batch = await client.post('/v2/api/batches', { files, model: `${modelId}/production` });
  expect((await client.finished(`/v2/api/batches/${batch.body.id}`)).body).toMatchObject({ status: 'succeeded' });
});

test('workspaces whose data do not fit together are answered one after the other', async () => {
  const service = await start({ servingMemoryMb: 100 });
  const shops = [await shopOf(service, 'One'), await shopOf(service, 'Two')];
  for (let round = 0; round < 3; round++)
    for (const { client, modelId } of shops) expect((await answerOf(client, modelId)).status).toBe(200);
  const atOnce = await Promise.all([...shops, ...shops].map(({ client, modelId }) => answerOf(client, modelId)));
  expect(atOnce.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});
