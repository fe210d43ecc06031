import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { namesEtag } from '../../lib/http/etags.ts';
import type { InputChange } from '../../schema/json.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { keepModels } from '../tasks/keep.ts';
import { changesBetween } from './changes-between.ts';
import { endSplit } from './end-split.ts';
import { passGates } from './gates/pass-gates.ts';
import type { AliasRow } from './model.ts';
import { pointAlias } from './point-alias.ts';
import { requireModel } from './require.ts';
import { lockAlias, lockVersion, removeAlias, selectLastHolder } from './sql.ts';

/** The preconditions of a change of an alias (RFC 9110 §13.1): lists of ETags, or `*` for any. */
export type Conditions = { readonly ifMatch?: string; readonly ifNoneMatch?: string };

/**
 * Points an alias of a model at one of its active versions, if the conditions hold and the version passes the gates of
 * the model, or a Creator overrides them. Returns it with what of the inputs breaks callers of the version before.
 * Throws Failure 'not_found', 'version_inactive', 'precondition_failed', 'gates_failed', 'permission_denied'.
 */
export function setAlias(
  app: App,
  ctx: Context,
  {
    model,
    alias,
    versionId,
    override,
    ...conditions
  }: { model: string; alias: string; versionId: string; override?: { readonly reason: string } } & Conditions,
): Promise<{ readonly row: AliasRow; readonly changes: readonly InputChange[] }> {
  return tenant(app.db, ctx, async (tx) => {
    await keepModels(tx, ctx);
    const { id: modelId } = await requireModel(tx, model);
    const version = await lockVersion(tx, modelId, versionId);
    if (!version) throw refuse('not_found', `model ${modelId} has no version ${versionId}`);
    if (version.status !== 'active')
      throw refuse('version_inactive', `version ${versionId} is ${version.status}; activate it first`);
    const before = await lockAlias(tx, modelId, alias);
    checkMatch(before, conditions);
    const replaced = before?.version_id ?? (await selectLastHolder(tx, modelId, alias));
    if (replaced !== null && replaced !== versionId)
      await passGates(tx, ctx, { modelId, alias, versionId, before: replaced }, override);
    const changes = before ? await changesBetween(tx, modelId, before.version_id, versionId) : [];
    return { row: await pointAlias(tx, ctx, modelId, alias, versionId), changes };
  });
}

/** Removes an alias, with its split. Throws Failure 'not_found', 'precondition_failed'. */
export function deleteAlias(
  app: App,
  ctx: Context,
  { model, alias, ...conditions }: { model: string; alias: string } & Conditions,
): Promise<void> {
  return tenant(app.db, ctx, async (tx) => {
    const { id: modelId } = await requireModel(tx, model);
    const row = await lockAlias(tx, modelId, alias);
    if (!row) throw refuse('not_found', `model ${modelId} has no alias ${alias}`);
    checkMatch(row, conditions);
    await endSplit(tx, ctx, modelId, alias, 'removed');
    await removeAlias(tx, modelId, alias);
    const target = { type: 'model_version', id: row.version_id };
    await record(tx, ctx, 'model-version-demotion', target, { model_id: modelId, alias });
  });
}

/** The strong validator of an alias. It changes whenever the alias is pointed at another version. */
export function etagOf({ revision, version_id }: AliasRow): string {
  return `"${revision}-${version_id}"`;
}

function checkMatch(row: AliasRow | undefined, { ifMatch, ifNoneMatch }: Conditions): void {
  const names = (list: string, comparison: 'strong' | 'weak'): boolean =>
    row !== undefined && namesEtag(list, etagOf(row), comparison);
  const isMet =
    (ifMatch === undefined || names(ifMatch, 'strong')) && (ifNoneMatch === undefined || !names(ifNoneMatch, 'weak'));
  if (!isMet)
    throw refuse('precondition_failed', row ? `the alias now has the ETag ${etagOf(row)}` : 'the alias does not exist');
}
