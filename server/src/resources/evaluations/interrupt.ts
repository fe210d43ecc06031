import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { presentEvaluation } from './evaluation.ts';
import { selectEvaluation, updateEvaluation } from './sql.ts';

/** Interrupts an evaluation. Throws Failure 'not_found', 'already_finished'. */
export function interruptEvaluation(app: App, ctx: Context, id: string) {
  return tenant(app.db, ctx, async (tx) => {
    const isStopped = await updateEvaluation(tx, id, { status: 'interrupted', finished_at: new Date() });
    const row = await selectEvaluation(tx, id);
    if (!row) throw refuse('not_found', `there is no evaluation ${id}`);
    if (!isStopped) throw refuse('already_finished', `the evaluation has ${row.status} already`);
    await record(tx, ctx, 'evaluation-lifecycle', { type: 'evaluation', id }, { status: 'interrupted' });
    return presentEvaluation(row);
  });
}
