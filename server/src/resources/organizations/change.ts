import type { Context } from '../../access/context.ts';
import { untilLeasesEnd } from '../../access/lease.ts';
import type { OrganizationScope } from '../../access/scope.ts';
import { system, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { hasSecondFactor } from '../second-factors/check.ts';
import { type OrganizationRow, selectOrganization, updateOrganization } from './sql.ts';

export type OrganizationChange = { readonly name?: string; readonly second_factor?: 'optional' | 'required' };

/**
 * Changes name or settings of the organization. Who wants a second factor of the members has one. When it returns,
 * every process answers by the new settings. Throws Failure 'conflict'.
 */
export async function changeOrganization(
  app: App,
  ctx: Context<OrganizationScope>,
  change: OrganizationChange,
): Promise<OrganizationRow> {
  const isStricter = change.second_factor === 'required';
  if (isStricter && !(await system(app.db, 'own factor', (tx) => hasSecondFactor(tx, ctx.actor.id!))))
    throw refuse('conflict', 'set up a second factor of your own first: you could not undo this');
  const row = await tenant(app.db, ctx, async (tx) => {
    if (Object.keys(change).length > 0) {
      await updateOrganization(tx, ctx, change);
      await record(tx, ctx, 'organization-update', { type: 'organization', id: ctx.organizationId }, change);
    }
    return selectOrganization(tx, ctx);
  });
  if (isStricter) await untilLeasesEnd();
  return row;
}
