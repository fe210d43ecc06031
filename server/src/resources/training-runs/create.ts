import type { Context } from '../../access/context.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { create } from '../../api/idempotency.ts';
import { named, refuse } from '../../errors.ts';
import { newId } from '../../lib/crypto/ids.ts';
import type { Answer } from '../../lib/http/server.ts';
import { outcomeOf } from '../../lib/outcome.ts';
import { currentSnapshot } from '../../serving/snapshot.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { findAdopted, requireAdopted } from '../gfm-versions/require.ts';
import { requireCurrentData } from '../ingestions/require-current.ts';
import { ensureModel } from '../models/ensure.ts';
import { requireRoom } from '../open-work.ts';
import { hasEncoder, newestOf } from '../rfm-versions/require.ts';
import { keepModels } from '../tasks/keep.ts';
import { requireTask } from '../tasks/require.ts';
import type { TaskRow } from '../tasks/task.ts';
import type { Objective, readObjective } from './parsing.ts';
import { trainingQueue } from './queue.ts';
import { presentRun } from './run.ts';
import { countOpen, insertRun, selectRunInTurn } from './sql.ts';

type TrainingRequest = {
  readonly task_id?: string;
  readonly entity?: string;
  readonly model?: string;
  readonly alias?: string;
  readonly accept_input_changes?: boolean;
  readonly hold_back_worse?: boolean;
  readonly pretrain?: boolean;
  readonly feedback?: boolean;
  readonly gfm?: 'adopted' | 'none';
};

/**
 * Queues a training run on the newest snapshot, which it pins together with its contract. The run either trains a model
 * of a task, or pre-trains the encoder of a table. Throws Failure 'invalid', 'not_found', 'no_data',
 * 'data_behind_contract' when the data are under an earlier contract than the active one, 'no_encoder' when
 * there is no encoder to fine-tune or no graph model to read, 'name_taken' when a model of that name answers another
 * task, 'limit_exceeded', 'quota_exceeded'.
 */
export async function createRun(app: App, ctx: Context, asked: TrainingRequest): Promise<Answer> {
  // Before the transaction, which would keep its connection from others while the texts are read.
  const pinned = await outcomeOf(pin(app, ctx, asked));
  const requireQuota = await outcomeOf(app.allowances.require(ctx, 'training_runs'));
  return create(app.db, ctx, 202, async (tx) => {
    requireQuota();
    await requireRoom(tx, 'training runs', countOpen);
    const { task, snapshot, contract, objective } = pinned();
    await keepModels(tx, ctx);
    if (task) await named('/task_id', requireTask(tx, task.id));
    const subject = await (task ? forTask(tx, ctx, task, asked, objective) : forEntity(tx, ctx, asked, objective));
    const id = newId('run');
    await insertRun(tx, ctx, {
      ...subject,
      id,
      snapshot_id: snapshot.id,
      data_until: newestDayOf(snapshot.report),
      contract_id: contract.id,
      contract_number: contract.number,
    });
    await record(tx, ctx, 'training-run-lifecycle', { type: 'training_run', id }, { status: 'queued' });
    await app.queue.send(tx, trainingQueue, { id, workspace_id: ctx.workspaceId }, { group: ctx.workspaceId });
    return presentRun((await selectRunInTurn(tx, id))!);
  });
}

/** Decides what a run is about and which data it learns from, and reads what the contract says of them. */
async function pin(app: App, ctx: Context, { task_id, entity }: TrainingRequest) {
  if ((task_id === undefined) === (entity === undefined))
    throw refuse('invalid', 'give task_id, to learn a task, or entity, to pre-train an encoder; not both', {
      problems: [{ at: '/task_id', message: 'give task_id or entity' }],
    });
  const { task, snapshot } = await tenant(app.db, ctx, async (tx) => {
    const task = task_id === undefined ? null : await named('/task_id', requireTask(tx, task_id));
    const snapshot = await currentSnapshot(tx, ctx);
    if (!snapshot)
      throw refuse('no_data', 'there is nothing to learn from yet: take files in with POST /v1/api/ingestions');
    return { task, snapshot };
  });
  const contract = await requireCurrentData(app, ctx, snapshot);
  const subject = task ? { name: task.name, definition: task.definition } : { entity: entity! };
  const objective = await app.parsing.run<typeof readObjective>(
    { name: 'readObjective', input: { subject, contract: contract.document } },
    ctx.workspaceId,
  );
  return { task, snapshot, contract, objective };
}

/** The newest day with an event, as the report of the ingestion that took the data in tells it. */
function newestDayOf(report: unknown): string | null {
  // Written by the service itself; those of its earlier releases lack it.
  const { event_days } = report as { readonly event_days?: { readonly newest: string | null } };
  return event_days?.newest ?? null;
}

async function forTask(tx: Tx, ctx: Context, task: TaskRow, asked: TrainingRequest, objective: Objective) {
  const { model, alias = null, accept_input_changes = false, hold_back_worse = false, pretrain = false, gfm } = asked;
  const feedback = await isFineTuned(tx, asked.feedback, objective);
  const gfm_version_id = await pinGraph(tx, ctx, gfm, objective);
  const model_id = await ensureModel(tx, ctx, model ?? task.name, task);
  const ofAlias = { alias, accept_input_changes, hold_back_worse };
  return { task_id: task.id, model_id, ...ofAlias, pretrain, feedback, gfm_version_id };
}

/** Whether the run fine-tunes the encoder of its task's table: by default, if the table has an encoder. */
async function isFineTuned(tx: Tx, asked: boolean | undefined, { entity }: Objective): Promise<boolean> {
  if (asked) await newestOf(tx, entity);
  return asked ?? (await hasEncoder(tx, entity));
}

async function forEntity(tx: Tx, ctx: Context, { gfm, ...others }: TrainingRequest, objective: Objective) {
  const misplaced = (
    ['model', 'alias', 'accept_input_changes', 'hold_back_worse', 'pretrain', 'feedback'] as const
  ).find((name) => others[name] !== undefined);
  if (misplaced !== undefined)
    throw refuse('invalid', `${misplaced} goes with task_id: encoders are asked for by their table`, {
      problems: [{ at: `/${misplaced}`, message: 'goes with task_id' }],
    });
  const { entity, isKeyed } = objective;
  if (!isKeyed) {
    const keyed = objective.keyed.join(', ');
    throw refuse('invalid', `entity ${entity} is not a table with a key of one column; those are ${keyed}`, {
      problems: [{ at: '/entity', message: `must be one of ${keyed}` }],
    });
  }
  return { entity, gfm_version_id: await pinGraph(tx, ctx, gfm, objective) };
}

/**
 * Returns the GFM version that a run may read: the one that the workspace has adopted, if a column links the rows to
 * it.
 */
async function pinGraph(
  tx: Tx,
  ctx: Context,
  asked: TrainingRequest['gfm'],
  { entity, hasTable, isLinked }: Objective,
): Promise<string | null> {
  if (asked === 'none') return null;
  const adopted = asked === 'adopted' ? await requireAdopted(tx, ctx) : await findAdopted(tx, ctx);
  if (adopted === null) return null;
  // If the task's table is no longer in the contract, the run itself fails with the reason.
  if (hasTable && isLinked) return adopted.id;
  if (asked === undefined) return null;
  const message = `nothing links ${entity} to a graph: mark the column of its identifiers, or of those of what it refers to, graphKey in the contract; columns of personal data that are no key are not kept`;
  throw refuse('invalid', message, { problems: [{ at: '/gfm', message }] });
}
