import type { Context } from '../../access/context.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { awaitUse } from '../tasks/keep.ts';
import type { ModelRow } from './model.ts';
import { requireModel } from './require.ts';
import { removeModel, selectAliases, selectOpenWork } from './sql.ts';

/** Aliases, and pieces of work, that a refusal names. */
const namedMax = 10;

/**
 * Deletes a model with its versions, whose files the sweep removes. What it answered, its runs and evaluations stay.
 * Throws Failure 'not_found', and 'in_use' while an alias points at a version or work under way needs one.
 */
export function deleteModel(app: App, ctx: Context, idOrName: string): Promise<void> {
  return tenant(app.db, ctx, async (tx) => {
    await awaitUse(tx, ctx);
    const model = await requireModel(tx, idOrName);
    await refuseInUse(tx, model);
    const { id, name, task_id } = model;
    const versions = await removeModel(tx, id);
    await record(tx, ctx, 'model-deletion', { type: 'model', id }, { name, task_id, versions });
  });
}

async function refuseInUse(tx: Tx, { id, name }: ModelRow): Promise<void> {
  const reasons: string[] = [];
  const aliases = (await selectAliases(tx, [id])).slice(0, namedMax).map(({ alias }) => alias);
  if (aliases.length > 0) {
    const [verb, ways] = [aliases.length === 1 ? 'points' : 'point', `/v1/api/models/${id}/aliases/${aliases[0]}`];
    reasons.push(`${aliases.join(', ')} ${verb} at versions of it: remove with DELETE ${ways}`);
  }
  const work = await selectOpenWork(tx, id, namedMax);
  if (work.length > 0)
    reasons.push(
      `${work.map(({ kind, id, status }) => `${kind} ${id} is ${status}`).join(', ')}: wait for the end, or interrupt`,
    );
  if (reasons.length > 0) throw refuse('in_use', `model ${name} is not deleted: ${reasons.join('; ')}`);
}
