import { type Insertable, type Selectable, sql } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import type { MonitoredVersions, Monitors, Rollbacks } from '../../schema/tables.ts';
import type { AlarmRow } from './alarms/sql.ts';

export type MonitorRow = Selectable<Monitors>;
export type MonitoredRow = Selectable<MonitoredVersions>;
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
