import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { presentBacktest } from './backtest.ts';
import { selectBacktest, updateBacktest } from './sql.ts';

/** Interrupts a backtest. Throws Failure 'not_found', 'already_finished'. */
export function interruptBacktest(app: App, ctx: Context, id: string) {
  return tenant(app.db, ctx, async (tx) => {
    const isStopped = await updateBacktest(tx, id, { status: 'interrupted', finished_at: new Date() });
    const row = await selectBacktest(tx, id);
    if (!row) throw refuse('not_found', `there is no backtest ${id}`);
    if (!isStopped) throw refuse('already_finished', `the backtest has ${row.status} already`);
    await record(tx, ctx, 'backtest-lifecycle', { type: 'backtest', id }, { status: 'interrupted' });
    return presentBacktest(row);
  });
}
