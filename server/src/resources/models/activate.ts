import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { presentVersion } from './model.ts';
import { requireModel } from './require.ts';
import { lockVersion, selectAliases, selectSplitsOf, selectVersion, updateVersionStatus, withOrigins } from './sql.ts';

/**
 * Activates or deactivates a version. Changes nothing when it already has that status. Throws Failure 'not_found',
 * 'version_aliased' for a version that an alias points at or that answers a share of one, 'conflict' while it is being
 * validated.
 */
export function setVersionStatus(
  app: App,
  ctx: Context,
  { model, versionId, status }: { model: string; versionId: string; status: 'active' | 'inactive' },
) {
  return tenant(app.db, ctx, async (tx) => {
    const { id: modelId } = await requireModel(tx, model);
    const row = await lockVersion(tx, modelId, versionId);
    if (!row) throw refuse('not_found', `model ${modelId} has no version ${versionId}`);
    const aliases = await selectAliases(tx, [modelId]);
    const pointing = aliases.filter(({ version_id }) => version_id === versionId).map(({ alias }) => alias);
    if (row.status === 'validating') throw refuse('conflict', `version ${versionId} is still being validated`);
    if (status === 'inactive' && pointing.length > 0)
      throw refuse(
        'version_aliased',
        `${pointing.join(', ')} of the model point at version ${versionId}: move them first`,
      );
    const splits = status === 'inactive' ? await selectSplitsOf(tx, modelId, versionId) : [];
    if (splits.length > 0)
      throw refuse(
        'version_aliased',
        `version ${versionId} answers a share of ${splits.map(({ alias }) => alias).join(', ')}: end it with DELETE /v1/api/models/${modelId}/aliases/${splits[0].alias}/split`,
      );
    if (row.status !== status) {
      await updateVersionStatus(tx, versionId, status);
      const action = status === 'active' ? 'model-version-activation' : 'model-version-deactivation';
      await record(tx, ctx, action, { type: 'model_version', id: versionId }, { model_id: modelId });
    }
    const [told] = await withOrigins(tx, [(await selectVersion(tx, modelId, versionId))!]);
    return presentVersion(told, aliases);
  });
}
