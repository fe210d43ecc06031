/**
 * Two models of the shop: who returns, asked by customer, and which new order is late; and batches of them; test
 * support.
 */
import { expect } from 'vitest';
import type { Config } from '../../../src/config.ts';
import { type Client, startTestService, type Tenant, type TestService } from '../../service.ts';
import { csv, orderRows, returnsTask, shopTables, shopText } from '../../shop.ts';
import { takeIn } from '../../take-in.ts';
import { type TaskTexts, trainTask } from '../../train-task.ts';
import { makeOnce } from '../../worlds.ts';

export type Trained = { readonly model_id: string; readonly version_id: string };

const lateRows = orderRows.map(([id, , at, amount], i) => [at, id, (Number(amount) + i) % 3 === 0 ? 1 : 0]);
const half = lateRows.length / 2;
const lateTask = {
  name: 'late',
  definition: 'entity: orders\nkey: order_id\ntime: date\nlabel: late\nkind: binary\nmetric: auroc\n',
  labels: {
    train: csv('date,order_id,late', lateRows.slice(0, half)),
    validation: csv('date,order_id,late', lateRows.slice(half)),
  },
};

/** A service with one tenant, who has the shop and both models: made once a run, and copied. */
export async function startShop(
  overrides: Partial<Config> = {},
): Promise<{ service: TestService; tenant: Tenant; client: Client; returns: Trained; late: Trained }> {
  const { stored, known } = await makeOnce('shop', async (made) => {
    const { ctx, userId, client } = await made.tenant('Shop');
    return { tenant: { ctx, userId, secret: client.key }, models: await learnShop(client) };
  });
  const service = await startTestService(overrides, 'all', stored);
  const tenant = service.tenantOf(known.tenant);
  return { service, tenant, client: tenant.client, ...known.models };
}

/** Takes the shop in, learns both tasks, and points `production` at each version. */
export async function learnShop(client: Client): Promise<{ returns: Trained; late: Trained }> {
  return { returns: await learnReturns(client), late: await learn(client, lateTask) };
}

/** The same with the first of them alone. */
export async function learnReturns(client: Client): Promise<Trained> {
  await takeIn(client, shopText('contract.yaml'), shopTables);
  return learn(client, returnsTask);
}

async function learn(client: Client, task: TaskTexts): Promise<Trained> {
  const { run } = await trainTask(client, task);
  return { model_id: run.model_id, version_id: run.version_id };
}

export async function askForBatch(client: Client, body: Record<string, unknown>): Promise<string> {
  const asked = await client.post('/v2/api/batches', body);
  expect(asked.status, asked.text).toBe(202);
  expect(asked.body).toMatchObject({ status: 'queued', failure: null, progress: { fraction: 0 } });
  return asked.body.id;
}

/** Asks for a batch and waits for its end. */
export async function runBatch(client: Client, body: Record<string, unknown>) {
  const id = await askForBatch(client, body);
  const { body: batch } = await client.finished(`/v2/api/batches/${id}`);
  return { id, batch };
}

export async function resultOf(client: Client, id: string) {
  const result = await client.get(`/v2/api/batches/${id}/result`);
  expect(result.status, result.text).toBe(200);
  return result.body;
}

/** What the storage has of a batch. */
export async function keysOf({ service }: TestService, { ctx }: Tenant, id: string): Promise<string[]> {
  const { organizationId, workspaceId } = ctx;
  const keys = [];
  for await (const { key } of service.app.storage.list(`${organizationId}/${workspaceId}/batches/${id}/`))
    keys.push(key.slice(key.indexOf(id) + id.length + 1));
  return keys;
}

/** Fetches the bytes of an address without a key. */
export async function fetchBytes(url: string, headers: Record<string, string> = {}): Promise<Buffer> {
  const answer = await fetch(url, { headers });
  expect(answer.ok, `${url}: ${answer.status}`).toBe(true);
  return Buffer.from(await answer.arrayBuffer());
}

/** What is said of the rows of a batch that were left out. */
export async function errorsOf(client: Client, id: string) {
  const errors = await client.get(`/v2/api/batches/${id}/errors?limit=200`);
  expect(errors.status, errors.text).toBe(200);
  return errors.body.data;
}
