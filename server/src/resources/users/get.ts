import { type Database, system } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { selectPlaces, selectUser } from './sql.ts';
import { presentUser } from './user.ts';

/** The account of a user, and where they have which roles. Throws Failure 'unauthenticated' for one that is gone. */
export function getUser(db: Database, id: string) {
  return system(db, 'get user', async (tx) => {
    const row = await selectUser(tx, id);
    if (!row) throw refuse('unauthenticated', 'the account is no longer here');
    return presentUser(row, await selectPlaces(tx, id));
  });
}
