import type { Selectable } from 'kysely';
import type { Context } from '../access/context.ts';
import type { Tx } from '../access/transactions.ts';
import { refuse } from '../errors.ts';
import { type Manifest, readManifest } from '../ml/lake/manifest.ts';
import type { Snapshots } from '../schema/tables.ts';

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

/** A state that work is pinned to. Throws Failure 'entity_erased' where it was emptied since. */
export async function requireSnapshot(tx: Tx, id: string): Promise<SnapshotRow> {
  const row = await tx.selectFrom('snapshots').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  if (row.erased_at !== null)
    throw refuse(
      'entity_erased',
      `the data of ${id} kept a name that was erased, and are gone; start again upon the newest data`,
    );
  return textual(row);
}

export async function hasSnapshot(tx: Tx, id: string): Promise<boolean> {
  return (await tx.selectFrom('snapshots').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

/** What every snapshot is made of, oldest first, but for those that were emptied. */
export async function selectManifests(tx: Tx): Promise<{ id: string; manifest: Manifest }[]> {
  const rows = await tx
    .selectFrom('snapshots')
    .select(['id', 'manifest'])
    .where('erased_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id, manifest }) => ({ id, manifest: readManifest(JSON.stringify(manifest)) }));
}

/** The storage key of the dictionary of names as it is now; null before the first ingestion or erasure. */
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
