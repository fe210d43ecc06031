import type { Context } from '../../access/context.ts';
import { type Database, tenant } from '../../access/transactions.ts';
import { record } from '../../trail/record.ts';
import { markExpired, takeParts } from './sql.ts';

/** How long an upload that started before its address expired may take. */
export const sendingMs = 24 * 60 * 60 * 1000;

/** Marks files as deleted whose bytes never arrived, or not all of them. Returns how many. */
export function expireFiles(db: Database, ctx: Context): Promise<number> {
  return tenant(db, ctx, async (tx) => {
    const expired = await markExpired(tx, new Date(Date.now() - sendingMs));
    for (const { id, path } of expired) {
      await record(tx, ctx, 'batch-input-deletion', { type: 'file', id }, { path, reason: 'never_sent' });
      // The sweep, of which this is the first step, removes their bytes.
      await takeParts(tx, id);
    }
    return expired.length;
  });
}
