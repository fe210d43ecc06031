import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { idsFrom } from '../../lib/crypto/ids.ts';
import { record } from '../../trail/record.ts';
import { keepModels } from '../tasks/keep.ts';
import { changesBetween } from './changes-between.ts';
import { endSplit } from './end-split.ts';
import { passGates } from './gates/pass-gates.ts';
import { requireModel } from './require.ts';
import { lockAlias, lockVersion, selectSplit, upsertSplit } from './sql.ts';

export type AskedSplit = {
  readonly versionId: string;
  /** From 0.001 to 0.999. */
  readonly share: number;
  readonly override?: { readonly reason: string };
};

/**
 * Has an active version of a model answer a share of those whom an alias of the model is asked about, or changes the
 * share. The version passes the gates of the model as if the alias were moved to it, or a Creator overrides them;
 * callers who are answered by the one now must not be refused by the other. Throws Failure 'not_found',
 * 'version_inactive', 'invalid', 'gates_failed', 'permission_denied'.
 */
export async function splitAlias(
  tx: Tx,
  ctx: Context,
  model: string,
  alias: string,
  { versionId, share, override }: AskedSplit,
): Promise<void> {
  await keepModels(tx, ctx);
  const { id: modelId } = await requireModel(tx, model);
  const version = await lockVersion(tx, modelId, versionId);
  if (!version) throw refuse('not_found', `model ${modelId} has no version ${versionId}`);
  if (version.status !== 'active')
    throw refuse('version_inactive', `version ${versionId} is ${version.status}; activate it first`);
  const pointed = await lockAlias(tx, modelId, alias);
  if (!pointed) throw refuse('not_found', `model ${modelId} has no alias ${alias}`);
  const own = pointed.version_id;
  if (own === versionId) throw faulty(`${alias} points at it already: name another version`);
  const changes = await changesBetween(tx, modelId, own, versionId);
  if (changes.length > 0)
    throw faulty(`it would refuse callers of ${own}: ${changes.map(({ message }) => message).join('; ')}`);
  const known = await selectSplit(tx, modelId, alias);
  const isSame = known?.version_id === versionId;
  // Fewer may always be answered by it.
  if (!isSame || share > known.share)
    await passGates(tx, ctx, { modelId, alias, versionId, before: own, share }, override);
  if (!isSame) await endSplit(tx, ctx, modelId, alias, 'replaced');
  const since = idsFrom('prd', Date.now());
  await upsertSplit(tx, ctx, { model_id: modelId, alias, version_id: versionId, share, since });
  const target = { type: 'model_version', id: versionId };
  await record(tx, ctx, 'alias-split-update', target, { model_id: modelId, alias, share });
}

function faulty(message: string) {
  return refuse('invalid', `version_id: ${message}`, { problems: [{ at: '/version_id', message }] });
}
