import type { Tx } from '../../access/transactions.ts';
import { clearDeviations, markErased } from './sql.ts';

/** Clears the recorded deviations of ingestions of these files, because deviations quote values of rows. */
export function eraseDeviations(tx: Tx, fileIds: readonly string[]): Promise<void> {
  return clearDeviations(tx, fileIds);
}

/** Marks snapshots as erased (without parts). Returns the storage keys of their frozen tables. */
export async function emptySnapshots(tx: Tx, ids: readonly string[]): Promise<string[]> {
  return ids.length === 0 ? [] : markErased(tx, ids);
}
