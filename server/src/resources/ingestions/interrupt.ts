import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { presentIngestion } from './ingestion.ts';
import { selectIngestion, updateIngestion } from './sql.ts';

/**
 * Interrupts an ingestion, of which nothing is taken in: its tables appear with its end, in one transaction. Throws
 * Failure 'not_found', 'already_finished'.
 */
export function interruptIngestion(app: App, ctx: Context, id: string) {
  return tenant(app.db, ctx, async (tx) => {
    const isStopped = await updateIngestion(tx, id, { status: 'interrupted', finished_at: new Date() });
    const row = await selectIngestion(tx, id);
    if (!row) throw refuse('not_found', `there is no ingestion ${id}`);
    if (!isStopped) throw refuse('already_finished', `the ingestion has ${row.status} already`);
    await record(tx, ctx, 'ingestion-lifecycle', { type: 'ingestion', id }, { status: 'interrupted', kind: row.kind });
    return presentIngestion({ ...row, turn: null });
  });
}
