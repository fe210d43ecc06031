import type { Selectable } from 'kysely';
import type { Context } from '../access/context.ts';
import type { Tx } from '../access/transactions.ts';
import { refuse } from '../errors.ts';
import { assert } from '../lib/failure.ts';
import { type Manifest, readManifest } from '../ml/lake/manifest.ts';
import type { Snapshots } from '../schema/tables.ts';
import { selectCurrentSnapshot, selectIdentifiersKey, selectManifestRows, selectSnapshot } from './sql.ts';

export type SnapshotRow = Omit<Selectable<Snapshots>, 'manifest'> & { readonly manifest: string };

/** The newest accepted snapshot of the workspace. */
export async function currentSnapshot(tx: Tx, ctx: Context): Promise<SnapshotRow | undefined> {
  const row = await selectCurrentSnapshot(tx, ctx);
  return row && textual(row);
}

/** The snapshot to which work is pinned. Throws Failure 'entity_erased' when an erasure has emptied it since. */
export async function requireSnapshot(tx: Tx, id: string): Promise<SnapshotRow> {
  const row = await selectSnapshot(tx, id);
  assert(row, `work is pinned to a snapshot that there is, not ${id}`);
  if (row.erased_at !== null)
    throw refuse(
      'entity_erased',
      `the data of ${id} kept a name that was erased, and are gone; start again upon the newest data`,
    );
  return textual(row);
}

/** The manifests of all snapshots, oldest first, except those that an erasure has emptied. */
export async function selectManifests(tx: Tx): Promise<{ id: string; manifest: Manifest }[]> {
  const rows = await selectManifestRows(tx);
  return rows.map(({ id, manifest }) => ({ id, manifest: readManifest(JSON.stringify(manifest)) }));
}

/** The storage key of the current dictionary of names; null before the first ingestion or erasure. */
export function currentIdentifiers(tx: Tx, ctx: Context): Promise<string | null> {
  return selectIdentifiersKey(tx, ctx);
}

function textual(row: Selectable<Snapshots>): SnapshotRow {
  return { ...row, manifest: JSON.stringify(row.manifest) };
}
