import type { Tx } from '../../access/transactions.ts';
import { clearDeviations, markErased } from './sql.ts';

/** Empties what was told of rows in these files, which is values of theirs too. */
export function eraseDeviations(tx: Tx, fileIds: readonly string[]): Promise<void> {
  return clearDeviations(tx, fileIds);
}

/** Notes that the parts of snapshots are gone, and returns where their frozen tables are kept. */
export async function emptySnapshots(tx: Tx, ids: readonly string[]): Promise<string[]> {
  return ids.length === 0 ? [] : markErased(tx, ids);
}
