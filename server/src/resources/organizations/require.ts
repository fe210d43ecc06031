import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { selectForOperator } from './sql.ts';

/** An organization as the operator sees it, in a transaction of the system. Throws Failure 'not_found'. */
export async function requireOrganization(tx: Tx, id: string) {
  const row = await selectForOperator(tx, id);
  if (!row) throw refuse('not_found', `there is no organization ${id}`);
  return row;
}
