import { newId } from '../../lib/crypto/ids.ts';
import type { Answer } from '../../lib/http/server.ts';
import { record } from '../../tenancy/audit.ts';
import type { Context } from '../../tenancy/context.ts';
import { create } from '../../tenancy/create.ts';
import { refuse } from '../../tenancy/errors.ts';
import type { App } from '../app.ts';
import { currentSnapshot } from '../ingestions/snapshot.ts';
import { ensureModel } from '../models/ensure.ts';
import { requireTask } from '../tasks/require.ts';
import { trainingQueue } from './queue.ts';
import { presentRun } from './run.ts';
import { selectRun } from './sql.ts';

/**
 * Queues a run that learns a task from the newest data, which it pins with its contract, and makes a version of a model.
 * Throws Failure 'not_found', 'no_data', 'name_taken' where a model of that name answers another task.
 */
export function createRun(
  app: App,
  ctx: Context,
  { task_id, model, alias }: { task_id: string; model?: string; alias?: string },
): Promise<Answer> {
  return create(app.db, ctx, 202, async (tx) => {
    const task = await requireTask(tx, task_id);
    const snapshot = await currentSnapshot(tx, ctx);
    if (!snapshot)
      throw refuse('no_data', 'there is nothing to learn from yet: take files in with POST /v1/api/ingestions');
    const id = newId('run');
    await tx
      .insertInto('training_runs')
      .values({
        id,
        organization_id: ctx.organizationId,
        workspace_id: ctx.workspaceId,
        task_id,
        model_id: await ensureModel(tx, ctx, model ?? task.name, task),
        snapshot_id: snapshot.id,
        contract_id: snapshot.contract_id,
        alias: alias ?? null,
        created_by: ctx.actor.label,
      })
      .execute();
    await record(tx, ctx, 'training-run-lifecycle', { type: 'training_run', id }, { status: 'queued' });
    await app.queue.send(tx, trainingQueue, { id, workspace_id: ctx.workspaceId }, { group: ctx.workspaceId });
    return presentRun((await selectRun(tx, id))!);
  });
}
