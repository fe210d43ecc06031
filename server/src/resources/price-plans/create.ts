import { type Database, system } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { type PricePlan, readPlan } from './price-plan.ts';
import { insertPlan } from './sql.ts';

const planForm = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/**
 * Defines a price plan, or the next version of one, from JSON, for the operator of the host. Organizations on the plan
 * are charged by it from the month on whose invoice is still a draft. Throws Failure 'invalid'.
 */
export async function createPlan(db: Database, name: string, text: string): Promise<PricePlan> {
  if (!planForm.test(name))
    throw refuse(
      'invalid',
      `a plan is called by up to 63 lower-case letters, digits, - and _, such as standard-2026, not ${name}`,
    );
  const document = readPlan(text);
  return { name, version: await system(db, 'define price plan', (tx) => insertPlan(tx, name, document)), document };
}
