import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { finishedStatuses } from './batch.ts';
import { getBatch } from './get.ts';
import { requireLocked } from './require.ts';
import { updateBatch } from './sql.ts';
import { queueEnd, queueUnits } from './work/queue-units.ts';
import { interruptWaiting } from './work/sql.ts';

/**
 * Requests that a batch stop. Running units stop within seconds and keep the rows that they have scored; then the batch
 * fails as interrupted. Idempotent while the batch runs. Throws Failure 'not_found', 'already_finished'.
 */
export function interruptBatch(app: App, ctx: Context, id: string) {
  return tenant(app.db, ctx, async (tx) => {
    const batch = await requireLocked(tx, id);
    if (finishedStatuses.includes(batch.status))
      throw refuse('already_finished', `the batch has ${batch.status} already`);
    if (batch.interrupt_requested_at !== null) return getBatch(tx, id);
    const now = new Date();
    const target = { type: 'batch', id };
    await record(tx, ctx, 'batch-interrupt-request', target);
    if (batch.status === 'queued') {
      const failure = { code: 'interrupted', detail: 'interrupted on request, before it had begun' };
      const change = { status: 'failed', failure: JSON.stringify(failure), finished_at: now };
      await updateBatch(tx, id, { ...change, interrupt_requested_at: now });
      await record(tx, ctx, 'batch-lifecycle', target, { status: 'failed', failure });
    } else {
      await updateBatch(tx, id, { interrupt_requested_at: now });
      await interruptWaiting(tx, id);
      await queueUnits(app, tx, ctx);
      await queueEnd(app, tx, ctx, id);
    }
    return getBatch(tx, id);
  });
}
