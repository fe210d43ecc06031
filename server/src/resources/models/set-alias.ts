import { record } from '../../tenancy/audit.ts';
import type { Context } from '../../tenancy/context.ts';
import { tenant } from '../../tenancy/doors.ts';
import { refuse } from '../../tenancy/errors.ts';
import type { App } from '../app.ts';
import type { AliasRow } from './model.ts';
import { pointAlias } from './point-alias.ts';
import { lockAlias, lockVersion } from './sql.ts';

/**
 * Points an alias of a model at one of its active versions. `ifMatch` is the ETag that the caller last saw, `*` for any.
 * Throws Failure 'not_found', 'version_inactive', 'precondition_failed'.
 */
export function setAlias(
  app: App,
  ctx: Context,
  { modelId, alias, versionId, ifMatch }: { modelId: string; alias: string; versionId: string; ifMatch?: string },
): Promise<AliasRow> {
  return tenant(app.db, ctx, async (tx) => {
    const version = await lockVersion(tx, modelId, versionId);
    if (!version) throw refuse('not_found', `model ${modelId} has no version ${versionId}`);
    if (version.status !== 'active')
      throw refuse('version_inactive', `version ${versionId} is ${version.status}; activate it first`);
    checkMatch(await lockAlias(tx, modelId, alias), ifMatch);
    return pointAlias(tx, ctx, modelId, alias, versionId);
  });
}

/** Removes an alias. Throws Failure 'not_found', 'precondition_failed'. */
export function deleteAlias(
  app: App,
  ctx: Context,
  { modelId, alias, ifMatch }: { modelId: string; alias: string; ifMatch?: string },
): Promise<void> {
  return tenant(app.db, ctx, async (tx) => {
    const row = await lockAlias(tx, modelId, alias);
    if (!row) throw refuse('not_found', `model ${modelId} has no alias ${alias}`);
    checkMatch(row, ifMatch);
    await tx.deleteFrom('aliases').where('model_id', '=', modelId).where('alias', '=', alias).execute();
    const target = { type: 'model_version', id: row.version_id };
    await record(tx, ctx, 'model-version-demotion', target, { model_id: modelId, alias });
  });
}

/** The strong validator of an alias: changes whenever it is pointed elsewhere. */
export function etagOf({ revision, version_id }: AliasRow): string {
  return `"${revision}-${version_id}"`;
}

function checkMatch(row: AliasRow | undefined, ifMatch: string | undefined): void {
  if (ifMatch === undefined) return;
  const isMet = ifMatch === '*' ? row !== undefined : row !== undefined && etagOf(row) === ifMatch;
  if (!isMet)
    throw refuse('precondition_failed', row ? `the alias now has the ETag ${etagOf(row)}` : 'the alias does not exist');
}
