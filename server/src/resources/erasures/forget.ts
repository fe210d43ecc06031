import { type Database, system } from '../../access/transactions.ts';
import type { Storage } from '../../lib/storage/storage.ts';
import { selectForgetting } from './sql.ts';

/** How often each process asks what was erased, and how soon after none has a copy of it, in milliseconds. */
export const forgetEveryMs = 1_000;
export const forgottenWithinMs = 3_000;
const recentMs = 60 * 60 * 1000;

/**
 * Removes the local copies of workspaces in which something was erased, whenever it is called: once when its bytes are
 * to go, and once when they have gone, since a download may have been under way. A process that was not there meanwhile
 * begins with all erasures there were.
 */
export function openForgetting(db: Database, forget: NonNullable<Storage['forget']>): () => Promise<void> {
  let done: ReadonlySet<string> = new Set();
  let since = new Date(0);
  return async () => {
    const now = Date.now();
    const rows = await system(db, 'forget copies', (tx) => selectForgetting(tx, since));
    const marks = new Set<string>();
    for (const { id, status, organization_id, workspace_id } of rows) {
      const mark = `${id} ${status}`;
      if (!done.has(mark)) await forget(`${organization_id}/${workspace_id}/`);
      marks.add(mark);
    }
    done = marks;
    since = new Date(now - recentMs);
  };
}
