import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import type { LabelFiles, TaskRow } from './task.ts';

export function selectTask(tx: Tx, id: string): Promise<TaskRow | undefined> {
  return tx.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst();
}

export function selectTasks(tx: Tx, before: string | null, most: number): Promise<TaskRow[]> {
  let query = tx.selectFrom('tasks').selectAll().orderBy('id', 'desc').limit(most);
  if (before !== null) query = query.where('id', '<', before);
  return query.execute();
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
  readonly labels: LabelFiles;
};

/** Inserts a task. Returns false when the workspace already has a task of that name. */
export async function insertTask(tx: Tx, ctx: Context, { labels, ...task }: NewTask): Promise<boolean> {
  const made = await tx
    .insertInto('tasks')
    .values({
      ...task,
      organization_id: ctx.organizationId,
      workspace_id: ctx.workspaceId,
      labels: JSON.stringify(labels),
      created_by: ctx.actor.label,
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'name']).doNothing())
    .executeTakeFirst();
  return Number(made.numInsertedOrUpdatedRows) > 0;
}
