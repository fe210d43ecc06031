import { record } from '../../tenancy/audit.ts';
import type { Context } from '../../tenancy/context.ts';
import type { Tx } from '../../tenancy/doors.ts';
import type { App } from '../app.ts';
import { finishedStatuses } from './batch.ts';
import { queueEnd } from './queue-units.ts';
import { interruptWaiting, updateBatch } from './sql.ts';

/**
 * Marks the results of batches over these files as deleted, stops those under way and returns the batches. Their bytes are the
 * caller's to remove once they have ended.
 */
export async function eraseResultsOver(app: App, tx: Tx, ctx: Context, fileIds: readonly string[]): Promise<string[]> {
  if (fileIds.length === 0) return [];
  const now = new Date();
  const rows = await tx
    .updateTable('batches')
    .set({ result_deleted_at: now })
    .where('result_deleted_at', 'is', null)
    .where('id', 'in', (of) => of.selectFrom('batch_files').select('batch_id').where('file_id', 'in', fileIds))
    .returning(['id', 'status'])
    .execute();
  for (const { id, status } of rows) {
    await record(tx, ctx, 'batch-result-deletion', { type: 'batch', id }, { reason: 'erasure' });
    if (finishedStatuses.includes(status)) continue;
    await updateBatch(tx, id, { interrupt_requested_at: now });
    await interruptWaiting(tx, id);
    await queueEnd(app, tx, ctx, id);
  }
  return rows.map(({ id }) => id);
}

export async function haveEnded(tx: Tx, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return true;
  const open = await tx
    .selectFrom('batches')
    .select('id')
    .where('id', 'in', ids)
    .where('status', 'not in', finishedStatuses)
    .limit(1)
    .executeTakeFirst();
  return open === undefined;
}
