import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { lockKey } from './sql.ts';

/** Holds a key of the workspace that has not been revoked as it is. Throws Failure 'not_found'. */
export async function requireKey(tx: Tx, id: string): Promise<void> {
  if (!(await lockKey(tx, id))) throw refuse('not_found', `there is no key ${id}`);
}
