import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { create } from '../../api/idempotency.ts';
import { named, refuse } from '../../errors.ts';
import { newId } from '../../lib/crypto/ids.ts';
import type { Answer } from '../../lib/http/server.ts';
import type { Contract } from '../../ml/contract/contract.ts';
import { parseContract } from '../../ml/contract/parse.ts';
import { encodedRows, type Linked, linkOf } from '../../ml/gfm-link/link.ts';
import { keptContract } from '../../ml/lake/layout.ts';
import { currentSnapshot } from '../../serving/snapshot.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { requireContract } from '../contracts/require.ts';
import { findAdopted, requireAdopted } from '../gfm-versions/require.ts';
import { ensureModel } from '../models/ensure.ts';
import { hasEncoder, newestOf } from '../rfm-versions/require.ts';
import { requireTask } from '../tasks/require.ts';
import { parseDefinition, type TaskRow } from '../tasks/task.ts';
import { trainingQueue } from './queue.ts';
import { presentRun } from './run.ts';
import { insertRun, selectRun } from './sql.ts';

type TrainingRequest = {
  readonly task_id?: string;
  readonly entity?: string;
  readonly model?: string;
  readonly alias?: string;
  readonly pretrain?: boolean;
  readonly feedback?: boolean;
  readonly gfm?: 'adopted' | 'none';
};

/**
 * Queues a training run on the newest snapshot, which it pins together with its contract. The run either trains a model
 * of a task, or pre-trains the encoder of a table. Throws Failure 'invalid', 'not_found', 'no_data', 'no_encoder' when
 * there is no encoder to fine-tune or no graph model to read, 'name_taken' when a model of that name answers another
 * task.
 */
export function createRun(app: App, ctx: Context, asked: TrainingRequest): Promise<Answer> {
  return create(app.db, ctx, 202, async (tx) => {
    const { task_id, entity } = asked;
    if ((task_id === undefined) === (entity === undefined))
      throw refuse('invalid', 'give task_id, to learn a task, or entity, to pre-train an encoder; not both', {
        problems: [{ at: '/task_id', message: 'give task_id or entity' }],
      });
    const task = task_id === undefined ? null : await named('/task_id', requireTask(tx, task_id));
    const snapshot = await currentSnapshot(tx, ctx);
    if (!snapshot)
      throw refuse('no_data', 'there is nothing to learn from yet: take files in with POST /v1/api/ingestions');
    const { document } = await requireContract(tx, snapshot.contract_id);
    const contract = parseContract(document, 'the contract of the snapshot');
    const objective = await (task ? forTask(tx, ctx, task, asked, contract) : forEntity(tx, ctx, asked, contract));
    const id = newId('run');
    await insertRun(tx, ctx, {
      ...objective,
      id,
      snapshot_id: snapshot.id,
      contract_id: snapshot.contract_id,
    });
    await record(tx, ctx, 'training-run-lifecycle', { type: 'training_run', id }, { status: 'queued' });
    await app.queue.send(tx, trainingQueue, { id, workspace_id: ctx.workspaceId }, { group: ctx.workspaceId });
    return presentRun((await selectRun(tx, id))!);
  });
}

async function forTask(tx: Tx, ctx: Context, task: TaskRow, asked: TrainingRequest, contract: Contract) {
  const { model, alias, pretrain = false, gfm } = asked;
  const definition = parseDefinition(task.definition, task.name, null, []);
  const feedback = await isFineTuned(tx, asked.feedback, definition);
  const gfm_version_id = await pinGraph(tx, ctx, gfm, definition, contract);
  const model_id = await ensureModel(tx, ctx, model ?? task.name, task);
  return { task_id: task.id, model_id, alias: alias ?? null, pretrain, feedback, gfm_version_id };
}

/** Whether the run fine-tunes the encoder of its task's table: by default, if the table has an encoder. */
async function isFineTuned(tx: Tx, asked: boolean | undefined, { entity }: Linked): Promise<boolean> {
  if (asked) await newestOf(tx, entity);
  return asked ?? (await hasEncoder(tx, entity));
}

async function forEntity(tx: Tx, ctx: Context, { entity, gfm, ...others }: TrainingRequest, contract: Contract) {
  const misplaced = (['model', 'alias', 'pretrain', 'feedback'] as const).find((name) => others[name] !== undefined);
  if (misplaced !== undefined)
    throw refuse('invalid', `${misplaced} goes with task_id: encoders are asked for by their table`, {
      problems: [{ at: `/${misplaced}`, message: 'goes with task_id' }],
    });
  const { tables } = contract;
  if (!tables.some(({ name, key }) => name === entity && key.length === 1)) {
    const keyed = tables.filter(({ key }) => key.length === 1).map(({ name }) => name);
    throw refuse('invalid', `entity ${entity} is not a table with a key of one column; those are ${keyed.join(', ')}`, {
      problems: [{ at: '/entity', message: `must be one of ${keyed.join(', ')}` }],
    });
  }
  return { entity: entity!, gfm_version_id: await pinGraph(tx, ctx, gfm, encodedRows(entity!), contract) };
}

/**
 * Returns the GFM version that a run may read: the one that the workspace has adopted, if a column links the rows to
 * it.
 */
async function pinGraph(
  tx: Tx,
  ctx: Context,
  asked: TrainingRequest['gfm'],
  rows: Linked,
  contract: Contract,
): Promise<string | null> {
  if (asked === 'none') return null;
  const adopted = asked === 'adopted' ? await requireAdopted(tx, ctx) : await findAdopted(tx, ctx);
  if (adopted === null) return null;
  // If the task's table is no longer in the contract, the run itself fails with the reason.
  const hasTable = contract.tables.some(({ name }) => name === rows.entity);
  if (hasTable && linkOf(rows, keptContract(contract), false) !== null) return adopted.id;
  if (asked === undefined) return null;
  const message = `nothing links ${rows.entity} to a graph: mark the column of its identifiers, or of those of what it refers to, graphKey in the contract; columns of personal data that are no key are not kept`;
  throw refuse('invalid', message, { problems: [{ at: '/gfm', message }] });
}
