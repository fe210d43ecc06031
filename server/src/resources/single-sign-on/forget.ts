import type { Tx } from '../../access/transactions.ts';
import { deleteIdentities } from './sql.ts';

/** Takes what identity providers know of a user off one who goes. */
export function forgetIdentities(tx: Tx, userId: string): Promise<void> {
  return deleteIdentities(tx, userId);
}
