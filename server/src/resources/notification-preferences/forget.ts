import type { Tx } from '../../access/transactions.ts';
import { deleteChoices } from './sql.ts';

/** Takes from a user who goes what they have chosen to be told, in all places. */
export function forgetPreferences(tx: Tx, userId: string): Promise<void> {
  return deleteChoices(tx, userId);
}
