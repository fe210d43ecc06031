import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import type { App } from '../app.ts';
import { tellFileProblem } from '../batches/file-problems.ts';
import { settleRefused } from './settle.ts';
import type { SftpFileRow } from './sftp-file.ts';
import { lockByName, lockName, updateFile } from './sql.ts';

/**
 * Removes a file from `batch/in`. One that has not been accepted yet becomes no batch, and its log says so; a batch
 * that was made of it goes on. Throws Failure 'not_found'.
 */
export async function removeSftpFile(app: App, ctx: Context, name: string): Promise<void> {
  const left = await tenant(app.db, ctx, async (tx) => {
    await lockName(tx, ctx, name);
    const file = await lockByName(tx, name);
    if (!file) throw refuse('not_found', `there is no file ${name}`);
    await updateFile(tx, file.id, { removed_at: new Date() });
    if (file.status === 'received')
      await settleRefused(tx, ctx, file, [tellFileProblem({ code: 'file_removed', file: name })]);
    return unreferenced(file);
  });
  for (const key of left) await app.storage.delete(key);
}

/** The key of the bytes that nothing refers to once the file is removed. */
export function unreferenced({ file_id, storage_key }: SftpFileRow): string[] {
  return file_id === null && storage_key !== null ? [storage_key] : [];
}
