import type { Tx } from '../../access/transactions.ts';
import { selectTask } from './sql.ts';

/** What a task is called; undefined of one that has been deleted. */
export async function nameOfTask(tx: Tx, id: string): Promise<string | undefined> {
  return (await selectTask(tx, id))?.name;
}
