import { record } from '../../tenancy/audit.ts';
import type { Context } from '../../tenancy/context.ts';
import { tenant } from '../../tenancy/doors.ts';
import type { App } from '../app.ts';
import { getBatch } from './get.ts';
import { requireLocked } from './require.ts';
import { resultFiles } from './result.ts';
import { selectFiles, updateBatch } from './sql.ts';

/**
 * Deletes the files of a result; the batch, and what was wrong with its rows, stay. Deleting it again changes nothing.
 * Throws Failure 'not_found', 'batch_not_finished', 'batch_without_result'.
 */
export async function deleteResult(app: App, ctx: Context, id: string) {
  const { batch, keys } = await tenant(app.db, ctx, async (tx) => {
    const batch = await requireLocked(tx, id);
    if (batch.result_deleted_at === null) {
      await resultFiles(tx, batch);
      await updateBatch(tx, id, { result_deleted_at: new Date() });
      await record(tx, ctx, 'batch-result-deletion', { type: 'batch', id });
    }
    const files = await selectFiles(tx, [id]);
    return { batch: await getBatch(tx, id), keys: files.flatMap(({ output_key }) => output_key ?? []) };
  });
  for (const key of keys) await app.storage.delete(key);
  return batch;
}
