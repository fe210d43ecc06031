/**
 * Every feature is computed a second time here, by plain loops over the raw rows and by the definitions alone: what was
 * known at the limit, in order of time. The engine's index, blocks, cursors and caches must not show.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Data,
  type Draw,
  day,
  at as dayAt,
  draws,
  type Row,
  sampleContract,
  sampleTables,
  type Value,
} from '../../../tests/samples.ts';
import type { Contract, TableContract } from '../contract/contract.ts';
import type { Signal } from '../events/signals.ts';
import type { Table, Tables } from '../graph/tables.ts';
import { type Anchors, evaluate, openProgram } from './evaluate.ts';
import {
  type Aggregate,
  allTable,
  type Comparison,
  type Events,
  type Feature,
  type Focus,
  isComparison,
  type Read,
  type Span,
} from './feature.ts';
import { openGraph } from './graph.ts';

type World = { readonly contract: Contract; readonly data: Data; readonly known: Map<string, unknown> };

/** What a function of the world said before, since most features ask the same. */
function once<V>({ known }: World, key: string, make: () => V): V {
  if (!known.has(key)) known.set(key, make());
  return known.get(key) as V;
}

/** Whose state is read: a row by its key, or a new row as it stands; null leads nowhere. */
type Subject = {
  readonly table: string;
  readonly key: Value;
  readonly row?: Row;
  /** How far the row itself may be read, where not the limit. */
  readonly reach?: number;
} | null;

type Question = {
  readonly at: number;
  readonly limit: number;
  /** The key of the anchor's own row in `ownTable`, kept out of every history. */
  readonly own: Value;
  readonly ownTable: string;
};

/** A feature's value, and the size of the numbers it was made from: cancellation leaves errors of their size. */
type Answer = { readonly value: number; readonly scale: number };

const none: Answer = { value: Number.NaN, scale: 0 };
const exactly = (value: number): Answer => ({ value, scale: 0 });

function tableOf(world: World, name: string): TableContract {
  return world.contract.tables.find((table) => table.name === name)!;
}

/** When a date or timestamp was there to be read: a day when it is over. */
function momentOf(table: TableContract, row: Row, column: string): number {
  const value = row[column] ?? null;
  if (value === null) return Number.NaN;
  return table.columns.find(({ name }) => name === column)!.type === 'date' ? Number(value) + day - 1 : Number(value);
}

function timeOf(world: World, table: TableContract, row: Row): number {
  const times = once(world, `times ${table.name}`, () => new Map<Row, number>());
  if (!times.has(row)) times.set(row, findTime(world, table, row));
  return times.get(row)!;
}

function findTime(world: World, table: TableContract, row: Row): number {
  if (!table.time) return Number.NEGATIVE_INFINITY;
  if ('column' in table.time) return momentOf(table, row, table.time.column);
  const { reference, offset } = table.time;
  const target = table.references.find(({ column }) => column === reference)!.table;
  const parent = world.data[target].find((other) => other[tableOf(world, target).key[0]] === row[reference]);
  return parent ? timeOf(world, tableOf(world, target), parent) + offset : Number.NaN;
}

/** When a row, or this version of it, was there to be read. */
function readableFrom(world: World, table: TableContract, row: Row): number {
  const time = timeOf(world, table, row);
  const sent = table.knownAt === undefined ? Number.NaN : momentOf(table, row, table.knownAt);
  return Number.isNaN(sent) ? time : Math.max(sent, time);
}

/** The rows of a table as they stood at a moment: of each key the version last sent. */
function rowsAsOf(world: World, name: string, limit: number): Row[] {
  return once(world, `as of ${name} ${limit}`, () => findRowsAsOf(world, name, limit));
}

function findRowsAsOf(world: World, name: string, limit: number): Row[] {
  const table = tableOf(world, name);
  const readable = world.data[name].filter((row) => readableFrom(world, table, row) <= limit);
  if (table.knownAt === undefined) return readable;
  const newest = new Map<Value, Row>();
  for (const row of readable) {
    const key = row[table.key[0]];
    const other = newest.get(key);
    if (!other || readableFrom(world, table, row) >= readableFrom(world, table, other)) newest.set(key, row);
  }
  return readable.filter((row) => newest.get(row[table.key[0]]) === row);
}

function rowAsOf(world: World, name: string, key: Value, limit: number): Row | null {
  return once(
    world,
    `row ${name} ${key} ${limit}`,
    () => rowsAsOf(world, name, limit).find((row) => row[tableOf(world, name).key[0]] === key) ?? null,
  );
}

function exists(world: World, name: string, key: Value): boolean {
  return once(
    world,
    `exists ${name} ${key}`,
    () => key !== null && world.data[name].some((row) => row[tableOf(world, name).key[0]] === key),
  );
}

/** The first of a row's versions: what it says of where it belongs. */
function firstVersion(world: World, name: string, key: Value): Row | null {
  return once(world, `first ${name} ${key}`, () => findFirstVersion(world, name, key));
}

function findFirstVersion(world: World, name: string, key: Value): Row | null {
  const table = tableOf(world, name);
  let first: Row | null = null;
  for (const row of world.data[name]) {
    if (row[table.key[0]] !== key || Number.isNaN(readableFrom(world, table, row))) continue;
    if (first === null || readableFrom(world, table, row) < readableFrom(world, table, first)) first = row;
  }
  return first;
}

/** Whether a reference leads to a row that is there by then; a row that nothing dates always is. */
function leads(world: World, name: string, key: Value, limit: number): boolean {
  return exists(world, name, key) && linkedSince(world, name, key) <= limit;
}

function linkedSince(world: World, name: string, key: Value): number {
  const table = tableOf(world, name);
  const moments = world.data[name]
    .filter((row) => row[table.key[0]] === key)
    .map((row) => readableFrom(world, table, row))
    .filter((moment) => !Number.isNaN(moment));
  return moments.length === 0 ? Number.NEGATIVE_INFINITY : Math.min(...moments);
}

/** The key that a row leads to by references, and the moment since when all rows on the way were readable. */
function follow(world: World, events: Events, row: Row): { key: Value; since: number } {
  let table = tableOf(world, events.table);
  let here = row;
  let since = timeOf(world, table, row);
  for (const [step, column] of events.via.entries()) {
    if (column === allTable) return { key: 0, since };
    const target = table.references.find((reference) => reference.column === column)!.table;
    const key = here[column] ?? null;
    if (!exists(world, target, key)) return { key: null, since };
    if (step === events.via.length - 1) return { key, since };
    table = tableOf(world, target);
    since = Math.max(since, linkedSince(world, target, key));
    here =
      firstVersion(world, target, key) ??
      world.data[target].find((other) => other[tableOf(world, target).key[0]] === key)!;
  }
  throw new Error('events lead somewhere');
}

type Event = { readonly row: Row; readonly time: number };

function history(world: World, events: Events, subject: Subject, question: Question): readonly Event[] {
  if (!subject || subject.key === null) return [];
  const { at, limit, own } = question;
  const asked = `${subject.table} ${subject.key} ${at} ${limit} ${own}`;
  const key = `history ${events.arriving} ${events.table} ${events.via} ${asked}`;
  return once(world, key, () => findHistory(world, events, subject, question));
}

/** Until when what came with a new row was there: no later than on the day that begins with the anchor. */
function arrival(world: World, { table, row }: Subject & {}, { at, limit }: Question): number {
  const moment = timeOf(world, tableOf(world, table), row!);
  return moment > limit && moment < at + day ? moment : limit;
}

function findHistory(world: World, events: Events, subject: Subject & {}, question: Question): Event[] {
  const { own, ownTable } = question;
  const limit = events.arriving ? arrival(world, subject, question) : question.limit;
  const table = tableOf(world, events.table);
  const found: Event[] = [];
  for (const row of rowsAsOf(world, events.table, limit)) {
    if (events.table === ownTable && own !== null && row[table.key[0]] === own) continue;
    const { key, since } = follow(world, events, row);
    if (key === subject.key && since <= limit) found.push({ row, time: since });
  }
  const position = (row: Row) => world.data[events.table].indexOf(row);
  return found.sort((a, b) => {
    if (a.time !== b.time) return a.time - b.time;
    for (const name of table.key) {
      const [left, right] = [a.row[name]!, b.row[name]!];
      if (left !== right) return left < right ? -1 : 1;
    }
    return position(a.row) - position(b.row);
  });
}

function within(events: readonly Event[], span: Span, limit: number): Event[] {
  if ('all' in span) return [...events];
  if ('last' in span) return events.slice(-span.last);
  return events.filter(({ time }) => time > limit - span.days * day);
}

function signalAt(world: World, name: string, row: Row, signal: Signal, limit: number): Value {
  const said = once(world, `signal ${name} ${JSON.stringify(signal)} ${limit}`, () => new Map<Row, Value>());
  if (!said.has(row)) said.set(row, findSignal(world, name, row, signal, limit));
  return said.get(row) ?? null;
}

function findSignal(world: World, name: string, row: Row, signal: Signal, limit: number): Value {
  const table = tableOf(world, name);
  const time = timeOf(world, table, row);
  switch (signal.kind) {
    case 'reference': {
      const target = table.references.find(({ column }) => column === signal.column)!.table;
      return leads(world, target, row[signal.column], limit) ? row[signal.column] : null;
    }
    case 'interval': {
      const value = readDate(table, row, signal.column, limit);
      return value === null ? null : (value - time) / day;
    }
    case 'rank': {
      const ranks = once(world, `rank ${JSON.stringify(signal)}`, () => new Map<Row, number | null>());
      if (!ranks.has(row)) ranks.set(row, rank(world, table, row, signal));
      return ranks.get(row) ?? null;
    }
    case 'column': {
      let here = row;
      let owner = table;
      for (const step of signal.path) {
        const reference = owner.references.find(({ column }) => column === step)!;
        const target = tableOf(world, reference.table);
        const key = here[step] ?? null;
        // Of what has no date of its own, the parent is read as it first was, once it is there.
        const parent = table.time ? rowAsOf(world, target.name, key, time) : firstVersion(world, target.name, key);
        if (!parent || readableFrom(world, target, parent) > limit) return null;
        here = parent;
        owner = target;
      }
      const value = readColumn(owner, here, signal.column, limit);
      if (signal.word === undefined || value === null) return value;
      return String(value).split(' ').includes(signal.word) ? 1 : 0;
    }
  }
}

function readColumn(table: TableContract, row: Row, column: string, limit: number): Value {
  const { knownFrom } = table.columns.find(({ name }) => name === column)!;
  if (knownFrom !== undefined && !(momentOf(table, row, knownFrom) <= limit)) return null;
  return row[column] ?? null;
}

/** A date that has come, or that was planned. */
function readDate(table: TableContract, row: Row, column: string, limit: number): number | null {
  const { planned } = table.columns.find(({ name }) => name === column)!;
  const value = readColumn(table, row, column, limit);
  return value === null || !(planned || momentOf(table, row, column) <= limit) ? null : Number(value);
}

function rank(world: World, table: TableContract, row: Row, signal: Signal & { kind: 'rank' }): number | null {
  const { name: target } = tableOf(world, table.references.find(({ column }) => column === signal.within)!.table);
  const x = row[signal.column];
  if (x === null || !exists(world, target, row[signal.within])) return null;
  const time = timeOf(world, table, row);
  const siblings = world.data[table.name].filter(
    (other) =>
      other[signal.within] === row[signal.within] &&
      other[signal.column] !== null &&
      timeOf(world, table, other) <= time,
  );
  // Beyond this many, standing is told only of rows that came all at once.
  if (siblings.length > 256 && siblings.some((other) => timeOf(world, table, other) !== time)) return null;
  if (siblings.length < 2) return null;
  const values = siblings.map((other) => Number(other[signal.column]));
  if (signal.as === 'percentile') {
    const below = values.filter((value) => value < Number(x)).length;
    const equal = values.filter((value) => value === x).length - 1;
    return (below + equal / 2) / (values.length - 1);
  }
  const mean = average(values);
  const sd = Math.sqrt(average(values.map((value) => (value - mean) ** 2)));
  return sd > 0 ? (Number(x) - mean) / sd : null;
}

function average(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** The rows a focus stands on, with weights. */
function subjects(
  world: World,
  focus: Focus,
  root: Subject,
  question: Question,
): { subject: Subject; weight: number }[] {
  const one = (subject: Subject) => [{ subject, weight: 1 }];
  if (focus.kind === 'root') return one(root);
  if (focus.kind === 'all') return one({ table: allTable, key: 0 });
  const [{ subject: of }] = subjects(world, focus.of, root, question);
  if (focus.kind === 'parent') {
    if (!of) return one(null);
    const target = tableOf(world, of.table).references.find(({ column }) => column === focus.reference)!.table;
    const { at, limit } = question;
    const reach = of.row && limit >= at ? arrival(world, of, question) : (of.reach ?? limit);
    const row = of.row ?? rowAsOf(world, of.table, of.key, reach);
    const key = row?.[focus.reference] ?? null;
    return one(leads(world, target, key, reach) ? { table: target, key, reach } : null);
  }
  const source = tableOf(world, focus.events.table);
  const target = source.references.find(({ column }) => column === focus.to)!.table;
  const newest = history(world, focus.events, of, question).toReversed().slice(0, 32);
  const met: { subject: Subject; weight: number }[] = [];
  let weight = 1;
  for (const { row } of newest) {
    const key = row[focus.to];
    if (!leads(world, target, key, question.limit)) continue;
    met.push({ subject: { table: target, key }, weight });
    if (source.time) weight *= 0.9;
  }
  if (focus.kind === 'last') return met.length > 0 ? one(met[0].subject) : one(null);
  return met;
}

function answer(world: World, feature: Feature, root: Subject, question: Question): Answer {
  let sum = 0;
  let total = 0;
  let scale = 0;
  const all = subjects(world, feature.focus, root, question);
  if (feature.focus.kind !== 'recent') return read(world, feature.read, all[0].subject, question);
  for (const { subject, weight } of all) {
    const one = read(world, feature.read, subject, question);
    if (Number.isNaN(one.value)) continue;
    sum += weight * one.value;
    total += weight;
    scale = Math.max(scale, one.scale, Math.abs(one.value));
  }
  return total > 0 ? { value: sum / total, scale } : none;
}

function read(world: World, what: Read, subject: Subject, question: Question): Answer {
  const { at, limit } = question;
  if (what.kind === 'data_age') return exactly((at - limit) / day);
  if (what.kind === 'calendar') {
    const date = new Date(at / 1000);
    if (what.part === 'time') return exactly(at / day);
    return exactly(what.part === 'month' ? date.getUTCMonth() + 1 : date.getUTCDay());
  }
  if (!subject) return none;
  if (isComparison(what)) return compare(world, what, subject, question);
  if ('events' in what) return readEvents(world, what, subject, question);
  const table = tableOf(world, subject.table);
  const row = subject.row ?? rowAsOf(world, subject.table, subject.key, subject.reach ?? limit);
  if (!row) return none;
  if (what.kind === 'age') return table.time ? exactly((at - timeOf(world, table, row)) / day) : none;
  if (what.kind === 'interval') {
    const value = readDate(table, row, what.column, limit);
    return value === null ? none : exactly((at - value) / day);
  }
  if (what.kind === 'embedding') throw new Error('encoders have tests of their own');
  const value = readColumn(table, row, what.column, limit);
  if (value === null) return none;
  if (what.kind === 'attribute') return exactly(Number(value));
  if (what.kind === 'attribute_is') return exactly(value === what.value ? 1 : 0);
  return exactly(String(value).length);
}

/** A new row's own value against what the rows before it at its parent say. */
function compare(world: World, what: Comparison, subject: Subject & {}, question: Question): Answer {
  const { limit } = question;
  const [reference] = what.events.via;
  const own = readColumn(tableOf(world, subject.table), subject.row!, what.column, limit);
  const [{ subject: parent }] = subjects(world, { kind: 'parent', of: { kind: 'root' }, reference }, subject, question);
  if (own === null || !parent) return none;
  const values = within(history(world, what.events, parent, question), what.span, limit)
    .map(({ row }) => signalAt(world, what.events.table, row, column(what.column), limit))
    .filter((value) => value !== null);
  if (values.length === 0) return none;
  if (what.kind === 'same') return exactly(values.filter((value) => value === own).length / values.length);
  const x = values.map(Number);
  const difference = Number(own) - average(x);
  const scale = Math.max(Math.abs(Number(own)), ...x.map(Math.abs));
  if (what.as === 'difference') return { value: difference, scale };
  if (new Set(x).size < 2) return none;
  const sd = Math.sqrt((average(x.map((value) => (value - average(x)) ** 2)) * x.length) / (x.length - 1));
  // The error of the mean, and the relative error of the deviation that it leaves.
  return { value: difference / sd, scale: (scale / sd) * (1 + Math.abs(difference / sd)) };
}

type EventRead = Exclude<Extract<Read, { events: Events }>, Comparison>;

function readEvents(world: World, what: EventRead, subject: Subject, question: Question): Answer {
  const { limit } = question;
  const events = history(world, what.events, subject, question);
  const inSpan = 'span' in what ? within(events, what.span, limit) : events;
  switch (what.kind) {
    case 'count':
      return exactly(inSpan.length);
    case 'since':
      if (events.length === 0) return none;
      return exactly((limit - (what.which === 'last' ? events.at(-1)! : events[0]).time) / day);
    case 'rate': {
      if (events.length === 0 || !('days' in what.span)) return none;
      const lived = Math.max((limit - events[0].time) / day, 1);
      return exactly(inSpan.length / Math.min(what.span.days, lived) / (events.length / lived));
    }
    case 'gap': {
      const times = events.slice(-10).map(({ time }) => time);
      const gaps = times.slice(1).map((time, k) => (time - times[k]) / day);
      if (gaps.length < (what.as === 'mean' ? 1 : 2)) return none;
      const mean = average(gaps);
      const scale = Math.max(...gaps);
      if (what.as === 'mean') return { value: mean, scale };
      return { value: Math.sqrt(average(gaps.map((gap) => (gap - mean) ** 2))), scale };
    }
    default: {
      const values = (of: readonly Event[]) =>
        of.map(({ row, time }) => ({ time, value: signalAt(world, what.events.table, row, what.signal, limit) }));
      if (what.kind === 'number') {
        const { aggregate } = what;
        if (aggregate !== 'smoothed') return readNumbers(aggregate, values(events), values(inSpan), limit);
        const all: Events = { table: what.events.table, via: [allTable] };
        return smooth(values(inSpan), values(history(world, all, { table: allTable, key: 0 }, question)));
      }
      return readCategories(what, values(events), values(inSpan));
    }
  }
}

type Valued = { readonly value: Value; readonly time: number };
const filled = (valued: readonly Valued[]) => valued.filter(({ value }) => value !== null);

function smooth(inSpan: readonly Valued[], everything: readonly Valued[]): Answer {
  const [own, all] = [inSpan, everything].map((values) => filled(values).map(({ value }) => Number(value)));
  if (all.length === 0) return none;
  const drawn = [...own, ...Array.from({ length: 10 }, () => average(all))];
  return { value: average(drawn), scale: Math.max(...all.map(Math.abs)) };
}

function readNumbers(
  aggregate: Exclude<Aggregate, 'smoothed'>,
  all: readonly Valued[],
  inSpan: readonly Valued[],
  limit: number,
): Answer {
  const known = filled(inSpan);
  const x = known.map(({ value }) => Number(value));
  if (x.length === 0) return none;
  const mean = average(x);
  const scale = Math.max(...x.map(Math.abs));
  const last = filled(all.slice(-32)).at(-1)?.value ?? Number.NaN;
  switch (aggregate) {
    case 'mean':
      return { value: mean, scale };
    case 'sum':
      return { value: mean * x.length, scale: scale * x.length };
    case 'sd': {
      if (x.length < 2) return none;
      const m2 = x.reduce((sum, value) => sum + (value - mean) ** 2, 0);
      return { value: Math.sqrt(m2 / (x.length - 1)), scale: scale * 1e-3 };
    }
    case 'min':
      return exactly(Math.min(...x));
    case 'max':
      return exactly(Math.max(...x));
    case 'last':
      return exactly(Number(last));
    case 'trend':
      return { value: Number(last) - mean, scale };
    case 'slope': {
      if (x.length < 3) return none;
      const t = known.map(({ time }) => (time - limit) / day);
      const middle = average(t);
      let across = 0;
      let along = 0;
      t.forEach((time, k) => {
        across += (time - middle) * (x[k] - mean);
        along += (time - middle) ** 2;
      });
      return along > 0 ? { value: across / along, scale: (scale * x.length) / Math.sqrt(along) } : none;
    }
  }
}

type CategoryRead = Extract<Read, { kind: 'share' | 'last_is' | 'variety' }>;

function readCategories(what: CategoryRead, all: readonly Valued[], inSpan: readonly Valued[]): Answer {
  if (what.kind === 'last_is') {
    const last = all.at(-1)?.value ?? null;
    return last === null ? none : exactly(last === what.value ? 1 : 0);
  }
  const known = filled(what.kind === 'variety' ? inSpan.slice(-100) : inSpan).map(({ value }) => value);
  if (known.length === 0) return none;
  if (what.kind === 'share') return exactly(known.filter((value) => value === what.value).length / known.length);
  const counts = [...new Set(known)].map((value) => known.filter((other) => other === value).length);
  if (what.as === 'distinct') return exactly(counts.length);
  if (what.as === 'entropy')
    return { value: -counts.reduce((sum, n) => sum + (n / known.length) * Math.log(n / known.length), 0), scale: 1 };
  if (known.length < 2) return none;
  return exactly(known.slice(1).filter((value, k) => value !== known[k]).length / (known.length - 1));
}

// --- made-up tables -----------------------------------------------------------------------------------------------------

type Shape = {
  readonly seed: number;
  readonly customers: number;
  readonly payments: number;
  /** Moments that events fall on: few make ties. */
  readonly moments: number;
  readonly missing: number;
  readonly versioned: boolean;
  readonly byDay: boolean;
  /** What amounts look like: ordinary, or large ones that hardly differ, or tiny ones, or all together. */
  readonly amounts: 'plain' | 'close' | 'mixed';
  readonly strict: boolean;
  readonly stale: boolean;
};

const shapes: fc.Arbitrary<Shape> = fc.record({
  seed: fc.nat(),
  customers: fc.integer({ min: 1, max: 4 }),
  payments: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 150, max: 300 })),
  moments: fc.constantFrom(3, 30, 1000),
  missing: fc.constantFrom(0, 0.2, 0.7),
  versioned: fc.boolean(),
  byDay: fc.boolean(),
  amounts: fc.constantFrom('plain', 'close', 'mixed'),
  strict: fc.boolean(),
  stale: fc.boolean(),
});

const from = dayAt('2020-01-01');
const kinds = ['card', 'slip', 'wire', 'a rather long kind'];

function makeWorld(shape: Shape): World {
  const { versioned, byDay } = shape;
  const paid = byDay ? 'date' : 'timestamp';
  const sent = { sent: 'timestamp' } as const;
  const contract = sampleContract([
    { name: 'region', key: 'region_id', columns: { region_id: 'string', climate: 'string', people: 'number' } },
    {
      name: 'customer',
      key: 'customer_id',
      time: 'opened',
      ...(versioned ? { knownAt: 'sent' } : {}),
      references: { region_id: 'region' },
      columns: {
        customer_id: 'integer',
        region_id: 'string',
        opened: 'date',
        tier: 'string',
        income: 'number',
        left: { type: 'date', knownFrom: 'left_recorded' },
        left_recorded: 'timestamp',
        renews: { type: 'date', planned: true },
        rating: { type: 'number', knownFrom: 'rated' },
        rated: 'timestamp',
        ...(versioned ? sent : {}),
      },
    },
    {
      name: 'account',
      key: 'account_id',
      time: 'since',
      references: { customer_id: 'customer' },
      columns: { account_id: 'string', customer_id: 'integer', since: 'timestamp', plan: 'string', ceiling: 'number' },
    },
    { name: 'merchant', key: 'merchant_id', columns: { merchant_id: 'integer', sector: 'string', size: 'number' } },
    {
      name: 'payment',
      key: 'payment_id',
      time: 'paid',
      ...(versioned ? { knownAt: 'sent' } : {}),
      references: { account_id: 'account', merchant_id: 'merchant' },
      columns: {
        payment_id: 'integer',
        account_id: 'string',
        merchant_id: 'integer',
        paid,
        amount: 'number',
        kind: 'string',
        settled: 'timestamp',
        days_late: { type: 'number', knownFrom: 'settled' },
        outcome: { type: 'string', knownFrom: 'settled' },
        due: { type: 'date', planned: true },
        ...(versioned ? sent : {}),
      },
    },
    {
      name: 'line',
      time: { reference: 'payment_id', offset: 0 },
      references: { payment_id: 'payment' },
      columns: { payment_id: 'integer', pieces: 'number', good: 'string' },
    },
    {
      name: 'note',
      references: { customer_id: 'customer', account_id: 'account' },
      columns: { customer_id: 'integer', account_id: 'string', words: 'number', tone: 'string' },
    },
  ]);
  return { contract, data: makeData(shape, draws(shape.seed)), known: new Map() };
}

function makeData(shape: Shape, draw: Draw): Data {
  const { missing, moments } = shape;
  const when = (late = 400) =>
    from +
    Math.floor((draw.between(0, moments - 1) / moments) * late) * day +
    (moments > 30 ? draw.between(0, day - 1) : 0);
  const startOfDay = (moment: number) => moment - (moment % day);
  const ids = (n: number, first = 1) => Array.from({ length: n }, (_, i) => first + i);
  const region = ['north', 'south'].map((region_id) => ({
    region_id,
    climate: draw.maybe(missing, draw.pick(['wet', 'dry'])),
    people: draw.maybe(missing, draw.between(1, 9)),
  }));
  const customer = ids(shape.customers).map((customer_id) => {
    const left = draw.maybe(0.5, startOfDay(when(500)));
    return {
      customer_id,
      region_id: ['north', draw.pick(['south', null]), draw.pick(['north', 'south', null]), 'nowhere'][customer_id - 1],
      opened: draw.maybe(0.1, startOfDay(when(80))),
      tier: draw.maybe(missing, draw.pick(kinds)),
      income: draw.maybe(missing, draw.next() * 1e4),
      left,
      left_recorded: left === null ? null : draw.maybe(0.2, left + draw.between(-5, 90) * day),
      renews: draw.maybe(missing, startOfDay(when(900))),
      rating: draw.maybe(missing, draw.next()),
      rated: draw.maybe(0.3, when()),
      sent: draw.maybe(0.3, when(100)),
    };
  });
  const account = ids(shape.customers * 2).map((id) => ({
    account_id: `a${id}`,
    customer_id: draw.maybe(0.1, draw.between(1, shape.customers)),
    since: draw.maybe(0.1, when(120)),
    plan: draw.maybe(missing, draw.pick(['s', 'm', 'l'])),
    ceiling: draw.maybe(missing, draw.between(1, 50) * 100),
  }));
  const merchant = ids(4).map((merchant_id) => ({
    merchant_id,
    sector: draw.maybe(missing, draw.pick(['food', 'fuel'])),
    size: draw.maybe(missing, draw.between(1, 5)),
  }));
  const amount = () => {
    const close = 1e6 + draw.between(0, 40) / 16;
    if (shape.amounts === 'close') return close;
    if (shape.amounts === 'plain') return Math.round((draw.next() - 0.3) * 20_000) / 100;
    return draw.pick([close, 1e-6 * (1 + draw.next()), -3, 0]);
  };
  const payment = ids(shape.payments).map((payment_id) => {
    const paid = when();
    const settled = draw.maybe(0.3, paid + draw.between(0, 60) * day);
    return {
      payment_id,
      // Most belong to one account, so that it has several blocks.
      account_id:
        draw.next() < 0.7
          ? 'a1'
          : draw.maybe(0.1, payment_id % 7 === 0 ? 'lost' : `a${draw.between(1, shape.customers * 2)}`),
      merchant_id: draw.maybe(0.1, payment_id % 7 === 0 ? 5 : draw.between(1, 4)),
      paid: draw.maybe(0.03, shape.byDay ? startOfDay(paid) : paid),
      amount: draw.maybe(missing, amount()),
      kind: draw.maybe(missing, draw.pick(kinds)),
      settled,
      days_late: draw.maybe(missing, draw.between(-3, 40)),
      outcome: draw.maybe(missing, draw.pick(['kept', 'lost'])),
      due: draw.maybe(missing, startOfDay(paid) + draw.between(-10, 60) * day),
      sent: draw.maybe(0.5, paid + draw.between(-10, 90) * day),
    };
  });
  const line = ids(Math.min(60, shape.payments)).map(() => ({
    payment_id: draw.maybe(0.1, draw.between(1, Math.max(1, shape.payments))),
    pieces: draw.maybe(missing, draw.between(1, 9)),
    good: draw.maybe(missing, draw.pick(['bread', 'milk'])),
  }));
  const note = ids(draw.between(0, 140)).map(() => ({
    customer_id: draw.maybe(0.1, draw.between(1, shape.customers)),
    account_id: draw.maybe(0.1, `a${draw.between(1, shape.customers * 2)}`),
    words: draw.maybe(missing, draw.between(1, 300)),
    tone: draw.maybe(missing, draw.pick(['kind', 'cross'])),
  }));
  const resent = <R extends Row>(rows: readonly R[], change: (row: R) => Partial<R>): R[] =>
    shape.versioned
      ? rows.flatMap((row) => (draw.next() < 0.3 ? [row, { ...row, ...change(row), sent: when(500) }] : [row]))
      : [...rows];
  return {
    region,
    customer: draw.shuffle(
      resent(customer, () => ({ tier: draw.pick(kinds), region_id: draw.pick(['north', 'south']) })),
    ),
    account: draw.shuffle(account),
    merchant,
    payment: draw.shuffle(
      resent(payment, () => ({ amount: amount(), kind: draw.pick(kinds), account_id: draw.pick(['a1', 'a2']) })),
    ),
    line,
    note,
  };
}

// --- features -----------------------------------------------------------------------------------------------------------

const column = (name: string, ...path: string[]): Signal => ({ kind: 'column', path, column: name });
const spans: readonly Span[] = [{ all: true }, { days: 45 }, { days: 200 }, { last: 1 }, { last: 3 }, { last: 70 }];
const aggregates: readonly Exclude<Aggregate, 'smoothed'>[] = [
  'mean',
  'sum',
  'sd',
  'min',
  'max',
  'last',
  'trend',
  'slope',
];

function readsOf(
  events: Events,
  numbers: readonly Signal[],
  categories: readonly (readonly [Signal, string])[],
  dated = true,
): Read[] {
  const few = dated ? spans : spans.slice(0, 1);
  return [
    ...few.map((span): Read => ({ kind: 'count', events, span })),
    ...(dated
      ? ([
          { kind: 'rate', events, span: { days: 45 } },
          { kind: 'since', events, which: 'first' },
          { kind: 'since', events, which: 'last' },
          { kind: 'gap', events, as: 'mean' },
          { kind: 'gap', events, as: 'sd' },
        ] satisfies Read[])
      : []),
    ...numbers.flatMap((signal) =>
      few.flatMap((span) =>
        (dated ? aggregates : aggregates.slice(0, 5)).map(
          (aggregate): Read => ({ kind: 'number', events, signal, span, aggregate }),
        ),
      ),
    ),
    ...categories.flatMap(([signal, value]): Read[] => [
      ...few.flatMap((span): Read[] => [
        { kind: 'share', events, signal, value, span },
        { kind: 'share', events, signal, value: 'never seen', span },
        ...(['distinct', 'entropy', 'changes'] as const).map(
          (as): Read => ({ kind: 'variety', events, signal, span, as }),
        ),
      ]),
      { kind: 'last_is', events, signal, value },
    ]),
  ];
}

const paymentNumbers: readonly Signal[] = [
  column('amount'),
  column('days_late'),
  column('ceiling', 'account_id'),
  column('size', 'merchant_id'),
  column('rating', 'account_id', 'customer_id'),
  { kind: 'interval', column: 'settled' },
  { kind: 'interval', column: 'due' },
  { kind: 'column', path: [], column: 'kind', word: 'rather' },
  { kind: 'column', path: [], column: 'outcome', word: 'kept' },
];
const paymentRanks: readonly Signal[] = (['percentile', 'deviation'] as const).map((as) => ({
  kind: 'rank',
  within: 'merchant_id',
  column: 'amount',
  as,
}));
const paymentCategories: readonly (readonly [Signal, string])[] = [
  [column('kind'), 'card'],
  [column('outcome'), 'kept'],
  [column('tier', 'account_id', 'customer_id'), 'wire'],
];
const merchants: Signal = { kind: 'reference', column: 'merchant_id' };

const customerReads: readonly Read[] = [
  { kind: 'age' },
  { kind: 'attribute', column: 'income' },
  { kind: 'attribute', column: 'rating' },
  { kind: 'attribute_is', column: 'tier', value: 'slip' },
  { kind: 'length', column: 'tier' },
  { kind: 'interval', column: 'left' },
  { kind: 'interval', column: 'renews' },
];
const merchantReads: readonly Read[] = [
  { kind: 'attribute', column: 'size' },
  { kind: 'attribute_is', column: 'sector', value: 'food' },
  { kind: 'length', column: 'sector' },
];

const root: Focus = { kind: 'root' };
const plain: readonly Read[] = [
  { kind: 'data_age' },
  { kind: 'calendar', part: 'month' },
  { kind: 'calendar', part: 'weekday' },
  { kind: 'calendar', part: 'time' },
];

function on(focus: Focus, ...reads: readonly (readonly Read[])[]): Feature[] {
  return reads.flat().map((read) => ({ focus, read }));
}

function brief(reads: readonly Read[]): Read[] {
  return reads.filter((_, k) => k % 5 === 0);
}

function paymentReads(via: readonly string[], ranked: boolean): Read[] {
  return readsOf(
    { table: 'payment', via },
    ranked ? [...paymentNumbers, ...paymentRanks] : paymentNumbers,
    paymentCategories,
  );
}

/** Rows of a table with versions are not ranked: which siblings there are depends on when one asks. */
function customerFeatures(ranked: boolean): Feature[] {
  const payments: Events = { table: 'payment', via: ['account_id', 'customer_id'] };
  const notes: Events = { table: 'note', via: ['customer_id'] };
  const region: Focus = { kind: 'parent', of: root, reference: 'region_id' };
  const last: Focus = { kind: 'last', of: root, events: payments, to: 'merchant_id' };
  const recent: Focus = { kind: 'recent', of: root, events: payments, to: 'merchant_id' };
  const written: Focus = { kind: 'recent', of: root, events: notes, to: 'account_id' };
  return [
    ...on(root, plain, customerReads, paymentReads(payments.via, ranked)),
    ...on(root, [{ kind: 'variety', events: payments, signal: merchants, span: { last: 10 }, as: 'changes' }]),
    ...on(root, readsOf({ table: 'account', via: ['customer_id'] }, [column('ceiling')], [[column('plan'), 'm']])),
    ...on(
      root,
      spans.map((span) => {
        const events: Events = { table: 'account', via: ['customer_id'] };
        return { kind: 'number', events, signal: column('ceiling'), span, aggregate: 'smoothed' };
      }),
    ),
    ...on(
      root,
      readsOf(
        notes,
        [column('words'), column('ceiling', 'account_id')],
        [
          [column('tone'), 'kind'],
          [column('plan', 'account_id'), 's'],
        ],
        false,
      ),
    ),
    ...on(region, [
      { kind: 'attribute', column: 'people' },
      { kind: 'attribute_is', column: 'climate', value: 'wet' },
    ]),
    ...on(
      region,
      readsOf(
        { table: 'customer', via: ['region_id'] },
        [column('income'), column('rating')],
        [[column('tier'), 'card']],
      ),
    ),
    ...on(region, brief(readsOf({ table: 'account', via: ['customer_id', 'region_id'] }, [column('ceiling')], []))),
    ...on(last, merchantReads, brief(paymentReads(['merchant_id'], ranked))),
    ...on(recent, merchantReads, brief(paymentReads(['merchant_id'], ranked))),
    ...on(
      written,
      [{ kind: 'attribute', column: 'ceiling' }, { kind: 'age' }],
      brief(paymentReads(['account_id'], ranked)),
    ),
    ...on({ kind: 'all' }, brief(paymentReads([allTable], ranked))),
  ];
}

function comparisonsOf(reference: string): Read[] {
  const events: Events = { table: 'payment', via: [reference] };
  return spans.flatMap((span): Read[] => [
    ...['amount', 'days_late'].flatMap((name) =>
      (['difference', 'deviation'] as const).map((as): Read => ({ kind: 'against', events, column: name, span, as })),
    ),
    ...['kind', 'outcome'].map((name): Read => ({ kind: 'same', events, column: name, span })),
  ]);
}

function paymentFeatures(ranked: boolean): Feature[] {
  const account: Focus = { kind: 'parent', of: root, reference: 'account_id' };
  const customer: Focus = { kind: 'parent', of: account, reference: 'customer_id' };
  const merchant: Focus = { kind: 'parent', of: root, reference: 'merchant_id' };
  const met: Focus = {
    kind: 'recent',
    of: account,
    events: { table: 'payment', via: ['account_id'] },
    to: 'merchant_id',
  };
  return [
    ...on(root, plain, [
      { kind: 'attribute', column: 'amount' },
      { kind: 'attribute', column: 'days_late' },
      { kind: 'attribute_is', column: 'kind', value: 'card' },
      { kind: 'interval', column: 'due' },
      { kind: 'interval', column: 'settled' },
      { kind: 'length', column: 'kind' },
    ]),
    ...[{}, { arriving: true } as const].flatMap((come) =>
      on(
        root,
        readsOf({ table: 'line', via: ['payment_id'], ...come }, [column('pieces')], [[column('good'), 'milk']]),
      ),
    ),
    ...on(root, comparisonsOf('account_id'), comparisonsOf('merchant_id')),
    ...on(account, [{ kind: 'age' }, { kind: 'attribute', column: 'ceiling' }], paymentReads(['account_id'], ranked)),
    ...on(customer, customerReads, brief(paymentReads(['account_id', 'customer_id'], ranked))),
    ...on(merchant, merchantReads, brief(paymentReads(['merchant_id'], ranked))),
    ...on(met, merchantReads, brief(paymentReads(['merchant_id'], ranked))),
    ...on({ kind: 'all' }, brief(paymentReads([allTable], ranked))),
  ];
}

// --- comparison ---------------------------------------------------------------------------------------------------------

type Asked = { readonly root: Subject; readonly row: number; readonly question: Question };

function askCustomers(world: World, shape: Shape, tables: Tables): Asked[] {
  const draw = draws(shape.seed + 1);
  const { rowOf } = tables.get('customer')!;
  return Array.from({ length: 5 }, () => {
    const key = draw.between(1, shape.customers + 1);
    const known = exists(world, 'customer', key);
    return {
      root: known ? { table: 'customer', key } : null,
      row: rowOf.get(key) ?? -1,
      question: { ...moments(draw, shape, momentNear(world, draw)), own: null, ownTable: 'customer' },
    };
  });
}

/** Anchors at, just before and just after events, where ties and strictness tell. */
function momentNear(world: World, draw: Draw): number {
  const payments = world.data.payment.filter(({ paid }) => paid !== null);
  if (payments.length === 0 || draw.next() < 0.3) return from + draw.between(0, 500) * day;
  return Number(draw.pick(payments).paid) + draw.pick([0, 0, -1, 1, day - 1, day, 30 * day]);
}

function moments(draw: Draw, { strict, stale }: Shape, at: number): { at: number; limit: number } {
  const until = stale ? at + draw.pick([-200, -20, 5]) * day : Number.POSITIVE_INFINITY;
  return { at, limit: Math.min(strict ? at - 1 : at, until) };
}

/** Payments asked about at their own moment and at later ones, when later versions and children of theirs are there. */
function askPayments(world: World, shape: Shape, tables: Tables): Asked[] {
  const draw = draws(shape.seed + 2);
  const table = tables.get('payment')!;
  const payments = world.data.payment.filter(({ paid }) => paid !== null);
  if (payments.length === 0) return [];
  return Array.from({ length: 5 }, () => {
    const key = draw.pick(payments).payment_id;
    const row = table.rowOf.get(key as number)!;
    const raw = world.data.payment[row];
    const moment = Number(raw.paid ?? from) + draw.pick([0, 0, 20, 200]) * day;
    return {
      root: { table: 'payment', key, row: raw },
      row,
      question: { ...moments(draw, shape, moment), own: key, ownTable: 'payment' },
    };
  });
}

function anchorsOf(table: Table, asked: readonly Asked[], fresh: boolean): Anchors {
  return {
    table,
    fresh,
    rows: Int32Array.from(asked, ({ row }) => row),
    own: Int32Array.from(asked, ({ row }) => (fresh ? row : -1)),
    ownTable: table.name,
    at: Float64Array.from(asked, ({ question }) => question.at),
    limit: Float64Array.from(asked, ({ question }) => question.limit),
  };
}

const relative = 1e-9;
const ofScale = 1e-12;

/** Whether a float32 is what the exact answer rounds to, give or take 1e-9 of it before rounding. */
function agrees(found: number, { value, scale }: Answer): boolean {
  if (Number.isNaN(value) || Number.isNaN(found)) return Number.isNaN(value) && Number.isNaN(found);
  const slack = Math.abs(value) * relative + scale * ofScale;
  return Math.fround(value - slack) <= found && found <= Math.fround(value + slack);
}

function expectByDefinition(
  world: World,
  features: readonly Feature[],
  table: Table,
  tables: Tables,
  asked: readonly Asked[],
  fresh: boolean,
): void {
  if (asked.length === 0) return;
  const matrix = evaluate(openGraph(tables), features, anchorsOf(table, asked, fresh));
  const wrong: unknown[] = [];
  features.forEach((feature, f) => {
    asked.forEach(({ root: subject, question }, i) => {
      const expected = answer(world, feature, subject, question);
      const found = matrix.values[f * matrix.rows + i];
      if (!agrees(found, expected))
        wrong.push({ feature: JSON.stringify(feature), found, expected, subject, question });
    });
  });
  expect(wrong.slice(0, 3)).toEqual([]);
}

/** The same questions one by one, over an index of their own, and of a program that answered them together. */
function expectSameAlone(
  features: readonly Feature[],
  table: Table,
  tables: Tables,
  asked: readonly Asked[],
  fresh: boolean,
): void {
  if (asked.length === 0) return;
  const program = openProgram(openGraph(tables), features);
  const together = program(anchorsOf(table, asked, fresh));
  asked.forEach((one, i) => {
    const anchors = anchorsOf(table, [one], fresh);
    const alone = evaluate(openGraph(tables), features, anchors);
    const column = Float32Array.from(features, (_, f) => together.values[f * together.rows + i]);
    expect(bits(alone.values)).toEqual(bits(column));
    expect(bits(program(anchors).values)).toEqual(bits(column));
  });
}

function bits(values: Float32Array): string {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('hex');
}

test('every feature of an entity is what its rows say by definition', () => {
  fc.assert(
    fc.property(shapes, (shape) => {
      const world = makeWorld(shape);
      const tables = sampleTables(world.contract, world.data);
      const asked = askCustomers(world, shape, tables);
      expectByDefinition(world, customerFeatures(!shape.versioned), tables.get('customer')!, tables, asked, false);
    }),
    { numRuns: 20, seed: 1 },
  );
});

test('every feature of a new row is what the rows before it say by definition', () => {
  fc.assert(
    fc.property(shapes, (shape) => {
      const world = makeWorld(shape);
      const tables = sampleTables(world.contract, world.data);
      const asked = askPayments(world, shape, tables);
      expectByDefinition(world, paymentFeatures(!shape.versioned), tables.get('payment')!, tables, asked, true);
    }),
    { numRuns: 20, seed: 1 },
  );
});

test('many rows at once and each alone give the same bits', () => {
  fc.assert(
    fc.property(shapes, (shape) => {
      const world = makeWorld(shape);
      const tables = sampleTables(world.contract, world.data);
      const ranked = !shape.versioned;
      expectSameAlone(
        customerFeatures(ranked),
        tables.get('customer')!,
        tables,
        askCustomers(world, shape, tables),
        false,
      );
      expectSameAlone(paymentFeatures(ranked), tables.get('payment')!, tables, askPayments(world, shape, tables), true);
    }),
    { numRuns: 10, seed: 2 },
  );
});

test('a new row outside of the tables is compared by its own values, to the bits of the same row inside', () => {
  fc.assert(
    fc.property(shapes, (shape) => {
      const world = makeWorld(shape);
      const tables = sampleTables(world.contract, world.data);
      const inside = tables.get('payment')!;
      const features = on(root, comparisonsOf('account_id'), comparisonsOf('merchant_id'));
      const asked = askPayments(world, shape, tables);
      if (asked.length === 0) return;
      const anchors = anchorsOf(inside, asked, true);
      const outside = { ...anchors, table: withOwnDictionaries(inside) };
      const found = [anchors, outside].map((each) => bits(evaluate(openGraph(tables), features, each).values));
      expect(found[1]).toBe(found[0]);
    }),
    { numRuns: 10, seed: 3 },
  );
});

/** The same rows as a file of their own would bring them: texts coded in another order, among values never seen. */
function withOwnDictionaries(table: Table): Table {
  const columns = new Map(table.columns);
  for (const [name, column] of columns) {
    if (column.kind !== 'text') continue;
    const dictionary = ['never seen', ...column.dictionary.toReversed()];
    const codes = column.codes.map((code) => (code < 0 ? code : column.dictionary.length - code));
    columns.set(name, { ...column, dictionary, codes });
  }
  return { ...table, columns };
}
