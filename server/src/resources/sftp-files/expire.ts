import { type Database, system, type Tx } from '../../access/transactions.ts';
import type { Storage } from '../../lib/storage/storage.ts';
import { incompleteMs, shownMs } from './sftp-file.ts';
import { markExpired, markUnsubmitted } from './sql.ts';

/** Removes files that have been shown for long enough, and beginnings whose rest never came. */
export async function expireSftpFiles({ db, storage }: { readonly db: Database; readonly storage: Storage }) {
  const keys = await system(db, 'expire SFTP files', (tx) => markExpired(tx, { shownMs, incompleteMs }));
  for (const key of keys) await storage.delete(key);
}

/** Removes all that no batch can be made of yet: nobody knows whom it names. Returns the keys of its bytes. */
export function forgetUnsubmitted(tx: Tx): Promise<string[]> {
  return markUnsubmitted(tx);
}
