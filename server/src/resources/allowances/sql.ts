import { type Insertable, sql } from 'kysely';
import type { Tx } from '../../access/transactions.ts';
import type { QuotaNotices } from '../../schema/tables.ts';
import { periodOf, type QuotaResource, type StandingResource } from '../meters/quota.ts';
import { defaultPlan, type PlanDocument } from '../price-plans/price-plan.ts';
import type { Allowance, QuotaUse } from './allowance.ts';

type AllowanceRow = {
  readonly month: string;
  readonly resets_at: Date;
  readonly plan: PlanDocument | null;
  readonly quotas: readonly { readonly resource: QuotaResource; readonly isOwn: boolean; readonly limit: number }[];
  readonly used: readonly { readonly meter: string; readonly own: number; readonly whole: number }[];
};

/**
 * What a workspace may use in the month that its clocks show, and what has been metered of it, in a transaction of the
 * system; undefined when there is no such workspace. A quota of the organization goes before that of its price plan.
 */
export async function selectAllowance(tx: Tx, workspaceId: string): Promise<Allowance | undefined> {
  const { rows } = await sql<AllowanceRow>`
    with here as (
      select id, organization_id, time_zone, date_trunc('month', now() at time zone time_zone) as month
      from workspaces where id = ${workspaceId})
    select to_char(month, 'YYYY-MM-DD') as month, (month + interval '1 month') at time zone time_zone as resets_at,
      (select document from price_plans as p join organizations as o on o.id = here.organization_id
        where p.name in (o.price_plan, ${defaultPlan})
        order by p.name = o.price_plan desc nulls last, p.version desc limit 1) as plan,
      coalesce((select jsonb_agg(jsonb_build_object('resource', resource, 'isOwn', workspace_id is not null,
          'limit', "limit"))
        from quotas as q where q.organization_id = here.organization_id
          and (q.workspace_id is null or q.workspace_id = here.id)), '[]') as quotas,
      coalesce((select jsonb_agg(sums) from (
        select meter, sum(quantity) as whole,
          coalesce(sum(quantity) filter (where workspace_id = here.id), 0) as own
        from usage_days where organization_id = here.organization_id
          and day >= here.month and day < here.month + interval '1 month'
        group by meter) as sums), '[]') as used
    from here`.execute(tx);
  const row = rows[0];
  return row && allowanceOf(row);
}

function allowanceOf({ month, resets_at, plan, quotas, used }: AllowanceRow): Allowance {
  const named = quotas.map(({ isOwn, ...quota }) => ({ ...quota, of: isOwn ? 'workspace' : 'organization' }) as const);
  const included = Object.entries(plan?.quotas ?? {})
    .filter(([resource]) => !named.some((quota) => quota.of === 'organization' && quota.resource === resource))
    .map(([resource, limit]) => ({ resource: resource as QuotaResource, of: 'organization', limit: limit! }) as const);
  return {
    month,
    resetsAt: resets_at,
    quotas: [...named, ...included].map((quota) => {
      if (periodOf(quota.resource) !== 'month') return { ...quota, used: null };
      const sums = used.find(({ meter }) => meter === quota.resource);
      return { ...quota, used: (quota.of === 'workspace' ? sums?.own : sums?.whole) ?? 0 };
    }),
    rates: plan?.rate_limits ?? {},
  };
}

/**
 * The quotas of what there is at once that the workspace of a transaction is under, and how much there is. Others who
 * ask about the same resource in the organization wait until the transaction ends.
 */
export async function lockHeld(tx: Tx, resource: StandingResource): Promise<QuotaUse[]> {
  const { rows } = await sql<Omit<QuotaUse, 'resource'>>`
    select quota_of as of, quota_limit as "limit", held as used from quotas_held(${resource})`.execute(tx);
  return rows.map((row) => ({ resource, ...row }));
}

/** How much of a resource there is now in a workspace, or in all workspaces of its organization; in the system. */
export async function selectHeld(
  tx: Tx,
  resource: StandingResource,
  organizationId: string,
  workspaceId: string | null,
): Promise<number> {
  const { rows } = await sql<{ held: number }>`
    select held_now(${resource}, ${organizationId}, ${workspaceId}) as held`.execute(tx);
  return rows[0].held;
}

/** Notes that people are told of a share of a quota. Returns false when they have been told before. */
export async function insertNotice(tx: Tx, notice: Insertable<QuotaNotices>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('quota_notices')
    .values(notice)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows) > 0;
}
