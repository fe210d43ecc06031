import { sql } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import type { Storage } from '../../lib/storage/storage.ts';

/** Held while an ingestion of the workspace begins or ends, until the transaction does. */
export async function ingestionLock(tx: Tx, { workspaceId }: Context): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`ingestions ${workspaceId}`}, 0))`.execute(tx);
}

/** Deletes an object if the lock is still held: a session that was idle for long, or broke, holds none. */
export async function deleteWithin(tx: Tx, storage: Storage, key: string): Promise<void> {
  await sql`select 1`.execute(tx);
  await storage.delete(key);
}
