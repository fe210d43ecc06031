import { type Insertable, sql, type Updateable } from 'kysely';
import type { Tx } from '../../access/transactions.ts';
import { pageBytesMax } from '../../api/list.ts';
import { type RowPage, selectPage } from '../../lib/db/page.ts';
import type { Evaluations } from '../../schema/tables.ts';
import { type EvaluationRow, finishedStatuses } from './evaluation.ts';

export function selectEvaluation(tx: Tx, id: string): Promise<EvaluationRow | undefined> {
  return tx.selectFrom('evaluations').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Like `selectEvaluation`, and locks the row until the transaction ends. */
export function lockEvaluation(tx: Tx, id: string): Promise<EvaluationRow | undefined> {
  return tx.selectFrom('evaluations').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export function selectEvaluations(tx: Tx, before: string | null, most: number): Promise<RowPage<EvaluationRow>> {
  return selectPage(tx, { table: 'evaluations', before, most, bytesMax: pageBytesMax });
}

/** Returns how many evaluations of the workspace are queued or running, counted up to `most`. */
export async function countOpen(tx: Tx, most: number): Promise<number> {
  const open = await tx
    .selectFrom('evaluations')
    .select('id')
    .where('status', 'in', ['queued', 'running'])
    .limit(most)
    .execute();
  return open.length;
}

export async function insertEvaluation(tx: Tx, row: Insertable<Evaluations>): Promise<void> {
  await tx.insertInto('evaluations').values(row).execute();
}

/** Updates an evaluation that has not finished. Returns false when it has finished. */
export async function updateEvaluation(tx: Tx, id: string, change: Updateable<Evaluations>): Promise<boolean> {
  const done = await tx
    .updateTable('evaluations')
    .set(change)
    .where('id', '=', id)
    .where('status', 'not in', finishedStatuses)
    .executeTakeFirst();
  return Number(done.numUpdatedRows) === 1;
}

/**
 * Returns the evaluations that are over some files and have a result or may still get one, and those whose result tells
 * the identifier as the value of a segment. Locks them until the transaction ends.
 */
export function lockNaming(
  tx: Tx,
  { fileIds, identifier }: { readonly fileIds: readonly string[]; readonly identifier: string },
): Promise<{ id: string; status: string }[]> {
  return tx
    .selectFrom('evaluations')
    .select(['id', 'status'])
    .where(({ and, or, eb, val }) =>
      or([
        and([
          eb('file_id', '=', sql<string>`any(${val(fileIds)})`),
          or([eb('result', 'is not', null), eb('status', 'not in', finishedStatuses)]),
        ]),
        sql<boolean>`jsonb_path_exists(result, '$.outputs[*].*.segments[*].values[*] ? (@.value == $name)',
          jsonb_build_object('name', ${identifier}::text))`,
      ]),
    )
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Clears the result of an evaluation that has ended. `failure` says why. */
export async function clearResult(tx: Tx, id: string, failure: string): Promise<void> {
  await tx.updateTable('evaluations').set({ result: null, failure }).where('id', '=', id).execute();
}

/** Returns the version that a training run made. `number`: null where it was deleted since. */
export function selectRunModel(tx: Tx, runId: string) {
  return tx
    .selectFrom('training_runs as run')
    .leftJoin('model_versions as version', 'version.id', 'run.version_id')
    .select(['run.model_id', 'run.version_id', 'run.status', 'version.number'])
    .where('run.id', '=', runId)
    .executeTakeFirst();
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
