/** An attacker at a running service; test support. */
import { expect } from 'vitest';
import { type Client, openClient } from '../service.ts';
import { learnReturns } from '../support/samples/batches.ts';
import type { Attacker } from './attack.ts';

/** Gives the first workspace the shop and a model. */
export async function openAttacker(url: string, client: Client, newcomer: Client): Promise<Attacker> {
  const { model_id: modelId } = await learnReturns(client);
  const fileId = await client.upload('few.csv', 'customer_id\nC1\nC2\n');
  const tasks = await client.get('/v1/api/tasks');
  expect(tasks.status, tasks.text).toBe(200);
  return {
    ...{ client, newcomer, anonymous: openClient(url, ''), url },
    ...{ model: `${modelId}/production`, modelId, taskId: tasks.body.data[0].id, fileId },
  };
}
