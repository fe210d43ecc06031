import { sql } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { pageBytesMax } from '../../api/list.ts';
import { type Counted, countRows, type Listed, type RowPage, selectPage } from '../../lib/db/page.ts';
import type { Filter } from './filter.ts';
import type { PredictionRow } from './prediction.ts';

export function selectPrediction(tx: Tx, id: string): Promise<PredictionRow | undefined> {
  return tx.selectFrom('predictions').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Most predictions that one answer looks at for those that fit a filter: 0.3 s, measured, where a million took 4.
 */
export const lookedAtMax = 100_000;

export function selectPredictions(
  tx: Tx,
  filter: Filter,
  before: string | null,
  most: number,
  lookedAt = lookedAtMax,
): Promise<RowPage<PredictionRow>> {
  return selectPage(tx, { ...listed(filter, lookedAt), before, most, bytesMax: pageBytesMax });
}

/** How many predictions there are; at most `most`. */
export function countPredictions(
  tx: Tx,
  filter: Partial<Filter>,
  most: number,
  lookedAt = lookedAtMax,
): Promise<Counted> {
  return countRows(tx, listed(filter, lookedAt), most);
}

/** Those of an entity are found by an index; what else narrows them is looked for among the newest. */
function listed({ snapshots, ...filter }: Partial<Filter>, lookedAt: number): Listed {
  const { entity_key: key, ...others } = filter.filters ?? {};
  const isLookedFor = key === undefined && [...Object.values(others), snapshots].some((value) => value !== undefined);
  return {
    table: 'predictions',
    ...filter,
    ...(snapshots && { where: isFrom(snapshots) }),
    ...(isLookedFor && { lookedAtMax: lookedAt }),
  };
}

const isFrom = (snapshots: readonly string[]) => sql`snapshot_id = any(${snapshots})`;

/**
 * Clears the inputs and outputs of predictions that contain an identifier: as an input, or as a name that the answer
 * tells, such as one on the way to a known bad actor. Returns their ids.
 */
export async function clearNaming(tx: Tx, { workspaceId }: Context, identifier: string): Promise<string[]> {
  const cleared = await tx
    .updateTable('predictions')
    .set({
      ...{ inputs: '{}', outputs: '{}', outputs_sha256: null, entity_table: null, entity_key: null },
      ...{ row_table: null, row_key: null },
      erased_at: new Date(),
    })
    .where('workspace_id', '=', workspaceId)
    .where('erased_at', 'is', null)
    .where(
      sql<boolean>`(exists (select from jsonb_each_text(inputs) as input where input.value = ${identifier})
        or jsonb_path_exists(outputs, '$.** ? (@ == $name)', jsonb_build_object('name', ${identifier}::text)))`,
    )
    .returning('id')
    .execute();
  return cleared.map(({ id }) => id);
}

/** The workspaces that have predictions with ids before `bound`. */
export async function selectWorkspacesWithOlder(tx: Tx, bound: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from workspaces as w
    where exists (select from predictions as p where p.workspace_id = w.id and p.id < ${bound}) order by id`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}

/**
 * Deletes predictions of a workspace with ids before `bound`, the oldest first, at most `most`; those that another
 * process is deleting are left to it. Returns how many.
 */
export async function deletePredictions(
  tx: Tx,
  { workspaceId }: Context,
  bound: string,
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from predictions where id in (
      select id from predictions where workspace_id = ${workspaceId} and id < ${bound}
      order by id limit ${most} for update skip locked)`.execute(tx);
  return Number(numAffectedRows);
}

/** Most versions that are counted one by one in a bucket. */
export const versionsMax = 50;

/** How many predictions of a bucket have one version, band, tenth or channel; or how many there are in all. */
export type BucketRow = {
  /** The number of the bucket, from 1. */
  readonly place: number;
  readonly kind: 'all' | 'version' | 'band' | 'tenth' | 'channel';
  readonly model_id: string | null;
  readonly version_id: string | null;
  readonly band: string | null;
  readonly tenth: number | null;
  readonly channel: string | null;
  readonly predictions: number;
  /** Of 'all': the 50, 95 and 99 % points, milliseconds; null where no prediction has a latency. */
  readonly latency: readonly [number, number, number] | null;
};

/**
 * Counts the predictions of each bucket, whose ids lie between neighbours of `bounds`. Each bucket is a range of the
 * index of ids, so that what is grouped and sorted at a time is small.
 */
export async function selectStatistics(
  tx: Tx,
  { filters, snapshots }: Pick<Filter, 'filters' | 'snapshots'>,
  bounds: readonly string[],
): Promise<BucketRow[]> {
  const conditions = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .map(([column, value]) => sql`p.${sql.ref(column)} = ${value}`);
  if (snapshots) conditions.push(isFrom(snapshots));
  const within = sql.join([sql`p.id >= b.first and p.id < b.until`, ...conditions], sql` and `);
  const { rows } = await sql<BucketRow>`
    select b.place::int as place, c.*, case when c.kind = 'all' then l.latency end as latency
    from unnest(${bounds.slice(0, -1)}::text[], ${bounds.slice(1)}::text[]) with ordinality as b (first, until, place)
    cross join lateral (
      select percentile_disc(array[0.5, 0.95, 0.99]) within group (order by p.latency_ms) as latency
      from predictions as p where ${within}) as l
    cross join lateral (
      select case when grouping(p.version_id) = 0 then 'version' when grouping(p.band) = 0 then 'band'
          when grouping(p.tenth) = 0 then 'tenth' when grouping(p.channel) = 0 then 'channel' else 'all' end as kind,
        p.model_id, p.version_id, p.band, p.tenth, p.channel, count(*)::int as predictions,
        row_number() over (partition by grouping(p.version_id) order by count(*) desc, p.version_id) as rank
      from predictions as p where ${within}
      group by grouping sets ((), (p.model_id, p.version_id), (p.band), (p.tenth), (p.channel))) as c
    where c.kind <> 'version' or c.rank <= ${versionsMax}
    order by b.place, c.kind, c.predictions desc, c.version_id, c.band, c.tenth, c.channel`.execute(tx);
  return rows;
}
