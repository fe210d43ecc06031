import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { selectValidation, updateValidation } from './sql.ts';
import { presentValidation } from './validation.ts';

/** Interrupts a validation. Throws Failure 'not_found', 'already_finished'. */
export function interruptValidation(app: App, ctx: Context, id: string) {
  return tenant(app.db, ctx, async (tx) => {
    const isStopped = await updateValidation(tx, id, { status: 'interrupted', finished_at: new Date() });
    const row = await selectValidation(tx, id);
    if (!row) throw refuse('not_found', `there is no validation ${id}`);
    if (!isStopped) throw refuse('already_finished', `the validation has ${row.status} already`);
    const { model_id, version_id } = row;
    const about = { status: 'interrupted', model_id, version_id } as const;
    await record(tx, ctx, 'validation-lifecycle', { type: 'validation', id }, about);
    return presentValidation(row);
  });
}
