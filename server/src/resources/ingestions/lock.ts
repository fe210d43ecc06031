import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import type { Storage } from '../../lib/storage/storage.ts';
import { askSession, lockIngestions } from './sql.ts';

/** Held while an ingestion of the workspace begins or ends, until the transaction does. */
export function ingestionLock(tx: Tx, ctx: Context): Promise<void> {
  return lockIngestions(tx, ctx);
}

/** Deletes an object if the lock is still held: a session that was idle for long, or broke, holds none. */
export async function deleteWithin(tx: Tx, storage: Storage, key: string): Promise<void> {
  await askSession(tx);
  await storage.delete(key);
}
