import type { Tx } from '../../access/transactions.ts';
import type { QuotaResource } from '../meters/quota.ts';

export type QuotaToStore = {
  readonly organizationId: string;
  /** Null for all workspaces of the organization together. */
  readonly workspaceId: string | null;
  readonly resource: QuotaResource;
  readonly limit: number;
};

/** Adds a quota, or replaces the limit of the one that is there. */
export async function upsertQuota(tx: Tx, quota: QuotaToStore): Promise<void> {
  const { organizationId, workspaceId, resource, limit } = quota;
  const set = { limit, set_at: new Date() };
  await tx
    .insertInto('quotas')
    .values({ organization_id: organizationId, workspace_id: workspaceId, resource, ...set })
    .onConflict((conflict) => conflict.columns(['organization_id', 'workspace_id', 'resource']).doUpdateSet(set))
    .execute();
}

/** Returns false when there is no such quota. */
export async function deleteQuota(tx: Tx, quota: Omit<QuotaToStore, 'limit'>): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('quotas')
    .where('organization_id', '=', quota.organizationId)
    .where('workspace_id', 'is not distinct from', quota.workspaceId)
    .where('resource', '=', quota.resource)
    .executeTakeFirst();
  return Number(numDeletedRows) > 0;
}

/** The quotas of an organization and of its workspaces, in a transaction of the system. */
export async function selectQuotas(tx: Tx, organizationId: string) {
  return tx
    .selectFrom('quotas')
    .select(['workspace_id', 'resource', 'limit', 'set_at'])
    .where('organization_id', '=', organizationId)
    .orderBy('workspace_id', (order) => order.asc().nullsFirst())
    .orderBy('resource')
    .execute();
}
