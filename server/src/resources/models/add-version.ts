import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { byName, putFiles } from '../../lib/storage/put-file.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import type { StoredModelVersion } from './model.ts';
import { pointAlias } from './point-alias.ts';
import { insertVersion, type LearnedVersion, updateVersionStatus, type VersionRun } from './sql.ts';

/** Stores the files of a version folder under a new version id. */
export async function storeVersion(
  app: App,
  { organizationId, workspaceId }: Context,
  { files }: { files: readonly string[] },
): Promise<StoredModelVersion> {
  const id = newId('ver');
  const prefix = `${organizationId}/${workspaceId}/versions/${id}/`;
  return { id, prefix, files: await putFiles(app.storage, prefix, byName(files)) };
}

/**
 * Adds the version that a training run has made, activates it, and points the run's alias at it if there is one.
 * Returns the version's id.
 */
export async function addVersion(
  tx: Tx,
  ctx: Context,
  run: VersionRun & { readonly alias: string | null },
  stored: StoredModelVersion,
  learned: LearnedVersion,
): Promise<string> {
  const { id } = stored;
  await insertVersion(tx, ctx, run, stored, learned);
  const target = { type: 'model_version', id };
  const about = { model_id: run.model_id };
  await record(tx, ctx, 'model-version-creation', target, about);
  await updateVersionStatus(tx, id, 'active');
  await record(tx, ctx, 'model-version-activation', target, about);
  if (run.alias !== null) await pointAlias(tx, ctx, run.model_id, run.alias, id);
  return id;
}
