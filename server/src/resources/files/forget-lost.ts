import { type Database, system } from '../../access/transactions.ts';
import { markDeletedBut } from './sql.ts';

/**
 * Marks files as deleted whose bytes a backup does not have: their customers deleted them while it was made, after the
 * moment `at` that it is of. Returns how many.
 */
export function forgetLostFiles(db: Database, keys: readonly string[], at: Date): Promise<number> {
  return system(db, 'restore', (tx) => markDeletedBut(tx, keys, at));
}
