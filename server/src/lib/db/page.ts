import { type RawBuilder, sql } from 'kysely';
import type { Transaction } from './db.ts';

/** Rows of a list in order, and whether more follow: after `last` where that is said, else after the last row. */
export type RowPage<R> = { readonly rows: readonly R[]; readonly hasMore: boolean; readonly last?: string };

/** How many rows were counted, and whether these are all. */
export type Counted = { readonly count: number; readonly isWhole: boolean };

/** Which rows of a table a list has. */
export type Listed = {
  readonly table: string;
  /** Values that columns must have; undefined leaves a column free. */
  readonly filters?: Readonly<Record<string, string | undefined>>;
  /** What else must hold of a row `t`. */
  readonly where?: RawBuilder<unknown>;
  /** The first id that rows may have, and the first that they may not; undefined leaves it open. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  /** Most rows that are looked at for those that `filters` leave, where no index finds them; all by default. */
  readonly lookedAtMax?: number | undefined;
};

export type PageOptions = Listed & {
  /** Rows come after this id, from the newest to the oldest; null starts at the newest. */
  readonly before: string | null;
  readonly most: number;
  /** Most bytes of rows, as text. The first row is handed over whatever its size. */
  readonly bytesMax: number;
  /** Bytes that come with the row `t` from elsewhere; none by default. */
  readonly beside?: RawBuilder<number>;
};

/**
 * Reads rows of a table with a text column `id`, newest first, until there are `most`, their bytes are too many, or
 * `lookedAtMax` were looked at. Each row is measured in the database, one after the other, and none after the one that
 * is too many: so that neither the database nor this process works on rows that are not handed over.
 */
export async function selectPage<R, T>(tx: Transaction<T>, options: PageOptions): Promise<RowPage<R>> {
  const { table, before, most, bytesMax, beside = sql<number>`0` } = options;
  const end = await endOf(tx, options, before);
  const conditions = conditionsOf({ ...options, from: end ?? options.from });
  const next = (after: RawBuilder<unknown> | null) => {
    const all = after === null ? conditions : [...conditions, sql`t.id < ${after}`];
    return sql`select t.id, octet_length(t::text) + (${beside})::bigint as bytes from ${sql.table(table)} as t
      ${whereOf(all)} order by t.id desc limit 1`;
  };
  const { rows } = await sql<R & { page_place: number }>`
    with recursive taken (id, place, bytes) as (
      (select first.id, 1, first.bytes from (${next(before === null ? null : sql`${before}`)}) as first)
      union all
      select following.id, taken.place + 1, taken.bytes + following.bytes
      from taken cross join lateral (${next(sql`taken.id`)}) as following
      where taken.place <= ${most} and (taken.place = 1 or taken.bytes <= ${bytesMax})
    )
    select t.*, (select max(place) from taken)::int as page_place
    from taken join ${sql.table(table)} as t on t.id = taken.id
    where taken.place = 1 or (taken.place <= ${most} and taken.bytes <= ${bytesMax})
    order by t.id desc`.execute(tx);
  const reached = rows[0]?.page_place ?? 0;
  const page = rows.map(({ page_place: _, ...row }) => row as R);
  if (reached > rows.length) return { rows: page, hasMore: true };
  // All that were looked at have been handed over, unless the page is full.
  const goesOn = end !== null && rows.length < most;
  return goesOn ? { rows: page, hasMore: true, last: end } : { rows: page, hasMore: false };
}

/** How many rows a list has: at most `most`, past which none is read, of the newest that are looked at. */
export async function countRows<T>(tx: Transaction<T>, listed: Listed, most: number): Promise<Counted> {
  const end = await endOf(tx, listed, null);
  const conditions = conditionsOf({ ...listed, from: end ?? listed.from });
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from (select from ${sql.table(listed.table)} as t ${whereOf(conditions)} limit ${most}) as found`.execute(tx);
  return { count: rows[0].count, isWhole: end === null && rows[0].count < most };
}

/** The id of the last row after `before` that is looked at; null where that is the last one of all. */
async function endOf<T>(
  tx: Transaction<T>,
  { table, from, until, lookedAtMax }: Listed,
  before: string | null,
): Promise<string | null> {
  if (lookedAtMax === undefined) return null;
  const within = conditionsOf({ table, from, until });
  if (before !== null) within.push(sql`t.id < ${before}`);
  // Found in the index of ids, without reading a row.
  const { rows } = await sql<{ id: string }>`
    select t.id from ${sql.table(table)} as t ${whereOf(within)}
    order by t.id desc offset ${lookedAtMax - 1} limit 2`.execute(tx);
  return rows.length === 2 ? rows[0].id : null;
}

function conditionsOf({ filters = {}, where, from, until }: Listed): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .map(([column, value]) => sql`t.${sql.ref(column)} = ${value}`);
  if (where !== undefined) conditions.push(where);
  if (from !== undefined) conditions.push(sql`t.id >= ${from}`);
  if (until !== undefined) conditions.push(sql`t.id < ${until}`);
  return conditions;
}

function whereOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
}
