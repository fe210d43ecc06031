import type { Tx } from '../../access/transactions.ts';
import { insertUser, type NewUser, selectUserByEmail, setEmail } from './sql.ts';

/** Adds a user. Returns the id. */
export function addUser(tx: Tx, user: NewUser): Promise<string> {
  return insertUser(tx, user);
}

/** Returns the id of the user with this address, and adds one if there is none. */
export async function findOrAddUser(tx: Tx, email: string): Promise<string> {
  return (await selectUserByEmail(tx, email))?.id ?? insertUser(tx, { email });
}

/** Notes that the user reads mails to an address, which becomes theirs. */
export function proveEmail(tx: Tx, id: string, email: string): Promise<void> {
  return setEmail(tx, id, email);
}
