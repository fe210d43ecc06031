import { type Database, system, type Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { defaultPlan, type PricePlan } from './price-plan.ts';
import { selectPlan, selectPlanOf, selectPlans } from './sql.ts';

/** The newest version of a plan, or the named one. Throws Failure 'not_found'. */
export async function requirePlan(tx: Tx, name: string, version?: number): Promise<PricePlan> {
  const plan = await selectPlan(tx, name, version);
  if (plan) return plan;
  const which = version === undefined ? name : `${name}, version ${version}`;
  throw refuse('not_found', `there is no price plan ${which}: lastro admin price-plan list shows them`);
}

/** The price plan by which an organization is charged now. */
export function planOf(tx: Tx, organizationId: string): Promise<PricePlan> {
  return selectPlanOf(tx, organizationId, defaultPlan);
}

/** A plan as the operator of the host sees it. Throws Failure 'not_found'. */
export function showPlan(db: Database, name: string, version?: number): Promise<PricePlan> {
  return system(db, 'show price plan', (tx) => requirePlan(tx, name, version));
}

/** Every version of every plan, for the operator of the host. */
export function listPlans(db: Database) {
  return system(db, 'list price plans', selectPlans);
}
