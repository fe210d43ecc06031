import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import type { BacktestedModel } from './backtest.ts';
import { removeBacktest } from './sql.ts';

/** Deletes a backtest with its result; one that is under way stops. Throws Failure 'not_found'. */
export function deleteBacktest(app: App, ctx: Context, id: string): Promise<void> {
  return tenant(app.db, ctx, async (tx) => {
    const row = await removeBacktest(tx, id);
    if (!row) throw refuse('not_found', `there is no backtest ${id}`);
    const { model_id, version_id } = row.model as BacktestedModel;
    await record(tx, ctx, 'backtest-deletion', { type: 'backtest', id }, { model_id, version_id });
  });
}
