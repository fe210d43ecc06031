import { system } from '../../access/transactions.ts';
import { deleteEvents } from '../../trail/outbox/expire.ts';
import type { App } from '../app.ts';
import { removeInSteps } from '../in-steps.ts';
import { keptSince } from '../kept-since.ts';
import { deleteFeed } from './sql.ts';

/** The number of events removed per transaction. */
const removedAtOnce = 5_000;

/**
 * Removes events that are older than they are kept, with their places in the feeds of workspaces: the oldest first,
 * some at a time, and none that one of `readers` has not read. `signal` stops it soon. Returns how many there were.
 */
export async function expireEvents(
  { db, retentionDays }: Pick<App, 'db' | 'retentionDays'>,
  readers: readonly string[],
  signal?: AbortSignal,
  most = removedAtOnce,
): Promise<number> {
  const before = keptSince(retentionDays.events);
  if (before === null) return 0;
  return removeInSteps(most, signal, () =>
    system(db, 'expire events', async (tx) => {
      const ids = await deleteEvents(tx, { readers, before, most });
      await deleteFeed(tx, ids);
      return ids.length;
    }),
  );
}
