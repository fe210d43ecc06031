import { sql } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { finishedStatuses, type OutputFormat } from './batch.ts';
import { interruptWaiting, updateBatch } from './sql.ts';
import { queueEnd } from './work/queue-units.ts';

/** An object that a finished batch keeps of a file that has itself been deleted since. */
export type KeptResult = { readonly batchId: string; readonly key: string; readonly format: OutputFormat | 'errors' };

export async function keptResults(tx: Tx): Promise<KeptResult[]> {
  const files = tx
    .selectFrom('batch_files as f')
    .innerJoin('batches as b', 'b.id', 'f.batch_id')
    .innerJoin('files', 'files.id', 'f.file_id')
    .where('files.status', '=', 'deleted')
    .where('b.result_deleted_at', 'is', null);
  const outputs = await files
    .where('f.output_key', 'is not', null)
    .select(['b.id', 'f.output_key as key', 'f.output_format as format'])
    .execute();
  const errors = await files
    .innerJoin('batch_units as u', (join) =>
      join.onRef('u.batch_id', '=', 'f.batch_id').onRef('u.position', '=', 'f.position'),
    )
    .where('u.errors_key', 'is not', null)
    .select(['b.id', 'u.errors_key as key'])
    .execute();
  return [
    ...outputs.map(({ id, key, format }) => ({ batchId: id, key: key!, format: format as OutputFormat })),
    ...errors.map(({ id, key }) => ({ batchId: id, key: key!, format: 'errors' as const })),
  ];
}

/**
 * Marks the results of these batches, and of those over these files, as deleted, stops those under way and returns the
 * batches. Their bytes are the caller's to remove once they have ended.
 */
export async function eraseResultsOver(
  app: App,
  tx: Tx,
  ctx: Context,
  { batchIds, fileIds }: { readonly batchIds: readonly string[]; readonly fileIds: readonly string[] },
): Promise<string[]> {
  if (batchIds.length + fileIds.length === 0) return [];
  const now = new Date();
  const rows = await tx
    .updateTable('batches')
    .set({ result_deleted_at: now })
    .where('result_deleted_at', 'is', null)
    .where(({ or, eb, selectFrom, val }) =>
      or([
        eb('id', '=', sql<string>`any(${val(batchIds)})`),
        eb(
          'id',
          'in',
          selectFrom('batch_files')
            .select('batch_id')
            .where('file_id', '=', sql<string>`any(${val(fileIds)})`),
        ),
      ]),
    )
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
