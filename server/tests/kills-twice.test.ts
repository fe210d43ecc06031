/** A worker that was taken for dead goes on beside the one that does its work again: each change happens once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { system } from '../src/access/transactions.ts';
import type { IngestionJob } from '../src/resources/ingestions/queue.ts';
import { runIngestion } from '../src/resources/ingestions/run.ts';
import { trainRun } from '../src/resources/training-runs/train.ts';
import { startTestService, type Tenant, type TestService } from './service.ts';
import { returnsTask, shopTables, shopText } from './shop.ts';
import { sendTables } from './take-in.ts';
import { defineTask } from './train-task.ts';

let service: TestService;
let tenant: Tenant;
let files: { file_id: string; table: string }[];

beforeAll(async () => {
  service = await startTestService({ computeProcesses: 3 });
  // Its workers do nothing from here on: the tests are the workers.
  await service.service.app.queue.drain();
  tenant = await service.tenant('Shop');
  const { client } = tenant;
  await client.post('/v1/api/contracts', { document: shopText('contract.yaml'), accept: true });
  files = await sendTables(client, shopTables);
});
afterAll(() => service.close());

/** Does a job three times at once, and again for those that were told to. */
async function doTogether(run: () => Promise<void>): Promise<void> {
  const ends = await Promise.allSettled([run(), run(), run()]);
  for (const end of ends) if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'unavailable' });
  expect(ends.map(({ status }) => status)).toContain('fulfilled');
  await run();
}

async function trailOf(id: string): Promise<string[]> {
  return system(service.service.app.db, 'test', async (tx) => {
    const events = await tx
      .selectFrom('events')
      .selectAll()
      .where('resource_id', '=', id)
      .orderBy('sequence')
      .execute();
    const entries = await tx.selectFrom('audit_entries').select('id').where('target_id', '=', id).execute();
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1));
    expect(entries).toHaveLength(events.length);
    return events.map(({ type, payload }) => (payload as { status?: string }).status ?? type);
  });
}

const never = new AbortController().signal;
const jobOf = (id: string): IngestionJob => ({ id, workspace_id: tenant.ctx.workspaceId });

test('an ingestion makes one snapshot', async () => {
  const { body } = await tenant.client.post('/v1/api/ingestions', { files });
  await doTogether(() => runIngestion(service.service.app, jobOf(body.id), never));
  expect(await trailOf(body.id)).toEqual(['queued', 'running', 'succeeded']);
  expect(await rowsIn('snapshots')).toBe(1);
});

test('files that deviate are refused with one proposal', async () => {
  const text = shopTables.orders;
  const [header, ...rows] = text.trimEnd().split('\n');
  const file_id = await tenant.client.upload(
    'orders.csv',
    [`${header},channel`, ...rows.map((row) => `${row},web`)].join('\n'),
  );
  const before = await rowsIn('contracts');
  const { body } = await tenant.client.post('/v1/api/ingestions', {
    files: [{ file_id, table: 'orders', mode: 'upsert' }],
  });
  await doTogether(() => runIngestion(service.service.app, jobOf(body.id), never));
  expect(await trailOf(body.id)).toEqual(['queued', 'running', 'data-contract-deviation', 'refused']);
  expect(await rowsIn('contracts')).toBe(before + 1);
});

test('a training run makes one version', async () => {
  const { id } = await defineTask(tenant.client, returnsTask);
  const { body } = await tenant.client.post('/v1/api/training-runs', { task_id: id, alias: 'production' });
  await doTogether(() => trainRun(service.service.app, jobOf(body.id), never));
  expect(await trailOf(body.id)).toEqual(['queued', 'running', 'succeeded']);
  expect(await rowsIn('model_versions')).toBe(1);
});

async function rowsIn(table: 'snapshots' | 'contracts' | 'model_versions'): Promise<number> {
  const rows = await system(service.service.app.db, 'test', (tx) => tx.selectFrom(table).select('id').execute());
  return rows.length;
}
