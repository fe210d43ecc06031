import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';
import type { Meter } from '../meters/meter.ts';

/** Makes other transactions that meter, or issue invoices, wait until this one ends. */
export async function tryMeterLock(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ isOurs: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('lastro usage meter')) as "isOurs"`.execute(tx);
  return rows[0].isOurs;
}

/** As `tryMeterLock`, and waits for the others. */
export async function meterLock(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('lastro usage meter'))`.execute(tx);
}

/** Holds while there are leaves of workspaces that are not metered. */
export const isAnyUnmetered = `exists (select from audit_trees t join workspaces w on w.id = t.workspace_id
  left join usage_positions p on p.workspace_id = t.workspace_id where t.size > coalesce(p.leaves, 0))`;

/** The zones of the workspaces of an organization, each once. */
export async function selectZones(tx: Tx): Promise<string[]> {
  const rows = await tx.selectFrom('workspaces').select('time_zone').distinct().execute();
  return rows.map(({ time_zone: zone }) => zone);
}

export type Metered = {
  readonly organization_id: string;
  readonly workspace_id: string;
  readonly time_zone: string;
  readonly language: 'en' | 'pt-BR';
  /** How many leaves were read, and whether anything was used in them. */
  readonly leaves: number;
  readonly hasUsage: boolean;
};

/**
 * Meters the next leaves of up to `trees` workspaces, at most `most` leaves of each: adds what was used to its day and
 * moves the position of the workspace past them. What was used in a month of which the invoice is issued counts on the
 * first day after it.
 */
export async function meterLeaves(tx: Tx, trees: number, most: number): Promise<Metered[]> {
  const { rows } = await sql<Metered>`
    with due as materialized (
      select t.tree, t.organization_id, t.workspace_id, w.time_zone, w.language, coalesce(p.leaves, 0) as first,
        least(t.size, coalesce(p.leaves, 0) + ${most}) as last,
        (select (max(month) + interval '1 month')::date from invoices as i
          where i.organization_id = t.organization_id and i.status = 'issued') as open_from
      from audit_trees as t join workspaces as w on w.id = t.workspace_id
        left join usage_positions as p on p.workspace_id = t.workspace_id
      where t.size > coalesce(p.leaves, 0) order by t.tree limit ${trees}),
    moved as (
      insert into usage_positions (organization_id, workspace_id, leaves)
      select organization_id, workspace_id, last from due
      on conflict (workspace_id) do update set leaves = excluded.leaves),
    counted as (
      insert into usage_days (organization_id, workspace_id, day, meter, model_id, version_id, quantity)
      select due.organization_id, due.workspace_id,
        greatest((e.recorded_at at time zone due.time_zone)::date, due.open_from),
        m.meter, m.model_id, m.version_id, sum(m.quantity)
      from due join audit_leaves as l on l.tree = due.tree and l.leaf_index >= due.first and l.leaf_index < due.last
        join audit_entries as e on e.id = l.entry_id and e.recorded_at = l.recorded_at and e.outcome = 'succeeded'
        cross join lateral metered(e.action, e.target_id, e.data) as m
      group by 1, 2, 3, 4, 5, 6
      on conflict (workspace_id, day, meter, model_id, version_id)
        do update set quantity = usage_days.quantity + excluded.quantity
      returning workspace_id)
    select organization_id, workspace_id, time_zone, language, (last - first)::int as leaves,
      workspace_id in (select workspace_id from counted) as "hasUsage"
    from due`.execute(tx);
  return rows;
}

/** The workspaces of which no storage has been sampled on the day that their clocks show, after `after`, by id. */
export async function selectUnsampled(tx: Tx, after: string, most: number) {
  return tx
    .selectFrom('workspaces as w')
    .select(['w.id', 'w.organization_id'])
    .where('w.id', '>', after)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('usage_days as u')
            .select('u.day')
            .whereRef('u.workspace_id', '=', 'w.id')
            .where('u.meter', '=', 'storage_megabyte_days')
            .where('u.day', '=', sql<string>`(now() at time zone w.time_zone)::date`),
        ),
      ),
    )
    .orderBy('w.id')
    .limit(most)
    .execute();
}

/** Notes what a workspace has stored on the day that its clocks show, unless that was noted already. */
export async function insertSample(tx: Tx, workspaceId: string, megabytes: number): Promise<void> {
  const meter: Meter = 'storage_megabyte_days';
  await sql`insert into usage_days (organization_id, workspace_id, day, meter, quantity)
    select organization_id, id, (now() at time zone time_zone)::date, ${meter}, ${megabytes} from workspaces
    where id = ${workspaceId} on conflict do nothing`.execute(tx);
}

export const groupings = ['day', 'month', 'model', 'version', 'workspace', 'total'] as const;
export type Grouping = (typeof groupings)[number];

export type UsageSum = {
  /** Its place in the list. */
  readonly id: string;
  readonly meter: Meter;
  readonly quantity: number;
  readonly day: string | null;
  readonly month: string | null;
  readonly workspace_id: string | null;
  readonly model_id: string | null;
  readonly version_id: string | null;
};

/** Which columns of a sum are those of its group. */
const groupColumns: Readonly<Record<Grouping, Readonly<Partial<Record<keyof UsageSum, RawBuilder<string | null>>>>>> = {
  day: { day: sql`to_char(u.day, 'YYYY-MM-DD')` },
  month: { month: sql`to_char(u.day, 'YYYY-MM')` },
  model: { model_id: sql`u.model_id` },
  version: { model_id: sql`u.model_id`, version_id: sql`u.version_id` },
  workspace: { workspace_id: sql`u.workspace_id` },
  total: {},
};

/** Sums of a scope from day to day, both inclusive, apart by meter and by group, in order of their id after `after`. */
export async function selectSums(
  tx: Tx,
  ctx: Context<Scope>,
  { from, to, by }: { readonly from: string; readonly to: string; readonly by: Grouping },
  after: string | null,
  most: number,
): Promise<UsageSum[]> {
  const table = sql.table(ctx.workspaceId === null ? 'organization_usage_days' : 'usage_days');
  const given = groupColumns[by];
  const columns = (['day', 'month', 'workspace_id', 'model_id', 'version_id'] as const).map(
    (name) => sql`${given[name] ?? sql`null::text`} as ${sql.ref(name)}`,
  );
  const key = sql.join([...Object.values(given).map((column) => sql`coalesce(${column}, '')`), sql`u.meter`], sql`, `);
  const { rows } = await sql<UsageSum>`
    select * from (
      select concat_ws(' ', ${key}) collate "C" as id, u.meter, sum(u.quantity)::bigint as quantity, ${sql.join(columns)}
      from ${table} as u where u.organization_id = ${ctx.organizationId} and u.day >= ${from} and u.day <= ${to}
      group by 1, 2, 4, 5, 6, 7, 8) as sums
    where ${after}::text is null or id > ${after} order by id limit ${most}`.execute(tx);
  return rows;
}

export type RecordFilters = {
  readonly from: Date | undefined;
  /** Not itself. */
  readonly before: Date | undefined;
  readonly meter: string | undefined;
  readonly model_id: string | undefined;
  readonly version_id: string | undefined;
  readonly actor_id: string | undefined;
  readonly channel: string | undefined;
};

/** The log of a scope, newest first, after the record whose id is `last`. */
export async function selectRecords(
  tx: Tx,
  { workspaceId, organizationId }: Context<Scope>,
  { from, before, ...equal }: RecordFilters,
  last: string | null,
  most: number,
) {
  let query = tx
    .selectFrom('usage_records')
    .select(['id', 'workspace_id', 'recorded_at', 'meter', 'quantity', 'model_id', 'version_id', 'actor_type'])
    .select(['actor_id', 'actor_label', 'channel', 'request_id', 'target_type', 'target_id'])
    .where('organization_id', '=', organizationId);
  if (workspaceId !== null) query = query.where('workspace_id', '=', workspaceId);
  if (from) query = query.where('recorded_at', '>=', from);
  if (before) query = query.where('recorded_at', '<', before);
  for (const name of ['meter', 'model_id', 'version_id', 'actor_id', 'channel'] as const)
    if (equal[name] !== undefined) query = query.where(name, '=', equal[name]);
  if (last !== null)
    query = query.where(
      sql<boolean>`(recorded_at, id) < ((select recorded_at from usage_records where id = ${last}), ${last})`,
    );
  const rows = await query.orderBy('recorded_at', 'desc').orderBy('id', 'desc').limit(most).execute();
  // Of the columns of a view no type says that they are never null.
  return rows.map((row) => ({ ...row, id: row.id! }));
}
export type RecordRow = Awaited<ReturnType<typeof selectRecords>>[number];
