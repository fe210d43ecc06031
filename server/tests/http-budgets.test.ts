/** Work that needs more than its budget ends at once as failed, says why, and holds up nobody. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import type { handlers } from '../src/compute.ts';
import type { Budget } from '../src/lib/processes/budget.ts';
import { byHandler, openPool, type TaskExceeded } from '../src/lib/processes/pool.ts';
import type { App } from '../src/resources/app.ts';
import { taskBudgets } from '../src/resources/budgets.ts';
import { poolSize } from '../src/resources/job.ts';
import { type Client, startTestService, type TestService } from './service.ts';
import { shopTables, shopText } from './shop.ts';
import { takeIn } from './take-in.ts';
import { trainTask } from './train-task.ts';

const script = fileURLToPath(new URL('../src/compute.ts', import.meta.url));
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

/** A table of one wide row after the other, none like another, as a customer might send it. */
function largeTable(megabytes: number): string {
  const lines = ['note_id,noted_at,note'];
  for (let at = 0, bytes = 0; bytes < megabytes << 20; at++) {
    const line = `N${at},2024-01-${String(1 + (at % 28)).padStart(2, '0')},${String(at * 7919).repeat(20)}`;
    bytes += line.length + 1;
    lines.push(line);
  }
  return `${lines.join('\n')}\n`;
}

async function ingestLarge(client: Client, megabytes: number) {
  const files = [{ file_id: await client.upload('notes.csv', largeTable(megabytes)), table: 'notes' }];
  const asked = await client.post('/v1/api/ingestions', { files });
  expect(asked.status, asked.text).toBe(202);
  return (await client.finished(`/v1/api/ingestions/${asked.body.id}`)).body;
}

const metricsOf = async (service: TestService) => (await service.anonymous.get('/metrics')).text;

test('an ingestion of more memory than its share fails at once, and that of another goes on', async () => {
  const service = await start({ computeMemoryMb: 1_280 });
  const [large, small] = [await service.tenant('Large'), await service.tenant('Small')];
  const failing = ingestLarge(large.client, 80);
  await takeIn(small.client, shopText('contract.yaml'), shopTables);
  const ended = await failing;
  expect(ended).toMatchObject({ status: 'failed', failure: { code: 'budget_exceeded' } });
  expect(ended.failure.detail).toMatch(/^Taking in the files needed more memory than the 224 MB that one task may use/);
  expect(ended.failure.detail).toMatch(/several smaller files.*LASTRO_COMPUTE_MEMORY_MB/);
  expect(readdirSync(service.service.app.workFolder).filter((name) => name.startsWith(ended.id))).toEqual([]);
  // Once, and not once for each of six tries.
  expect(await metricsOf(service)).toMatch(/^lastro_tasks_over_budget_total\{task="ingest",limit="memory"\} 1$/m);
  expect(await metricsOf(service)).toMatch(/^lastro_jobs_given_up_total\{queue="ingestions"\} 1$/m);
});

test('an ingestion that takes more time than it may fails at once', async () => {
  const service = await start({ budgetFactor: 0.1 / 7_200 });
  const { client } = await service.tenant('Slow');
  const ended = await ingestLarge(client, 5);
  expect(ended).toMatchObject({ status: 'failed', failure: { code: 'budget_exceeded' } });
  expect(ended.failure.detail).toMatch(/^Taking in the files needed more .* LASTRO_TASK_BUDGET_FACTOR\.$/);
});

/** Has tasks of a kind run with a smaller budget from now on. */
function tighten(service: TestService, change: Partial<Budget>): TaskExceeded[] {
  const told: TaskExceeded[] = [];
  const settings = { computeMemoryMb: 4_096, computeProcesses: 1, budgetFactor: 1 };
  const budgets = Object.entries(taskBudgets(settings)).map(([name, budget]) => [name, { ...budget, ...change }]);
  const pool = openPool<typeof handlers>({
    ...{ script, size: poolSize(1), nice: 0 },
    budgets: Object.fromEntries(budgets),
    onExceeded: (one) => told.push(one),
  });
  closers.push(() => pool.close(0));
  Object.assign(service.service.app, { compute: byHandler(pool) satisfies App['compute'] });
  return told;
}

test('training, scoring and erasing end likewise, each with what it belongs to', async () => {
  const service = await start();
  const { client, ctx } = await service.tenant('Shop');
  await takeIn(client, shopText('contract.yaml'), shopTables);
  const { task, run } = await trainTask(client, { name: 'amounts', definition });
  const rows = await client.upload('rows.csv', 'customer_id,reference_date\nC1,2024-01-01\n');

  const told = tighten(service, { cpuSeconds: 0.05 });
  const failed = async (path: string, body: object) => {
    const asked = await client.post(path, body);
    expect(asked.status, asked.text).toBe(202);
    return (await client.finished(`${path}/${asked.body.id}`)).body;
  };
  const exceeded = { status: 'failed', failure: { code: 'budget_exceeded' } };
  const trained = await failed('/v1/api/training-runs', { task_id: task.id });
  expect(trained).toMatchObject(exceeded);
  const pretrained = await failed('/v1/api/training-runs', { entity: 'customers' });
  expect(pretrained).toMatchObject(exceeded);
  const erased = await failed('/v1/api/erasures', { identifier: 'C1' });
  expect(erased).toMatchObject(exceeded);
  const scored = await failed('/v2/api/batches', { files: [rows], model: `${run.model_id}/production` });
  expect(scored.status).toBe('failed');
  const errors = await client.get(`/v2/api/batches/${scored.id}/errors`);
  expect(errors.text + JSON.stringify(scored)).toContain('budget_exceeded');

  const workspace = ctx.workspaceId;
  expect(told).toMatchObject([
    { task: 'train', limit: 'cpu', about: { workspace, run: trained.id } },
    { task: 'pretrain', limit: 'cpu', about: { workspace, run: pretrained.id } },
    { task: 'lookFor', limit: 'cpu', about: { workspace, erasure: erased.id } },
    { task: 'inspectFiles', limit: 'cpu', about: { workspace, batch: scored.id } },
  ]);
  expect(told).toHaveLength(4);

  tighten(service, {});
  const again = await failed('/v1/api/training-runs', { task_id: task.id });
  expect(again).toMatchObject({ status: 'succeeded' });
});
