import { type Insertable, sql } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { pageBytesMax } from '../../api/list.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { type RowPage, selectPage } from '../../lib/db/page.ts';
import type { ModelWarning } from '../../schema/json.ts';
import type { Rollbacks } from '../../schema/tables.ts';
import {
  type AliasRow,
  type ListedAlias,
  type ModelRow,
  originColumns,
  type SplitRow,
  type StoredModelVersion,
  type VersionRow,
  type VersionWithOrigin,
} from './model.ts';

/** The model of an id or name. No name has the form of an id. */
export function selectModel(tx: Tx, idOrName: string): Promise<ModelRow | undefined> {
  return tx
    .selectFrom('models')
    .selectAll()
    .where((where) => where.or([where('id', '=', idOrName), where('name', '=', idOrName)]))
    .executeTakeFirst();
}

export async function selectModelNames(tx: Tx): Promise<string[]> {
  const rows = await tx.selectFrom('models').select('name').orderBy('id').execute();
  return rows.map(({ name }) => name);
}

export function selectModels(tx: Tx, before: string | null, most: number): Promise<ModelRow[]> {
  let query = tx.selectFrom('models').selectAll().orderBy('id', 'desc').limit(most);
  if (before !== null) query = query.where('id', '<', before);
  return query.execute();
}

/** Work under way that needs a version of a model, or makes one. Batches may need any until their files are read. */
export async function selectOpenWork(
  tx: Tx,
  modelId: string,
  most: number,
): Promise<readonly { readonly kind: string; readonly id: string; readonly status: string }[]> {
  const { rows } = await sql<{ kind: string; id: string; status: string }>`
    select 'training run' as kind, id, status from training_runs
      where model_id = ${modelId} and status in ('queued', 'running')
    union all
    select 'evaluation', id, status from evaluations
      where status in ('queued', 'running') and ${modelId} in (model->>'model_id', compare_with->>'model_id')
    union all
    select 'validation', id, status from validations
      where model_id = ${modelId} and status in ('queued', 'running')
    union all
    select 'backtest', id, status from backtests
      where status in ('queued', 'running') and model->>'model_id' = ${modelId}
    union all
    select 'batch', id, status from batches
      where status in ('queued', 'running') and (model->>'model_id' = ${modelId} or exists (
        select from jsonb_each_text(targets) as target join model_versions as v on v.id = target.value
          where v.model_id = ${modelId}))
    order by id limit ${most}`.execute(tx);
  return rows;
}

/** Deletes a model with its versions; returns how many there were. */
export async function removeModel(tx: Tx, id: string): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('model_versions').where('model_id', '=', id).executeTakeFirst();
  await tx.deleteFrom('models').where('id', '=', id).execute();
  return Number(numDeletedRows);
}

export function selectVersion(tx: Tx, modelId: string, id: string): Promise<VersionRow | undefined> {
  return tx
    .selectFrom('model_versions')
    .selectAll()
    .where('model_id', '=', modelId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The version of an id, a number or an alias. No two of these have the same form. */
export function selectVersionNamed(tx: Tx, modelId: string, name: string): Promise<VersionRow | undefined> {
  return tx
    .selectFrom('model_versions')
    .selectAll()
    .where('model_id', '=', modelId)
    .where((where) => {
      if (versionNumber.test(name)) return where('number', '=', Number(name));
      const pointed = where.selectFrom('aliases').select('version_id').where('alias', '=', name);
      return where.or([where('id', '=', name), where('id', '=', pointed.where('model_id', '=', modelId))]);
    })
    .executeTakeFirst();
}

/** Below what the column holds. */
const versionNumber = /^[1-9]\d{0,8}$/;

/** Like `selectVersion`, and locks the row until the transaction ends. */
export function lockVersion(tx: Tx, modelId: string, id: string): Promise<VersionRow | undefined> {
  return tx
    .selectFrom('model_versions')
    .selectAll()
    .where('model_id', '=', modelId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** Versions with what their training runs were asked for. */
export async function withOrigins(tx: Tx, rows: readonly VersionRow[]): Promise<VersionWithOrigin[]> {
  if (rows.length === 0) return [];
  const found = await tx
    .selectFrom('training_runs as r')
    .innerJoin('snapshots as s', (join) =>
      join.onRef('s.workspace_id', '=', 'r.workspace_id').onRef('s.id', '=', 'r.snapshot_id'),
    )
    .select((eb) => [
      'r.id as run',
      's.created_at as snapshot_created_at',
      // Later ones that changed nothing have the same snapshot.
      eb
        .selectFrom('ingestions as i')
        .whereRef('i.workspace_id', '=', 's.workspace_id')
        .whereRef('i.snapshot_id', '=', 's.id')
        .select((own) => own.fn.min('i.id').as('id'))
        .as('ingestion_id'),
      ...originColumns.map((name) => `r.${name}` as const),
    ])
    .where(
      'r.id',
      'in',
      rows.map(({ training_run_id }) => training_run_id),
    )
    .execute();
  const origins = new Map(found.map(({ run, ...origin }) => [run, origin]));
  return rows.map((row) => ({ ...row, ...origins.get(row.training_run_id)! }));
}

export function selectVersions(
  tx: Tx,
  modelId: string,
  before: string | null,
  most: number,
): Promise<RowPage<VersionRow>> {
  return selectPage(tx, {
    table: 'model_versions',
    filters: { model_id: modelId },
    before,
    most,
    bytesMax: pageBytesMax,
  });
}

/** The aliases of models, with their splits. */
export function selectAliases(tx: Tx, modelIds: readonly string[]): Promise<ListedAlias[]> {
  if (modelIds.length === 0) return Promise.resolve([]);
  return tx
    .selectFrom('aliases as a')
    .leftJoin('alias_splits as s', (join) =>
      join.onRef('s.model_id', '=', 'a.model_id').onRef('s.alias', '=', 'a.alias'),
    )
    .selectAll('a')
    .select(['s.version_id as split_version_id', 's.share as split_share'])
    .where('a.model_id', 'in', modelIds)
    .orderBy('a.alias')
    .execute();
}

/** Returns an alias and locks it until the transaction ends, even when it does not exist yet. */
export async function lockAlias(tx: Tx, modelId: string, alias: string): Promise<AliasRow | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`alias ${modelId} ${alias}`}, 0))`.execute(tx);
  return tx
    .selectFrom('aliases')
    .selectAll()
    .where('model_id', '=', modelId)
    .where('alias', '=', alias)
    .forUpdate()
    .executeTakeFirst();
}

/** Returns the model of this name, and creates it if there is none. */
export async function insertOrSelectModel(
  tx: Tx,
  ctx: Context,
  name: string,
  task: { readonly id: string; readonly kind: string },
): Promise<ModelRow> {
  await tx
    .insertInto('models')
    .values({
      id: newId('mdl'),
      organization_id: ctx.organizationId,
      workspace_id: ctx.workspaceId,
      name,
      kind: task.kind,
      task_id: task.id,
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'name']).doNothing())
    .execute();
  return tx.selectFrom('models').selectAll().where('name', '=', name).executeTakeFirstOrThrow();
}

/** The training run that made a version. */
export type VersionRun = {
  readonly id: string;
  readonly model_id: string;
  readonly snapshot_id: string;
  readonly contract_id: string;
  readonly contract_number: number;
};

export type LearnedVersion = {
  readonly inputs: readonly unknown[];
  readonly outputs: readonly unknown[];
  readonly metrics: unknown;
  readonly warnings: readonly ModelWarning[];
  /** The warning that what it is judged by is surely worse than what takes no learning; null where it is not. */
  readonly worse: ModelWarning | null;
  /** The GFM version that the model version reads. */
  readonly gfmVersionId: string | null;
};

/**
 * Inserts a version with status 'validating' and the model's next number. Until the transaction ends, other insertions
 * into the same model wait.
 */
export async function insertVersion(
  tx: Tx,
  ctx: Context,
  run: VersionRun,
  { id, prefix, files }: StoredModelVersion,
  learned: LearnedVersion,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`versions ${run.model_id}`}, 0))`.execute(tx);
  await tx
    .insertInto('model_versions')
    .values({
      id,
      organization_id: ctx.organizationId,
      workspace_id: ctx.workspaceId,
      model_id: run.model_id,
      number: sql<number>`(select coalesce(max(number), 0) + 1 from model_versions where model_id = ${run.model_id})`,
      training_run_id: run.id,
      snapshot_id: run.snapshot_id,
      contract_id: run.contract_id,
      contract_number: run.contract_number,
      gfm_version_id: learned.gfmVersionId,
      status: 'validating',
      metrics: JSON.stringify(learned.metrics),
      warnings: JSON.stringify(learned.warnings),
      inputs: JSON.stringify(learned.inputs),
      outputs: JSON.stringify(learned.outputs),
      files: JSON.stringify(files),
      storage_prefix: prefix,
    })
    .execute();
}

export async function updateVersionStatus(tx: Tx, id: string, status: 'active' | 'inactive'): Promise<void> {
  await tx.updateTable('model_versions').set({ status }).where('id', '=', id).execute();
}

/**
 * Points an alias at a version, and keeps that the version has held it. `revision` counts how often the alias was
 * pointed at another version.
 */
export async function upsertAlias(
  tx: Tx,
  ctx: Context,
  modelId: string,
  alias: string,
  versionId: string,
): Promise<AliasRow> {
  const row = {
    ...{ organization_id: ctx.organizationId, workspace_id: ctx.workspaceId },
    ...{ model_id: modelId, alias, version_id: versionId },
  };
  await tx
    .insertInto('alias_holders')
    .values(row)
    .onConflict((conflict) => conflict.columns(['model_id', 'alias', 'version_id']).doUpdateSet({ since: new Date() }))
    .execute();
  return tx
    .insertInto('aliases')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['model_id', 'alias']).doUpdateSet({
        version_id: versionId,
        previous_version_id: sql<string>`aliases.version_id`,
        revision: sql<number>`aliases.revision + 1`,
        updated_at: new Date(),
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The aliases of a model that were moved back. */
export function selectRollbacks(tx: Tx, modelId: string) {
  return tx
    .selectFrom('rollbacks')
    .select(['alias', 'from_version_id', 'to_version_id'])
    .where('model_id', '=', modelId)
    .execute();
}

export async function insertRollback(
  tx: Tx,
  { organizationId, workspaceId }: Context,
  row: Omit<Insertable<Rollbacks>, 'organization_id' | 'workspace_id'>,
): Promise<void> {
  await tx
    .insertInto('rollbacks')
    .values({ organization_id: organizationId, workspace_id: workspaceId, ...row })
    .execute();
}

export async function removeAlias(tx: Tx, modelId: string, alias: string): Promise<void> {
  await tx.deleteFrom('aliases').where('model_id', '=', modelId).where('alias', '=', alias).execute();
}

/** The split of an alias; undefined without one. */
export function selectSplit(tx: Tx, modelId: string, alias: string): Promise<SplitRow | undefined> {
  return tx
    .selectFrom('alias_splits')
    .selectAll()
    .where('model_id', '=', modelId)
    .where('alias', '=', alias)
    .executeTakeFirst();
}

/** The splits by which a version answers. */
export function selectSplitsOf(tx: Tx, modelId: string, versionId: string): Promise<SplitRow[]> {
  return tx
    .selectFrom('alias_splits')
    .selectAll()
    .where('model_id', '=', modelId)
    .where('version_id', '=', versionId)
    .orderBy('alias')
    .execute();
}

/** Splits an alias from the prediction id `since` on, or changes the share of a split by the same version. */
export async function upsertSplit(
  tx: Tx,
  { organizationId, workspaceId, actor }: Context,
  row: { model_id: string; alias: string; version_id: string; share: number; since: string },
): Promise<void> {
  const { version_id, share } = row;
  await tx
    .insertInto('alias_splits')
    .values({ organization_id: organizationId, workspace_id: workspaceId, ...row, created_by: actor.label })
    .onConflict((conflict) =>
      conflict
        .columns(['model_id', 'alias'])
        .doUpdateSet({ share, updated_at: new Date() })
        .where('alias_splits.version_id', '=', version_id),
    )
    .execute();
}

export async function removeSplit(tx: Tx, modelId: string, alias: string): Promise<void> {
  await tx.deleteFrom('alias_splits').where('model_id', '=', modelId).where('alias', '=', alias).execute();
}

/** The version that an alias points at, or pointed at last; null where it has pointed at none that there is. */
export async function selectLastHolder(tx: Tx, modelId: string, alias: string): Promise<string | null> {
  const row = await tx
    .selectFrom('alias_holders')
    .select('version_id')
    .where('model_id', '=', modelId)
    .where('alias', '=', alias)
    .orderBy('since', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.version_id ?? null;
}
