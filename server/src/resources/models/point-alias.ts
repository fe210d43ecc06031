import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { record } from '../../trail/record.ts';
import { endSplit } from './end-split.ts';
import type { AliasRow } from './model.ts';
import { lockAlias, upsertAlias } from './sql.ts';

/**
 * Points an alias at a version, which must be active; a split of the alias ends. Records the demotion of the previous
 * version and the promotion of the new one.
 */
export async function pointAlias(
  tx: Tx,
  ctx: Context,
  modelId: string,
  alias: string,
  versionId: string,
): Promise<AliasRow> {
  const before = await lockAlias(tx, modelId, alias);
  if (before?.version_id === versionId) return before;
  await endSplit(tx, ctx, modelId, alias, 'moved');
  const row = await upsertAlias(tx, ctx, modelId, alias, versionId);
  const about = { model_id: modelId, alias };
  if (before) await record(tx, ctx, 'model-version-demotion', { type: 'model_version', id: before.version_id }, about);
  await record(tx, ctx, 'model-version-promotion', { type: 'model_version', id: versionId }, about);
  return row;
}
