import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import type { GfmVersionRow } from './gfm-version.ts';

export function selectGfmVersion(tx: Tx, id: string): Promise<GfmVersionRow | undefined> {
  return tx.selectFrom('gfm_versions').selectAll().where('id', '=', id).executeTakeFirst();
}

export function selectGfmVersions(tx: Tx, before: string | null, most: number): Promise<GfmVersionRow[]> {
  let query = tx.selectFrom('gfm_versions').selectAll().orderBy('id', 'desc').limit(most);
  if (before !== null) query = query.where('id', '<', before);
  return query.execute();
}

/** Returns the id of the version that the workspace has adopted, or null when it has adopted none. */
export async function adoptedVersion(tx: Tx, ctx: Context): Promise<string | null> {
  const { gfm_version_id } = await tx
    .selectFrom('workspaces')
    .select('gfm_version_id')
    .where('id', '=', ctx.workspaceId)
    .executeTakeFirstOrThrow();
  return gfm_version_id;
}

/** Returns the version that has this name or this model snapshot. */
export function selectReleased(
  tx: Tx,
  name: string,
  modelSnapshot: string,
): Promise<Pick<GfmVersionRow, 'id' | 'name'> | undefined> {
  return tx
    .selectFrom('gfm_versions')
    .select(['id', 'name'])
    .where((of) => of.or([of('name', '=', name), of('model_snapshot', '=', modelSnapshot)]))
    .executeTakeFirst();
}

export type NewGfmVersion = {
  readonly id: string;
  readonly name: string;
  readonly modelSnapshot: string;
  readonly generatedAt: Date;
  readonly isSynthetic: boolean;
  /** SHA-256 of each file, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** The prefix of the files' storage keys. */
  readonly prefix: string;
};

export async function insertGfmVersion(tx: Tx, version: NewGfmVersion): Promise<void> {
  await tx
    .insertInto('gfm_versions')
    .values({
      id: version.id,
      name: version.name,
      model_snapshot: version.modelSnapshot,
      generated_at: version.generatedAt,
      is_synthetic: version.isSynthetic,
      files: JSON.stringify(version.files),
      storage_prefix: version.prefix,
    })
    .execute();
}

/** Returns the versions that have not been announced to the workspaces. */
export function selectUnannounced(tx: Tx): Promise<Pick<GfmVersionRow, 'id' | 'name' | 'model_snapshot'>[]> {
  return tx
    .selectFrom('gfm_versions')
    .select(['id', 'name', 'model_snapshot'])
    .where('announced_at', 'is', null)
    .execute();
}

export async function markAnnounced(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('gfm_versions').set({ announced_at: new Date() }).where('id', '=', id).execute();
}

/** Returns the ids of the active workspaces. */
export async function selectActiveWorkspaces(tx: Tx): Promise<string[]> {
  const rows = await tx.selectFrom('workspaces').select('id').where('status', '=', 'active').execute();
  return rows.map(({ id }) => id);
}
