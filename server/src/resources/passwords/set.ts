import type { Tx } from '../../access/transactions.ts';
import { deleteCredential, selectHash, upsertCredential } from './sql.ts';

/** Gives a user a password, as its hash. */
export function setPassword(tx: Tx, userId: string, phc: string): Promise<void> {
  return upsertCredential(tx, userId, phc);
}

/** The hash of a user's password; null without one. */
export function findPassword(tx: Tx, userId: string): Promise<string | null> {
  return selectHash(tx, userId);
}

/** Takes the password off a user, who cannot sign in with one then. */
export function removePassword(tx: Tx, userId: string): Promise<void> {
  return deleteCredential(tx, userId);
}
