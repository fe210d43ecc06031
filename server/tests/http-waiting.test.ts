/** Work that is running and has no process yet says what it waits for. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { App } from '../src/resources/app.ts';
import { type Client, startTestService, type TestService } from './service.ts';
import { shopTables, shopText } from './shop.ts';
import { sendTables } from './take-in.ts';

let service: TestService;
/** What shows the progress of the next task: it begins once that tells of the wait. */
let shown: (() => Promise<unknown>) | null = null;

beforeAll(async () => {
  service = await startTestService();
  const { app } = service.service;
  const compute = app.compute!;
  const busy = {
    ...compute,
    async run(task: never, options: { onWait?: () => void }) {
      options.onWait?.();
      while (shown !== null && (await shown()) !== 'waiting for a process') await sleep(10);
      return compute.run(task, options);
    },
  };
  Object.assign(app, { compute: busy as unknown as App['compute'] });
});
afterAll(() => service.close());

/** Starts what is to wait; resolves when it has said so and then ended. */
async function waits(client: Client, path: string, asked: object, phaseOf: (body: never) => unknown): Promise<void> {
  const told = Promise.withResolvers<string>();
  shown = async () => phaseOf((await client.get(`${path}/${await told.promise}`)).body as never);
  const started = await client.post(path, asked);
  expect(started.status, started.text).toBe(202);
  told.resolve(started.body.id);
  const ended = await client.finished(`${path}/${started.body.id}`);
  expect(ended.body.status, ended.text).toBe('succeeded');
}

test('an ingestion and a training run that wait for a process say so', { timeout: 60_000 }, async () => {
  const { client } = await service.tenant('Waiting');
  await client.post('/v1/api/contracts', { document: shopText('contract.yaml'), accept: true });
  const files = await sendTables(client, shopTables);
  await waits(
    client,
    '/v1/api/ingestions',
    { files },
    ({ progress }: { progress: { phase: string } | null }) => progress?.phase,
  );
  const definition = 'PREDICT sum(orders.amount) WITHIN 30d FOR customers';
  const task = await client.post('/v1/api/tasks', { name: 'orders-again', definition });
  const asked = { task_id: task.body.id };
  await waits(client, '/v1/api/training-runs', asked, ({ phase }: { phase: string | null }) => phase);
});
