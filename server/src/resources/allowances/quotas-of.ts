import type { Context } from '../../access/context.ts';
import { type Database, system } from '../../access/transactions.ts';
import { assert } from '../../lib/failure.ts';
import { isStanding } from '../meters/quota.ts';
import { selectAllowance, selectHeld } from './sql.ts';

/**
 * The quotas that a workspace is under, and what is used of each: `used` of the month as far as it is metered, or what
 * there is now; null of what is counted by the second. With them when the next month begins.
 */
export function quotasOf(db: Database, { organizationId, workspaceId }: Context) {
  return system(db, 'quotas of a workspace', async (tx) => {
    const allowance = await selectAllowance(tx, workspaceId);
    assert(allowance, `workspace ${workspaceId} of a caller exists`);
    const quotas = [];
    for (const quota of allowance.quotas) {
      const { resource, of } = quota;
      const held = isStanding(resource)
        ? await selectHeld(tx, resource, organizationId, of === 'workspace' ? workspaceId : null)
        : quota.used;
      quotas.push({ ...quota, used: held });
    }
    return { quotas, resetsAt: allowance.resetsAt };
  });
}
