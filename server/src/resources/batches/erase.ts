import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import type { ExpectedHash } from '../../lib/storage/storage.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { finishedStatuses, type OutputFormat } from './batch.ts';
import { hasUnfinished, markErased, selectKeptOfDeleted, updateBatch } from './sql.ts';
import { queueEnd } from './work/queue-units.ts';
import { interruptWaiting } from './work/sql.ts';

/** A stored output or error list of a batch whose input file has been deleted. */
export type KeptResult = {
  readonly batchId: string;
  readonly key: string;
  readonly sha256: ExpectedHash;
  readonly format: OutputFormat | 'errors';
};

export async function keptResults(tx: Tx): Promise<KeptResult[]> {
  const { outputs, errors } = await selectKeptOfDeleted(tx);
  return [
    ...outputs.map(({ id, key, sha256, format }) => ({
      batchId: id,
      key: key!,
      sha256,
      format: format as OutputFormat,
    })),
    ...errors.map(({ id, key, sha256 }) => ({ batchId: id, key: key!, sha256, format: 'errors' as const })),
  ];
}

/**
 * Marks the results of these batches, and of batches over these files, as deleted, and interrupts those that are
 * running. Returns the ids of these batches. The caller removes the stored bytes once they have ended.
 */
export async function eraseResultsOver(
  app: App,
  tx: Tx,
  ctx: Context,
  { batchIds, fileIds }: { readonly batchIds: readonly string[]; readonly fileIds: readonly string[] },
): Promise<string[]> {
  if (batchIds.length + fileIds.length === 0) return [];
  const now = new Date();
  const rows = await markErased(tx, { batchIds, fileIds }, now);
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
  return !(await hasUnfinished(tx, ids));
}
