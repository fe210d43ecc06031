import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { deleteErased } from './sql.ts';

/** Removes what came of predictions that were erased. */
export function eraseOutcomes(tx: Tx, ctx: Context): Promise<void> {
  return deleteErased(tx, ctx);
}
