/** The units of a batch: scored once, failed, taken in order, and continued when a worker has died. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client, Tenant, TestService } from '../../../tests/service.ts';
import { csv } from '../../../tests/shop.ts';
import { keysOf, resultOf, runBatch, startShop, type Trained } from '../../../tests/support/samples/batches.ts';
import { tenant as tenantDoor } from '../../access/transactions.ts';
import { sweep } from '../maintenance/sweep.ts';
import { batchJobs } from './jobs.ts';
import { batchQueue, unitQueue } from './queue.ts';
import { updateBatch } from './sql.ts';
import { startBatch } from './start.ts';
import { advanceBatch } from './work/advance.ts';
import { reviveBatches } from './work/revive.ts';
import { runUnit } from './work/run-unit.ts';
import { countQueued, endUnit, selectUnits, takePlanned, updateUnit } from './work/sql.ts';

let service: TestService;
let tenant: Tenant;
let client: Client;
let returns: Trained;

beforeAll(async () => {
  ({ service, tenant, client, returns } = await startShop());
});
afterAll(() => service.close());

const production = () => `${returns.model_id}/production`;

test('a unit that has ended is not done again, and an attempt that was overtaken changes nothing', async () => {
  const { app } = service.service;
  const file = await client.upload('again.csv', csv('customer_id', [['C1']]));
  const { id } = await runBatch(client, { files: [file], model: production() });
  const before = await resultOf(client, id);
  const job = { id, workspace_id: tenant.ctx.workspaceId, position: 0, unit: 0 };
  const forever = new AbortController().signal;
  await runUnit(app, job, forever);
  await advanceBatch(app, job, forever);
  const units = await service.owner.pool.query('select status, attempt from batch_units where batch_id = $1', [id]);
  expect(units.rows).toEqual([{ status: 'succeeded', attempt: 1 }]);
  // Resets the batch as if it were still running and two workers had its unit.
  const reset = "update batch_units set status = 'running', attempt = 4, part_key = null where batch_id = $1";
  await service.owner.pool.query("update batches set status = 'running', finished_at = null where id = $1", [id]);
  await service.owner.pool.query(reset, [id]);
  const ended = await tenantDoor(app.db, tenant.ctx, (tx) => endUnit(tx, job, 3, { status: 'succeeded' }));
  expect(ended).toBe(false);
  await runUnit(app, job, forever);
  await client.finished(`/v2/api/batches/${id}`);
  expect((await resultOf(client, id)).files[0].sha256).toBe(before.files[0].sha256);
});

test('a batch pins what its files name, with what that meant when it was accepted', async () => {
  const { app } = service.service;
  const [champion, moved] = [`${returns.model_id}/champion`, `${returns.model_id}/production`];
  const lines = [
    [champion, 'C1'],
    ['', 'C2'],
    [`${returns.model_id}/never`, 'C3'],
  ];
  const file = await client.upload('pinned.csv', csv('endpoint,customer_id', lines));
  const plain = await client.upload('plain.csv', csv('customer_id', [['C4']]));
  const point = { model_id: returns.model_id, alias: 'champion', version_id: returns.version_id };
  const own = { organization_id: tenant.ctx.organizationId, workspace_id: tenant.ctx.workspaceId };
  // One alias is removed and another added after the batch is accepted and before a worker sees it.
  const id = await tenantDoor(app.db, tenant.ctx, async (tx) => {
    await tx
      .insertInto('aliases')
      .values({ ...own, ...point })
      .execute();
    const started = await startBatch(app, tx, tenant.ctx, { files: [file, plain], model: moved });
    await tx.deleteFrom('aliases').where('alias', '=', 'champion').execute();
    await tx
      .insertInto('aliases')
      .values({ ...own, ...point, alias: 'never' })
      .execute();
    return started;
  });
  const { body } = await client.finished(`/v2/api/batches/${id}`);
  expect(body).toMatchObject({ status: 'succeeded', progress: { rows: { succeeded: 3, failed: 1 } } });
  expect((await client.get(`/v2/api/batches/${id}/errors`)).body.data).toMatchObject([
    { row: 3, code: 'unknown_endpoint' },
  ]);
  const { rows } = await service.owner.pool.query('select targets, model from batches where id = $1', [id]);
  expect(rows[0].targets).toEqual({ [champion]: returns.version_id });
  expect(rows[0].model).toEqual({ model_id: returns.model_id, alias: 'production', version_id: returns.version_id });
});

test('a batch that was planned with every target of its workspace pinned goes on', async () => {
  const { app } = service.service;
  const rows = [
    [production(), 'C1'],
    [`${returns.model_id}/${returns.version_id}`, 'C2'],
  ];
  const file = await client.upload('wide.csv', csv('endpoint,customer_id', rows));
  const { id } = await runBatch(client, { files: [file], model: production() });
  const before = await resultOf(client, id);
  const targets = {
    [production()]: returns.version_id,
    [`${returns.model_id}/${returns.version_id}`]: returns.version_id,
  };
  const wide = { ...targets, 'mdl_other/production': 'ver_other', 'mdl_gone/production': 'ver_gone' };
  await service.owner.pool.query(
    "update batches set status = 'running', finished_at = null, targets = $2 where id = $1",
    [id, JSON.stringify(wide)],
  );
  await service.owner.pool.query("update batch_units set status = 'queued', part_key = null where batch_id = $1", [id]);
  await service.owner.pool.query('update batch_files set output_key = null where batch_id = $1', [id]);
  await runUnit(app, { id, workspace_id: tenant.ctx.workspaceId, position: 0, unit: 0 }, new AbortController().signal);
  expect((await client.finished(`/v2/api/batches/${id}`)).body.status).toBe('succeeded');
  expect((await resultOf(client, id)).files[0].sha256).toBe(before.files[0].sha256);
});

test('a unit that fails every time is given up, and the batch says so', async () => {
  const { app } = service.service;
  const file = await client.upload('deadly.csv', csv('customer_id', [['C1']]));
  const { id } = await runBatch(client, { files: [file], model: production() });
  const job = { id, workspace_id: tenant.ctx.workspaceId, position: 0, unit: 0 };
  await service.owner.pool.query("update batches set status = 'running', finished_at = null where id = $1", [id]);
  await service.owner.pool.query("update batch_units set status = 'running', part_key = null where batch_id = $1", [
    id,
  ]);
  await service.owner.pool.query('update batch_files set output_key = null where batch_id = $1', [id]);
  const failure = { code: 'internal', detail: 'it was tried in vain' };
  await batchJobs(app).find(({ queue }) => queue === unitQueue)!.giveUp!(job, failure);
  const { body } = await client.finished(`/v2/api/batches/${id}`);
  expect(body).toMatchObject({
    status: 'failed',
    failure: { code: 'internal', detail: 'deadly.csv: it was tried in vain' },
  });
  expect(body.progress.rows.processed).toBe(0);
  const result = await client.get(`/v2/api/batches/${id}/result`);
  expect({ status: result.status, code: result.body.code }).toEqual({ status: 409, code: 'batch_without_result' });
});

test('a batch that is given up takes its units with it, and the room that they had', async () => {
  const { app } = service.service;
  const file = await client.upload('given-up.csv', csv('customer_id', [['C1']]));
  const { id } = await runBatch(client, { files: [file], model: production() });
  const job = { id, workspace_id: tenant.ctx.workspaceId };
  await service.owner.pool.query("update batches set status = 'running', finished_at = null where id = $1", [id]);
  await service.owner.pool.query("update batch_units set status = 'queued' where batch_id = $1", [id]);
  const failure = { code: 'internal', detail: 'it was tried in vain' };
  await batchJobs(app).find(({ queue }) => queue === batchQueue)!.giveUp!(job, failure);
  const left = await tenantDoor(app.db, tenant.ctx, async (tx) => ({
    statuses: (await selectUnits(tx, id)).map(({ status }) => status),
    queued: await countQueued(tx),
  }));
  expect(left).toEqual({ statuses: ['interrupted'], queued: 0 });
});

test('units wait in the order of priority and age', async () => {
  const file = await client.upload('waiting.csv', csv('customer_id', [['C1']]));
  const ids: string[] = [];
  for (const priority of [0, 5, 5])
    ids.push((await runBatch(client, { files: [file, file], model: production(), priority })).id);
  const rolledBack = new Error('rolled back');
  await expect(
    tenantDoor(service.service.app.db, tenant.ctx, async (tx) => {
      for (const id of ids) {
        await updateBatch(tx, id, { status: 'running' });
        for (const unit of await selectUnits(tx, id)) await updateUnit(tx, { ...unit, id }, { status: 'planned' });
      }
      const taken = await takePlanned(tx, 5);
      expect(taken).toEqual([
        { id: ids[1], position: 0, unit: 0 },
        { id: ids[1], position: 1, unit: 0 },
        { id: ids[2], position: 0, unit: 0 },
        { id: ids[2], position: 1, unit: 0 },
        { id: ids[0], position: 0, unit: 0 },
      ]);
      expect(await countQueued(tx)).toBe(5);
      for (const id of ids)
        for (const unit of await selectUnits(tx, id)) await updateUnit(tx, { ...unit, id }, { status: 'planned' });
      await updateBatch(tx, ids[0], { created_at: new Date(Date.now() - 3_600_000) });
      const waitedLong = await takePlanned(tx, 1);
      expect(waitedLong).toEqual([{ id: ids[0], position: 0, unit: 0 }]);
      throw rolledBack;
    }),
  ).rejects.toBe(rolledBack);
});

test('a sweep takes what a worker that died left of a finished batch, and nothing of its result', async () => {
  const { storage } = service.service.app;
  const file = await client.upload(
    'swept.csv',
    csv('customer_id,reference_date', [
      ['C1', '2024-01-01'],
      ['C1', 'never'],
    ]),
  );
  const { id } = await runBatch(client, { files: [file, file], model: production() });
  const kept = await keysOf(service, tenant, id);
  expect(kept).toHaveLength(4);
  await storage.put(
    `${tenant.ctx.organizationId}/${tenant.ctx.workspaceId}/batches/${id}/parts/0-0-7`,
    Buffer.from('x'),
  );
  await sweep(service.service.app, -1000);
  expect(await keysOf(service, tenant, id)).toEqual(kept);
});

test('a batch whose job was lost is queued again, once', async () => {
  const { app } = service.service;
  const silent = new Date(Date.now() - 60_000);
  const file = await client.upload('lost.csv', csv('customer_id', [['C1']]));
  const { id } = await runBatch(client, { files: [file], model: production() });
  // Resets the batch as if the job that ends it had failed all its retries.
  await service.owner.pool.query("update batches set status = 'running', created_at = $2 where id = $1", [id, silent]);
  await service.owner.pool.query('update batch_units set touched_at = $2, finished_at = $2 where batch_id = $1', [
    id,
    silent,
  ]);
  expect(await reviveBatches(app, 30_000)).toBe(1);
  const { body } = await client.finished(`/v2/api/batches/${id}`);
  expect(body.status).toBe('succeeded');
  expect(await reviveBatches(app, 30_000)).toBe(0);
});
