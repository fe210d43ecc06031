import { type Insertable, sql, type Updateable } from 'kysely';
import type { Tx } from '../../access/transactions.ts';
import { pageBytesMax } from '../../api/list.ts';
import { type RowPage, selectPage } from '../../lib/db/page.ts';
import type { FileHashes } from '../../schema/json.ts';
import type { Validations } from '../../schema/tables.ts';
import { finishedStatuses, type ValidationRow } from './validation.ts';

export function selectValidation(tx: Tx, id: string): Promise<ValidationRow | undefined> {
  return tx.selectFrom('validations').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Like `selectValidation`, and locks the row until the transaction ends. */
export function lockValidation(tx: Tx, id: string): Promise<ValidationRow | undefined> {
  return tx.selectFrom('validations').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export function selectValidations(
  tx: Tx,
  versionId: string,
  before: string | null,
  most: number,
): Promise<RowPage<ValidationRow>> {
  const filters = { version_id: versionId };
  return selectPage(tx, { table: 'validations', filters, before, most, bytesMax: pageBytesMax });
}

/** Returns how many validations of the workspace are queued or running, counted up to `most`. */
export async function countOpen(tx: Tx, most: number): Promise<number> {
  const open = await tx
    .selectFrom('validations')
    .select('id')
    .where('status', 'in', ['queued', 'running'])
    .limit(most)
    .execute();
  return open.length;
}

export async function insertValidation(tx: Tx, row: Insertable<Validations>): Promise<void> {
  await tx.insertInto('validations').values(row).execute();
}

/** Updates a validation that has not finished. Returns false when it has finished. */
export async function updateValidation(tx: Tx, id: string, change: Updateable<Validations>): Promise<boolean> {
  const done = await tx
    .updateTable('validations')
    .set(change)
    .where('id', '=', id)
    .where('status', 'not in', finishedStatuses)
    .executeTakeFirst();
  return Number(done.numUpdatedRows) === 1;
}

/** Clears the results that tell an identifier as the value of a segment. */
export async function clearNaming(tx: Tx, identifier: string, failure: string): Promise<void> {
  await tx
    .updateTable('validations')
    .set({ result: null, verdict: null, status: 'failed', failure })
    .where(
      sql<boolean>`jsonb_path_exists(result, '$.segments[*].values[*] ? (@.name == $name)',
        jsonb_build_object('name', ${identifier}::text))`,
    )
    .execute();
}

/** A version with where its files are stored, and its GFM version. */
export type StoredVersion = {
  readonly id: string;
  readonly model_id: string;
  readonly storage_prefix: string;
  readonly files: FileHashes;
  readonly gfm_version_id: string | null;
};

export function selectStoredVersion(tx: Tx, id: string): Promise<StoredVersion> {
  return tx
    .selectFrom('model_versions')
    .select(['id', 'model_id', 'storage_prefix', 'files', 'gfm_version_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** The data that a version was learned from, unless an erasure has emptied them. */
export async function selectLearnedFrom(tx: Tx, versionId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('model_versions as version')
    .innerJoin('snapshots as snapshot', (join) =>
      join.onRef('snapshot.workspace_id', '=', 'version.workspace_id').onRef('snapshot.id', '=', 'version.snapshot_id'),
    )
    .select('snapshot.id')
    .where('version.id', '=', versionId)
    .where('snapshot.erased_at', 'is', null)
    .executeTakeFirst();
  return row?.id ?? null;
}
