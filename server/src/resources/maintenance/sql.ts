import { sql } from 'kysely';
import type { Tx } from '../../access/transactions.ts';
import { finishedStatuses } from '../batches/batch.ts';

/** The ids of all workspaces. */
export async function selectWorkspaces(tx: Tx): Promise<string[]> {
  const rows = await tx.selectFrom('workspaces').select('id').execute();
  return rows.map(({ id }) => id);
}

/** Returns the manifests and the frozen tables' storage keys of the snapshots that have not been erased. */
export function selectSnapshots(tx: Tx): Promise<{ manifest: unknown; frozen_key: string }[]> {
  return tx.selectFrom('snapshots').select(['manifest', 'frozen_key']).where('erased_at', 'is', null).execute();
}

/**
 * Returns the storage keys of all files that are not deleted, whether uploaded or awaiting upload, and of those that
 * came by SFTP and are not whole, or wait for their name.
 */
export async function selectFileKeys(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom('files')
    .select('storage_key')
    .where('status', '!=', 'deleted')
    .unionAll(tx.selectFrom('file_parts').select('storage_key'))
    .unionAll(
      tx
        .selectFrom('sftp_files')
        .select('storage_key')
        .where('file_id', 'is', null)
        .where('storage_key', 'is not', null)
        .where('removed_at', 'is', null)
        .$narrowType<{ storage_key: string }>(),
    )
    .execute();
  return rows.map(({ storage_key }) => storage_key);
}

/** Returns the storage key of the workspace's current dictionary of names. */
export async function selectIdentifiersKey(tx: Tx, workspaceId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('workspaces')
    .select('identifiers_key')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return row.identifiers_key;
}

/** Returns the ids of all versions of models and of encoders. */
export async function selectVersionIds(tx: Tx): Promise<string[]> {
  const models = await tx.selectFrom('model_versions').select('id').execute();
  const encoders = await tx.selectFrom('rfm_versions').select('id').execute();
  return [...models, ...encoders].map(({ id }) => id);
}

/** Returns the ids of batches that have not finished and whose result was not deleted. */
export async function selectOpenBatches(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom('batches')
    .select('id')
    .where('result_deleted_at', 'is', null)
    .where('status', 'not in', finishedStatuses)
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns the storage keys of the batches' results and of the lists of their bad rows. */
export async function selectResultKeys(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom('batch_files as f')
    .innerJoin('batches as b', 'b.id', 'f.batch_id')
    .select('f.output_key as key')
    .where('b.result_deleted_at', 'is', null)
    .unionAll(
      tx
        .selectFrom('batch_units as u')
        .innerJoin('batches as b', 'b.id', 'u.batch_id')
        .select('u.errors_key as key')
        .where('b.result_deleted_at', 'is', null),
    )
    .execute();
  return rows.flatMap(({ key }) => key ?? []);
}

/** Tells whether an ingestion is queued or running, and whether an erasure is. */
export async function selectUnderWay(tx: Tx): Promise<{ ingests: boolean; erases: boolean }> {
  const { rows } = await sql<{ ingests: boolean; erases: boolean }>`
    select exists (select from ingestions where status in ('queued', 'running')) as ingests,
      exists (select from erasures where status in ('queued', 'running')) as erases`.execute(tx);
  return rows[0];
}

/** Returns the time by the database's clock, in milliseconds. */
export async function selectClock(tx: Tx): Promise<number> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(tx);
  return rows[0].now.getTime();
}

/** Returns the storage keys of the days of logs that are in columns, or about to be. */
export async function selectColumnsKeys(tx: Tx): Promise<string[]> {
  const rows = await tx.selectFrom('prediction_columns').select('storage_key').execute();
  return rows.map(({ storage_key }) => storage_key);
}
