import { sql } from 'kysely';
import type { Tx } from '../../access/transactions.ts';

/** Most ingestions and tasks that are listed of a file. */
export const readersMax = 100;
/** Most of the newest predictions and batches that are looked at for those that read a file, as in lists of them. */
export const lookedAtMax = 100_000;

type FileIngestion = {
  readonly id: string;
  readonly table: string;
  readonly mode: string;
  readonly created_at: Date;
  readonly snapshot_id: string | null;
  readonly rows: number | null;
};

export async function selectIngestionsOf(tx: Tx, fileId: string): Promise<FileIngestion[]> {
  const { rows } = await sql<FileIngestion>`
    select i.id, one ->> 'table' as table, one ->> 'mode' as mode, i.created_at, i.snapshot_id,
      (select (told ->> 'added')::int + (told ->> 'changed')::int from jsonb_array_elements(i.report -> 'files') as told
       where told ->> 'file_id' = ${fileId} and told ->> 'table' = one ->> 'table' limit 1) as rows
    from ingestions as i cross join jsonb_array_elements(i.files) as one
    where i.status = 'succeeded' and i.kind = 'delivery' and one ->> 'file_id' = ${fileId}
    order by i.id desc limit ${readersMax}`.execute(tx);
  return rows;
}

/** The tasks whose labels a file has, and which part of them. */
export async function selectTasksOf(tx: Tx, fileId: string): Promise<{ id: string; name: string; part: string }[]> {
  const { rows } = await sql<{ id: string; name: string; part: string }>`
    select t.id, t.name, label.key as part from tasks as t cross join jsonb_each_text(t.labels) as label
    where label.value = ${fileId} order by t.id desc, label.key limit ${readersMax}`.execute(tx);
  return rows;
}

export type FileVersion = {
  readonly id: string;
  readonly model_id: string;
  readonly model_name: string;
  readonly number: number;
  readonly status: string;
  readonly snapshot_id: string;
  readonly created_at: Date;
  readonly in_tables: boolean;
  readonly in_labels: boolean;
};

/** The versions that learned from a file, newest first: from rows of it in their snapshot, or from labels in it. */
export async function selectVersionsOf(
  tx: Tx,
  fileId: string,
  snapshots: readonly string[],
  before: string | null,
  most: number,
): Promise<FileVersion[]> {
  const { rows } = await sql<FileVersion>`
    select * from (
      select v.id, v.model_id, m.name as model_name, v.number, v.status, v.snapshot_id, v.created_at,
        v.snapshot_id = any(${snapshots}) as in_tables,
        exists (
          select from training_runs as r join tasks as t on t.id = r.task_id
          where r.id = v.training_run_id
            and exists (select from jsonb_each_text(t.labels) as label where label.value = ${fileId})
        ) as in_labels
      from model_versions as v join models as m on m.id = v.model_id
      where ${before}::text is null or v.id < ${before}
    ) as learned where in_tables or in_labels order by id desc limit ${most}`.execute(tx);
  return rows;
}

/** How many of the newest predictions were answered from snapshots, by version; and whether all were looked at. */
export async function countPredictionsFrom(
  tx: Tx,
  snapshots: readonly string[],
): Promise<{ readonly byVersion: ReadonlyMap<string, number>; readonly isWhole: boolean }> {
  const { rows } = await sql<{ version_id: string; count: number; looked: number }>`
    with looked as materialized (
      select version_id, snapshot_id = any(${snapshots}) as is_read from predictions order by id desc limit ${lookedAtMax}
    )
    select version_id, count(*) filter (where is_read)::int as count, count(*)::int as looked
    from looked group by version_id`.execute(tx);
  return {
    byVersion: new Map(rows.map(({ version_id, count }) => [version_id, count])),
    isWhole: rows.reduce((sum, { looked }) => sum + looked, 0) < lookedAtMax,
  };
}

type Uses = { readonly batches: number; readonly scored_in: number; readonly evaluated_in: number };

/** How many batches were answered from snapshots, and how many batches and evaluations have the rows of a file. */
export async function countUses(tx: Tx, fileId: string, snapshots: readonly string[]): Promise<Uses> {
  const { rows } = await sql<Uses>`
    select
      (select count(*)::int from (
        select from batches where snapshot_id = any(${snapshots}) limit ${lookedAtMax}) as found) as batches,
      (select count(*)::int from (
        select distinct batch_id from batch_files where file_id = ${fileId} limit ${lookedAtMax}) as found) as scored_in,
      (select count(*)::int from (
        select from evaluations where file_id = ${fileId} limit ${lookedAtMax}) as found) as evaluated_in`.execute(tx);
  return rows[0];
}
