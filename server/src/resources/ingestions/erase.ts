import { sql } from 'kysely';
import type { Tx } from '../../access/transactions.ts';

/** Empties what was told of rows in these files, which is values of theirs too. */
export async function eraseDeviations(tx: Tx, fileIds: readonly string[]): Promise<void> {
  await tx
    .updateTable('ingestions')
    .set({ deviations: null })
    .where('deviations', 'is not', null)
    .where(
      sql<boolean>`exists (select from jsonb_array_elements(files) as file where file ->> 'file_id' = any(${fileIds}))`,
    )
    .execute();
}

/** Notes that the parts of snapshots are gone, and returns where their frozen tables are kept. */
export async function emptySnapshots(tx: Tx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .updateTable('snapshots')
    .set({ erased_at: new Date() })
    .where('id', 'in', ids)
    .returning('frozen_key')
    .execute();
  return rows.map(({ frozen_key }) => frozen_key);
}
