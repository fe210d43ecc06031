/** An attacker at a running service; test support. */
import { expect } from 'vitest';
import { type Client, openClient } from '../service.ts';
import { returnsTask } from '../shop.ts';
import { learnReturns, type Trained } from '../support/samples/batches.ts';
import type { Attacker } from './attack.ts';

/** Gives the first workspace the shop and a model, unless it has them. */
export async function openAttacker(
  url: string,
  client: Client,
  newcomer: Client,
  returns?: Trained,
): Promise<Attacker> {
  const { model_id: modelId } = returns ?? (await learnReturns(client));
  const fileId = await client.upload('few.csv', 'customer_id\nC1\nC2\n');
  const tasks = await client.get('/v1/api/tasks');
  expect(tasks.status, tasks.text).toBe(200);
  const taskId = tasks.body.data.find(({ name }: { name: string }) => name === returnsTask.name).id;
  return {
    ...{ client, newcomer, anonymous: openClient(url, ''), url },
    ...{ model: `${modelId}/production`, modelId, taskId, fileId },
  };
}
