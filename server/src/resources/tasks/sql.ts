import type { Tx } from '../../access/transactions.ts';
import type { TaskRow } from './task.ts';

export function selectTask(tx: Tx, id: string): Promise<TaskRow | undefined> {
  return tx.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst();
}

export function selectTasks(tx: Tx, before: string | null, most: number): Promise<TaskRow[]> {
  let query = tx.selectFrom('tasks').selectAll().orderBy('id', 'desc').limit(most);
  if (before !== null) query = query.where('id', '<', before);
  return query.execute();
}
