import { operatorContext } from '../../access/context.ts';
import { type Database, system } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import { requireOrganization } from './require.ts';
import { updatePricePlan } from './sql.ts';

const planForm = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/** Puts an organization on a price plan, for the operator of the host. Throws Failure 'invalid', 'not_found'. */
export async function setPricePlan(db: Database, id: string, plan: string): Promise<void> {
  if (!planForm.test(plan))
    throw refuse(
      'invalid',
      `a plan is called by up to 63 lower-case letters, digits, - and _, such as standard-2026, not ${plan}`,
    );
  return system(db, 'set price plan', async (tx) => {
    const { price_plan: before } = await requireOrganization(tx, id);
    await updatePricePlan(tx, id, plan);
    const target = { type: 'organization', id };
    await record(tx, operatorContext(id), 'price-plan-update', target, { price_plan: plan, before });
  });
}
