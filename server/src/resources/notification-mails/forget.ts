import type { Tx } from '../../access/transactions.ts';
import { deleteMailsOf, deleteOldMails } from './sql.ts';

/** Deletes mails of more than so many days that wait for nothing, at most `most`; returns how many. */
export function forgetMails(tx: Tx, days: number, most: number): Promise<number> {
  return deleteOldMails(tx, days, most);
}

/** Takes from a user who goes the mails that wait and those that went out, and the addresses to which none goes. */
export function forgetMailsOf(tx: Tx, userId: string): Promise<void> {
  return deleteMailsOf(tx, userId);
}
