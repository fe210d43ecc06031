import { operatorContext } from '../../access/context.ts';
import { type Database, system } from '../../access/transactions.ts';
import { record } from '../../trail/record.ts';
import { requirePlan } from '../price-plans/find.ts';
import { requireOrganization } from './require.ts';
import { updatePricePlan } from './sql.ts';

/** Puts an organization on a price plan, for the operator of the host. Throws Failure 'not_found' for either. */
export async function setPricePlan(db: Database, id: string, plan: string): Promise<void> {
  return system(db, 'set price plan', async (tx) => {
    const { price_plan: before } = await requireOrganization(tx, id);
    await requirePlan(tx, plan);
    await updatePricePlan(tx, id, plan);
    const target = { type: 'organization', id };
    await record(tx, operatorContext(id), 'price-plan-update', target, { price_plan: plan, before });
  });
}
