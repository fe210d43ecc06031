import { type Database, system } from '../../access/transactions.ts';
import { selectQuotas } from './sql.ts';

/** The quotas of an organization and of its workspaces, for the operator of the host. */
export function listQuotas(db: Database, organizationId: string) {
  return system(db, 'list quotas', (tx) => selectQuotas(tx, organizationId));
}
