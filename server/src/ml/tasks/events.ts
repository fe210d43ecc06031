import { assert, Failure } from '../../lib/failure.ts';
import { microsecondsPerDay } from '../contract/contract.ts';
import { endOfDay } from '../graph/as-of/days.ts';
import { lastVersions } from '../graph/as-of/rows.ts';
import { changeMoments, changesUndated, isKnown, knownDates, knownMoments, laterOf } from '../graph/as-of/values.ts';
import { keyValue } from '../graph/keys.ts';
import { isByDay, type Table, type Tables } from '../graph/tables.ts';
import { type Cell, columnsOf, holds } from './condition.ts';
import { ownersOf } from './owners.ts';
import { paidMoments } from './payments.ts';
import type { FutureRows } from './target.ts';

/** The events of entities, one entry per event. `values`: how much each event counts, or its class number. */
export type TargetEvents = {
  /** Row in the entity table. */
  readonly owners: Int32Array;
  /** When the event had happened and was known, microseconds. */
  readonly dates: Float64Array;
  readonly values: Float64Array;
  /** Names of the classes; empty when `values` are numbers. */
  readonly classes: readonly string[];
};

/**
 * The events of a target whose path is resolved. A row happens at its own time. With a condition, or a column that is
 * summed or predicted, it happens at the first moment at which all of that was known, if that is later. For a row sent
 * again the last version counts. Throws Failure 'invalid' when a column changes and nothing says when.
 */
export function eventsOf(target: FutureRows, tables: Tables): TargetEvents {
  const table = tables.get(target.table)!;
  const { aggregate, overdue, where } = target;
  const { rows: owners, since } = ownersOf(tables, table, target.reference!);
  const rows = lastVersions(table).filter((row) => owners[row] >= 0);
  const column = typeof aggregate === 'object' ? ('sum' in aggregate ? aggregate.sum : aggregate.next) : undefined;
  const linked = laterOf(since, ownerChanges(table, target.reference!));
  const starts = overdue ? overdueDates(table, tables, overdue) : table.time!;
  const cells = [...new Set([...(where ? columnsOf(where) : []), ...(column === undefined ? [] : [column])])].map(
    (name) => openCell(table, name),
  );
  const counted = column === undefined ? undefined : openCell(table, column);
  const texts = new Map<string, number>();
  const found = { owners: [] as number[], dates: [] as number[], values: [] as number[] };
  for (const row of rows) {
    const start = starts[row];
    if (Number.isNaN(start)) continue;
    const isHeld = (at: number) => {
      const cell = (name: string) => cells.find((one) => one.name === name)!.at(row, at);
      return (
        isKnown(linked, row, at) &&
        (!where || holds(where, cell) === true) &&
        (!counted || counted.at(row, at) !== null)
      );
    };
    const moments = [linked?.[row] ?? start, ...cells.map(({ known }) => known(row))];
    const later = moments.filter((moment) => moment > start);
    const date = [start, ...later.sort((a, b) => a - b)].find(isHeld);
    if (date === undefined || date === Number.POSITIVE_INFINITY) continue;
    found.owners.push(owners[row]);
    found.dates.push(date);
    const value = counted?.at(row, date) ?? 1;
    if (typeof aggregate !== 'object' || 'sum' in aggregate) found.values.push(Number(value));
    else {
      const text = String(value);
      if (!texts.has(text)) texts.set(text, texts.size);
      found.values.push(texts.get(text)!);
    }
  }
  // Classes are ordered by name, so that the order of rows in a file does not matter.
  const classes = [...texts.keys()].sort();
  const order = Int32Array.from(texts.keys(), (text) => classes.indexOf(text));
  const isClass = classes.length > 0;
  return {
    owners: Int32Array.from(found.owners),
    dates: Float64Array.from(found.dates),
    values: Float64Array.from(found.values, (value) => (isClass ? order[value] : value)),
    classes,
  };
}

/** For rows sent again, the moment from which each version leads to its owner; undefined when that never changes. */
function ownerChanges(table: Table, [first]: readonly string[]): Float64Array | undefined {
  const column = first === undefined ? undefined : table.columns.get(first);
  return column && changeMoments(table, column);
}

/**
 * The moment at which each row is asked about on its own day, microseconds: by `column`, or else by its event time.
 * Where only the day is known, it is the start of that day.
 */
export function startsOf(table: Table, tables: Tables, column?: string): Float64Array {
  if (column !== undefined) return (table.columns.get(column) as { values: Float64Array }).values;
  const { time, contract } = table;
  assert(time, `event time of ${table.name}`);
  const hasClock = contract.time && 'column' in contract.time && contract.time.clock !== undefined;
  return isByDay(table, tables, hasClock) ? time.map((moment) => moment - microsecondsPerDay + 1) : time;
}

type Overdue = NonNullable<FutureRows['overdue']>;

/** When each row of a table is overdue if it is not paid by then; NaN without a due day. */
export function termsOf(table: Table, { due, days }: Overdue): Float64Array {
  const dueOn = table.columns.get(due) as { values: Float64Array };
  return endOfDay(dueOn.values.map((day) => day + days * microsecondsPerDay));
}

/** When each row of a table came to be overdue; NaN where it was paid in time, or is never due. */
export function overdueDates(table: Table, tables: Tables, overdue: Overdue): Float64Array {
  const paidOn = endOfDay(paidMoments(table, tables, overdue));
  return termsOf(table, overdue).map((date, row) => (paidOn[row] <= date ? Number.NaN : date));
}

/** A column of a table, readable as of a moment. */
export type KnownCell = {
  readonly name: string;
  /** The value at a row; null when it was missing or not yet known. */
  at(row: number, moment: number): Cell;
  /** The moment from which a row has its value; -Infinity when it came with the row. */
  known(row: number): number;
};

/** Opens a column for reading as of moments. Throws Failure 'invalid' with `unreadable` where that says something. */
export function openCell(table: Table, name: string): KnownCell {
  const column = table.columns.get(name);
  assert(column, `column ${name} of ${table.name}`);
  const reason = unreadable(table, name);
  if (reason !== null) throw new Failure('invalid', `${table.name}.${name} ${reason}`);
  const moments = column.kind === 'time' ? knownDates(table, name) : knownMoments(table, name);
  const changed = moments ? undefined : changeMoments(table, column);
  const known = (row: number): number => {
    if (keyValue(column, row) === null) return Number.NEGATIVE_INFINITY;
    if (!moments) return changed?.[row] ?? Number.NEGATIVE_INFINITY;
    const moment = moments[row];
    return Number.isNaN(moment) ? Number.POSITIVE_INFINITY : moment;
  };
  return { name, known, at: (row, moment) => (known(row) <= moment ? keyValue(column, row) : null) };
}

/** Why a column cannot be read as of moments: it changes and nothing says when, or is numbers for names; else null. */
export function unreadable(table: Table, name: string): string | null {
  const contract = table.contract.columns.find((one) => one.name === name);
  assert(contract, `column ${name} of ${table.name}`);
  if (changesUndated(table, contract))
    return 'changes after its row came, and neither known_from nor kept versions say when: a label or a choice of whom to ask cannot rest on it';
  if (table.numbers?.columns.has(name) && table.columns.get(name)?.kind !== 'text')
    return 'names entities, whose names are not kept with the tables';
  return null;
}
