import type { Tx } from '../../access/transactions.ts';
import { inTurn } from '../turns/turn.ts';
import { type BatchRow, presentBatch } from './batch.ts';
import { requireBatch } from './require.ts';
import { selectFiles } from './sql.ts';
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
  return (await inTurn(tx, 'batches', rows)).map((row) =>
    presentBatch(
      row,
      files.filter(({ batch_id }) => batch_id === row.id),
      counts.filter(({ batch_id }) => batch_id === row.id),
    ),
  );
}
