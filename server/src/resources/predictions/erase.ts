import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { clearNaming } from './sql.ts';

/** Clears the inputs and outputs of predictions that contain an identifier. Returns how many there were. */
export function erasePredictions(tx: Tx, ctx: Context, identifier: string): Promise<number> {
  return clearNaming(tx, ctx, identifier);
}
