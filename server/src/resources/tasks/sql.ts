import { sql } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { pageBytesMax } from '../../api/list.ts';
import { type RowPage, selectPage } from '../../lib/db/page.ts';
import type { SaidQuestions } from '../../schema/json.ts';
import type { Told } from './parsing.ts';
import type { LabelFiles, TaskRow } from './task.ts';

/** Locks the models and tasks of the workspace until the transaction ends: to use some, or to delete one. */
export async function lockModels(tx: Tx, { workspaceId }: Context, mode: 'shared' | 'exclusive'): Promise<void> {
  const lock = sql.raw(mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock');
  await sql`select ${lock}(hashtextextended(${`models ${workspaceId}`}, 0))`.execute(tx);
}

/** The task of an id or name. No name has the form of an id. */
export function selectTask(tx: Tx, idOrName: string): Promise<TaskRow | undefined> {
  return tx
    .selectFrom('tasks')
    .selectAll()
    .where((where) => where.or([where('id', '=', idOrName), where('name', '=', idOrName)]))
    .executeTakeFirst();
}

export async function selectTaskNames(tx: Tx): Promise<string[]> {
  const rows = await tx.selectFrom('tasks').select('name').orderBy('id').execute();
  return rows.map(({ name }) => name);
}

export function selectTasks(tx: Tx, before: string | null, most: number): Promise<RowPage<TaskRow>> {
  return selectPage(tx, { table: 'tasks', before, most, bytesMax: pageBytesMax });
}

/** The models that answer a task. */
export function selectModelsOf(tx: Tx, taskId: string, most: number): Promise<{ id: string; name: string }[]> {
  return tx
    .selectFrom('models')
    .select(['id', 'name'])
    .where('task_id', '=', taskId)
    .orderBy('id')
    .limit(most)
    .execute();
}

export async function removeTask(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('tasks').where('id', '=', id).execute();
}

/** Returns the label files of every task. */
export async function selectLabels(tx: Tx): Promise<LabelFiles[]> {
  const rows = await tx.selectFrom('tasks').select('labels').execute();
  return rows.map(({ labels }) => labels);
}

export type NewTask = {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly definition: string;
  /** In the canonical spelling; null where labels come in files. */
  readonly query: string | null;
  readonly question: SaidQuestions | null;
  readonly labels: LabelFiles;
};

/** Inserts a task. Returns false when the workspace already has a task of that name. */
export async function insertTask(tx: Tx, ctx: Context, { labels, question, ...task }: NewTask): Promise<boolean> {
  const made = await tx
    .insertInto('tasks')
    .values({
      ...task,
      organization_id: ctx.organizationId,
      workspace_id: ctx.workspaceId,
      query_known: true,
      question: question && JSON.stringify(question),
      labels: JSON.stringify(labels),
      created_by: ctx.actor.label,
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'name']).doNothing())
    .executeTakeFirst();
  return Number(made.numInsertedOrUpdatedRows) > 0;
}

/** Tasks of all workspaces whose queries and questions in words were not written down when they were defined. */
export function selectWithoutQuery(tx: Tx, most: number) {
  return tx
    .selectFrom('tasks')
    .select(['id', 'organization_id', 'workspace_id', 'name', 'definition'])
    .where('query_known', '=', false)
    .orderBy('id')
    .limit(most)
    .execute();
}

export async function keepTold(tx: Tx, id: string, { query, question }: Told): Promise<void> {
  await tx
    .updateTable('tasks')
    .set({ query, question: question && JSON.stringify(question), query_known: true })
    .where('id', '=', id)
    .execute();
}
