import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import type { Storage } from '../../lib/storage/storage.ts';
import { askSession, lockIngestions } from './sql.ts';

/** Locks the beginning and the end of the workspace's ingestions until the transaction ends. */
export function ingestionLock(tx: Tx, ctx: Context): Promise<void> {
  return lockIngestions(tx, ctx);
}

/** Deletes an object if the transaction still holds the lock. A session that timed out or broke throws instead. */
export async function deleteWithin(tx: Tx, storage: Storage, key: string): Promise<void> {
  await askSession(tx);
  await storage.delete(key);
}
