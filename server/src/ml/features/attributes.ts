import { assert } from '../../lib/failure.ts';
import { microsecondsPerDay } from '../contract/contract.ts';
import { knownDates, knownMoments } from '../events/signals.ts';
import { rowAsOf } from '../graph/tables.ts';
import type { Member, State, Write } from './state.ts';

/** Reads one thing off each row of a state itself: a column as it was known at the limit, an age, a day of the calendar. */
export function evaluateAttribute(state: State, { index, read }: Member, write: Write): void {
  const { rows, at, limit } = state;
  if (read.kind === 'data_age') {
    for (let i = 0; i < rows.length; i++) write(index, i, (at[i] - limit[i]) / microsecondsPerDay);
    return;
  }
  if (read.kind === 'calendar') {
    // Rows of one file mostly ask about one moment.
    let value = Number.NaN;
    for (let i = 0; i < rows.length; i++) {
      if (i === 0 || at[i] !== at[i - 1]) value = calendar(at[i], read.part);
      write(index, i, value);
    }
    return;
  }
  const table = state.table;
  assert(table, `${read.kind} is read off a row`);
  const readable = (i: number) => (state.fresh ? rows[i] : rowAsOf(table, rows[i], limit[i]));
  if (read.kind === 'age') {
    for (let i = 0; i < rows.length; i++) {
      const row = readable(i);
      if (row >= 0 && table.time) write(index, i, (at[i] - table.time[row]) / microsecondsPerDay);
    }
    return;
  }
  assert('column' in read, 'an attribute has a column');
  const column = table.columns.get(read.column);
  if (!column) return;
  const known = knownMoments(table, read.column);
  if (read.kind === 'interval') {
    assert(column.kind === 'time', `${read.column} is a date`);
    const moments = knownDates(table, read.column);
    for (let i = 0; i < rows.length; i++) {
      const row = readable(i);
      if (row >= 0 && !(moments && !(moments[row] <= limit[i])))
        write(index, i, (at[i] - column.values[row]) / microsecondsPerDay);
    }
    return;
  }
  const isKnown = (row: number, i: number) => row >= 0 && !(known && !(known[row] <= limit[i]));
  if (read.kind === 'attribute') {
    assert(column.kind === 'number', `${read.column} is numeric`);
    for (let i = 0; i < rows.length; i++) {
      const row = readable(i);
      if (isKnown(row, i)) write(index, i, column.values[row]);
    }
    return;
  }
  assert(column.kind === 'text', `${read.column} is text`);
  const code = read.kind === 'attribute_is' ? column.dictionary.indexOf(read.value) : -1;
  for (let i = 0; i < rows.length; i++) {
    const row = readable(i);
    if (!isKnown(row, i) || column.codes[row] < 0) continue;
    if (read.kind === 'attribute_is') write(index, i, column.codes[row] === code ? 1 : 0);
    else write(index, i, column.dictionary[column.codes[row]].length);
  }
}

function calendar(at: number, part: 'month' | 'weekday' | 'time'): number {
  const date = new Date(at / 1000);
  if (part === 'month') return date.getUTCMonth() + 1;
  if (part === 'weekday') return date.getUTCDay();
  return at / microsecondsPerDay;
}
