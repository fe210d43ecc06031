import type { Updateable } from 'kysely';
import type { Ingestions } from '../../schema/tables.ts';
import type { Tx } from '../../tenancy/doors.ts';
import type { IngestionRow } from './ingestion.ts';

export function selectIngestion(tx: Tx, id: string): Promise<IngestionRow | undefined> {
  return tx.selectFrom('ingestions').selectAll().where('id', '=', id).executeTakeFirst();
}

export function selectIngestions(tx: Tx, before: string | null, most: number): Promise<IngestionRow[]> {
  let query = tx.selectFrom('ingestions').selectAll().orderBy('id', 'desc').limit(most);
  if (before !== null) query = query.where('id', '<', before);
  return query.execute();
}

export async function updateIngestion(tx: Tx, id: string, change: Updateable<Ingestions>): Promise<void> {
  await tx.updateTable('ingestions').set(change).where('id', '=', id).execute();
}
