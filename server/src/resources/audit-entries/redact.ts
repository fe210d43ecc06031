import { operatorContext } from '../../access/context.ts';
import { type Database, system } from '../../access/transactions.ts';
import { record } from '../../trail/record.ts';
import { requireOrganization } from '../organizations/require.ts';
import { redactEntries } from './sql.ts';

/**
 * Takes name, address and agent out of all entries of what a person did in an organization, for the operator of the
 * host. Leaves and proofs stay as they are. Returns how many entries had them. Throws Failure 'not_found' for the
 * organization.
 */
export function redactPerson(db: Database, organizationId: string, userId: string): Promise<number> {
  return system(db, 'redact entries', async (tx) => {
    await requireOrganization(tx, organizationId);
    const entries = await redactEntries(tx, organizationId, userId);
    await record(tx, operatorContext(organizationId), 'audit-redaction', { type: 'user', id: userId }, { entries });
    return entries;
  });
}
