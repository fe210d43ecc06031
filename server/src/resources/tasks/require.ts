import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { selectTask } from './sql.ts';
import type { TaskRow } from './task.ts';

/** Returns a task. Throws Failure 'not_found'. */
export async function requireTask(tx: Tx, id: string): Promise<TaskRow> {
  const row = await selectTask(tx, id);
  if (!row) throw refuse('not_found', `there is no task ${id}`);
  return row;
}
