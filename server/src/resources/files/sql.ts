import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import type { Digests } from '../../lib/storage/digest.ts';
import type { FileRow } from './file.ts';

export function selectFile(tx: Tx, id: string): Promise<FileRow | undefined> {
  return tx.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The newest uploaded file of a path: a path is a label, not an address. */
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

/** Marks a file as arrived; false when it was not waiting for its bytes any more. */
export async function markUploaded(tx: Tx, id: string, bytes: number, sha256: string): Promise<boolean> {
  const done = await tx
    .updateTable('files')
    .set({ status: 'uploaded', bytes, sha256, uploaded_at: new Date() })
    .where('id', '=', id)
    .where('status', '=', 'awaiting_upload')
    .executeTakeFirst();
  return Number(done.numUpdatedRows) === 1;
}

/** False when it was deleted already. */
export async function markDeleted(tx: Tx, id: string): Promise<boolean> {
  const done = await tx
    .updateTable('files')
    .set({ status: 'deleted', deleted_at: new Date() })
    .where('id', '=', id)
    .where('status', '<>', 'deleted')
    .executeTakeFirst();
  return Number(done.numUpdatedRows) === 1;
}

/** Every file whose bytes are here, oldest first. */
export function selectUploaded(tx: Tx): Promise<FileRow[]> {
  return tx.selectFrom('files').selectAll().where('status', '=', 'uploaded').orderBy('id').execute();
}

/** Adds files that are to be sent until `expires`, and the upload they belong to. */
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

/** Says until when files may be sent; those that have come stay as they are. */
export async function setExpiry(tx: Tx, ids: readonly string[], expires: Date): Promise<void> {
  await tx
    .updateTable('files')
    .set({ expires_at: expires })
    .where('id', 'in', ids)
    .where('status', '=', 'awaiting_upload')
    .execute();
}

/** Marks files as deleted that were to be sent before `before` and have not come; returns them. */
export function markExpired(tx: Tx, before: Date): Promise<Pick<FileRow, 'id' | 'path'>[]> {
  return tx
    .updateTable('files')
    .set({ status: 'deleted', deleted_at: new Date() })
    .where('status', '=', 'awaiting_upload')
    .where('expires_at', '<', before)
    .returning(['id', 'path'])
    .execute();
}

/** Says that a file has other bytes, and where they are. */
export async function updateContent(tx: Tx, id: string, key: string, { size, sha256, md5 }: Digests): Promise<void> {
  await tx.updateTable('files').set({ storage_key: key, bytes: size, sha256, md5 }).where('id', '=', id).execute();
}
