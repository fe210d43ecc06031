import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { getBatch } from './get.ts';
import { requireLocked } from './require.ts';
import { resultFiles } from './result.ts';
import { updateBatch } from './sql.ts';
import { batchFolder } from './storage-key.ts';

/**
 * Deletes the files of a result and the lists of its bad rows, and keeps the batch. Idempotent. Throws Failure
 * 'not_found', 'batch_not_finished', 'batch_without_result'.
 */
export async function deleteResult(app: App, ctx: Context, id: string) {
  const batch = await tenant(app.db, ctx, async (tx) => {
    const batch = await requireLocked(tx, id);
    if (batch.result_deleted_at === null) {
      await resultFiles(tx, batch);
      await updateBatch(tx, id, { result_deleted_at: new Date() });
      await record(tx, ctx, 'batch-result-deletion', { type: 'batch', id });
    }
    return getBatch(tx, id);
  });
  await app.storage.deletePrefix(batchFolder(ctx, id));
  return batch;
}
