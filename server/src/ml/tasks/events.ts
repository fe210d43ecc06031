import { assert, Failure } from '../../lib/failure.ts';
import type { Column } from '../../lib/files/column.ts';
import { microsecondsPerDay } from '../contract/contract.ts';
import { knownDates, knownMoments } from '../events/signals.ts';
import { keyValue } from '../graph/keys.ts';
import { isByDay, type ResolvedReference, type Table, type Tables } from '../graph/tables.ts';
import { endOfDay } from '../graph/times.ts';
import { type Cell, columnsOf, holds } from './condition.ts';
import type { FutureRows } from './target.ts';

/** What happened to entities: one entry per event. `values`: what each counts for, or its class. */
export type TargetEvents = {
  /** Row in the entity table. */
  readonly owners: Int32Array;
  /** When it happened and was known to have, microseconds. */
  readonly dates: Float64Array;
  readonly values: Float64Array;
  /** Names of the classes; empty where values are numbers. */
  readonly classes: readonly string[];
};

/**
 * The events of a target that names its path. A row happens at its own time; with a condition, or a column that is
 * summed or predicted, at the first moment at which all of it was known, where that is later. Of a row sent again the
 * last version counts. Throws Failure 'invalid' when a column changes and nothing says when.
 */
export function eventsOf(target: FutureRows, tables: Tables): TargetEvents {
  const table = tables.get(target.table)!;
  const { aggregate, overdue, where } = target;
  const owners = followPath(tables, table, target.reference!);
  const rows = currentRows(table).filter((row) => owners[row]! >= 0);
  const column = typeof aggregate === 'object' ? ('sum' in aggregate ? aggregate.sum : aggregate.next) : undefined;
  const starts = overdue ? overdueDates(table, overdue) : table.time!;
  const cells = [...new Set([...(where ? columnsOf(where) : []), ...(column === undefined ? [] : [column])])].map(
    (name) => openCell(table, name),
  );
  const counted = column === undefined ? undefined : openCell(table, column);
  const texts = new Map<string, number>();
  const found = { owners: [] as number[], dates: [] as number[], values: [] as number[] };
  for (const row of rows) {
    const start = starts[row]!;
    if (Number.isNaN(start)) continue;
    const isHeld = (at: number) => {
      const cell = (name: string) => cells.find((one) => one.name === name)!.at(row, at);
      return (!where || holds(where, cell) === true) && (!counted || counted.at(row, at) !== null);
    };
    const later = cells.map(({ known }) => known(row)).filter((moment) => moment > start);
    const date = [start, ...later.sort((a, b) => a - b)].find(isHeld);
    if (date === undefined || date === Number.POSITIVE_INFINITY) continue;
    found.owners.push(owners[row]!);
    found.dates.push(date);
    const value = counted?.at(row, date) ?? 1;
    if (typeof aggregate !== 'object' || 'sum' in aggregate) found.values.push(Number(value));
    else {
      const text = String(value);
      if (!texts.has(text)) texts.set(text, texts.size);
      found.values.push(texts.get(text)!);
    }
  }
  // In order of name, so that the order of rows in a file says nothing.
  const classes = [...texts.keys()].sort();
  const order = Int32Array.from(texts.keys(), (text) => classes.indexOf(text));
  const isClass = classes.length > 0;
  return {
    owners: Int32Array.from(found.owners),
    dates: Float64Array.from(found.dates),
    values: Float64Array.from(found.values, (value) => (isClass ? order[value]! : value)),
    classes,
  };
}

/** The row that each row leads to by references joined in order, -1 where none; itself where the path is empty. */
export function followPath(tables: Tables, table: Table, path: readonly string[]): Int32Array {
  const rows = new Int32Array(table.rows).map((_, row) => row);
  let from = table;
  for (const step of path) {
    const reference: ResolvedReference | undefined = from.references.get(step);
    assert(reference, `reference ${step} of ${from.name}`);
    for (let row = 0; row < rows.length; row++) rows[row] = rows[row]! < 0 ? -1 : reference.rows[rows[row]!]!;
    from = tables.get(reference.table)!;
  }
  // An entity sent again goes by its first row, as references do.
  if (path.length === 0 && table.versions) {
    const { offsets, rows: ordered } = table.versions;
    for (let entity = 0; entity < table.rows; entity++)
      for (let k = offsets[entity]!; k < offsets[entity + 1]!; k++) rows[ordered[k]!] = entity;
  }
  return rows;
}

/** Rows that stand for an entity: of rows sent again the one that references lead to. */
export function entityRows({ rows, versions }: Table): Int32Array {
  const all = Int32Array.from({ length: rows }, (_, row) => row);
  return versions ? all.filter((row) => versions.offsets[row + 1]! > versions.offsets[row]!) : all;
}

/**
 * Rows by the entity that owns them (-1: nobody), each entity's in the order of `compare`: those of entity e are
 * order[offsets[e]] … order[offsets[e + 1] - 1].
 */
export function groupRows(
  owners: Int32Array,
  entities: number,
  compare: (a: number, b: number) => number,
): { offsets: Int32Array; order: Int32Array } {
  const offsets = new Int32Array(entities + 1);
  for (const owner of owners) if (owner >= 0) offsets[owner + 1]++;
  for (let entity = 0; entity < entities; entity++) offsets[entity + 1] += offsets[entity]!;
  const next = offsets.slice(0, entities);
  const order = new Int32Array(offsets[entities]!);
  for (let row = 0; row < owners.length; row++) if (owners[row]! >= 0) order[next[owners[row]!]++] = row;
  for (let entity = 0; entity < entities; entity++) order.subarray(offsets[entity], offsets[entity + 1]).sort(compare);
  return { offsets, order };
}

/** Rows that tell what happened: of rows sent again the last version. */
export function currentRows({ rows, versions }: Table): Int32Array {
  const all = Int32Array.from({ length: rows }, (_, row) => row);
  if (!versions) return all;
  return all.filter((row) => versions.until[row] === Number.POSITIVE_INFINITY && Number.isFinite(versions.from[row]!));
}

/**
 * The moment each row is asked about on its own day, microseconds: the start of that day where only the day is known. By
 * `column`, or its event time.
 */
export function startsOf(table: Table, tables: Tables, column?: string): Float64Array {
  if (column !== undefined) return (table.columns.get(column) as { values: Float64Array }).values;
  const { time, contract } = table;
  assert(time, `event time of ${table.name}`);
  const hasClock = contract.time && 'column' in contract.time && contract.time.clock !== undefined;
  return isByDay(table, tables, hasClock) ? time.map((moment) => moment - microsecondsPerDay + 1) : time;
}

function overdueDates(table: Table, { due, paid, days }: NonNullable<FutureRows['overdue']>): Float64Array {
  const dueOn = table.columns.get(due) as { values: Float64Array };
  const paidOn = endOfDay((table.columns.get(paid) as { values: Float64Array }).values);
  const dates = endOfDay(dueOn.values.map((day) => day + days * microsecondsPerDay));
  return dates.map((date, row) => (paidOn[row]! <= date ? Number.NaN : date));
}

/** A column of a table as it was known. */
export type KnownCell = {
  readonly name: string;
  /** The value at a row, null where it was missing or not yet known. */
  at(row: number, moment: number): Cell;
  /** Since when the value of a row is what it is: -Infinity for with the row. */
  known(row: number): number;
};

/** Reads a column row by row as of moments. Throws Failure 'invalid' when it changes and nothing says when. */
export function openCell(table: Table, name: string): KnownCell {
  const column = table.columns.get(name);
  const contract = table.contract.columns.find((one) => one.name === name);
  assert(column && contract, `column ${name} of ${table.name}`);
  if (contract.mutable && contract.knownFrom === undefined && !table.versions)
    throw new Failure(
      'invalid',
      `${table.name}.${name} changes after its row came, and neither known_from nor kept versions say when: a label or a choice of whom to ask cannot rest on it`,
    );
  if (table.numbers?.columns.has(name) && column.kind !== 'text')
    throw new Failure('invalid', `${table.name}.${name} names entities, whose names are not kept with the tables`);
  const moments = column.kind === 'time' ? knownDates(table, name) : knownMoments(table, name);
  const changed = moments ? undefined : changeMoments(table, column);
  const known = (row: number): number => {
    if (keyValue(column, row) === null) return Number.NEGATIVE_INFINITY;
    if (!moments) return changed?.[row] ?? Number.NEGATIVE_INFINITY;
    const moment = moments[row]!;
    return Number.isNaN(moment) ? Number.POSITIVE_INFINITY : moment;
  };
  return { name, known, at: (row, moment) => (known(row) <= moment ? keyValue(column, row) : null) };
}

/** Per version, when its value became what it is, where an earlier version said otherwise. */
function changeMoments({ versions, rows }: Table, column: Column): Float64Array | undefined {
  if (!versions) return undefined;
  const since = new Float64Array(rows).fill(Number.NEGATIVE_INFINITY);
  for (let entity = 0; entity < rows; entity++) {
    for (let k = versions.offsets[entity]! + 1; k < versions.offsets[entity + 1]!; k++) {
      const [before, now] = [versions.rows[k - 1]!, versions.rows[k]!];
      since[now] = keyValue(column, before) === keyValue(column, now) ? since[before]! : versions.from[now]!;
    }
  }
  return since;
}
