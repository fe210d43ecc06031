import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { record } from '../../trail/record.ts';
import { insertNotice, selectAllowance, selectHeld } from './sql.ts';

/** The shares of a quota, in percent, at which people are told, the greatest first. */
export const toldAtPercent = [100, 80] as const;

/**
 * Tells the workspace which of its quotas, or of its organization's, have come so near to their end, once a month for
 * each share. `tx` is the one that has counted, of the system. Of two shares that are reached at once the greater is
 * told.
 */
export async function announceQuotas(tx: Tx, ctx: Context): Promise<void> {
  const allowance = await selectAllowance(tx, ctx.workspaceId);
  if (!allowance) return;
  const { month, resetsAt, quotas } = allowance;
  for (const { resource, of, limit, ...quota } of quotas) {
    const place = { organization_id: ctx.organizationId, workspace_id: of === 'workspace' ? ctx.workspaceId : null };
    // Work ends by itself and makes room, so nobody is told of it.
    const used =
      resource === 'stored_megabytes'
        ? await selectHeld(tx, resource, place.organization_id, place.workspace_id)
        : quota.used;
    if (used === null) continue;
    const reached = toldAtPercent.filter((percent) => limit > 0 && used * 100 >= limit * percent);
    let isTold = false;
    for (const percent of reached) {
      if (!(await insertNotice(tx, { ...place, resource, month, percent, limit })) || isTold) continue;
      isTold = true;
      const act = percent === 100 ? 'usage-limit-reached' : 'usage-limit-warning';
      const payload = { resource, of, percent, limit, used, resets_at: resetsAt.toISOString() };
      await record(tx, ctx, act, { type: 'quota', id: resource }, payload);
    }
  }
}
