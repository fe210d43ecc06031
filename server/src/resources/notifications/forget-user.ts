import type { Tx } from '../../access/transactions.ts';
import { forgetMailsOf } from '../notification-mails/forget.ts';
import { forgetPreferences } from '../notification-preferences/forget.ts';
import { deleteInbox } from './sql.ts';

/** Takes from a user who goes what they were told, in the inbox and by mail, and what they have chosen to be told. */
export async function forgetNotificationsOf(tx: Tx, userId: string): Promise<void> {
  await forgetPreferences(tx, userId);
  await deleteInbox(tx, userId);
  await forgetMailsOf(tx, userId);
}
