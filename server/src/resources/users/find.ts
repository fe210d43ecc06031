import type { Tx } from '../../access/transactions.ts';
import { selectPlaces, selectUser, selectUserByEmail, selectUserForUpdate, type UserRow } from './sql.ts';

/** The user, unless their account has been suspended or deleted. */
export function findUser(tx: Tx, id: string): Promise<UserRow | undefined> {
  return selectUser(tx, id);
}

/** The user as by `findUser`; other changes that lock the user wait for this transaction. */
export function lockUser(tx: Tx, id: string): Promise<UserRow | undefined> {
  return selectUserForUpdate(tx, id);
}

/** The user with this address, however it is spelled. */
export function findUserByEmail(tx: Tx, email: string): Promise<UserRow | undefined> {
  return selectUserByEmail(tx, email);
}

/** Names that others know of a user: those of the account, and of the organizations. */
export async function namesAround(tx: Tx, user: UserRow): Promise<string[]> {
  const { organizations } = await selectPlaces(tx, user.id);
  return [user.email, user.email.split('@')[0], user.display_name, ...organizations.map(({ name }) => name)];
}
