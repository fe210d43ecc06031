import { type Database, system } from '../../access/transactions.ts';
import type { Storage } from '../../lib/storage/storage.ts';
import { selectForgetting } from './sql.ts';

/** How often each process checks for erasures, and after how long no process has a local copy, in milliseconds. */
export const forgetEveryMs = 1_000;
export const forgottenWithinMs = 3_000;
const recentMs = 60 * 60 * 1000;
/** The clocks of machines differ by less. */
export const clocksDifferMs = 60_000;

/**
 * Returns a function that removes the local copies of the workspaces in which something was erased. Each erasure causes
 * two removals: one before its bytes are deleted, and one after, since a download may have been under way. The first
 * call of a new process covers all erasures ever. A copy that was made after an erasure has nothing of what it erased,
 * and stays: somebody may be about to open it.
 */
export function openForgetting(db: Database, forget: NonNullable<Storage['forget']>): () => Promise<void> {
  let done: ReadonlySet<string> = new Set();
  let since = new Date(0);
  return async () => {
    const now = Date.now();
    const rows = await system(db, 'forget copies', (tx) => selectForgetting(tx, since));
    const marks = new Set<string>();
    for (const { id, status, organization_id, workspace_id, finished_at } of rows) {
      const mark = `${id} ${status}`;
      const madeBefore = finished_at === null ? Number.POSITIVE_INFINITY : finished_at.getTime() + clocksDifferMs;
      if (!done.has(mark)) await forget(`${organization_id}/${workspace_id}/`, madeBefore);
      marks.add(mark);
    }
    done = marks;
    since = new Date(now - recentMs);
  };
}
