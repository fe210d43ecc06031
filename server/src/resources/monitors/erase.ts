import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { deleteNaming } from './sql.ts';

/** Forgets counts of versions that are by a text which is the identifier; they are counted anew. */
export function eraseMonitored(tx: Tx, ctx: Context, identifier: string): Promise<void> {
  return deleteNaming(tx, ctx, identifier);
}
