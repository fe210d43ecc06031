/**
 * The rows that are listed of a feature, held against two things that know nothing of how they were found: plain SQL
 * over the raw tables, which computes the feature's value from the listed rows alone; and the rows that the definitions
 * of `tests/support/brute-force` choose by looking at every row.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Data, day, draws, sampleTables } from '../../../tests/samples.ts';
import { answer } from '../../../tests/support/brute-force/answer.ts';
import { customerFeatures, paymentFeatures } from '../../../tests/support/brute-force/features.ts';
import { arrival, history, type Question, within } from '../../../tests/support/brute-force/history.ts';
import { type Asked, askCustomers, askPayments } from '../../../tests/support/brute-force/questions.ts';
import { makeWorld, type Shape, shapes } from '../../../tests/support/brute-force/samples.ts';
import { signalAt } from '../../../tests/support/brute-force/signals.ts';
import { subjects } from '../../../tests/support/brute-force/subjects.ts';
import type { World } from '../../../tests/support/brute-force/world.ts';
import { openDuckDb } from '../../lib/duckdb/duckdb.ts';
import type { Signal } from '../events/signals.ts';
import type { Tables } from '../graph/tables.ts';
import { evaluate } from './evaluate.ts';
import { allTable, type Events, type Feature, isComparison, type Read, yearDays, yearOf } from './feature.ts';
import { openGraph } from './graph.ts';
import { type FeatureRows, type ReadRow, rowsOf } from './rows.ts';
import type { Anchors } from './state.ts';

type Database = Awaited<ReturnType<typeof openDuckDb>>;
const everything = { from: 0, to: 1e9 };
const casesPerWorld = 60;
const worlds = 12;

test('the listed rows give the value by plain SQL, are those of the definition, and were known by then', async () => {
  const kinds = new Map<string, number>();
  let cases = 0;
  for (const shape of fc.sample(shapes, { numRuns: worlds, seed: 7 })) {
    const world = makeWorld(shape);
    const tables = sampleTables(world.contract, world.data);
    const db = await openDuckDb();
    try {
      await load(db, world);
      for (const { feature, asked, anchors } of drawCases(world, shape, tables)) {
        const found = rowsOf(openGraph(tables), feature, anchors, everything);
        const about = JSON.stringify({ shape, feature, asked });
        const [modelled] = evaluate(openGraph(tables), [feature], anchors).values;
        expect(Math.fround(found.value), about).toBe(modelled);
        const expected = answer(world, feature, asked.root, asked.question);
        const told = await byListed(db, { shape, feature, found, question: asked.question });
        const slack = Math.abs(expected.value) * 1e-9 + expected.scale * 1e-12;
        expect(Math.abs(told - found.value), `${told} for ${found.value} of ${about}`).toBeLessThanOrEqual(slack);
        expectDefined(world, feature, found, asked, about);
        expectKnown(world, found, asked, about);
        expectPaged(tables, feature, anchors, found);
        const kind = `${feature.focus.kind} ${'aggregate' in feature.read ? feature.read.aggregate : feature.read.kind}`;
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        cases++;
      }
    } finally {
      db.close();
    }
  }
  expect(cases).toBeGreaterThanOrEqual(400);
  const met = [...kinds.keys()].map((kind) => kind.split(' ')[1]);
  for (const kind of [
    ...['attribute', 'attribute_is', 'category', 'length', 'interval', 'age', 'count', 'rate', 'since', 'gap'],
    ...['mean', 'sum', 'sd', 'min', 'max', 'last', 'trend', 'slope', 'swing', 'smoothed'],
    ...['share', 'last_is', 'variety', 'against', 'same'],
  ])
    expect(met, [...kinds.keys()].join()).toContain(kind);
  for (const focus of ['root', 'parent', 'last', 'recent'])
    expect(
      [...kinds.keys()].some((kind) => kind.startsWith(`${focus} `)),
      focus,
    ).toBe(true);
});

test('of all rows together it is told how many they are and of when, and none is listed', () => {
  let cases = 0;
  for (const shape of fc.sample(shapes, { numRuns: worlds, seed: 3 })) {
    const world = makeWorld(shape);
    const tables = sampleTables(world.contract, world.data);
    const features = customerFeatures(false).filter(({ focus, read }) => focus.kind === 'all' && read.kind === 'count');
    for (const asked of askCustomers(world, shape, tables))
      for (const feature of features) {
        const found = rowsOf(openGraph(tables), feature, anchorsOf(tables, 'customer', asked), everything);
        if (Number.isNaN(found.value)) continue;
        const { read } = feature as { read: Read & { kind: 'count' } };
        const all = history(world, read.events, { table: allTable, key: 0 }, asked.question);
        const expected = within(all, read.span, asked.question);
        expect(found).toMatchObject({ count: 0, rows: [] });
        expect(found.whole).toMatchObject({
          rows: expected.length,
          from: expected[0]?.time ?? Number.NaN,
          until: expected.at(-1)?.time ?? Number.NaN,
        });
        cases++;
      }
  }
  expect(cases).toBeGreaterThan(50);
});

type Case = { readonly feature: Feature; readonly asked: Asked; readonly anchors: Anchors };

function drawCases(world: World, shape: Shape, tables: Tables): Case[] {
  const draw = draws(shape.seed + 9);
  const sources = [
    { table: 'customer', features: customerFeatures(!shape.versioned), asked: askCustomers(world, shape, tables) },
    { table: 'payment', features: paymentFeatures(!shape.versioned), asked: askPayments(world, shape, tables) },
  ].map((source) => ({ ...source, features: source.features.filter((feature) => isListed(feature, shape)) }));
  const cases: Case[] = [];
  for (let tries = 0; tries < 40 * casesPerWorld && cases.length < casesPerWorld; tries++) {
    const { table, features, asked: questions } = draw.pick(sources);
    if (questions.length === 0) continue;
    // Kinds that there are few of are drawn as often as others.
    const byKind = Map.groupBy(features, ({ read }) => ('aggregate' in read ? read.aggregate : read.kind));
    const feature = draw.pick(draw.pick([...byKind.values()]));
    const asked = draw.pick(questions);
    const anchors = anchorsOf(tables, table, asked);
    if (!Number.isNaN(evaluate(openGraph(tables), [feature], anchors).values[0]))
      cases.push({ feature, asked, anchors });
  }
  return cases;
}

/** Not those of no rows or of all rows; nor those whose moments the SQL here does not say. */
function isListed({ focus, read }: Feature, shape: Shape): boolean {
  if (read.kind === 'calendar' || read.kind === 'data_age' || focus.kind === 'all') return false;
  if (!('events' in read)) return true;
  const needsTimes =
    ['rate', 'since', 'gap'].includes(read.kind) || ('aggregate' in read && read.aggregate === 'slope');
  return !needsTimes || (read.events.when === undefined && !shape.versioned);
}

function anchorsOf(tables: Tables, table: string, { row, question }: Asked): Anchors {
  const fresh = table === 'payment';
  return {
    table: tables.get(table)!,
    fresh,
    rows: Int32Array.of(row),
    own: Int32Array.of(fresh ? row : -1),
    ownTable: table,
    at: Float64Array.of(question.at),
    readableUntil: Float64Array.of(question.readableUntil),
  };
}

/** Each raw table, with the number of each row. */
async function load(db: Database, { contract, data }: { contract: World['contract']; data: Data }): Promise<void> {
  const literal = (value: unknown) => {
    if (value === null || value === undefined) return 'null';
    return typeof value === 'number' ? `${value}::double` : `'${String(value).replaceAll("'", "''")}'`;
  };
  for (const { name, columns } of contract.tables) {
    const typed = columns.map((column) => `"${column.name}" ${column.type === 'string' ? 'varchar' : 'double'}`);
    await db.run(`create table ${name} (n integer, ${typed.join(', ')})`);
    const rows = data[name].map(
      (row, n) => `(${[n, ...columns.map((column) => literal(row[column.name]))].join(',')})`,
    );
    if (rows.length > 0) await db.run(`insert into ${name} values ${rows.join(',')}`);
  }
}

type Listed = {
  readonly shape: Shape;
  readonly feature: Feature;
  readonly found: FeatureRows;
  readonly question: Question;
};

/** The value by SQL from the listed rows: of each subject, and of several their mean, by how recent they were met. */
async function byListed(db: Database, listed: Listed): Promise<number> {
  const { feature, found } = listed;
  const { focus } = feature;
  const values: number[] = [];
  for (const [of, { value }] of found.subjects.entries())
    values.push(Number.isNaN(value) ? Number.NaN : await ofSubject(db, listed, of));
  if (focus.kind !== 'recent') return values[0];
  const leads = found.rows.filter(({ role, table }) => role === 'leads' && table.name === focus.events.table);
  const decay = leads[0].table.time ? 0.9 : 1;
  const weighted = leads.map(({ of }, k) => `(${of}, power(${decay}::double, ${k}))`);
  const known = values.flatMap((value, of) => (Number.isNaN(value) ? [] : [`(${of}, ${value}::double)`]));
  return one(
    db,
    `with met(o, weight) as (values ${weighted.join(',')}), read(o, value) as (values ${known.join(',')})
     select sum(weight * value) / sum(weight) from met join read using (o)`,
  );
}

async function one(db: Database, sql: string): Promise<number> {
  const [[value]] = await db.texts(`select (${sql})::varchar`);
  return value === null ? Number.NaN : Number(value);
}

const dayText = `${day}::double`;

async function ofSubject(
  db: Database,
  { shape, feature: { read }, found, question }: Listed,
  of: number,
): Promise<number> {
  const own = found.rows.filter((row) => row.of === of && row.role !== 'leads');
  if (own.length === 0) {
    if (read.kind === 'count') return 0;
    expect(read, 'what is read of no rows').toMatchObject({ kind: 'number', aggregate: 'smoothed' });
    return one(db, usualSql(read as Read & { kind: 'number' }, `${question.readableUntil}::double`));
  }
  const compared = own.filter(({ role }) => role === 'own');
  const events = own.filter(({ role }) => role !== 'own');
  const listed = `listed(n, h, k, role) as (values ${(events.length > 0 ? events : own)
    .map(({ row, holder, role }, k) => `(${row}, ${holder?.row ?? -1}, ${k}, '${role}')`)
    .join(',')})`;
  const [{ table }] = events.length > 0 ? events : own;
  const time = timeSql(shape, table.name, 'events' in read ? read.events : null);
  const holder = (events[0] ?? own[0]).holder?.table.name;
  const value = 'events' in read ? signalSql(shape, read, table.name) : ownSql(read, shape, table.name, question);
  const rows = `${listed}, rows as (
    select k, role, h, (${value})::${isText(read) ? 'varchar' : 'double'} as x, ${time} as time
    from listed join ${table.name} as t using (n) ${holder ? `left join ${holder} as held on held.n = h` : ''})`;
  const aggregate = aggregateSql(read, question);
  if (!isComparison(read)) return one(db, `with ${rows} ${aggregate}`);
  const ownValue = `(select ${quoted(read.column)} from ${compared[0].table.name} where n = ${compared[0].row})`;
  return one(db, `with ${rows} ${aggregate.replaceAll('$own', ownValue)}`);
}

const quoted = (name: string) => `"${name}"`;

function isText(read: Read): boolean {
  if (read.kind === 'same') return true;
  return (read.kind === 'share' || read.kind === 'last_is' || read.kind === 'variety') && read.signal.kind === 'column';
}

/** When an event happened for whom it leads to: at its own time, and not before the rows on the way were there. */
function timeSql({ byDay }: Shape, table: string, events: Events | null): string {
  const paid = (alias: string) => (byDay ? `(${alias}.paid + ${dayText} - 1)` : `${alias}.paid`);
  const own: Record<string, string> = {
    payment: paid('t'),
    account: 't.since',
    customer: `(t.opened + ${dayText} - 1)`,
    line: `(select max(${paid('p')}) from payment as p where p.payment_id = t.payment_id)`,
  };
  const since: Record<string, string> = {
    payment: '(select a.since from account as a where a.account_id = t.account_id)',
    account: `(select c.opened + ${dayText} - 1 from customer as c where c.customer_id = t.customer_id)`,
  };
  if (own[table] === undefined) return 'null';
  return (events?.via.length ?? 0) > 1 && since[table] ? `greatest(${own[table]}, ${since[table]})` : own[table];
}

/** The value of an event by its signal, from its own row or the one that holds it. */
function signalSql(shape: Shape, read: Extract<Read, { events: Events }>, table: string): string {
  const signal: Signal | null =
    'signal' in read ? read.signal : 'column' in read ? { kind: 'column', path: [], column: read.column } : null;
  if (signal === null) return 'null';
  const held = 'path' in signal && (signal.path?.length ?? 0) > 0 ? 'held' : 't';
  const column = `${held}.${quoted(signal.column)}`;
  switch (signal.kind) {
    case 'reference':
      return 'h';
    case 'interval': {
      const start = signal.from === undefined ? timeSql(shape, table, null) : `t.${quoted(signal.from)}`;
      return `(${column} - ${start}) / ${dayText}`;
    }
    case 'rank': {
      const time = (alias: string) => timeSql(shape, table, null).replaceAll('t.', `${alias}.`);
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

function ownSql(read: Read, shape: Shape, table: string, { at }: Question): string {
  switch (read.kind) {
    case 'age':
      return `(${at}::double - (${timeSql(shape, table, null)})) / ${dayText}`;
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

function aggregateSql(read: Read, { at, readableUntil }: Question): string {
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
      return numberSql(read, until);
    default:
      return 'select x from rows';
  }
}

function numberSql({ aggregate, events, signal }: Read & { kind: 'number' }, until: string): string {
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
      return `select (sum(x) + 10 * (${usualSql({ events, signal }, until)})) / (count(*) + 10) ${of}`;
  }
}

function usualSql({ events, signal }: Pick<Read & { kind: 'number' }, 'events' | 'signal'>, until: string): string {
  return `select avg(${quoted(signal.column)}) from ${events.table} where since <= ${until}`;
}

/** Of events, the rows are those that the definition chooses: no more, no fewer. */
function expectDefined(world: World, { focus, read }: Feature, found: FeatureRows, asked: Asked, about: string): void {
  if (!('events' in read) || focus.kind === 'recent' || read.kind === 'rating') return;
  const { question } = asked;
  const { events } = read;
  const parent = { kind: 'parent', of: focus, reference: events.via[0] } as const;
  const [{ subject }] = subjects(world, isComparison(read) ? parent : focus, asked.root, question);
  const all = history(world, events, subject, question);
  const signal: Signal | null =
    'signal' in read ? read.signal : 'column' in read ? { kind: 'column', path: [], column: read.column } : null;
  const filled = (among: typeof all) =>
    signal
      ? among.filter(({ row }) => signalAt(world, events.table, row, signal, question.readableUntil) !== null)
      : among;
  const spanned = 'span' in read ? within(all, read.span, question) : all;
  const expected = (() => {
    if (read.kind === 'rate') return 'season' in read.span ? within(all, yearOf(read.span), question) : all;
    if (read.kind === 'since') return read.which === 'last' ? all.slice(-1) : all.slice(0, 1);
    if (read.kind === 'gap') return all.slice(-10);
    if (read.kind === 'last_is') return all.slice(-1);
    if (read.kind === 'variety') return filled(spanned.slice(-100));
    if (read.kind === 'number' && read.aggregate === 'last') return filled(all).slice(-1);
    if (read.kind === 'number' && read.aggregate === 'swing' && 'season' in read.span)
      return filled(within(all, yearOf(read.span), question));
    if (read.kind === 'number' && read.aggregate === 'trend')
      return [...new Set([...filled(spanned), ...filled(all).slice(-1)])];
    return filled(spanned);
  })();
  const numbers = (rows: readonly number[]) => [...rows].sort((a, b) => a - b);
  const listed = found.rows.filter(({ role }) => role === 'read' || role === 'compared').map(({ row }) => row);
  const raw = world.data[events.table];
  expect(numbers(listed), about).toEqual(numbers(expected.map(({ row }) => raw.indexOf(row))));
}

function expectKnown(world: World, { rows }: FeatureRows, { root, question }: Asked, about: string): void {
  const until = root?.row ? arrival(world, root, question) : question.readableUntil;
  for (const { known } of rows) expect(known, about).toBeLessThanOrEqual(until);
}

/** Pages of the list are pieces of it. */
function expectPaged(tables: Tables, feature: Feature, anchors: Anchors, { rows, count }: FeatureRows): void {
  const place = ({ row, of, role }: ReadRow) => [row, of, role];
  expect(count).toBe(rows.length);
  const middle = Math.floor(count / 2);
  const pages = [
    { from: 0, to: middle },
    { from: middle, to: count + 5 },
  ].flatMap((slice) => rowsOf(openGraph(tables), feature, anchors, slice).rows);
  expect(pages.map(place)).toEqual(rows.map(place));
}
