import { sql } from 'kysely';
import type { Context } from '../../../access/context.ts';
import type { Tx } from '../../../access/transactions.ts';

export type ClosedRow = {
  readonly predicted: number | null;
  readonly label: number | null;
  readonly band: string | null;
  readonly day: number;
  readonly prediction_id: string;
  /** Whom it is about; the prediction itself where it names nobody. */
  readonly entity: string;
};

/** Predictions that answered an alias, with ids after `since`. */
export type AnsweredAlias = { readonly alias: string; readonly since: string };

/**
 * The newest predictions of a version, or those that answered an alias, whose outcome of a field is decided and whose
 * window has closed by `now`, newest first. `probabilities`: of classes, the field of the probability of each, as JSON
 * by class.
 */
export async function selectClosed(
  tx: Tx,
  { workspaceId }: Context,
  versionId: string,
  asked: { readonly field: string; readonly probabilities: Readonly<Record<string, string>> | null },
  { now, among, most }: { readonly now: Date; readonly among: AnsweredAlias | null; readonly most: number },
): Promise<ClosedRow[]> {
  const { field, probabilities } = asked;
  const values =
    probabilities === null
      ? sql`(p.outputs->>${field})::float8 as predicted, (o.value)::float8 as label`
      : sql`(p.outputs->>(${JSON.stringify(probabilities)}::jsonb->>(p.outputs->>${field})))::float8 as predicted,
          (case when o.value #>> '{}' = p.outputs->>${field} then 1 else 0 end)::float8 as label`;
  const { rows } = await sql<ClosedRow>`
    select ${values}, p.band, floor(extract(epoch from p.as_of) / 86400)::int as day, o.prediction_id,
      coalesce(p.entity_table || ' ' || p.entity_key, p.id) as entity
    from outcomes as o join predictions as p on p.id = o.prediction_id
    where o.workspace_id = ${workspaceId} and o.version_id = ${versionId} and o.output = ${field} and o.is_decided
      and (o.closes_at is null or o.closes_at <= ${now}) and p.erased_at is null
      and ${among ? sql`p.alias = ${among.alias} and p.id > ${among.since}` : sql`true`}
    order by o.prediction_id desc limit ${most}`.execute(tx);
  return rows;
}

/** How many predictions a version has with ids from one to another, both included. */
export async function countPredictionsOf(
  tx: Tx,
  { workspaceId }: Context,
  versionId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from predictions
    where workspace_id = ${workspaceId} and id between ${from} and ${to} and version_id = ${versionId}`.execute(tx);
  return rows[0].count;
}

/** A prediction about an entity: whom, and the instant that it is as of. */
export type AskedRow = { readonly id: string; readonly day: string; readonly key: string; readonly as_of: Date };

/** A prediction about a row of a table: of a new one that has a key, itself. */
export type UnlabelledRow = AskedRow & { readonly table: string };

/** At most `most` predictions about an entity on each day of a version, drawn by their ids. */
export async function selectSampled(
  tx: Tx,
  { workspaceId, timeZone }: Context,
  versionId: string,
  { from, until, most }: { readonly from: string; readonly until: string; readonly most: number },
): Promise<AskedRow[]> {
  const { rows } = await sql<AskedRow>`
    select id, day, key, as_of from (
      select p.id, p.entity_key as key, p.as_of, d.day,
        row_number() over (partition by d.day order by md5(p.id)) as place
      from predictions as p
      cross join lateral (select to_char(p.created_at at time zone ${timeZone}, 'YYYY-MM-DD') as day) as d
      where p.workspace_id = ${workspaceId} and p.id >= ${from} and p.id < ${until} and p.version_id = ${versionId}
        and p.entity_key is not null and p.erased_at is null) as drawn
    where place <= ${most} order by id`.execute(tx);
  return rows;
}

/** The newest predictions of a version that name a row, as of `before` or earlier, without an outcome of a field. */
export async function selectUnlabelled(
  tx: Tx,
  { workspaceId, timeZone }: Context,
  versionId: string,
  { output, before, most }: { readonly output: string; readonly before: Date; readonly most: number },
): Promise<UnlabelledRow[]> {
  const { rows } = await sql<UnlabelledRow>`
    select p.id, to_char(p.created_at at time zone ${timeZone}, 'YYYY-MM-DD') as day, p.as_of,
      coalesce(p.row_table, p.entity_table) as "table", coalesce(p.row_key, p.entity_key) as key
    from predictions as p
    where p.workspace_id = ${workspaceId} and p.version_id = ${versionId} and p.entity_key is not null
      and p.erased_at is null and p.as_of <= ${before}
      and not exists (select from outcomes as o where o.prediction_id = p.id and o.output = ${output}
        and o.source = 'api')
    order by p.id desc limit ${most}`.execute(tx);
  return rows;
}
