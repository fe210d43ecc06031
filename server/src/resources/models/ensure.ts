import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { insertOrSelectModel } from './sql.ts';

/**
 * Returns the id of the model of this name, and creates the model if there is none. Throws Failure 'name_taken' when
 * the model answers another task.
 */
export async function ensureModel(
  tx: Tx,
  ctx: Context,
  name: string,
  task: { readonly id: string; readonly kind: string },
): Promise<string> {
  const model = await insertOrSelectModel(tx, ctx, name, task);
  if (model.task_id !== task.id)
    throw refuse('name_taken', `the model ${name} answers another task (${model.task_id}); give another name`);
  return model.id;
}
