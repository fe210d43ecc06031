import type { Tx } from '../../access/transactions.ts';
import type { FileRow } from './file.ts';
import { selectBySha256 } from './sql.ts';

/** Returns uploaded files by the SHA-256 of their bytes, of equal ones the oldest. Those that are gone are left out. */
export async function findOriginals(tx: Tx, sha256s: readonly string[]): Promise<ReadonlyMap<string, FileRow>> {
  const rows = sha256s.length === 0 ? [] : await selectBySha256(tx, sha256s);
  return new Map(rows.toReversed().map((row) => [row.sha256!, row]));
}
