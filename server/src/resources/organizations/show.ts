import { type Database, system } from '../../access/transactions.ts';
import { requireOrganization } from './require.ts';

/** An organization as the operator of the host sees it. Throws Failure 'not_found'. */
export function showOrganization(db: Database, id: string) {
  return system(db, 'show organization', (tx) => requireOrganization(tx, id));
}
