import { type Database, system } from '../../access/transactions.ts';
import { forgetMails } from '../notification-mails/forget.ts';
import { deleteOldNotifications } from './sql.ts';

/** How long notifications are kept, and the mails that told them. */
export const keptDays = 180;
const deletedAtOnce = 1_000;
const roundsMax = 1_000;

/** Deletes what is older than is kept, some at a time. Returns how many notifications there were. */
export async function forgetNotifications(db: Database, signal?: AbortSignal): Promise<number> {
  let deleted = 0;
  for (let round = 0; round < roundsMax && !signal?.aborted; round++) {
    const count = await system(db, 'forget notifications', async (tx) => {
      const mails = await forgetMails(tx, keptDays, deletedAtOnce);
      const notifications = await deleteOldNotifications(tx, keptDays, deletedAtOnce);
      deleted += notifications;
      return Math.max(mails, notifications);
    });
    if (count < deletedAtOnce) break;
  }
  return deleted;
}
