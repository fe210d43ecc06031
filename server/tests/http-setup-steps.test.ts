/** What the service makes in a workspace by itself: told to its people by any process, and to nobody else. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planSetup, reportSetup } from '../src/resources/setup-steps/report.ts';
import { startSecondProcess } from './second-process.ts';
import { type Client, openClient, type Tenant, type TestService } from './service.ts';
import type { World } from './world.ts';
import { startWorlds } from './worlds.ts';

let service: TestService;
let demo: Tenant;
let other: Tenant;
let world: World;

beforeAll(async () => {
  const worlds = await startWorlds();
  ({ service } = worlds);
  ({ world, tenant: demo } = worlds.a);
  other = worlds.b.tenant;
});
afterAll(() => service.close());

const stepsOf = async (client: Client) => (await client.get('/v1/api/setup-steps')).body.data;
const report = (step: string, change: Parameters<typeof reportSetup>[3]) =>
  reportSetup(service.service.app.db, demo.ctx, step, change);

test('a workspace in which nothing is made has no steps, and others see none of its', async () => {
  expect(await stepsOf(demo.client)).toEqual([]);
  await planSetup(service.service.app.db, demo.ctx, ['data', 'credit']);
  const nothing = {
    phase: null,
    fraction: null,
    detail: null,
    ingestion_id: null,
    training_run_id: null,
    model_id: null,
  };
  expect(await stepsOf(demo.client)).toEqual(
    ['data', 'credit'].map((step) => ({ step, status: 'waiting', ...nothing, updated_at: expect.any(String) })),
  );
  expect(await stepsOf(other.client)).toEqual([]);
});

test('a step tells how far its own work is while it runs, by any process, and what came of it', async () => {
  await report('credit', { status: 'running', trainingRunId: world.run });
  await service.owner.pool.query("update training_runs set phase = 'features', fraction = 0.25 where id = $1", [
    world.run,
  ]);
  const second = await startSecondProcess(service);
  const [, running] = await stepsOf(openClient(second.url, demo.client.key));
  await second.close();
  expect(running).toMatchObject({ status: 'running', phase: 'features', fraction: 0.25, training_run_id: world.run });
  await report('credit', { status: 'ready', modelId: world.model });
  const [, ready] = await stepsOf(demo.client);
  expect(ready).toMatchObject({ status: 'ready', phase: null, fraction: null, model_id: world.model });
});

test('a reason is told until it is tried again, and planning again leaves what is known', async () => {
  await report('data', { status: 'failed', detail: 'the disk is full' });
  await planSetup(service.service.app.db, demo.ctx, ['data', 'credit', 'fraud']);
  expect(
    (await stepsOf(demo.client)).map((one: Record<string, unknown>) => [one.step, one.status, one.detail]),
  ).toEqual([
    ['data', 'failed', 'the disk is full'],
    ['credit', 'ready', null],
    ['fraud', 'waiting', null],
  ]);
  await report('data', { status: 'running', ingestionId: world.ingestion });
  expect((await stepsOf(demo.client))[0]).toMatchObject({ detail: null, ingestion_id: world.ingestion });
});

test('work and models of another workspace say nothing', async () => {
  await planSetup(service.service.app.db, other.ctx, ['credit']);
  await reportSetup(service.service.app.db, other.ctx, 'credit', {
    ...{ status: 'running', trainingRunId: world.run, modelId: world.model },
  });
  expect(await stepsOf(other.client)).toMatchObject([
    { status: 'running', phase: null, fraction: null, model_id: null },
  ]);
});
