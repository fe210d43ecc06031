import { type Insertable, sql, type Updateable } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { pageBytesMax } from '../../api/list.ts';
import { type RowPage, selectPage } from '../../lib/db/page.ts';
import type { Batches, BatchFiles } from '../../schema/tables.ts';
import { type BatchFileRow, type BatchModel, type BatchRow, type Correction, finishedStatuses } from './batch.ts';

export function selectBatch(tx: Tx, id: string): Promise<BatchRow | undefined> {
  return tx.selectFrom('batches').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Like `selectBatch`, and locks the row until the transaction ends. */
export function lockBatch(tx: Tx, id: string): Promise<BatchRow | undefined> {
  return tx.selectFrom('batches').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Of a batch `t`: the bytes of its files in an answer, each a path and some 200 bytes about it. */
const filesBytes = sql<number>`
  select coalesce(sum(octet_length(file.path) + 200), 0) from batch_files as file where file.batch_id = t.id`;

export function selectBatches(
  tx: Tx,
  filters: { status?: string },
  before: string | null,
  most: number,
): Promise<RowPage<BatchRow>> {
  return selectPage(tx, {
    table: 'batches',
    filters: filters,
    beside: filesBytes,
    before,
    most,
    bytesMax: pageBytesMax,
  });
}

/** The batches with corrected rows of others, newest first; of each of those at most `most`. */
export async function selectCorrections(tx: Tx, batchIds: readonly string[], most: number): Promise<Correction[]> {
  if (batchIds.length === 0) return [];
  const { rows } = await sql<Correction>`
    select b.id, b.corrects, b.status,
      (select case when bool_and(f.rows is not null) then sum(f.rows)::double precision end
        from batch_files as f where f.batch_id = b.id) as total,
      (select coalesce(sum(u.succeeded), 0)::double precision from batch_units as u where u.batch_id = b.id) as succeeded
    from (
      select id, corrects, status, row_number() over (partition by corrects order by id desc) as place
      from batches where corrects in (${sql.join(batchIds)})
    ) as b
    where b.place <= ${most} order by b.id desc`.execute(tx);
  return rows;
}

/** Returns how many batches of the workspace are queued or running, counted up to `most`. */
export async function countOpen(tx: Tx, most: number): Promise<number> {
  const open = await tx
    .selectFrom('batches')
    .select('id')
    .where('status', 'in', ['queued', 'running'])
    .limit(most)
    .execute();
  return open.length;
}

export async function insertBatch(
  tx: Tx,
  batch: Insertable<Batches>,
  files: readonly Insertable<BatchFiles>[],
): Promise<void> {
  await tx.insertInto('batches').values(batch).execute();
  await tx.insertInto('batch_files').values(files).execute();
}

export async function updateBatch(tx: Tx, id: string, change: Updateable<Batches>): Promise<void> {
  await tx.updateTable('batches').set(change).where('id', '=', id).execute();
}

export function selectFiles(tx: Tx, batchIds: readonly string[]): Promise<BatchFileRow[]> {
  if (batchIds.length === 0) return Promise.resolve([]);
  return tx
    .selectFrom('batch_files')
    .selectAll()
    .where('batch_id', 'in', batchIds)
    .orderBy('batch_id')
    .orderBy('position')
    .execute();
}

export function selectFile(tx: Tx, batchId: string, position: number): Promise<BatchFileRow> {
  return tx
    .selectFrom('batch_files')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('position', '=', position)
    .executeTakeFirstOrThrow();
}

export async function updateFile(
  tx: Tx,
  batchId: string,
  position: number,
  change: Updateable<BatchFiles>,
): Promise<void> {
  await tx
    .updateTable('batch_files')
    .set(change)
    .where('batch_id', '=', batchId)
    .where('position', '=', position)
    .execute();
}

/** Records why a file could not be scored, unless a failure is already recorded. */
export async function failFile(tx: Tx, batchId: string, position: number, failure: string): Promise<void> {
  await tx
    .updateTable('batch_files')
    .set({ failure })
    .where('batch_id', '=', batchId)
    .where('position', '=', position)
    .where('failure', 'is', null)
    .execute();
}

/** The text of the contract under which the data of a snapshot are read. */
export async function selectSnapshotContract(tx: Tx, id: string): Promise<string> {
  const row = await tx
    .selectFrom('snapshots')
    .select(sql<string>`manifest ->> 'contract'`.as('contract'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.contract;
}

/** Returns for each version where its files are stored, its inputs and its GFM version. */
export function selectVersions(tx: Tx, ids: readonly string[]) {
  if (ids.length === 0) return Promise.resolve([]);
  return tx
    .selectFrom('model_versions')
    .select(['id', 'model_id', 'storage_prefix', 'files', 'inputs', 'gfm_version_id'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
}

/** What the version of a batch is called. */
export async function selectVersionName(
  tx: Tx,
  model: BatchModel | null,
): Promise<{ name: string; number: number } | undefined> {
  if (model === null) return undefined;
  return tx
    .selectFrom('model_versions as v')
    .innerJoin('models as m', 'm.id', 'v.model_id')
    .select(['m.name', 'v.number'])
    .where('v.id', '=', model.version_id)
    .executeTakeFirst();
}

export function selectActiveVersions(tx: Tx): Promise<{ id: string; model_id: string; name: string }[]> {
  return tx
    .selectFrom('model_versions as v')
    .innerJoin('models as m', 'm.id', 'v.model_id')
    .select(['v.id', 'v.model_id', 'm.name'])
    .where('v.status', '=', 'active')
    .orderBy('v.id')
    .execute();
}

export function selectAliases(
  tx: Tx,
): Promise<{ model_id: string; name: string; alias: string; version_id: string }[]> {
  return tx
    .selectFrom('aliases as a')
    .innerJoin('models as m', 'm.id', 'a.model_id')
    .select(['a.model_id', 'm.name', 'a.alias', 'a.version_id'])
    .orderBy('a.model_id')
    .orderBy('a.alias')
    .execute();
}

/** Returns the status of a version of a model; undefined when there is no such version. */
export async function selectVersionStatus(tx: Tx, modelId: string, id: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('model_versions')
    .select('status')
    .where('model_id', '=', modelId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.status;
}

/** Returns the unfinished batches of every workspace in which nothing has changed since `before`. */
export function selectSilent(tx: Tx, before: Date): Promise<{ id: string; workspace_id: string }[]> {
  return tx
    .selectFrom('batches as b')
    .select(['b.id', 'b.workspace_id'])
    .where('b.status', 'not in', finishedStatuses)
    .where('b.created_at', '<', before)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('batch_units as u')
            .select('u.unit')
            .whereRef('u.batch_id', '=', 'b.id')
            .where((or) => or.or([or('u.touched_at', '>=', before), or('u.finished_at', '>=', before)])),
        ),
      ),
    )
    .execute();
}

export async function hasUnfinished(tx: Tx, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return false;
  const row = await tx
    .selectFrom('batches')
    .select('id')
    .where('id', 'in', ids)
    .where('status', 'not in', finishedStatuses)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Marks the results of these batches, and of batches over these files, as deleted. Returns those newly marked. */
export function markErased(
  tx: Tx,
  { batchIds, fileIds }: { readonly batchIds: readonly string[]; readonly fileIds: readonly string[] },
  now: Date,
): Promise<{ id: string; status: string }[]> {
  return tx
    .updateTable('batches')
    .set({ result_deleted_at: now })
    .where('result_deleted_at', 'is', null)
    .where(({ or, eb, selectFrom, val }) =>
      or([
        eb('id', '=', sql<string>`any(${val(batchIds)})`),
        eb(
          'id',
          'in',
          selectFrom('batch_files')
            .select('batch_id')
            .where('file_id', '=', sql<string>`any(${val(fileIds)})`),
        ),
      ]),
    )
    .returning(['id', 'status'])
    .execute();
}

/** Returns the stored results (outputs and error lists) of files that have themselves been deleted. */
export async function selectKeptOfDeleted(tx: Tx) {
  const files = tx
    .selectFrom('batch_files as f')
    .innerJoin('batches as b', 'b.id', 'f.batch_id')
    .innerJoin('files', 'files.id', 'f.file_id')
    .where('files.status', '=', 'deleted')
    .where('b.result_deleted_at', 'is', null);
  const outputs = await files
    .where('f.output_key', 'is not', null)
    .select(['b.id', 'f.output_key as key', 'f.output_sha256 as sha256', 'f.output_format as format'])
    .execute();
  const errors = await files
    .innerJoin('batch_units as u', (join) =>
      join.onRef('u.batch_id', '=', 'f.batch_id').onRef('u.position', '=', 'f.position'),
    )
    .where('u.errors_key', 'is not', null)
    .select(['b.id', 'u.errors_key as key', 'u.errors_sha256 as sha256'])
    .execute();
  return { outputs, errors };
}

/** The workspaces that have batches which ended before a moment. */
export async function selectWorkspacesWithOlder(tx: Tx, before: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from workspaces as w
    where exists (select from batches as b where b.workspace_id = w.id and b.finished_at < ${before})
    order by id`.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Locks batches of a workspace that ended before a moment and that nothing needs any more, the oldest first; those that
 * somebody else has locked are left out. Returns their ids.
 */
export async function selectExpired(tx: Tx, { workspaceId }: Context, before: Date, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from batches as b
    where workspace_id = ${workspaceId} and finished_at < ${before}
      and not exists (select from batches as c where c.workspace_id = b.workspace_id and c.corrects = b.id)
      and not exists (select from sftp_files as s
        where s.workspace_id = b.workspace_id and s.batch_id = b.id and s.removed_at is null)
      and not exists (select from erasures as e
        where e.workspace_id = b.workspace_id and e.status in ('queued', 'running'))
    order by finished_at limit ${most} for update of b skip locked`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Deletes batches with their files and units. */
export async function deleteBatches(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.deleteFrom('batches').where('id', 'in', ids).execute();
}
