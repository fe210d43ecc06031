import type { Selectable } from 'kysely';
import { type Manifest, readManifest } from '../../ml/lake/manifest.ts';
import type { Snapshots } from '../../schema/tables.ts';
import type { Context } from '../../tenancy/context.ts';
import type { Tx } from '../../tenancy/doors.ts';

export type SnapshotRow = Omit<Selectable<Snapshots>, 'manifest'> & { readonly manifest: string };

/** The newest accepted state of the workspace's tables. */
export async function currentSnapshot(tx: Tx, ctx: Context): Promise<SnapshotRow | undefined> {
  const row = await tx
    .selectFrom('workspaces')
    .innerJoin('snapshots', 'snapshots.id', 'workspaces.snapshot_id')
    .selectAll('snapshots')
    .where('workspaces.id', '=', ctx.workspaceId)
    .executeTakeFirst();
  return row && textual(row);
}

export async function selectSnapshot(tx: Tx, id: string): Promise<SnapshotRow | undefined> {
  const row = await tx.selectFrom('snapshots').selectAll().where('id', '=', id).executeTakeFirst();
  return row && textual(row);
}

/** What every snapshot is made of, oldest first. */
export async function selectManifests(tx: Tx): Promise<{ id: string; manifest: Manifest }[]> {
  const rows = await tx.selectFrom('snapshots').select(['id', 'manifest']).orderBy('id').execute();
  return rows.map(({ id, manifest }) => ({ id, manifest: readManifest(JSON.stringify(manifest)) }));
}

/** The storage key of the dictionary of names as it is now; null before the first ingestion. */
export async function currentIdentifiers(tx: Tx, ctx: Context): Promise<string | null> {
  const row = await tx
    .selectFrom('workspaces')
    .select('identifiers_key')
    .where('id', '=', ctx.workspaceId)
    .executeTakeFirstOrThrow();
  return row.identifiers_key;
}

function textual(row: Selectable<Snapshots>): SnapshotRow {
  return { ...row, manifest: JSON.stringify(row.manifest) };
}
