import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { presentErasure } from './erasure.ts';
import { lockOpenErasure, selectErasure, updateErasure } from './sql.ts';

/**
 * Interrupts an erasure that still searches: it has changed nothing, and forgets whom it was to erase. Throws Failure
 * 'not_found', 'already_finished', and 'conflict' once names have been taken out, which cannot be undone.
 */
export function interruptErasure(app: App, ctx: Context, id: string) {
  return tenant(app.db, ctx, async (tx) => {
    const isOpen = await lockOpenErasure(tx, id);
    const row = await selectErasure(tx, id);
    if (!row) throw refuse('not_found', `there is no erasure ${id}`);
    if (!isOpen) throw refuse('already_finished', `the erasure has ${row.status} already`);
    if (row.doomed !== null)
      throw refuse(
        'conflict',
        'the name has been taken out of the tables already, and what is left is to remove bytes: wait for its end',
      );
    await updateErasure(tx, id, { status: 'interrupted', identifier: null, finished_at: new Date() });
    await record(tx, ctx, 'erasure-lifecycle', { type: 'erasure', id }, { status: 'interrupted' });
    return presentErasure((await selectErasure(tx, id))!);
  });
}
