import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { presentRun } from './run.ts';
import { lockRun, selectRunInTurn, updateRun } from './sql.ts';

/** Interrupts a run. Throws Failure 'not_found', 'already_finished'. */
export function interruptRun(app: App, ctx: Context, id: string) {
  return tenant(app.db, ctx, async (tx) => {
    const row = await lockRun(tx, id);
    if (!row) throw refuse('not_found', `there is no training run ${id}`);
    const now = new Date();
    const isStopped = await updateRun(tx, id, { status: 'interrupted', interrupt_requested_at: now, finished_at: now });
    if (!isStopped) throw refuse('already_finished', `the run has ${row.status} already`);
    await record(tx, ctx, 'training-run-lifecycle', { type: 'training_run', id }, { status: 'interrupted' });
    return presentRun((await selectRunInTurn(tx, id))!);
  });
}
