import { assert } from '../../lib/failure.ts';
import { microsecondsPerDay } from '../contract/contract.ts';
import { openMeasures } from '../contract/measures.ts';
import { openWords } from '../events/words.ts';
import { rowAsOf } from '../graph/as-of/rows.ts';
import { isKnown, knownDates, knownMoments } from '../graph/as-of/values.ts';
import type { Table } from '../graph/tables.ts';
import type { Read } from './feature.ts';
import type { Member, State, Write } from './state.ts';

/**
 * Prepares to read one value from each row of a state itself: a column as it was known at `readableUntil`, an age, or a
 * part of the calendar date.
 */
export function openAttribute({ index, read }: Member): (state: State, write: Write) => void {
  if (read.kind === 'data_age') {
    return ({ rows, at, readableUntil }, write) => {
      for (let i = 0; i < rows.length; i++) write(index, i, (at[i] - readableUntil[i]) / microsecondsPerDay);
    };
  }
  if (read.kind === 'calendar') {
    return ({ rows, at }, write) => {
      // Rows of one file mostly share one moment.
      let value = Number.NaN;
      for (let i = 0; i < rows.length; i++) {
        if (i === 0 || at[i] !== at[i - 1]) value = calendar(at[i], read.part);
        write(index, i, value);
      }
    };
  }
  let last: { readonly table: Table; readonly found: FoundColumn | undefined } | undefined;
  return (state, write) => {
    const { table, fresh } = state;
    assert(table, `${read.kind} is read off a row`);
    // A table of new rows is used for one call only, so its lookup is not cached.
    if (fresh) readRows(state, table, find(table, read), index, write);
    else {
      if (last?.table !== table) last = { table, found: find(table, read) };
      readRows(state, table, last.found, index, write);
    }
  };
}

/** The value of a row, and from which moment each row's value is known. */
type FoundColumn = { readonly values: (row: number, at: number) => number; readonly known?: Float64Array | undefined };

function readRows(state: State, table: Table, found: FoundColumn | undefined, index: number, write: Write): void {
  if (!found) return;
  const { rows, at, readableUntil, fresh, reach = readableUntil } = state;
  const { values, known } = found;
  for (let i = 0; i < rows.length; i++) {
    const row = fresh ? rows[i] : rowAsOf(table, rows[i], reach[i]);
    if (row >= 0 && isKnown(known, row, readableUntil[i])) write(index, i, values(row, at[i]));
  }
}

/** Undefined where the table does not have the column or the time. */
function find(table: Table, read: Read): FoundColumn | undefined {
  if (read.kind === 'age') {
    const { time } = table;
    return time && { values: (row, at) => (at - time[row]) / microsecondsPerDay };
  }
  assert('column' in read, 'an attribute has a column');
  const column = table.columns.get(read.column);
  if (!column) return undefined;
  if (read.kind === 'interval') {
    assert(column.kind === 'time', `${read.column} is a date`);
    const known = knownDates(table, read.column);
    return { values: (row, at) => (at - column.values[row]) / microsecondsPerDay, known };
  }
  const known = knownMoments(table, read.column);
  if (read.kind === 'attribute') {
    assert(column.kind === 'number', `${read.column} is numeric`);
    return { values: (row) => column.values[row], known };
  }
  assert(column.kind === 'text', `${read.column} is text`);
  const { codes, dictionary } = column;
  if (read.kind === 'length')
    return { values: (row) => (codes[row] < 0 ? Number.NaN : dictionary[codes[row]].length), known };
  if (read.kind === 'measure') {
    const numbers = openMeasures(column);
    return { values: (row) => (codes[row] < 0 ? Number.NaN : numbers(codes[row])), known };
  }
  if (read.kind === 'word') {
    const open = openWords(column);
    const has = new Map<number, number>();
    return {
      values: (row) => {
        const code = codes[row];
        if (code < 0) return Number.NaN;
        let value = has.get(code);
        if (value === undefined) has.set(code, (value = open(code).includes(read.word) ? 1 : 0));
        return value;
      },
      known,
    };
  }
  if (read.kind === 'category') {
    const places = new Map(read.values.map((value, place) => [value, place]));
    const other = read.values.length;
    return {
      values: (row) => (codes[row] < 0 ? Number.NaN : (places.get(dictionary[codes[row]]) ?? other)),
      known,
    };
  }
  assert(read.kind === 'attribute_is', `${read.kind} is not read off a row`);
  const code = dictionary.indexOf(read.value);
  return { values: (row) => (codes[row] < 0 ? Number.NaN : codes[row] === code ? 1 : 0), known };
}

function calendar(at: number, part: 'month' | 'weekday' | 'time'): number {
  const date = new Date(at / 1000);
  if (part === 'month') return date.getUTCMonth() + 1;
  if (part === 'weekday') return date.getUTCDay();
  return at / microsecondsPerDay;
}
