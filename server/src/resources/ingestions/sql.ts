import type { Updateable } from 'kysely';
import type { Tx } from '../../access/transactions.ts';
import type { Ingestions } from '../../schema/tables.ts';
import { type IngestionRow, openStatuses } from './ingestion.ts';

export function selectIngestion(tx: Tx, id: string): Promise<IngestionRow | undefined> {
  return tx.selectFrom('ingestions').selectAll().where('id', '=', id).executeTakeFirst();
}

export function selectIngestions(tx: Tx, before: string | null, most: number): Promise<IngestionRow[]> {
  let query = tx.selectFrom('ingestions').selectAll().orderBy('id', 'desc').limit(most);
  if (before !== null) query = query.where('id', '<', before);
  return query.execute();
}

/** Changes an ingestion that has not finished; false when it has. */
export async function updateIngestion(tx: Tx, id: string, change: Updateable<Ingestions>): Promise<boolean> {
  const done = await tx
    .updateTable('ingestions')
    .set(change)
    .where('id', '=', id)
    .where('status', 'in', openStatuses)
    .executeTakeFirst();
  return Number(done.numUpdatedRows) === 1;
}
