import type { Insertable, Updateable } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { pageBytesMax } from '../../api/list.ts';
import { type RowPage, selectPage } from '../../lib/db/page.ts';
import type { TrainingRuns } from '../../schema/tables.ts';
import { inTurn } from '../turns/turn.ts';
import { finishedStatuses, type RunInTurn, type RunRow } from './run.ts';

export function selectRun(tx: Tx, id: string): Promise<RunRow | undefined> {
  return tx.selectFrom('training_runs').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Like `selectRun`, with how many runs come before it. */
export async function selectRunInTurn(tx: Tx, id: string): Promise<RunInTurn | undefined> {
  const row = await selectRun(tx, id);
  return row && (await inTurn(tx, 'training_runs', [row]))[0];
}

/** Like `selectRun`, and locks the row until the transaction ends. */
export function lockRun(tx: Tx, id: string): Promise<RunRow | undefined> {
  return tx.selectFrom('training_runs').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function selectRuns(tx: Tx, before: string | null, most: number): Promise<RowPage<RunInTurn>> {
  const page: RowPage<RunRow> = await selectPage(tx, { table: 'training_runs', before, most, bytesMax: pageBytesMax });
  return { ...page, rows: await inTurn(tx, 'training_runs', page.rows) };
}

/** Returns how many runs of the workspace are queued or running, counted up to `most`. */
export async function countOpen(tx: Tx, most: number): Promise<number> {
  const open = await tx
    .selectFrom('training_runs')
    .select('id')
    .where('status', 'in', ['queued', 'running'])
    .limit(most)
    .execute();
  return open.length;
}

/** Updates a run that has not finished. Returns false when it has finished. */
export async function updateRun(tx: Tx, id: string, change: Updateable<TrainingRuns>): Promise<boolean> {
  const done = await tx
    .updateTable('training_runs')
    .set(change)
    .where('id', '=', id)
    .where('status', 'not in', finishedStatuses)
    .executeTakeFirst();
  return Number(done.numUpdatedRows) === 1;
}

export type NewRun = Omit<Insertable<TrainingRuns>, 'organization_id' | 'workspace_id' | 'created_by'>;

export async function insertRun(tx: Tx, ctx: Context, run: NewRun): Promise<void> {
  await tx
    .insertInto('training_runs')
    .values({
      ...run,
      organization_id: ctx.organizationId,
      workspace_id: ctx.workspaceId,
      created_by: ctx.actor.label,
    })
    .execute();
}

/** Returns the auth epoch of a workspace, which counts the changes of permissions. */
export async function selectAuthEpoch(tx: Tx, workspaceId: string): Promise<number> {
  const row = await tx
    .selectFrom('workspaces')
    .select('auth_epoch')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return row.auth_epoch;
}
