import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import type { Digests } from '../../lib/storage/digest.ts';
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

/** Returns every uploaded file, oldest first. */
export function selectUploaded(tx: Tx): Promise<FileRow[]> {
  return tx.selectFrom('files').selectAll().where('status', '=', 'uploaded').orderBy('id').execute();
}

/** Inserts an upload and its files, whose bytes may be sent until `expires`. */
export async function insertUpload(
  tx: Tx,
  ctx: Context,
  id: string,
  files: readonly Pick<FileRow, 'id' | 'path' | 'content_type' | 'md5' | 'storage_key'>[],
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
