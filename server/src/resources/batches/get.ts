import type { Tx } from '../../access/transactions.ts';
import { inTurn } from '../turns/turn.ts';
import { type BatchRow, correctionsMax, presentBatch } from './batch.ts';
import { requireBatch } from './require.ts';
import { selectCorrections, selectFiles } from './sql.ts';
import { selectCounts } from './work/sql.ts';

/** Returns a batch with its progress, as the API shows it. Throws Failure 'not_found'. */
export async function getBatch(tx: Tx, id: string) {
  const [batch] = await presentBatches(tx, [await requireBatch(tx, id)]);
  return batch;
}

export async function presentBatches(tx: Tx, rows: readonly BatchRow[]) {
  const ids = rows.map(({ id }) => id);
  const files = await selectFiles(tx, ids);
  const counts = await selectCounts(tx, ids);
  const corrections = await selectCorrections(tx, ids, correctionsMax);
  return (await inTurn(tx, 'batches', rows)).map((row) =>
    presentBatch(row, {
      files: files.filter(({ batch_id }) => batch_id === row.id),
      counts: counts.filter(({ batch_id }) => batch_id === row.id),
      corrections: corrections.filter(({ corrects }) => corrects === row.id),
    }),
  );
}
