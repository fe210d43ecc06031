import { system } from '../../access/transactions.ts';
import type { App } from '../app.ts';
import { rescoringQueue } from './queue.ts';
import { claimDue } from './sql.ts';

/** Longer than a rescoring waits and takes. A job that was lost with its queue is queued anew after it. */
const restHours = 24;
const claimedAtOnce = 200;

/**
 * Queues the rescorings that are due: of lists whose alias points at another version, whose workspace has newer data or
 * another day, or that have new entries. What changes while a list is rescored makes it due once more, however much
 * that is. Returns how many it queued.
 */
export function queueRescorings(app: Pick<App, 'db' | 'queue'>): Promise<number> {
  return system(app.db, 'queue rescorings', async (tx) => {
    const due = await claimDue(tx, restHours, claimedAtOnce);
    for (const job of due)
      await app.queue.send(tx, rescoringQueue, job, { group: job.workspace_id, singletonKey: job.id });
    return due.length;
  });
}
