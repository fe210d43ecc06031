import { sql } from 'kysely';
import type { Tx } from '../../tenancy/doors.ts';

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
