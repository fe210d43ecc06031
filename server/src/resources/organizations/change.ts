import type { Context } from '../../access/context.ts';
import { untilLeasesEnd } from '../../access/lease.ts';
import type { OrganizationScope } from '../../access/scope.ts';
import { system, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { hasSecondFactor } from '../second-factors/check.ts';
import { requireFeature } from './features.ts';
import {
  hasActiveConnection,
  type OrganizationChange,
  type OrganizationRow,
  selectOrganization,
  updateOrganization,
} from './sql.ts';

/**
 * Changes name or settings of the organization. Who wants a second factor of the members has one, and an organization
 * that wants single sign-on may use it and has a connection. When it returns, every process answers by the new
 * settings. Throws Failure 'conflict', 'feature_disabled'.
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
      if (change.single_sign_on === 'required') await requireFeature(tx, ctx.organizationId, 'sso');
      if (change.single_sign_on === 'required' && !(await hasActiveConnection(tx, ctx)))
        throw refuse('conflict', 'activate a connection to an identity provider first: nobody could sign in');
      await record(tx, ctx, 'organization-update', { type: 'organization', id: ctx.organizationId }, change);
    }
    return selectOrganization(tx, ctx);
  });
  if (isStricter || change.single_sign_on === 'required') await untilLeasesEnd();
  return row;
}
