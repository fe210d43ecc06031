import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { clearNaming } from './sql.ts';

/** Empties the questions and answers of predictions that name an identifier; returns how many there were. */
export function erasePredictions(tx: Tx, ctx: Context, identifier: string): Promise<number> {
  return clearNaming(tx, ctx, identifier);
}
