import type { Selectable } from 'kysely';
import type { Context } from '../access/context.ts';
import type { Tx } from '../access/transactions.ts';
import type { Snapshots } from '../schema/tables.ts';

/** The columns that decide what a workspace serves. Those of the snapshot are null before there is one. */
export function selectServing(tx: Tx, { workspaceId }: Context) {
  return tx
    .selectFrom('workspaces')
    .leftJoin('snapshots', 'snapshots.id', 'workspaces.snapshot_id')
    .select([
      'workspaces.serving_epoch',
      'workspaces.identifiers_key',
      'snapshots.id',
      'snapshots.frozen_key',
      'snapshots.frozen_bytes',
      'snapshots.frozen_sha256',
    ])
    .where('workspaces.id', '=', workspaceId)
    .executeTakeFirstOrThrow();
}

export function selectModelNames(tx: Tx): Promise<{ id: string; name: string }[]> {
  return tx.selectFrom('models').select(['id', 'name']).orderBy('id').execute();
}

export function selectTaskNamed(tx: Tx, name: string): Promise<{ id: string; name: string } | undefined> {
  return tx.selectFrom('tasks').select(['id', 'name']).where('name', '=', name).executeTakeFirst();
}

/** The newest run that was to point an alias of a model at what it makes. */
export function selectNewestRun(tx: Tx, modelId: string, alias: string) {
  return tx
    .selectFrom('training_runs')
    .select(['id', 'status', 'phase', 'fraction', 'failure'])
    .where('model_id', '=', modelId)
    .where('alias', '=', alias)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export function selectAliases(tx: Tx) {
  return tx.selectFrom('aliases').select(['model_id', 'alias', 'version_id']).execute();
}

export function selectSplits(tx: Tx) {
  return tx.selectFrom('alias_splits').select(['model_id', 'alias', 'version_id', 'share']).execute();
}

const storedVersion = ['id', 'model_id', 'status', 'storage_prefix', 'files', 'gfm_version_id'] as const;

export function selectVersions(tx: Tx) {
  return tx.selectFrom('model_versions').select(storedVersion).execute();
}

export function selectVersion(tx: Tx, id: string) {
  return tx.selectFrom('model_versions').select(storedVersion).where('id', '=', id).executeTakeFirst();
}

export function selectGfmVersions(tx: Tx, ids: readonly string[]) {
  return tx.selectFrom('gfm_versions').select(['id', 'storage_prefix', 'files']).where('id', 'in', ids).execute();
}

/** The newest accepted snapshot of the workspace. */
export function selectCurrentSnapshot(tx: Tx, { workspaceId }: Context): Promise<Selectable<Snapshots> | undefined> {
  return tx
    .selectFrom('workspaces')
    .innerJoin('snapshots', 'snapshots.id', 'workspaces.snapshot_id')
    .selectAll('snapshots')
    .where('workspaces.id', '=', workspaceId)
    .executeTakeFirst();
}

export function selectSnapshot(tx: Tx, id: string): Promise<Selectable<Snapshots> | undefined> {
  return tx.selectFrom('snapshots').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function hasSnapshot(tx: Tx, id: string): Promise<boolean> {
  return (await tx.selectFrom('snapshots').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

/** The manifests of the snapshots that no erasure has emptied, oldest first. */
export function selectManifestRows(tx: Tx) {
  return tx.selectFrom('snapshots').select(['id', 'manifest']).where('erased_at', 'is', null).orderBy('id').execute();
}

export async function selectIdentifiersKey(tx: Tx, { workspaceId }: Context): Promise<string | null> {
  const row = await tx
    .selectFrom('workspaces')
    .select('identifiers_key')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return row.identifiers_key;
}
