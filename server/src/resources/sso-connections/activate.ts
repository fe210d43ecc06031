import type { Context } from '../../access/context.ts';
import type { OrganizationScope } from '../../access/scope.ts';
import { tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { discover } from '../../lib/oidc/oidc.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { requireFeature } from '../organizations/features.ts';
import { oidcProviderOf } from './provider.ts';
import { type ConnectionRow, selectConnection, updateConnection } from './sql.ts';

/**
 * Lets people sign in through a connection, after having asked a provider of OpenID Connect what it publishes.
 * Throws Failure 'not_found', 'conflict', 'feature_disabled', 'break_glass_required', and what `discover` throws.
 */
export async function activateConnection(
  app: App,
  ctx: Context<OrganizationScope>,
  id: string,
): Promise<ConnectionRow> {
  const row = await tenant(app.db, ctx, async (tx) => {
    await requireFeature(tx, ctx.organizationId, 'sso');
    return selectConnection(tx, ctx, id);
  });
  if (!row) throw refuse('not_found', `there is no connection ${id}`);
  if (row.status === 'active') throw refuse('conflict', 'the connection is active');
  if (row.kind === 'oidc') await discover(app.outbound.fetch, oidcProviderOf(app, row));
  return tenant(app.db, ctx, async (tx) => {
    const changed = await updateConnection(tx, ctx, id, { status: 'active' });
    if (!changed) throw refuse('not_found', `there is no connection ${id}`);
    await record(tx, ctx, 'sso-connection-activation', { type: 'sso_connection', id });
    return changed;
  });
}
