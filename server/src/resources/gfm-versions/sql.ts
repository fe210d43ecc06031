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

/** The id of the version that the workspace reads; null where it has chosen none. */
export async function adoptedVersion(tx: Tx, ctx: Context): Promise<string | null> {
  const { gfm_version_id } = await tx
    .selectFrom('workspaces')
    .select('gfm_version_id')
    .where('id', '=', ctx.workspaceId)
    .executeTakeFirstOrThrow();
  return gfm_version_id;
}
