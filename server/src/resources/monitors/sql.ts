import { type Insertable, type Selectable, sql } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { pageBytesMax } from '../../api/list.ts';
import { type RowPage, selectPage } from '../../lib/db/page.ts';
import type { Counts } from '../../ml/monitoring/drift.ts';
import type { ModelAlarms, MonitoredVersions, Monitors, Rollbacks } from '../../schema/tables.ts';

export type MonitorRow = Selectable<Monitors>;
export type MonitoredRow = Selectable<MonitoredVersions>;
export type AlarmRow = Selectable<ModelAlarms>;
export type RollbackRow = Selectable<Rollbacks>;

export function selectMonitor(tx: Tx, modelId: string): Promise<MonitorRow | undefined> {
  return tx.selectFrom('monitors').selectAll().where('model_id', '=', modelId).executeTakeFirst();
}

/** Returns the row of a model's monitor and locks it until the transaction ends, even when it does not exist yet. */
export async function lockMonitor(tx: Tx, modelId: string): Promise<MonitorRow | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`monitor ${modelId}`}, 0))`.execute(tx);
  return selectMonitor(tx, modelId);
}

export function upsertMonitor(tx: Tx, row: Insertable<Monitors>): Promise<MonitorRow> {
  const { organization_id: _, workspace_id: __, model_id: ___, ...change } = row;
  return tx
    .insertInto('monitors')
    .values(row)
    .onConflict((conflict) => conflict.column('model_id').doUpdateSet(change))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Whether a version `v` was learned under a contract that is not the one in force, or that files ask to change. */
const isBehindContract = sql`exists (select from contracts as c where c.workspace_id = v.workspace_id
  and c.id <> v.contract_id and (c.status = 'active' or (c.status = 'proposed' and c.ingestion_id is not null)))`;

/** The workspaces with predictions of ids after `bound`, with an alarm that is on, or with a contract that changes. */
export async function selectAnswering(tx: Tx, bound: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from workspaces as w
    where exists (select from predictions as p where p.workspace_id = w.id and p.id >= ${bound})
      or exists (select from aliases as a join model_versions as v on v.id = a.version_id and ${isBehindContract}
        where a.workspace_id = w.id)
      or exists (select from model_alarms as a where a.workspace_id = w.id and a.cleared_at is null)
    order by id`.execute(tx);
  return rows.map(({ id }) => id);
}

export type AnsweringVersion = {
  readonly version_id: string;
  readonly model_id: string;
  /** The id of its first prediction after `bound`. */
  readonly first: string;
};

/** The versions that answered after `bound`, of those that there still are. */
export async function selectAnsweringVersions(
  tx: Tx,
  { workspaceId }: Context,
  bound: string,
): Promise<AnsweringVersion[]> {
  const { rows } = await sql<AnsweringVersion>`
    select p.version_id, v.model_id, min(p.id) as first
    from predictions as p join model_versions as v on v.id = p.version_id
    where p.workspace_id = ${workspaceId} and p.id >= ${bound} group by 1, 2 order by 1`.execute(tx);
  return rows;
}

export function selectMonitored(tx: Tx, versionId: string): Promise<MonitoredRow | undefined> {
  return tx.selectFrom('monitored_versions').selectAll().where('version_id', '=', versionId).executeTakeFirst();
}

/** The versions that have an alarm that is on. */
export function selectAlarmed(tx: Tx, { workspaceId }: Context): Promise<Pick<AlarmRow, 'model_id' | 'version_id'>[]> {
  return tx
    .selectFrom('model_alarms')
    .select(['model_id', 'version_id'])
    .where('workspace_id', '=', workspaceId)
    .where('cleared_at', 'is', null)
    .execute();
}

/** The versions that aliases lead to, and whose contract is not the one in force, or is asked to be changed. */
export async function selectBehindContract(
  tx: Tx,
  { workspaceId }: Context,
): Promise<Pick<AlarmRow, 'model_id' | 'version_id'>[]> {
  const { rows } = await sql<Pick<AlarmRow, 'model_id' | 'version_id'>>`
    select distinct v.model_id, v.id as version_id from model_versions as v
    join (select version_id from aliases union select version_id from alias_splits) as a on a.version_id = v.id
    where v.workspace_id = ${workspaceId} and ${isBehindContract}`.execute(tx);
  return rows;
}

/** Whether an alias leads to a version, for all or for a share. */
export async function isInService(tx: Tx, versionId: string): Promise<boolean> {
  const { rows } = await sql`
    select from (select version_id from aliases union all select version_id from alias_splits) as a
    where a.version_id = ${versionId} limit 1`.execute(tx);
  return rows.length > 0;
}

/**
 * The text of a contract, and those of what it is held against, where they are others: the active one, and the newest
 * that files which have arrived ask for upon it.
 */
export async function selectLaterContracts(
  tx: Tx,
  contractId: string,
): Promise<{ readonly learned: string; readonly others: readonly string[] } | null> {
  const { rows } = await sql<{ learned: string; others: string[] }>`
    select own.document as learned, array(
      select c.document from contracts as c
      where c.id <> own.id and (c.status = 'active' or c.id = (
        select p.id from contracts as p join contracts as active on active.id = p.base_id and active.status = 'active'
        where p.status = 'proposed' and p.ingestion_id is not null order by p.number desc limit 1))
      order by c.number) as others
    from contracts as own where own.id = ${contractId}`.execute(tx);
  return rows[0] ?? null;
}

/**
 * In how many of the first or newest predictions of a version, at most `most` between two ids, each input was given:
 * not null, and no empty text.
 */
export async function countSent(
  tx: Tx,
  { workspaceId }: Context,
  versionId: string,
  asked: { readonly from: string; readonly until: string; readonly most: number; readonly newest: boolean },
): Promise<{ readonly rows: number; readonly given: Readonly<Record<string, number>> }> {
  const { from, until, most, newest } = asked;
  const { rows } = await sql<{ rows: number; given: Record<string, number> }>`
    with asked as materialized (
      select inputs from predictions where workspace_id = ${workspaceId} and id >= ${from} and id < ${until}
        and version_id = ${versionId} and erased_at is null
      order by id ${newest ? sql`desc` : sql`asc`} limit ${most})
    select (select count(*) from asked)::int as rows, coalesce(jsonb_object_agg(name, given), '{}') as given
    from (select i.key as name, count(*)::int as given from asked cross join jsonb_each(inputs) as i
      where i.value not in ('null', '""') group by 1) as counted`.execute(tx);
  return rows[0];
}

/** Makes the row of a version, if there is none. */
export async function insertMonitored(
  tx: Tx,
  ctx: Context,
  { model_id, version_id }: Pick<MonitoredRow, 'model_id' | 'version_id'>,
): Promise<void> {
  await tx
    .insertInto('monitored_versions')
    .values({ organization_id: ctx.organizationId, workspace_id: ctx.workspaceId, model_id, version_id })
    .onConflict((conflict) => conflict.column('version_id').doNothing())
    .execute();
}

/** Locks the row of a version; undefined without one, or while another process has it. */
export function lockMonitored(tx: Tx, version_id: string): Promise<MonitoredRow | undefined> {
  return tx
    .selectFrom('monitored_versions')
    .selectAll()
    .where('version_id', '=', version_id)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

/** As `lockMonitored`, and waits while another process has it. */
export function awaitMonitored(tx: Tx, versionId: string): Promise<MonitoredRow | undefined> {
  return tx
    .selectFrom('monitored_versions')
    .selectAll()
    .where('version_id', '=', versionId)
    .forUpdate()
    .executeTakeFirst();
}

export async function updateMonitored(
  tx: Tx,
  versionId: string,
  change: Partial<
    Pick<Insertable<MonitoredVersions>, 'signals' | 'counted_until' | 'observed_until' | 'report' | 'judged_at'>
  >,
): Promise<void> {
  await tx.updateTable('monitored_versions').set(change).where('version_id', '=', versionId).execute();
}

/** Longer texts are no categories. */
const textBytesMax = 400;

/** Some predictions of a version, oldest first: what they were asked of these inputs, and answered in this output. */
export async function selectFirstAnswers(
  tx: Tx,
  { workspaceId }: Context,
  versionId: string,
  { inputs, output }: { readonly inputs: readonly string[]; readonly output: string },
  { from, until, most }: { readonly from: string; readonly until: string; readonly most: number },
): Promise<{ inputs: Readonly<Record<string, unknown>>; output: unknown }[]> {
  const { rows } = await sql<{ inputs: Record<string, unknown>; output: unknown }>`
    select outputs->${output} as output, coalesce((select jsonb_object_agg(i.key, i.value) from jsonb_each(inputs) as i
      where i.key = any(${[...inputs]}::text[]) and octet_length(i.value::text) <= ${textBytesMax}), '{}') as inputs
    from predictions where workspace_id = ${workspaceId} and id >= ${from} and id < ${until}
      and version_id = ${versionId} and erased_at is null order by id limit ${most}`.execute(tx);
  return rows;
}

/** How a signal is counted in the database: where its value stands, and its bins. */
export type CountedSignal = {
  readonly place: number;
  readonly side: 'inputs' | 'outputs';
  readonly name: string;
  /** unknown: whether the warnings of the answer name somebody unknown. */
  readonly kind: 'number' | 'text' | 'unknown';
  readonly edges: readonly number[];
  readonly texts: readonly string[];
};

export type BinRow = { readonly day: string; readonly place: number; readonly bin: number; readonly rows: number };

/** Counts the predictions of a version with ids from `from` to before `until`, by days of a zone, signals and bins. */
export async function countBins(
  tx: Tx,
  { workspaceId, timeZone }: Context,
  versionId: string,
  { from, until }: { readonly from: string; readonly until: string },
  signals: readonly CountedSignal[],
): Promise<BinRow[]> {
  const { rows } = await sql<BinRow>`
    select to_char(p.created_at at time zone ${timeZone}, 'YYYY-MM-DD') as day, s.place,
      case
        when s.kind = 'unknown' then
          case when p.outputs->'warnings' @> '[{"code": "unknown_entity"}]' then 0 else 1 end
        when v.value is null or jsonb_typeof(v.value) = 'null' then 0
        when s.kind = 'number' then
          case when jsonb_typeof(v.value) = 'number' then 1 + width_bucket((v.value)::float8, s.edges) else 0 end
        when v.value = '""' then 0
        else coalesce(array_position(s.texts, v.value #>> '{}'), cardinality(s.texts) + 1)
      end as bin,
      count(*)::int as rows
    from predictions as p
    cross join jsonb_to_recordset(${JSON.stringify(signals)}::jsonb)
      as s (place int, side text, name text, kind text, edges float8[], texts text[])
    cross join lateral (select case s.side when 'inputs' then p.inputs else p.outputs end -> s.name as value) as v
    where p.workspace_id = ${workspaceId} and p.id >= ${from} and p.id < ${until} and p.version_id = ${versionId}
      and p.erased_at is null
    group by 1, 2, 3`.execute(tx);
  return rows;
}

export type DayRow = { readonly day: string; readonly rows: number; readonly counts: readonly (Counts | null)[] };

/** The counted days of a version from a day on, in order. */
export async function selectDays(tx: Tx, versionId: string, from: string | null): Promise<DayRow[]> {
  const { rows } = await sql<DayRow>`
    select to_char(day, 'YYYY-MM-DD') as day, rows, counts from monitored_days
    where version_id = ${versionId} and (${from}::date is null or day >= ${from}) order by day`.execute(tx);
  return rows;
}

export async function upsertDays(tx: Tx, ctx: Context, versionId: string, days: readonly DayRow[]): Promise<void> {
  await sql`
    insert into monitored_days (organization_id, workspace_id, version_id, day, rows, counts)
    select ${ctx.organizationId}, ${ctx.workspaceId}, ${versionId}, day, rows, counts
    from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as d (day date, rows int, counts jsonb)
    on conflict (version_id, day) do update set rows = excluded.rows, counts = excluded.counts`.execute(tx);
}

export async function deleteDays(tx: Tx, versionId: string, before: string): Promise<void> {
  await sql`delete from monitored_days where version_id = ${versionId} and day < ${before}`.execute(tx);
}

export function selectOpenAlarms(tx: Tx, versionId: string): Promise<AlarmRow[]> {
  return tx
    .selectFrom('model_alarms')
    .selectAll()
    .where('version_id', '=', versionId)
    .where('cleared_at', 'is', null)
    .execute();
}

export function selectAlarms(
  tx: Tx,
  of: { readonly model_id: string; readonly version_id: string | undefined },
  before: string | null,
  most: number,
): Promise<RowPage<AlarmRow>> {
  return selectPage(tx, { table: 'model_alarms', filters: of, before, most, bytesMax: pageBytesMax });
}

export async function insertAlarm(tx: Tx, row: Insertable<ModelAlarms>): Promise<void> {
  await tx.insertInto('model_alarms').values(row).execute();
}

export async function updateAlarm(
  tx: Tx,
  id: string,
  change: { readonly signals?: string; readonly told?: string[]; readonly cleared_at?: Date },
): Promise<void> {
  await tx.updateTable('model_alarms').set(change).where('id', '=', id).execute();
}

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

export function selectStoredVersion(tx: Tx, id: string) {
  return tx
    .selectFrom('model_versions as v')
    .innerJoin('models as m', 'm.id', 'v.model_id')
    .select([
      ...(['v.id', 'v.model_id', 'v.storage_prefix', 'v.files', 'v.gfm_version_id', 'v.inputs', 'v.outputs'] as const),
      ...(['v.contract_id', 'v.contract_number', 'v.created_at', 'm.name as model_name'] as const),
    ])
    .where('v.id', '=', id)
    .executeTakeFirst();
}

export async function selectActiveContract(tx: Tx, { workspaceId }: Context): Promise<number | null> {
  const row = await tx
    .selectFrom('contracts')
    .select('number')
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'active')
    .executeTakeFirst();
  return row?.number ?? null;
}

export function selectRollbacks(tx: Tx, modelId: string, most: number): Promise<RollbackRow[]> {
  return tx
    .selectFrom('rollbacks')
    .selectAll()
    .where('model_id', '=', modelId)
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}

/** Forgets what is counted by a text that names somebody; it is counted anew. */
export async function deleteNaming(tx: Tx, { workspaceId }: Context, identifier: string): Promise<void> {
  await sql`
    delete from monitored_versions where workspace_id = ${workspaceId}
      and jsonb_path_exists(signals, '$[*].bins.values[*] ? (@ == $name)', jsonb_build_object('name', ${identifier}::text))`.execute(
    tx,
  );
}

/**
 * Since when a version has answered in place of another one: of the version that an alias pointed at before, and, for a
 * share, of the one that a split alias points at.
 */
export async function selectTakenOver(tx: Tx, versionId: string): Promise<{ other_version_id: string; day: string }[]> {
  const { rows } = await sql<{ other_version_id: string; day: string }>`
    select distinct t.other_version_id, to_char(t.since at time zone w.time_zone, 'YYYY-MM-DD') as day
    from (
      select workspace_id, previous_version_id as other_version_id, updated_at as since
        from aliases where version_id = ${versionId} and previous_version_id is not null
      union all
      select s.workspace_id, a.version_id, s.created_at
        from alias_splits as s join aliases as a on a.model_id = s.model_id and a.alias = s.alias
        where s.version_id = ${versionId}) as t
    join workspaces as w on w.id = t.workspace_id`.execute(tx);
  return rows;
}

/** The id of the version that an alias of a model points at, or else of its newest. */
export async function selectNewestVersion(tx: Tx, modelId: string, alias: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select v.id from model_versions as v
    left join aliases as a on a.version_id = v.id and a.model_id = v.model_id and a.alias = ${alias}
    where v.model_id = ${modelId} order by a.alias is null, v.number desc limit 1`.execute(tx);
  return rows[0]?.id;
}
