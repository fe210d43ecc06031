import type { Updateable } from 'kysely';
import type { Tx } from '../../access/transactions.ts';
import type { TrainingRuns } from '../../schema/tables.ts';
import { finishedStatuses, type RunRow } from './run.ts';

export function selectRun(tx: Tx, id: string): Promise<RunRow | undefined> {
  return tx.selectFrom('training_runs').selectAll().where('id', '=', id).executeTakeFirst();
}

/** As `selectRun`, and holds the row until the transaction ends. */
export function lockRun(tx: Tx, id: string): Promise<RunRow | undefined> {
  return tx.selectFrom('training_runs').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export function selectRuns(tx: Tx, before: string | null, most: number): Promise<RunRow[]> {
  let query = tx.selectFrom('training_runs').selectAll().orderBy('id', 'desc').limit(most);
  if (before !== null) query = query.where('id', '<', before);
  return query.execute();
}

/** Changes a run that has not finished; false when it has. */
export async function updateRun(tx: Tx, id: string, change: Updateable<TrainingRuns>): Promise<boolean> {
  const done = await tx
    .updateTable('training_runs')
    .set(change)
    .where('id', '=', id)
    .where('status', 'not in', finishedStatuses)
    .executeTakeFirst();
  return Number(done.numUpdatedRows) === 1;
}
