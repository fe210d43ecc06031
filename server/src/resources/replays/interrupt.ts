import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { presentReplay } from './replay.ts';
import { selectReplay, updateReplay } from './sql.ts';

/** Interrupts a replay, whose figures until then stay. Throws Failure 'not_found', 'already_finished'. */
export function interruptReplay(app: App, ctx: Context, id: string) {
  return tenant(app.db, ctx, async (tx) => {
    const isStopped = await updateReplay(tx, id, { status: 'interrupted', finished_at: new Date() });
    const row = await selectReplay(tx, id);
    if (!row) throw refuse('not_found', `there is no replay ${id}`);
    if (!isStopped) throw refuse('already_finished', `the replay has ${row.status} already`);
    const { origin } = row;
    await record(tx, ctx, 'replay-lifecycle', { type: 'replay', id }, { status: 'interrupted', origin });
    return presentReplay(row);
  });
}
