import type { Tx } from '../../access/transactions.ts';
import type { FileRow } from './file.ts';
import { selectSnapshotsOf } from './sql.ts';

/** The ids of the snapshots that have rows of a file, oldest first; those that were emptied have none. */
export async function snapshotsOf(tx: Tx, { sha256 }: Pick<FileRow, 'sha256'>): Promise<string[]> {
  return sha256 === null ? [] : selectSnapshotsOf(tx, sha256);
}
