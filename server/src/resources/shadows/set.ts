import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { named, refuse } from '../../errors.ts';
import { idsFrom } from '../../lib/crypto/ids.ts';
import type { Cutoff } from '../../ml/evaluation/compare-answers.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { requireCutoff } from '../backtests/create.ts';
import { requireModel, requireVersion } from '../models/require.ts';
import { keepModels } from '../tasks/keep.ts';
import { getShadow } from './get.ts';
import { removeShadow, selectShadow, upsertShadow } from './sql.ts';

export type AskedShadow = { readonly alias: string; readonly share: number; readonly cutoff?: Cutoff };

/**
 * Has a version answer what an alias of its model is asked from now on too, or changes of whom. Throws Failure
 * 'not_found', 'invalid'.
 */
export function setShadow(
  app: App,
  ctx: Context,
  model: string,
  version: string,
  { alias, share, cutoff }: AskedShadow,
) {
  return tenant(app.db, ctx, async (tx) => {
    await keepModels(tx, ctx);
    const { kind } = await requireModel(tx, model);
    const { id: versionId, model_id: modelId } = await requireVersion(tx, model, version);
    await named('/alias', requireVersion(tx, model, alias));
    if (cutoff) requireCutoff(kind, cutoff);
    const from = idsFrom('prd', Date.now());
    await upsertShadow(tx, ctx, { modelId, versionId }, { alias, share, cutoff: cutoff ?? null, from });
    await record(
      tx,
      ctx,
      'shadow-update',
      { type: 'model_version', id: versionId },
      { model_id: modelId, alias, share },
    );
    return getShadow(tx, modelId, versionId);
  });
}

/** Ends a shadow, and forgets what it has answered. Throws Failure 'not_found'. */
export function deleteShadow(app: App, ctx: Context, model: string, version: string): Promise<void> {
  return tenant(app.db, ctx, async (tx) => {
    const { id: versionId, model_id: modelId } = await requireVersion(tx, model, version);
    const row = await selectShadow(tx, { modelId, versionId });
    if (!row) throw refuse('not_found', `version ${versionId} shadows no alias of its model`);
    await removeShadow(tx, { modelId, versionId });
    const about = { model_id: modelId, alias: row.alias };
    await record(tx, ctx, 'shadow-end', { type: 'model_version', id: versionId }, about);
  });
}
