import type { Context } from '../../../access/context.ts';
import { type Tx, tenant } from '../../../access/transactions.ts';
import { workspaceContext } from '../../../access/workspace-context.ts';
import { record } from '../../../trail/record.ts';
import type { App } from '../../app.ts';
import type { JobFailure } from '../../job.ts';
import { type BatchFileRow, type BatchModel, type BatchRow, finishedStatuses } from '../batch.ts';
import type { BatchJob } from '../queue.ts';
import { lockBatch, selectBatch, selectFiles, updateBatch } from '../sql.ts';
import { partsFolder } from '../storage-key.ts';
import { assembleFile } from './assemble.ts';
import { planFiles } from './plan.ts';
import { queueUnits } from './queue-units.ts';
import { hasOpenUnits, interruptOpen, selectUnits } from './sql.ts';

/**
 * Advances a batch: cuts it into units if that was not done yet, and ends it once all units have ended. Idempotent.
 * Throws only what a retry may cure.
 */
export async function advanceBatch(app: App, job: BatchJob, signal: AbortSignal): Promise<void> {
  const ctx = await workspaceContext(app.db, job.workspace_id);
  const batch = await tenant(app.db, ctx, (tx) => begin(tx, ctx, job.id));
  if (!batch) return;
  if (batch.planned_at === null && batch.interrupt_requested_at === null) await planFiles(app, ctx, batch, signal);
  const isDone = await tenant(app.db, ctx, async (tx) => {
    await queueUnits(app, tx, ctx);
    return !(await hasOpenUnits(tx, job.id));
  });
  if (isDone) await finish(app, ctx, batch);
}

/** Ends a batch as failed, unless it has ended, and interrupts its open units. */
export async function failBatch(app: App, { id, workspace_id }: BatchJob, failure: JobFailure): Promise<void> {
  const ctx = await workspaceContext(app.db, workspace_id);
  await tenant(app.db, ctx, async (tx) => {
    await end(tx, ctx, id, failure);
    await interruptOpen(tx, id);
    await queueUnits(app, tx, ctx);
  });
}

async function begin(tx: Tx, ctx: Context, id: string): Promise<BatchRow | null> {
  const batch = await lockBatch(tx, id);
  if (!batch || finishedStatuses.includes(batch.status)) return null;
  if (batch.status === 'running') return batch;
  await updateBatch(tx, id, { status: 'running', started_at: new Date() });
  await record(tx, ctx, 'batch-lifecycle', { type: 'batch', id }, { status: 'running' });
  return { ...batch, status: 'running' };
}

async function finish(app: App, ctx: Context, { id }: BatchRow): Promise<void> {
  const {
    files,
    units,
    isErased: isGone,
  } = await tenant(app.db, ctx, async (tx) => ({
    files: await selectFiles(tx, [id]),
    units: await selectUnits(tx, id),
    isErased: await isErased(tx, id),
  }));
  // An erasure removes the parts of these batches, so there is no result to assemble.
  for (const file of isGone ? [] : files) {
    const own = units.filter(({ position }) => position === file.position);
    await assembleFile(app, ctx, file, own);
  }
  await tenant(app.db, ctx, (tx) => end(tx, ctx, id));
  await removeParts(app, ctx, id);
}

async function end(tx: Tx, ctx: Context, id: string, given: JobFailure | null = null): Promise<void> {
  const batch = await lockBatch(tx, id);
  if (!batch || finishedStatuses.includes(batch.status)) return;
  const files = await selectFiles(tx, [id]);
  const failure = given ?? failureOf(batch, files);
  const status: 'succeeded' | 'failed' = failure === null ? 'succeeded' : 'failed';
  const rows = batch.result_deleted_at === null ? resultRows(files) : 0;
  const ended = { failure: failure && JSON.stringify(failure), finished_at: new Date(), quota_rows: rows };
  await updateBatch(tx, id, { status, ...ended });
  const about = { status, model: batch.model as BatchModel | null, rows_scored: rows, ...(failure && { failure }) };
  await record(tx, ctx, 'batch-lifecycle', { type: 'batch', id }, about);
}

/** The rows of the result: those that are used, however the batch ended. */
function resultRows(files: readonly BatchFileRow[]): number {
  return files.reduce((rows, { output_rows }) => rows + Number(output_rows ?? 0), 0);
}

function failureOf(batch: BatchRow, files: readonly BatchFileRow[]): JobFailure | null {
  if (batch.result_deleted_at !== null)
    return {
      code: 'entity_erased',
      detail: 'a file of the batch named what was erased meanwhile, and went with all results; send the others again',
    };
  if (batch.interrupt_requested_at !== null)
    return { code: 'interrupted', detail: 'interrupted on request; the result has the rows scored until then' };
  const failed = files.filter(({ failure }) => failure !== null);
  if (failed.length === 0) return null;
  const { path, failure } = failed[0];
  const { code, detail } = failure as JobFailure;
  const named = detail.includes(path) ? detail : `${path}: ${detail}`;
  const others = failed.length === 1 ? '' : ` (and ${failed.length - 1} more of its files could not be scored)`;
  return { code, detail: `${named}${others}` };
}

/** Removes the parts that no result consists of, such as those of failed attempts. For an erased batch, removes all. */
async function removeParts(app: App, ctx: Context, id: string): Promise<void> {
  const kept = await tenant(app.db, ctx, async (tx) => {
    if (await isErased(tx, id)) return [];
    const files = await selectFiles(tx, [id]);
    const units = await selectUnits(tx, id);
    return [...files.map(({ output_key }) => output_key), ...units.map(({ errors_key }) => errors_key)];
  });
  for await (const { key } of app.storage.list(partsFolder(ctx, id)))
    if (!kept.includes(key)) await app.storage.delete(key);
}

async function isErased(tx: Tx, id: string): Promise<boolean> {
  return (await selectBatch(tx, id))?.result_deleted_at != null;
}
