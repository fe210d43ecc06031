import { type Insertable, sql, type Updateable } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { pageBytesMax } from '../../api/list.ts';
import { type Listed, type RowPage, selectPage } from '../../lib/db/page.ts';
import type { Backtests } from '../../schema/tables.ts';
import { type BacktestRow, finishedStatuses } from './backtest.ts';

export function selectBacktest(tx: Tx, id: string): Promise<BacktestRow | undefined> {
  return tx.selectFrom('backtests').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Like `selectBacktest`, and locks the row until the transaction ends. */
export function lockBacktest(tx: Tx, id: string): Promise<BacktestRow | undefined> {
  return tx.selectFrom('backtests').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export function selectBacktests(tx: Tx, before: string | null, most: number): Promise<RowPage<BacktestRow>> {
  return selectPage(tx, { table: 'backtests', before, most, bytesMax: pageBytesMax });
}

export function selectBacktestsOf(
  tx: Tx,
  versionId: string,
  before: string | null,
  most: number,
): Promise<RowPage<BacktestRow>> {
  return selectPage(tx, { ...ofVersion(versionId), before, most, bytesMax: pageBytesMax });
}

/** The backtests of a version, as lists are asked for. */
export function ofVersion(id: string): Listed {
  return { table: 'backtests', where: sql`t.model ->> 'version_id' = ${id}` };
}

/** Returns how many backtests of the workspace are queued or running, counted up to `most`. */
export async function countOpen(tx: Tx, most: number): Promise<number> {
  const open = await tx
    .selectFrom('backtests')
    .select('id')
    .where('status', 'in', ['queued', 'running'])
    .limit(most)
    .execute();
  return open.length;
}

export async function insertBacktest(tx: Tx, row: Insertable<Backtests>): Promise<void> {
  await tx.insertInto('backtests').values(row).execute();
}

/** Updates a backtest that has not finished. Returns false when it has finished. */
export async function updateBacktest(tx: Tx, id: string, change: Updateable<Backtests>): Promise<boolean> {
  const done = await tx
    .updateTable('backtests')
    .set(change)
    .where('id', '=', id)
    .where('status', 'not in', finishedStatuses)
    .executeTakeFirst();
  return Number(done.numUpdatedRows) === 1;
}

/** Deletes a backtest. Returns it as it was; undefined where there is none. */
export function removeBacktest(tx: Tx, id: string): Promise<BacktestRow | undefined> {
  return tx.deleteFrom('backtests').where('id', '=', id).returningAll().executeTakeFirst();
}

/** Returns for each version where its files are stored, and its GFM version. */
export function selectStoredVersions(tx: Tx, ids: readonly string[]) {
  return tx
    .selectFrom('model_versions')
    .select(['id', 'model_id', 'storage_prefix', 'files', 'gfm_version_id'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
}

/**
 * Returns the next decided outcomes that were told of predictions of a model, with ids from `first` to before `until`,
 * in order of prediction and output after those `after`, each as a line of JSON of these and its value.
 */
export async function selectTold(
  tx: Tx,
  { workspaceId }: Context,
  asked: {
    readonly modelId: string;
    readonly first: string;
    readonly until: string;
    readonly after: ToldPlace;
    readonly most: number;
  },
): Promise<(ToldPlace & { readonly line: string })[]> {
  const { rows } = await sql<ToldPlace & { line: string }>`
    select prediction_id, output, jsonb_build_array(prediction_id, output, value)::text as line from outcomes
    where workspace_id = ${workspaceId} and model_id = ${asked.modelId} and source = 'api' and is_decided
      and prediction_id >= ${asked.first} and prediction_id < ${asked.until}
      and (prediction_id, output) > (${asked.after.prediction_id}, ${asked.after.output})
    order by prediction_id, output limit ${asked.most}`.execute(tx);
  return rows;
}

export type ToldPlace = { readonly prediction_id: string; readonly output: string };
