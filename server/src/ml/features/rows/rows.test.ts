/**
 * The rows that are listed of a feature, held against two things that know nothing of how they were found: plain SQL
 * over the raw tables, which computes the feature's value from the listed rows alone; and the rows that the definitions
 * of `tests/support/brute-force` choose by looking at every row.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { at, type Data, day, draws, sampleContract, sampleTables } from '../../../../tests/samples.ts';
import { answer } from '../../../../tests/support/brute-force/answer.ts';
import { customerFeatures, paymentFeatures } from '../../../../tests/support/brute-force/features.ts';
import { arrival, history, type Question, within } from '../../../../tests/support/brute-force/history.ts';
import { type Asked, askCustomers, askPayments } from '../../../../tests/support/brute-force/questions.ts';
import { makeWorld, type Shape, shapes } from '../../../../tests/support/brute-force/samples.ts';
import { signalAt } from '../../../../tests/support/brute-force/signals.ts';
import { subjects } from '../../../../tests/support/brute-force/subjects.ts';
import type { World } from '../../../../tests/support/brute-force/world.ts';
import { quoted, type RawTables, valueByListed } from '../../../../tests/support/rows-sql.ts';
import { openDuckDb } from '../../../lib/duckdb/duckdb.ts';
import type { Signal } from '../../events/signals.ts';
import type { Tables } from '../../graph/tables.ts';
import { parseTask } from '../../tasks/parse-task.ts';
import { withLabels } from '../anchors.ts';
import { evaluate } from '../evaluate.ts';
import {
  allTable,
  type Events,
  type Feature,
  type Focus,
  isComparison,
  labelsTable,
  type Read,
  yearOf,
} from '../feature.ts';
import { openGraph } from '../graph.ts';
import type { Anchors } from '../state.ts';
import type { ReadRow, RowPlace } from './read-row.ts';
import { type FeatureRows, rowsOf } from './rows.ts';

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
    const db = await openDuckDb({ threads: 1 });
    try {
      await load(db, world);
      for (const { feature, asked, anchors } of drawCases(world, shape, tables)) {
        const found = rowsOf(openGraph(tables), feature, anchors, everything);
        const about = JSON.stringify({ shape, feature, asked });
        const [modelled] = evaluate(openGraph(tables), [feature], anchors).values;
        expect(Math.fround(found.value), about).toBe(modelled);
        const expected = answer(world, feature, asked.root, asked.question);
        const told = await byListed(db, shape, feature, found, asked.question);
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

test('known outcomes are listed from when they were known on, and of what reads all of them it is told how many', () => {
  const contract = sampleContract([
    { name: 'club', key: 'club_id', columns: { club_id: 'string' } },
    {
      name: 'match',
      key: 'match_id',
      time: 'played',
      references: { home: 'club', guest: 'club' },
      columns: { match_id: 'integer', home: 'string', guest: 'string', played: 'date', report: 'string' },
    },
  ]);
  const draw = draws(3);
  const clubs = ['a', 'b', 'c'];
  const match = Array.from({ length: 40 }, (_, k) => {
    const [home, guest] = draw.shuffle(clubs);
    return { match_id: k, home, guest, played: at('2024-01-01') + k * day, report: draw.pick(['mud and rain', 'sun']) };
  });
  const won = match.map(() => draw.between(0, 1));
  const tables = sampleTables(contract, { club: clubs.map((club_id) => ({ club_id })), match });
  const task = parseTask('entity: match\nkey: match_id\nlabel: won\nkind: binary\nwindow: 3d\n', 'wins', 'task.yaml');
  const closes = match.map(({ played }) => played + 3 * day);
  const examples = {
    rows: Int32Array.from(match.keys()),
    at: Float64Array.from(match, ({ played }) => played),
    labels: Float64Array.from(won),
    closes: Float64Array.from(closes),
  };
  const graph = withLabels(task, tables, examples, true, { kind: 'binary', metric: 'auroc', classes: [] });
  const home: Focus = { kind: 'parent', of: { kind: 'root' }, reference: 'home' };
  const events: Events = { table: labelsTable, via: ['entity', 'home'] };
  const signal: Signal = { kind: 'column', path: [], column: 'label' };
  const number = (aggregate: 'mean' | 'sum' | 'last' | 'smoothed') =>
    ({ kind: 'number', events, signal, span: { all: true }, aggregate }) as const;
  const asked = 30;
  const until = match[asked].played;
  const anchors = anchorsOf(graph.tables, 'match', {
    root: null,
    row: asked,
    question: { at: until, readableUntil: until, own: asked, ownTable: 'match' },
  });
  const ask = (feature: Feature) =>
    rowsOf(graph, feature, { ...anchors, fresh: true, own: Int32Array.of(asked) }, everything);
  const known = [...match.keys()].filter((k) => closes[k] <= until);
  const own = known.filter((k) => match[k].home === match[asked].home);
  expect(own.length).toBeGreaterThan(3);
  for (const [aggregate, value] of [
    ['sum', own.reduce((sum, k) => sum + won[k], 0)],
    ['mean', own.reduce((sum, k) => sum + won[k], 0) / own.length],
    ['last', won[own.at(-1)!]],
  ] as const) {
    const found = ask({ focus: home, read: number(aggregate) });
    expect(found.value).toBeCloseTo(value, 12);
    const expected = aggregate === 'last' ? own.slice(-1) : own;
    expect(found.rows.map(({ table, row, value, known: since }) => [table.name, row, value, since])).toEqual(
      expected.toReversed().map((k) => [labelsTable, k, won[k], closes[k]]),
    );
  }
  const smoothed = ask({ focus: home, read: number('smoothed') });
  const mean = known.reduce((sum, k) => sum + won[k], 0) / known.length;
  expect(smoothed.whole).toMatchObject({ rows: known.length, from: closes[0], until: closes[known.at(-1)!] });
  expect(smoothed.whole!.mean).toBeCloseTo(mean, 12);
  expect(smoothed.value).toBeCloseTo((own.reduce((sum, k) => sum + won[k], 0) + 10 * mean) / (own.length + 10), 12);
  // Strengths and words are of all outcomes: the case's own are listed, and all are counted.
  const strength = ask({ focus: home, read: { kind: 'rating', events, against: 'guest', as: 'lasting' } });
  const games = known.filter((k) => [match[k].home, match[k].guest].includes(match[asked].home));
  expect(strength.rows.map(({ row }) => row).sort((a, b) => a - b)).toEqual(games);
  expect(strength.whole!.rows).toBe(known.length);
  const words = ask({
    focus: { kind: 'root' },
    read: { kind: 'words', column: 'report', via: ['entity'], as: 'mean' },
  });
  expect(words.rows).toMatchObject([{ row: asked, column: 'report', value: match[asked].report }]);
  expect(words.whole!.rows).toBe(known.length);
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

/** The value from the listed rows, by the raw tables alone. */
function byListed(db: Database, shape: Shape, feature: Feature, found: FeatureRows, question: Question) {
  const place = ({ table, row }: RowPlace) => ({ table: table.name, row });
  const rows = found.rows.map((one) => ({
    ...{ ...place(one), role: one.role, of: one.of },
    holder: one.holder && place(one.holder),
  }));
  const subjects = found.subjects.map(({ value }) => !Number.isNaN(value));
  const raw: RawTables = {
    has: () => true,
    time: (table, events) => timeSql(shape, table, events),
    usual: ({ events, signal }, until) =>
      `select avg(${quoted(signal.column)}) from ${events.table} where since <= ${until}::double`,
  };
  return valueByListed(db, raw, { feature, rows, subjects, ...question });
}

const dayText = `${day}::double`;

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
