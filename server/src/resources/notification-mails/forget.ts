import type { Tx } from '../../access/transactions.ts';
import { deleteOldMails } from './sql.ts';

/** Deletes mails of more than so many days that wait for nothing, at most `most`; returns how many. */
export function forgetMails(tx: Tx, days: number, most: number): Promise<number> {
  return deleteOldMails(tx, days, most);
}
