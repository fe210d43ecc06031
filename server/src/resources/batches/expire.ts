import type { Context } from '../../access/context.ts';
import { system, type Tx, tenant } from '../../access/transactions.ts';
import { workspaceContext } from '../../access/workspace-context.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { keptSince } from '../kept-since.ts';
import { deleteBatches, selectExpired, selectWorkspacesWithOlder } from './sql.ts';
import { batchFolder } from './storage-key.ts';

/** The number of batches removed per transaction, each with its files and units, of which there may be thousands. */
const removedAtOnce = 20;

/**
 * Removes batches that ended before they are kept, the oldest of each workspace first, with their results; the files
 * that were asked about stay. One that another corrects stays until that one goes, one that is shown by SFTP until its
 * file is not, and all of a workspace while an erasure looks through them. What is removed and the entry that says so
 * are one transaction; where the objects then are not removed, the sweep finds them. An error in one workspace is
 * logged, and the others go on. `signal` stops it soon. Returns how many there were.
 */
export async function expireBatches(
  { db, log, storage, retentionDays }: Pick<App, 'db' | 'log' | 'storage' | 'retentionDays'>,
  signal?: AbortSignal,
  most = removedAtOnce,
): Promise<number> {
  const before = keptSince(retentionDays.batches);
  if (before === null) return 0;
  let removed = 0;
  for (const id of await system(db, 'expire batches', (tx) => selectWorkspacesWithOlder(tx, before))) {
    try {
      const ctx = await workspaceContext(db, id);
      for (let isMore = true; isMore && !signal?.aborted; ) {
        const ids = await tenant(db, ctx, (tx) => removeSome(tx, ctx, before, most));
        for (const batchId of ids) await storage.deletePrefix(batchFolder(ctx, batchId));
        removed += ids.length;
        isMore = ids.length > 0;
      }
    } catch (error) {
      log.warn({ err: error, workspace: id }, 'batches not expired');
    }
  }
  return removed;
}

async function removeSome(tx: Tx, ctx: Context, before: Date, most: number): Promise<string[]> {
  const ids = await selectExpired(tx, ctx, before, most);
  for (const id of ids) await record(tx, ctx, 'batch-expiry', { type: 'batch', id });
  await deleteBatches(tx, ids);
  return ids;
}
