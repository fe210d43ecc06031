import { type Database, system } from '../../access/transactions.ts';
import type { Storage } from '../../lib/storage/storage.ts';
import { keptDays } from './export.ts';
import { deleteExports, selectExpired } from './sql.ts';

const dayMs = 24 * 60 * 60 * 1000;
const expiredMost = 100;

/** Removes exports that ended more than `keptDays` days ago, with their files. Returns how many. */
export async function expireExports(
  { db, storage }: { readonly db: Database; readonly storage: Storage },
  before = new Date(Date.now() - keptDays * dayMs),
): Promise<number> {
  const expired = await system(db, 'expire exports', (tx) => selectExpired(tx, before, expiredMost));
  for (const key of expired.flatMap(({ entries_key, manifest_key }) => [entries_key, manifest_key]))
    if (key !== null) await storage.delete(key);
  if (expired.length > 0)
    await system(db, 'expire exports', (tx) =>
      deleteExports(
        tx,
        expired.map(({ id }) => id),
      ),
    );
  return expired.length;
}
