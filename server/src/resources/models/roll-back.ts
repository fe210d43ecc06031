import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { record } from '../../trail/record.ts';
import { keepModels } from '../tasks/keep.ts';
import { changesBetween } from './changes-between.ts';
import { endSplit } from './end-split.ts';
import { pointAlias } from './point-alias.ts';
import { insertRollback, lockAlias, lockVersion, selectAliases, selectRollbacks, selectSplitsOf } from './sql.ts';

const dayMs = 24 * 60 * 60 * 1000;

export type Failed = {
  readonly modelId: string;
  readonly versionId: string;
  /** What has failed, as it is kept, and in lines of words. */
  readonly reason: object;
  readonly signals: readonly string[];
};

/**
 * Moves the aliases of a version that has failed back to the version before, of those that were moved within so many
 * days. None is moved from a version that it was moved back to, nor to one that it was moved back from, so that it
 * never goes to and fro; nor to a version that does not answer, or whose inputs would break callers of the present one.
 * Splits by which the version answers end. Returns the aliases that were moved.
 */
export async function rollBack(
  tx: Tx,
  ctx: Context,
  { modelId, versionId, reason, signals }: Failed,
  { days, now }: { readonly days: number; readonly now: Date },
): Promise<string[]> {
  await keepModels(tx, ctx);
  for (const { alias } of await selectSplitsOf(tx, modelId, versionId))
    await endSplit(tx, ctx, modelId, alias, 'failed');
  const before = await selectRollbacks(tx, modelId);
  const moved: string[] = [];
  for (const { alias, ...known } of await selectAliases(tx, [modelId])) {
    const { previous_version_id: previous } = known;
    if (known.version_id !== versionId || previous === null) continue;
    if (known.updated_at.getTime() < now.getTime() - days * dayMs) continue;
    const own = before.filter((one) => one.alias === alias);
    if (own.some((one) => one.to_version_id === versionId || one.from_version_id === versionId)) continue;
    if (own.some((one) => one.from_version_id === previous)) continue;
    // The version first, as whoever sets an alias locks it.
    const version = await lockVersion(tx, modelId, previous);
    if (version?.status !== 'active') continue;
    if ((await changesBetween(tx, modelId, versionId, previous)).length > 0) continue;
    const row = await lockAlias(tx, modelId, alias);
    // Somebody has moved it meanwhile.
    if (row?.revision !== known.revision) continue;
    await pointAlias(tx, ctx, modelId, alias, previous);
    await insertRollback(tx, ctx, {
      ...{ id: newId('rbk'), model_id: modelId, alias, from_version_id: versionId, to_version_id: previous },
      ...{ reason: JSON.stringify(reason), created_at: now },
    });
    await record(
      tx,
      ctx,
      'model-version-rollback',
      { type: 'model_version', id: versionId },
      { model_id: modelId, alias, to_version_id: previous, signals: [...signals] },
    );
    moved.push(alias);
  }
  return moved;
}
