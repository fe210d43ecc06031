import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { didYouMean } from '../../lib/nearest-word.ts';
import { selectTask, selectTaskNames } from './sql.ts';
import type { TaskRow } from './task.ts';

/** Returns the task of an id or name. Throws Failure 'not_found'. */
export async function requireTask(tx: Tx, idOrName: string): Promise<TaskRow> {
  const row = await selectTask(tx, idOrName);
  if (row) return row;
  throw refuse('not_found', `there is no task ${idOrName}${didYouMean(idOrName, await selectTaskNames(tx))}`);
}
