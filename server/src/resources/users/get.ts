import { type Database, system } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { selectPlaces, selectUser } from './sql.ts';
import { presentUser } from './user.ts';

/**
 * The account of a user, and where they have which roles: everywhere, or in one organization alone (`within`).
 * Throws Failure 'unauthenticated' for one that is gone.
 */
export function getUser(db: Database, id: string, within?: string) {
  return system(db, 'get user', async (tx) => {
    const row = await selectUser(tx, id);
    if (!row) throw refuse('unauthenticated', 'the account is no longer here');
    const { organizations, workspaces } = await selectPlaces(tx, id);
    const isTold = (organizationId: string): boolean => within === undefined || organizationId === within;
    return presentUser(row, {
      organizations: organizations.filter((one) => isTold(one.id)),
      workspaces: workspaces.filter((one) => isTold(one.organization_id)),
    });
  });
}
