import type { Tx } from '../../access/transactions.ts';
import { selectPriority } from './sql.ts';

/** The priority of the batches that are made of what a user puts in. */
export function priorityOf(tx: Tx, id: string): Promise<number> {
  return selectPriority(tx, id);
}
