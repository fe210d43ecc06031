import { operatorContext } from '../../access/context.ts';
import { untilLeasesEnd } from '../../access/lease.ts';
import { type Database, system } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import { requireOrganization } from './require.ts';
import { updateStatus } from './sql.ts';

/**
 * Suspends an organization, for the operator of the host: when it returns, no process answers its keys, its signed
 * addresses, or people who act in it, and its streams end within a second. What is queued and what runs goes on to its
 * end; deliveries to its webhooks wait. Throws Failure 'not_found', 'conflict'.
 */
export async function suspendOrganization(db: Database, id: string): Promise<void> {
  await setStatus(db, id, 'suspended');
  await untilLeasesEnd();
}

/** Ends the suspension of an organization. Throws Failure 'not_found', 'conflict'. */
export async function resumeOrganization(db: Database, id: string): Promise<void> {
  await setStatus(db, id, 'active');
}

const acts = { suspended: 'organization-suspension', active: 'organization-resumption' } as const;

function setStatus(db: Database, id: string, status: keyof typeof acts): Promise<void> {
  return system(db, 'set status', async (tx) => {
    await requireOrganization(tx, id);
    if (!(await updateStatus(tx, id, status))) throw refuse('conflict', `the organization is ${status} already`);
    await record(tx, operatorContext(id), acts[status], { type: 'organization', id });
  });
}
