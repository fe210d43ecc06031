import { sql } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { pageBytesMax } from '../../api/list.ts';
import { type Counted, countRows, type Listed, type RowPage, selectPage } from '../../lib/db/page.ts';
import type { OutcomeRow, OutcomeValue } from './outcome.ts';

export type OutcomeFilters = {
  readonly [name in 'prediction_id' | 'model_id' | 'version_id' | 'output' | 'source']?: string | undefined;
};

/** Most outcomes that one answer looks at for those that fit a filter. */
export const lookedAtMax = 100_000;

export function selectOutcome(tx: Tx, id: string): Promise<OutcomeRow | undefined> {
  return tx.selectFrom('outcomes').selectAll().where('id', '=', id).executeTakeFirst();
}

export function selectOutcomes(
  tx: Tx,
  filters: OutcomeFilters,
  before: string | null,
  most: number,
): Promise<RowPage<OutcomeRow>> {
  return selectPage(tx, { ...listed(filters), before, most, bytesMax: pageBytesMax });
}

export function countOutcomes(tx: Tx, filters: OutcomeFilters, most: number): Promise<Counted> {
  return countRows(tx, listed(filters), most);
}

/** Those of a prediction are found by an index; what else narrows them is looked for among the newest. */
function listed(filters: OutcomeFilters): Listed {
  const isLookedFor = filters.prediction_id === undefined && Object.values(filters).some((one) => one !== undefined);
  return { table: 'outcomes', filters, ...(isLookedFor && { lookedAtMax }) };
}

export type NewOutcome = {
  readonly id: string;
  readonly prediction_id: string;
  readonly model_id: string;
  readonly version_id: string;
  readonly output: string;
  readonly value: OutcomeValue;
  readonly observed_at: string;
  readonly closes_at: string | null;
  readonly is_decided: boolean;
};

/** Most corrections that an outcome remembers; the newest go on counting its revision. */
const correctionsMax = 100;

/**
 * Writes outcomes, each prediction and output at most once. What is there already and says otherwise is corrected, and
 * remembers what it was; what the tables tell does not correct what was said. Returns those that were made or
 * corrected, with whether they were made.
 */
export async function upsertOutcomes(
  tx: Tx,
  { organizationId, workspaceId, actor }: Context,
  source: OutcomeRow['source'],
  outcomes: readonly NewOutcome[],
): Promise<(OutcomeRow & { readonly is_new: boolean })[]> {
  if (outcomes.length === 0) return [];
  const { rows } = await sql<OutcomeRow & { is_new: boolean }>`
    insert into outcomes as o (id, organization_id, workspace_id, prediction_id, model_id, version_id, output, value,
      observed_at, closes_at, is_decided, source, recorded_by)
    select id, ${organizationId}, ${workspaceId}, prediction_id, model_id, version_id, output, value, observed_at,
      closes_at, is_decided, ${source}, ${actor.label}
    from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as n (id text, prediction_id text, model_id text,
      version_id text, output text, value jsonb, observed_at timestamptz, closes_at timestamptz, is_decided boolean)
    -- In one order, so that two requests never wait for each other.
    order by prediction_id, output
    on conflict (prediction_id, output) do update set
      value = excluded.value, observed_at = excluded.observed_at, closes_at = excluded.closes_at,
      is_decided = excluded.is_decided, source = excluded.source, revision = o.revision + 1,
      corrections = case when jsonb_array_length(o.corrections) >= ${correctionsMax} then o.corrections - 0
        else o.corrections end || jsonb_build_object('value', o.value, 'observed_at', o.observed_at,
        'source', o.source, 'recorded_by', o.recorded_by, 'recorded_at', o.recorded_at),
      recorded_by = excluded.recorded_by, recorded_at = now()
    where (o.value is distinct from excluded.value
        or (excluded.source = 'api' and o.observed_at is distinct from excluded.observed_at))
      and (excluded.source = 'api' or o.source = 'tables')
    returning *, (xmax = 0) as is_new`.execute(tx);
  return rows;
}

export function selectOfPredictions(tx: Tx, predictionIds: readonly string[]): Promise<OutcomeRow[]> {
  return tx
    .selectFrom('outcomes')
    .selectAll()
    .where('prediction_id', '=', sql<string>`any(${[...predictionIds]}::text[])`)
    .orderBy('prediction_id')
    .orderBy('output')
    .execute();
}

/** Deletes at most `most` outcomes of a workspace whose predictions came before `bound`. Returns how many. */
export async function deleteOutcomes(tx: Tx, { workspaceId }: Context, bound: string, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from outcomes where id in (
      select id from outcomes where workspace_id = ${workspaceId} and prediction_id < ${bound}
      order by id limit ${most} for update skip locked)`.execute(tx);
  return Number(numAffectedRows);
}

/** The workspaces that have outcomes of predictions before `bound`. */
export async function selectWorkspacesWithOlder(tx: Tx, bound: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from workspaces as w where exists (
      select from outcomes as o where o.workspace_id = w.id and o.prediction_id < ${bound}) order by id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Deletes the outcomes of predictions that were erased. */
export async function deleteErased(tx: Tx, { workspaceId }: Context): Promise<void> {
  await sql`
    delete from outcomes as o using predictions as p
    where o.workspace_id = ${workspaceId} and p.id = o.prediction_id and p.erased_at is not null`.execute(tx);
}

/** A prediction that an outcome may be of. */
export type Predicted = {
  readonly id: string;
  readonly model_id: string;
  readonly version_id: string;
  readonly as_of: Date;
  readonly is_erased: boolean;
};

const predicted = sql`p.id, p.model_id, p.version_id, p.as_of, p.erased_at is not null as is_erased`;

export async function selectPredicted(tx: Tx, ids: readonly string[]): Promise<Predicted[]> {
  const { rows } = await sql<Predicted>`
    select ${predicted} from predictions as p where p.id = any(${[...ids]}::text[])`.execute(tx);
  return rows;
}

/** Whom, or which new row, predictions of models were about, between two moments. */
export type AskedEntity = {
  readonly place: number;
  readonly models: readonly string[];
  readonly table: string | null;
  readonly key: string;
  readonly from: string;
  readonly until: string;
};

/** The predictions about entities or new rows, at most `most` of each, the newest first. */
export async function selectPredictedAbout(
  tx: Tx,
  { workspaceId }: Context,
  asked: readonly AskedEntity[],
  most: number,
): Promise<(Predicted & { readonly place: number })[]> {
  const { rows } = await sql<Predicted & { place: number }>`
    select a.place, found.* from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
      as a (place int, models text[], "table" text, key text, "from" timestamptz, until timestamptz)
    cross join lateral (
      (select ${predicted} from predictions as p
        where p.workspace_id = ${workspaceId} and p.entity_key = a.key and p.model_id = any(a.models)
          and (a."table" is null or p.entity_table = a."table") and p.as_of between a."from" and a.until
        order by p.id desc limit ${most})
      union
      (select ${predicted} from predictions as p
        where p.workspace_id = ${workspaceId} and p.row_key = a.key and p.model_id = any(a.models)
          and (a."table" is null or p.row_table = a."table") and p.as_of between a."from" and a.until
        order by p.id desc limit ${most})
      order by id desc limit ${most}) as found`.execute(tx);
  return rows;
}

/** The models that answer a task, named by its id or name. */
export async function selectModelsOf(tx: Tx, task: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('models as m')
    .innerJoin('tasks as t', 't.id', 'm.task_id')
    .select('m.id')
    .where((where) => where.or([where('t.id', '=', task), where('t.name', '=', task)]))
    .execute();
  return rows.map(({ id }) => id);
}

/** Where versions are stored. */
export function selectStoredVersions(tx: Tx, ids: readonly string[]) {
  return tx
    .selectFrom('model_versions')
    .select(['id', 'storage_prefix', 'files'])
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute();
}
