import type { Tx } from '../../access/transactions.ts';
import { type Doer, recordOfUser } from '../../trail/record-of-user.ts';

/**
 * Records that somebody who wanted to sign in to an account was refused, and by what they had tried it. The
 * passkey is named if it is the one of the account and was not good for this.
 */
export function recordRefusal(
  tx: Tx,
  doer: Doer,
  userId: string,
  method: 'password' | 'second_factor' | 'passkey',
  passkeyId?: string,
): Promise<void> {
  const target = passkeyId === undefined ? { type: 'user', id: userId } : { type: 'passkey', id: passkeyId };
  return recordOfUser(tx, doer, userId, 'login-failure', { target, payload: { method } });
}
