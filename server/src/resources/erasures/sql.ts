import type { Updateable } from 'kysely';
import type { Tx } from '../../access/transactions.ts';
import type { Erasures } from '../../schema/tables.ts';
import type { ErasureRow } from './erasure.ts';

export function selectErasure(tx: Tx, id: string): Promise<ErasureRow | undefined> {
  return tx.selectFrom('erasures').selectAll().where('id', '=', id).executeTakeFirst();
}

export function selectErasures(tx: Tx, before: string | null, most: number): Promise<ErasureRow[]> {
  let query = tx.selectFrom('erasures').selectAll().orderBy('id', 'desc').limit(most);
  if (before !== null) query = query.where('id', '<', before);
  return query.execute();
}

/** Changes an erasure that has not ended; false when it has. */
export async function updateErasure(tx: Tx, id: string, change: Updateable<Erasures>): Promise<boolean> {
  const done = await tx
    .updateTable('erasures')
    .set(change)
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirst();
  return Number(done.numUpdatedRows) === 1;
}
