import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import type { Digests } from '../../lib/storage/digest.ts';
import { record } from '../../trail/record.ts';
import type { FileRow } from './file.ts';
import { markDeleted, selectUploaded, updateContent } from './sql.ts';

/** Returns every file whose bytes are uploaded. */
export function uploadedFiles(tx: Tx): Promise<FileRow[]> {
  return selectUploaded(tx);
}

/** Marks files as deleted because they contain the erased identifier. The caller removes their bytes. */
export async function eraseFiles(tx: Tx, ctx: Context, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await markDeleted(tx, id);
    await record(tx, ctx, 'batch-input-deletion', { type: 'file', id }, { reason: 'erasure' });
  }
}

/** Points a file at other bytes that are already stored: the rows that do not contain the erased identifier. */
export function shortenFile(tx: Tx, id: string, key: string, digests: Digests): Promise<void> {
  return updateContent(tx, id, key, digests);
}
