/**
 * The value of a feature by plain SQL from the rows that are listed of it: their raw columns, and nothing of what the
 * engine made of them. Test support.
 */
import type { DuckDb } from '../../src/lib/duckdb/duckdb.ts';
import type { Signal } from '../../src/ml/events/signals.ts';
import { type Events, type Feature, isComparison, type Read, yearDays } from '../../src/ml/features/feature.ts';
import { day } from '../samples.ts';

/** A row as it is listed: its number in the raw table, and that of the row that holds its value. */
export type ListedRow = {
  readonly table: string;
  readonly row: number;
  readonly role: string;
  readonly of: number;
  readonly holder: { readonly table: string; readonly row: number } | null;
  /** Of a row that no raw table has, what is told of it, and of when. */
  readonly value?: number | string | null;
  readonly time?: number;
};

export type ListedFeature = {
  readonly feature: Feature;
  readonly rows: readonly ListedRow[];
  /** Of each subject whether anything is read of it. */
  readonly subjects: readonly boolean[];
  readonly at: number;
  readonly readableUntil: number;
};

/** What the raw tables do not say themselves. Rows of a table have their number in the column `n`. */
export type RawTables = {
  /** When a row `t` of a table counts for whom the events lead to (null: its own time), as SQL. */
  time(table: string, events: Events | null): string;
  /** Whether there is such a table. */
  has(table: string): boolean;
  /** What a smoothed mean is drawn to, as SQL. */
  usual(read: Read & { kind: 'number' }, readableUntil: number): string;
};

/** The value of each subject; of several that were met their mean, weighted by how recently. */
export async function valueByListed(db: DuckDb, raw: RawTables, listed: ListedFeature): Promise<number> {
  const { feature, rows, subjects } = listed;
  const { focus } = feature;
  const values: number[] = [];
  for (const [of, isRead] of subjects.entries())
    values.push(isRead ? await ofSubject(db, raw, listed, of) : Number.NaN);
  if (focus.kind === 'apart') return values[0] - values[1];
  if (focus.kind !== 'recent') return values[0];
  const leads = rows.filter(({ role, table }) => role === 'leads' && table === focus.events.table);
  const isTimed = raw.time(focus.events.table, null) !== 'null';
  const weighted = leads.map(({ of }, k) => `(${of}, power(${isTimed ? 0.9 : 1}::double, ${k}))`);
  const known = values.flatMap((value, of) => (Number.isNaN(value) ? [] : [`(${of}, ${value}::double)`]));
  return one(
    db,
    `with met(o, weight) as (values ${weighted.join(',')}), read(o, value) as (values ${known.join(',')})
     select sum(weight * value) / sum(weight) from met join read using (o)`,
  );
}

async function one(db: DuckDb, sql: string): Promise<number> {
  const [[value]] = await db.texts(`select (${sql})::varchar`);
  return value === null ? Number.NaN : Number(value);
}

const dayText = `${day}::double`;

async function ofSubject(db: DuckDb, raw: RawTables, listed: ListedFeature, of: number): Promise<number> {
  const { feature, rows: all, readableUntil } = listed;
  const { read } = feature;
  const own = all.filter((row) => row.of === of && row.role !== 'leads');
  if (own.length === 0) {
    if (read.kind === 'count') return 0;
    if (read.kind === 'number' && read.aggregate === 'smoothed') return one(db, raw.usual(read, readableUntil));
    throw new Error(`no rows of ${JSON.stringify(feature)}`);
  }
  const compared = own.filter(({ role }) => role === 'own');
  const events = own.filter(({ role }) => role !== 'own');
  const [{ table, holder }] = events;
  const told = (value: ListedRow['value']) => (typeof value === 'string' ? quotedText(value) : `${value ?? 'null'}`);
  const values = events.map(
    ({ row, holder: by, role, value, time }, k) =>
      `(${row}, ${by?.row ?? -1}, ${k}, '${role}', ${told(value)}, ${time ?? 'null'}::double)`,
  );
  const isRaw = raw.has(table);
  const value = !isRaw ? 'told' : 'events' in read ? signalSql(raw, read, table) : ownSql(read, raw, table, listed.at);
  const from = isRaw
    ? `listed join "${table}" as t using (n) ${holder ? `left join "${holder.table}" as held on held.n = h` : ''}`
    : 'listed';
  const time = isRaw ? raw.time(table, 'events' in read ? read.events : null) : 'dated';
  const rows = `listed(n, h, k, role, told, dated) as (values ${values.join(',')}), rows as (
    select k, role, h, (${value})::${isText(read) ? 'varchar' : 'double'} as x, ${time} as time from ${from})`;
  const aggregate = aggregateSql(raw, read, listed);
  if (!isComparison(read)) return one(db, `with ${rows} ${aggregate}`);
  const [{ table: ownTable, row, value: toldValue }] = compared;
  const ownValue =
    toldValue === undefined ? `(select ${quoted(read.column)} from "${ownTable}" where n = ${row})` : told(toldValue);
  return one(db, `with ${rows} ${aggregate.replaceAll('$own', ownValue)}`);
}

export const quoted = (name: string) => `"${name}"`;
export const quotedText = (text: string) => `'${text.replaceAll("'", "''")}'`;

function isText(read: Read): boolean {
  if (read.kind === 'same') return true;
  return (read.kind === 'share' || read.kind === 'last_is' || read.kind === 'variety') && read.signal.kind === 'column';
}

/** The value of an event by its signal, from its own row or the one that holds it. */
function signalSql(raw: RawTables, read: Extract<Read, { events: Events }>, table: string): string {
  const signal: Signal | null =
    'signal' in read ? read.signal : 'column' in read ? { kind: 'column', path: [], column: read.column } : null;
  if (signal === null) return 'null';
  const held = 'path' in signal && (signal.path?.length ?? 0) > 0 ? 'held' : 't';
  const column = `${held}.${quoted(signal.column)}`;
  switch (signal.kind) {
    case 'reference':
      return 'h';
    case 'interval': {
      const start = signal.from === undefined ? raw.time(table, null) : `t.${quoted(signal.from)}`;
      return `(${column} - ${start}) / ${dayText}`;
    }
    case 'rank': {
      const time = (alias: string) => raw.time(table, null).replaceAll('t.', `${alias}.`);
      const siblings = `from ${table} as s where s.${quoted(signal.within)} = t.${quoted(signal.within)}
        and s.${quoted(signal.column)} is not null and ${time('s')} <= ${time('t')}`;
      const x = `s.${quoted(signal.column)}`;
      return signal.as === 'percentile'
        ? `(select (count(*) filter (${x} < ${column}) + (count(*) filter (${x} = ${column}) - 1) / 2) / (count(*) - 1) ${siblings})`
        : `(select (${column} - avg(${x})) / stddev_pop(${x}) ${siblings})`;
    }
    case 'column':
      return signal.word === undefined
        ? column
        : `list_contains(string_split(${column}, ' '), '${signal.word}')::integer`;
  }
}

function ownSql(read: Read, raw: RawTables, table: string, at: number): string {
  switch (read.kind) {
    case 'age':
      return `(${at}::double - (${raw.time(table, null)})) / ${dayText}`;
    case 'interval':
      return `(${at}::double - t.${quoted(read.column)}) / ${dayText}`;
    case 'attribute':
      return `t.${quoted(read.column)}`;
    case 'attribute_is':
      return `(t.${quoted(read.column)} = '${read.value}')::integer`;
    case 'length':
      return `length(t.${quoted(read.column)})`;
    case 'category':
      return `case t.${quoted(read.column)} ${read.values.map((value, k) => `when '${value}' then ${k}`).join(' ')} else ${read.values.length} end`;
    default:
      throw new Error(`${read.kind} is no value of a row`);
  }
}

function aggregateSql(raw: RawTables, read: Read, { at, readableUntil }: ListedFeature): string {
  const until = `${readableUntil}::double`;
  const inSpan = "filter (role = 'read')";
  switch (read.kind) {
    case 'count':
      return 'select count(*) from rows';
    case 'rate': {
      if ('season' in read.span) {
        const lasted = Math.min(yearDays, read.span.since - (at - readableUntil) / day);
        return `select count(*) ${inSpan} / ${read.span.season}::double / (count(*) / ${lasted}::double) from rows`;
      }
      const lived = `greatest((${until} - min(time)) / ${dayText}, 1)`;
      const { days } = read.span as { days: number };
      return `select count(*) ${inSpan} / least(${days}, ${lived}) / (count(*) / ${lived}) from rows`;
    }
    case 'since':
      return `select (${until} - time) / ${dayText} from rows`;
    case 'gap': {
      const gaps = `select (time - lag(time) over (order by time)) / ${dayText} as gap from rows`;
      return `select ${read.as === 'mean' ? 'avg' : 'stddev_pop'}(gap) from (${gaps})`;
    }
    case 'share':
    case 'last_is':
      return `select avg((x = '${read.value}')::integer) from rows`;
    case 'variety':
      if (read.as === 'distinct') return 'select count(distinct x) from rows';
      if (read.as === 'entropy')
        return 'select -sum(c / total * ln(c / total)) from (select count(*)::double as c, sum(count(*)) over ()::double as total from rows group by x)';
      return 'select avg((x <> before)::integer) from (select x, lag(x) over (order by k desc) as before from rows) where before is not null';
    case 'against': {
      const difference = '$own - avg(x)';
      return `select ${read.as === 'difference' ? difference : `(${difference}) / stddev_samp(x)`} from rows`;
    }
    case 'same':
      return 'select avg((x = $own)::integer) from rows';
    case 'number':
      return numberSql(read, () => raw.usual(read, readableUntil));
    default:
      return 'select x from rows';
  }
}

function numberSql({ aggregate }: Read & { kind: 'number' }, usual: () => string): string {
  const of = "from rows where role = 'read'";
  switch (aggregate) {
    case 'mean':
      return `select avg(x) ${of}`;
    case 'sum':
      return `select sum(x) ${of}`;
    case 'sd':
      return `select stddev_samp(x) ${of}`;
    case 'min':
    case 'max':
      return `select ${aggregate}(x) ${of}`;
    case 'last':
      return `select x ${of}`;
    case 'trend':
      return `select (select x from rows order by k limit 1) - avg(x) ${of}`;
    case 'slope':
      return `select regr_slope(x, (time - (select min(time) from rows)) / ${dayText}) ${of}`;
    case 'swing':
      return `select avg(x) filter (role = 'read') - avg(x) from rows`;
    case 'smoothed':
      return `select (sum(x) + 10 * (${usual()})) / (count(*) + 10) ${of}`;
  }
}
