import type { Tx } from '../../access/transactions.ts';
import { insertUser, type NewUser, selectUserByEmail, setEmail } from './sql.ts';

/** Adds a user. Returns the id. */
export function addUser(tx: Tx, user: NewUser): Promise<string> {
  return insertUser(tx, user);
}

/** Returns the id of the user with this address, and adds one if there is none. */
export async function findOrAddUser(tx: Tx, email: string): Promise<{ id: string; isNew: boolean }> {
  const known = await selectUserByEmail(tx, email);
  return known ? { id: known.id, isNew: false } : { id: await insertUser(tx, { email }), isNew: true };
}

/** Notes that the user reads mails to an address, which becomes theirs. */
export function proveEmail(tx: Tx, id: string, email: string): Promise<void> {
  return setEmail(tx, id, email);
}
