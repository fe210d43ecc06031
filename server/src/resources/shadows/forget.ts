import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { deleteAnswers } from './sql.ts';

/** Removes what shadows said to predictions that are erased, or that are removed: all with ids before a bound. */
export function forgetShadowAnswers(
  tx: Tx,
  ctx: Context,
  which: { readonly ids: readonly string[] } | { readonly before: string },
): Promise<void> {
  return deleteAnswers(tx, ctx, which);
}
