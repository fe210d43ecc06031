import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import type { Storage } from '../../lib/storage/storage.ts';
import { dayOfId } from '../prediction-columns/days.ts';
import { awaitColumns, dropColumns } from '../prediction-columns/drop.ts';
import { forgetShadowAnswers } from '../shadows/forget.ts';
import { clearNaming } from './sql.ts';

/**
 * Clears the inputs and outputs of predictions whose inputs contain an identifier, and removes the columns of their
 * days, and what shadows said to them. Returns how many there were.
 */
export async function erasePredictions(
  tx: Tx,
  ctx: Context,
  storage: Pick<Storage, 'delete'>,
  identifier: string,
): Promise<number> {
  await awaitColumns(tx, ctx);
  const ids = await clearNaming(tx, ctx, identifier);
  await dropColumns(tx, ctx, storage, { days: [...new Set(ids.map(dayOfId))] });
  await forgetShadowAnswers(tx, ctx, { ids });
  return ids.length;
}
