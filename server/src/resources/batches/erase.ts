import { record } from '../../tenancy/audit.ts';
import type { Context } from '../../tenancy/context.ts';
import type { Tx } from '../../tenancy/doors.ts';

/** Marks the results of batches over these files as deleted and returns the batches; the bytes are the caller's to remove. */
export async function eraseResultsOver(tx: Tx, ctx: Context, fileIds: readonly string[]): Promise<string[]> {
  if (fileIds.length === 0) return [];
  const rows = await tx
    .updateTable('batches')
    .set({ result_deleted_at: new Date() })
    .where('result_deleted_at', 'is', null)
    .where('id', 'in', (of) =>
      of
        .selectFrom('batch_files')
        .select('batch_id')
        .where('file_id', 'in', [...fileIds]),
    )
    .returning('id')
    .execute();
  for (const { id } of rows)
    await record(tx, ctx, 'batch-result-deletion', { type: 'batch', id }, { reason: 'erasure' });
  return rows.map(({ id }) => id);
}
