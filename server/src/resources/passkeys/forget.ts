import type { Tx } from '../../access/transactions.ts';
import { deletePasskeys } from './sql.ts';

/** Takes the passkeys off a user who goes. */
export function forgetPasskeys(tx: Tx, userId: string): Promise<void> {
  return deletePasskeys(tx, userId);
}
