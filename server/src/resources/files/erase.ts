import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import type { Digests } from '../../lib/storage/digest.ts';
import { record } from '../../trail/record.ts';
import type { FileRow } from './file.ts';
import { markDeleted } from './sql.ts';

/** Every file whose bytes are here. */
export function uploadedFiles(tx: Tx): Promise<FileRow[]> {
  return tx.selectFrom('files').selectAll().where('status', '=', 'uploaded').orderBy('id').execute();
}

/** Marks files as deleted, since they name what is being erased; their bytes are the caller's to remove. */
export async function eraseFiles(tx: Tx, ctx: Context, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await markDeleted(tx, id);
    await record(tx, ctx, 'batch-input-deletion', { type: 'file', id }, { reason: 'erasure' });
  }
}

/** Gives a file other bytes, stored already: those that do not name what is being erased. */
export async function shortenFile(tx: Tx, id: string, key: string, { size, sha256, md5 }: Digests): Promise<void> {
  await tx.updateTable('files').set({ storage_key: key, bytes: size, sha256, md5 }).where('id', '=', id).execute();
}
