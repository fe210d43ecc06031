import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import type { Storage } from '../../lib/storage/storage.ts';
import { type Dropped, deleteDays, lockColumns } from './sql.ts';

/**
 * Waits for whoever begins to put a day of the workspace in columns, and keeps others from it until the transaction
 * ends: before predictions are erased or removed.
 */
export function awaitColumns(tx: Tx, ctx: Context): Promise<void> {
  return lockColumns(tx, ctx);
}

/**
 * Removes the columns of days, with their objects; what is still in the log is put in columns anew. Objects go before
 * the transaction ends: should it fail, it must be tried again, as what refers to them is still there.
 */
export async function dropColumns(
  tx: Tx,
  ctx: Context,
  storage: Pick<Storage, 'delete'>,
  dropped: Dropped,
): Promise<void> {
  for (const key of await deleteDays(tx, ctx, dropped)) await storage.delete(key);
}
