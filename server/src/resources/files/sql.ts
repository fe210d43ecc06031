import type { Tx } from '../../access/transactions.ts';
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
