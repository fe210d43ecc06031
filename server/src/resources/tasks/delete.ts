import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { awaitUse } from './keep.ts';
import { requireTask } from './require.ts';
import { removeTask, selectModelsOf } from './sql.ts';

/** Models that a refusal names. */
const namedMax = 10;

/**
 * Deletes a task. Its runs stay, and its label files as files like others. Throws Failure 'not_found', and 'in_use'
 * while a model answers it.
 */
export function deleteTask(app: App, ctx: Context, idOrName: string): Promise<void> {
  return tenant(app.db, ctx, async (tx) => {
    await awaitUse(tx, ctx);
    const { id, name } = await requireTask(tx, idOrName);
    const models = await selectModelsOf(tx, id, namedMax);
    if (models.length > 0) {
      const named = models.map((model) => `${model.name} (${model.id})`).join(', ');
      throw refuse(
        'in_use',
        `task ${name} is not deleted: ${named} ${models.length === 1 ? 'answers' : 'answer'} it; delete with DELETE /v1/api/models/${models[0]!.id}`,
      );
    }
    await removeTask(tx, id);
    await record(tx, ctx, 'task-deletion', { type: 'task', id }, { name });
  });
}
