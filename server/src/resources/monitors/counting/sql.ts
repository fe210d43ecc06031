import { sql } from 'kysely';
import type { Context } from '../../../access/context.ts';
import type { Tx } from '../../../access/transactions.ts';
import type { Counts } from '../../../ml/monitoring/drift.ts';

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
