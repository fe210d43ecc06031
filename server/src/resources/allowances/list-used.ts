import type { Context } from '../../access/context.ts';
import { type Database, system } from '../../access/transactions.ts';
import { assert } from '../../lib/failure.ts';
import { isStanding, periodOf } from '../meters/quota.ts';
import { selectAllowance, selectHeld } from './sql.ts';

/**
 * The quotas that a workspace is under, and what is used of each: `used` of the month as far as it is metered, or what
 * there is now; null of what is counted by the second. `resets_at`: when the next month begins, of what counts by it.
 */
export function listUsed(db: Database, { organizationId, workspaceId }: Context) {
  return system(db, 'quotas of a workspace', async (tx) => {
    const allowance = await selectAllowance(tx, workspaceId);
    assert(allowance, `workspace ${workspaceId} of a caller exists`);
    const quotas = [];
    for (const { resource, of, limit, used: metered } of allowance.quotas) {
      const used = isStanding(resource)
        ? await selectHeld(tx, resource, organizationId, of === 'workspace' ? workspaceId : null)
        : metered;
      const period = periodOf(resource);
      const resets_at = period === 'month' ? allowance.resetsAt.toISOString() : null;
      quotas.push({ resource, of, period, limit, used, resets_at });
    }
    return quotas;
  });
}
