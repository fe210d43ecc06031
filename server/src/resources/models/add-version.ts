import { sql } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { byName, putFiles } from '../../lib/storage/put-file.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { pointAlias } from './point-alias.ts';

export type StoredVersion = {
  readonly id: string;
  readonly prefix: string;
  /** SHA-256 of each file, by name. */
  readonly files: Readonly<Record<string, string>>;
};

/** Stores the files of a version folder under an id of its own. */
export async function storeVersion(
  app: App,
  { organizationId, workspaceId }: Context,
  { files }: { files: readonly string[] },
): Promise<StoredVersion> {
  const id = newId('ver');
  const prefix = `${organizationId}/${workspaceId}/versions/${id}/`;
  return { id, prefix, files: await putFiles(app.storage, prefix, byName(files)) };
}

/** Adds the version that a run has made, activates it, and points the alias at it that the run was given. */
export async function addVersion(
  tx: Tx,
  ctx: Context,
  run: {
    readonly id: string;
    readonly model_id: string;
    readonly snapshot_id: string;
    readonly contract_id: string;
    readonly alias: string | null;
  },
  stored: StoredVersion,
  made: {
    readonly inputs: readonly unknown[];
    readonly outputs: readonly unknown[];
    readonly metrics: unknown;
    /** The version of the graph model that it reads. */
    readonly gfmVersionId: string | null;
  },
): Promise<string> {
  const { id } = stored;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`versions ${run.model_id}`}, 0))`.execute(tx);
  await tx
    .insertInto('model_versions')
    .values({
      id,
      organization_id: ctx.organizationId,
      workspace_id: ctx.workspaceId,
      model_id: run.model_id,
      number: sql<number>`(select coalesce(max(number), 0) + 1 from model_versions where model_id = ${run.model_id})`,
      training_run_id: run.id,
      snapshot_id: run.snapshot_id,
      contract_id: run.contract_id,
      gfm_version_id: made.gfmVersionId,
      status: 'validating',
      metrics: JSON.stringify(made.metrics),
      inputs: JSON.stringify(made.inputs),
      outputs: JSON.stringify(made.outputs),
      files: JSON.stringify(stored.files),
      storage_prefix: stored.prefix,
    })
    .execute();
  const target = { type: 'model_version', id };
  const about = { model_id: run.model_id };
  await record(tx, ctx, 'model-version-creation', target, about);
  await tx.updateTable('model_versions').set({ status: 'active' }).where('id', '=', id).execute();
  await record(tx, ctx, 'model-version-activation', target, about);
  if (run.alias !== null) await pointAlias(tx, ctx, run.model_id, run.alias, id);
  return id;
}
