import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import type { FileRow } from './file.ts';
import { selectFile, selectNewestByPath } from './sql.ts';

const pathHint = '; a path is given as {"path": "…"}, and means its newest uploaded file';

/** Returns a file whose bytes are uploaded. Throws Failure 'not_found', 'file_not_uploaded', 'file_deleted'. */
export async function requireUploaded(tx: Tx, id: string): Promise<FileRow> {
  const file = await selectFile(tx, id);
  if (!file) throw refuse('not_found', `there is no file ${id}${id.startsWith('file_') ? '' : pathHint}`);
  if (file.status === 'awaiting_upload')
    throw refuse('file_not_uploaded', `the bytes of ${file.path} (${id}) have not arrived`);
  if (file.status === 'deleted') throw refuse('file_deleted', `${file.path} (${id}) has been deleted`);
  return file;
}

/** Returns the newest uploaded file with a path. Throws Failure 'not_found'. */
export async function requirePath(tx: Tx, path: string): Promise<FileRow> {
  const file = await selectNewestByPath(tx, path);
  if (!file) throw refuse('not_found', `no uploaded file has the path ${path}`);
  return file;
}

/** Returns a file, whatever its status. Throws Failure 'not_found'. */
export async function requireFile(tx: Tx, id: string): Promise<FileRow> {
  const file = await selectFile(tx, id);
  if (!file) throw refuse('not_found', `there is no file ${id}`);
  return file;
}
