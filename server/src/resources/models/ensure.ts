import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { newId } from '../../lib/crypto/ids.ts';

/** The id of the model of this name, made where there is none. Throws Failure 'name_taken' when it answers another task. */
export async function ensureModel(
  tx: Tx,
  ctx: Context,
  name: string,
  task: { readonly id: string; readonly kind: string },
): Promise<string> {
  await tx
    .insertInto('models')
    .values({
      id: newId('mdl'),
      organization_id: ctx.organizationId,
      workspace_id: ctx.workspaceId,
      name,
      kind: task.kind,
      task_id: task.id,
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'name']).doNothing())
    .execute();
  const model = await tx.selectFrom('models').selectAll().where('name', '=', name).executeTakeFirstOrThrow();
  if (model.task_id !== task.id)
    throw refuse('name_taken', `the model ${name} answers another task (${model.task_id}); give another name`);
  return model.id;
}
