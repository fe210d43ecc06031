import { type Database, system, type Tx } from '../../access/transactions.ts';
import type { Storage } from '../../lib/storage/storage.ts';
import { removeInSteps } from '../in-steps.ts';
import { incompleteMs, keptMs, shownMs } from './sftp-file.ts';
import { deleteRemoved, markExpired, markUnsubmitted } from './sql.ts';

const deletedAtOnce = 1_000;

/**
 * Removes files that have been shown for long enough, and beginnings whose rest never came, and forgets those that were
 * removed long ago, some at a time. `signal` stops it soon. Returns how many were forgotten.
 */
export async function expireSftpFiles(
  { db, storage }: { readonly db: Database; readonly storage: Storage },
  signal?: AbortSignal,
): Promise<number> {
  const keys = await system(db, 'expire SFTP files', (tx) => markExpired(tx, { shownMs, incompleteMs }));
  for (const key of keys) await storage.delete(key);
  return removeInSteps(deletedAtOnce, signal, () =>
    system(db, 'expire SFTP files', (tx) => deleteRemoved(tx, keptMs, deletedAtOnce)),
  );
}

/** Removes all that no batch can be made of yet: nobody knows whom it names. Returns the keys of its bytes. */
export function forgetUnsubmitted(tx: Tx): Promise<string[]> {
  return markUnsubmitted(tx);
}
