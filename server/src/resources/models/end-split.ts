import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { record } from '../../trail/record.ts';
import { removeSplit, selectSplit } from './sql.ts';

/** Why a split ends, as its event tells. */
export type SplitEnd = 'ended' | 'replaced' | 'moved' | 'removed' | 'failed';

/** Ends the split of an alias of a model, named by its id. Returns whether there was one. */
export async function endSplit(
  tx: Tx,
  ctx: Context,
  modelId: string,
  alias: string,
  because: SplitEnd,
): Promise<boolean> {
  const row = await selectSplit(tx, modelId, alias);
  if (!row) return false;
  await removeSplit(tx, modelId, alias);
  const target = { type: 'model_version', id: row.version_id };
  await record(tx, ctx, 'alias-split-end', target, { model_id: modelId, alias, because });
  return true;
}
