import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import type { Digests } from '../../lib/storage/digest.ts';
import { record } from '../../trail/record.ts';
import type { FileRow } from './file.ts';
import { markDeleted, selectUploaded, updateContent } from './sql.ts';

/** Every file whose bytes are here. */
export function uploadedFiles(tx: Tx): Promise<FileRow[]> {
  return selectUploaded(tx);
}

/** Marks files as deleted, since they name what is being erased; their bytes are the caller's to remove. */
export async function eraseFiles(tx: Tx, ctx: Context, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await markDeleted(tx, id);
    await record(tx, ctx, 'batch-input-deletion', { type: 'file', id }, { reason: 'erasure' });
  }
}

/** Gives a file other bytes, stored already: those that do not name what is being erased. */
export function shortenFile(tx: Tx, id: string, key: string, digests: Digests): Promise<void> {
  return updateContent(tx, id, key, digests);
}
