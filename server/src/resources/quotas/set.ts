import { type Context, operatorContext } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import { type Database, system } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import type { QuotaResource } from '../meters/quota.ts';
import { requireOrganization, requireWorkspace } from '../organizations/require.ts';
import { deleteQuota, upsertQuota } from './sql.ts';

export type AskedQuota = {
  readonly organizationId: string;
  /** Null for all workspaces of the organization together. */
  readonly workspaceId: string | null;
  readonly resource: QuotaResource;
  /** Null for as much as they like. */
  readonly limit: number | null;
};

/**
 * Sets a quota or takes it away, for the operator of the host. Throws Failure 'not_found' for organization, workspace,
 * or a quota to be taken away.
 */
export function setQuota(db: Database, { limit, ...of }: AskedQuota): Promise<void> {
  const { organizationId, workspaceId, resource } = of;
  return system(db, 'set quota', async (tx) => {
    await requireOrganization(tx, organizationId);
    if (workspaceId !== null) await requireWorkspace(tx, organizationId, workspaceId);
    if (limit !== null) await upsertQuota(tx, { ...of, limit });
    else if (!(await deleteQuota(tx, of))) throw refuse('not_found', `there is no quota of ${resource} there`);
    const ctx = { ...operatorContext(organizationId), workspaceId } as Context<Scope>;
    const target = { type: 'quota', id: resource };
    await record(tx, ctx, 'quota-update', target, { resource, limit });
  });
}
