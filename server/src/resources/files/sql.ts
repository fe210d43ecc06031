import { type Selectable, sql } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import type { Digests } from '../../lib/storage/digest.ts';
import type { FileParts } from '../../schema/tables.ts';
import type { FileRow } from './file.ts';

export function selectFile(tx: Tx, id: string): Promise<FileRow | undefined> {
  return tx.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns the newest uploaded file with a path. Several files may have the same path. */
export function selectNewestByPath(tx: Tx, path: string): Promise<FileRow | undefined> {
  return tx
    .selectFrom('files')
    .selectAll()
    .where('path', '=', path)
    .where('status', '=', 'uploaded')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Returns the uploaded files that have one of these SHA-256, oldest first. */
export function selectBySha256(tx: Tx, sha256s: readonly string[]): Promise<FileRow[]> {
  return tx
    .selectFrom('files')
    .selectAll()
    .where('sha256', 'in', sha256s)
    .where('status', '=', 'uploaded')
    .orderBy('id')
    .execute();
}

/** A file, which nobody else changes until the end of the transaction. */
export function lockFile(tx: Tx, id: string): Promise<FileRow | undefined> {
  return tx.selectFrom('files').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function setDeclaredBytes(tx: Tx, id: string, bytes: number): Promise<void> {
  await tx.updateTable('files').set({ declared_bytes: bytes }).where('id', '=', id).execute();
}

export type FilePart = Pick<Selectable<FileParts>, 'starts' | 'bytes' | 'storage_key' | 'sha256'>;

/** The parts of a file that have arrived, in their order. */
export function selectParts(tx: Tx, id: string): Promise<FilePart[]> {
  return tx
    .selectFrom('file_parts')
    .select(['starts', 'bytes', 'storage_key', 'sha256'])
    .where('file_id', '=', id)
    .orderBy('starts')
    .execute();
}

export async function insertPart(tx: Tx, ctx: Context, id: string, part: FilePart): Promise<void> {
  const { organizationId: organization_id, workspaceId: workspace_id } = ctx;
  await tx
    .insertInto('file_parts')
    .values({ organization_id, workspace_id, file_id: id, ...part })
    .execute();
}

/** Removes the parts of a file, and returns their storage keys. */
export async function takeParts(tx: Tx, id: string): Promise<string[]> {
  const taken = await tx.deleteFrom('file_parts').where('file_id', '=', id).returning('storage_key').execute();
  return taken.map(({ storage_key }) => storage_key);
}

export function selectFiles(
  tx: Tx,
  filters: { status: string | undefined; path: string | undefined },
  before: string | null,
  most: number,
): Promise<FileRow[]> {
  let query = tx.selectFrom('files').selectAll().orderBy('id', 'desc').limit(most);
  if (filters.status !== undefined) query = query.where('status', '=', filters.status);
  if (filters.path !== undefined) query = query.where('path', '=', filters.path);
  if (before !== null) query = query.where('id', '<', before);
  return query.execute();
}

/**
 * Marks a file as uploaded, with its bytes under `key`. Returns false when the file was no longer waiting for its
 * bytes.
 */
export async function markUploaded(
  tx: Tx,
  id: string,
  key: string,
  { size, sha256 }: Pick<Digests, 'size' | 'sha256'>,
): Promise<boolean> {
  const done = await tx
    .updateTable('files')
    .set({ status: 'uploaded', storage_key: key, bytes: size, sha256, uploaded_at: new Date() })
    .where('id', '=', id)
    .where('status', '=', 'awaiting_upload')
    .executeTakeFirst();
  return Number(done.numUpdatedRows) === 1;
}

/** Marks a file as deleted. Returns false when it was already deleted. */
export async function markDeleted(tx: Tx, id: string): Promise<boolean> {
  const done = await tx
    .updateTable('files')
    .set({ status: 'deleted', deleted_at: new Date() })
    .where('id', '=', id)
    .where('status', '<>', 'deleted')
    .executeTakeFirst();
  return Number(done.numUpdatedRows) === 1;
}

/** Marks uploaded files as deleted whose bytes are not among `keys`. Returns how many. */
export async function markDeletedBut(tx: Tx, keys: readonly string[], at: Date): Promise<number> {
  const done = await tx
    .updateTable('files')
    .set({ status: 'deleted', deleted_at: at })
    .where('status', '=', 'uploaded')
    .where((where) => where.not(where('storage_key', '=', where.fn.any(where.val([...keys])))))
    .executeTakeFirst();
  return Number(done.numUpdatedRows);
}

/** Returns every uploaded file, oldest first. */
export function selectUploaded(tx: Tx): Promise<FileRow[]> {
  return tx.selectFrom('files').selectAll().where('status', '=', 'uploaded').orderBy('id').execute();
}

export type NewFile = Pick<FileRow, 'id' | 'path' | 'content_type' | 'md5' | 'storage_key'> &
  Partial<Pick<FileRow, 'declared_bytes'>>;

/** Inserts an upload and its files, whose bytes may be sent until `expires`. */
export async function insertUpload(
  tx: Tx,
  ctx: Context,
  id: string,
  files: readonly NewFile[],
  expires: Date,
): Promise<void> {
  const own = { organization_id: ctx.organizationId, workspace_id: ctx.workspaceId, created_by: ctx.actor.label };
  await tx
    .insertInto('uploads')
    .values({ ...own, id })
    .execute();
  await tx
    .insertInto('files')
    .values(files.map((file) => ({ ...own, ...file, upload_id: id, expires_at: expires })))
    .execute();
}

/** Sets until when the bytes of files may be sent. Files that are already uploaded do not change. */
export async function setExpiry(tx: Tx, ids: readonly string[], expires: Date): Promise<void> {
  await tx
    .updateTable('files')
    .set({ expires_at: expires })
    .where('id', 'in', ids)
    .where('status', '=', 'awaiting_upload')
    .execute();
}

/** Marks files as deleted that expired before `before` without their bytes. Returns them. */
export function markExpired(tx: Tx, before: Date): Promise<Pick<FileRow, 'id' | 'path'>[]> {
  return tx
    .updateTable('files')
    .set({ status: 'deleted', deleted_at: new Date() })
    .where('status', '=', 'awaiting_upload')
    .where('expires_at', '<', before)
    .returning(['id', 'path'])
    .execute();
}

/** Points a file at other bytes. */
export async function updateContent(tx: Tx, id: string, key: string, { size, sha256, md5 }: Digests): Promise<void> {
  await tx.updateTable('files').set({ storage_key: key, bytes: size, sha256, md5 }).where('id', '=', id).execute();
}

/** The snapshots that have rows of a file with this SHA-256, oldest first. Those that were emptied have none. */
export async function selectSnapshotsOf(tx: Tx, sha256: string): Promise<string[]> {
  const source = JSON.stringify({ tables: [{ parts: [{ source: sha256 }] }] });
  const { rows } = await sql<{ id: string }>`
    select id from snapshots where erased_at is null and manifest @> ${source}::jsonb order by id`.execute(tx);
  return rows.map(({ id }) => id);
}
