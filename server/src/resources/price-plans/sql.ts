import { sql } from 'kysely';
import type { Tx } from '../../access/transactions.ts';
import { defaultPlan, type PlanDocument, type PricePlan } from './price-plan.ts';

const columns = ['name', 'version', 'document', 'created_at'] as const;

/** Adds the next version of a plan. Two at once may not get the same one. */
export async function insertPlan(tx: Tx, name: string, document: PlanDocument): Promise<number> {
  const { version } = await tx
    .insertInto('price_plans')
    .values({
      name,
      version: sql<number>`(select coalesce(max(version), 0) + 1 from price_plans where name = ${name})`,
      document: JSON.stringify(document),
    })
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}

/** The newest version of a plan, or the named one; undefined when there is none. */
export async function selectPlan(tx: Tx, name: string, version?: number): Promise<PricePlan | undefined> {
  const row = await tx
    .selectFrom('price_plans')
    .select(columns)
    .where('name', '=', name)
    .$if(version !== undefined, (query) => query.where('version', '=', version!))
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  // What is stored was read by `readPlan` before.
  return row && { name: row.name, version: row.version, document: row.document as PlanDocument };
}

/** Every version of every plan, the newest of each first. */
export function selectPlans(tx: Tx) {
  return tx
    .selectFrom('price_plans')
    .select(['name', 'version', 'created_at'])
    .orderBy('name')
    .orderBy('version', 'desc')
    .execute();
}

/** The newest version of the plan of an organization; of the default one where that is not defined. */
export async function selectPlanOf(tx: Tx, organizationId: string, otherwise: string): Promise<PricePlan> {
  const row = await tx
    .selectFrom('price_plans as p')
    .innerJoin('organizations as o', (join) => join.on('o.id', '=', organizationId))
    .select(['p.name', 'p.version', 'p.document'])
    .where((or) => or.or([or('p.name', '=', or.ref('o.price_plan')), or('p.name', '=', otherwise)]))
    .orderBy(sql`p.name = o.price_plan`, (order) => order.desc().nullsLast())
    .orderBy('p.version', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return { ...row, document: row.document as PlanDocument };
}

/** The weights of workspaces whose price plan says one, by the newest version of the plan. */
export async function selectPlanWeights(tx: Tx): Promise<{ workspace_id: string; weight: number }[]> {
  const { rows } = await sql<{ workspace_id: string; weight: number }>`
    with plan as (
      select distinct on (name) name, (document ->> 'weight')::float8 as weight
      from price_plans order by name, version desc)
    select w.id as workspace_id, plan.weight
    from workspaces as w join organizations as o on o.id = w.organization_id
    join plan on plan.name = coalesce((select name from plan where name = o.price_plan), ${defaultPlan})
    where plan.weight is not null`.execute(tx);
  return rows;
}
