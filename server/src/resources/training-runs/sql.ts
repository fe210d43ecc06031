import type { Insertable, Updateable } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { pageBytesMax } from '../../api/list.ts';
import { type RowPage, selectPage } from '../../lib/db/page.ts';
import type { TrainingRuns } from '../../schema/tables.ts';
import { inTurn } from '../turns/turn.ts';
import { finishedStatuses, type Origin, type RunInTurn, type RunRow } from './run.ts';

export function selectRun(tx: Tx, id: string): Promise<RunRow | undefined> {
  return tx.selectFrom('training_runs').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Like `selectRun`, with how many runs come before it. */
export async function selectRunInTurn(tx: Tx, id: string): Promise<RunInTurn | undefined> {
  const row = await selectRun(tx, id);
  return row && (await inTurn(tx, 'training_runs', await withOrigins(tx, [row])))[0];
}

/** Like `selectRun`, and locks the row until the transaction ends. */
export function lockRun(tx: Tx, id: string): Promise<RunRow | undefined> {
  return tx.selectFrom('training_runs').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function selectRuns(tx: Tx, before: string | null, most: number): Promise<RowPage<RunInTurn>> {
  const page: RowPage<RunRow> = await selectPage(tx, { table: 'training_runs', before, most, bytesMax: pageBytesMax });
  return { ...page, rows: await inTurn(tx, 'training_runs', await withOrigins(tx, page.rows)) };
}

/** Rows with what is known of them from the data that they read and the version that they made. */
async function withOrigins(tx: Tx, rows: readonly RunRow[]): Promise<(RunRow & Origin)[]> {
  if (rows.length === 0) return [];
  const found = await tx
    .selectFrom('training_runs as r')
    .innerJoin('snapshots as s', (join) =>
      join.onRef('s.workspace_id', '=', 'r.workspace_id').onRef('s.id', '=', 'r.snapshot_id'),
    )
    .leftJoin('model_versions as v', 'v.id', 'r.version_id')
    .select(['r.id', 's.created_at as snapshot_created_at', 'v.number as version_number'])
    .where(
      'r.id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
  const origins = new Map(found.map(({ id, ...origin }) => [id, origin]));
  return rows.map((row) => ({ ...row, ...origins.get(row.id)! }));
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

export type NewRun = Omit<
  Insertable<TrainingRuns>,
  'organization_id' | 'workspace_id' | 'created_by' | 'actor_type' | 'actor_id'
>;

export async function insertRun(tx: Tx, ctx: Context, run: NewRun): Promise<void> {
  await tx
    .insertInto('training_runs')
    .values({
      ...run,
      organization_id: ctx.organizationId,
      workspace_id: ctx.workspaceId,
      created_by: ctx.actor.label,
      actor_type: ctx.actor.type,
      actor_id: ctx.actor.id,
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
