import { assert } from '../../lib/failure.ts';
import { type Numbers, toDoubles } from '../../lib/files/column.ts';
import { microsecondsPerDay } from '../contract/contract.ts';
import { openMeasures } from '../contract/measures.ts';
import { linkMoments } from '../graph/as-of/references.ts';
import { firstVersion, readableSince, rowAsOf } from '../graph/as-of/rows.ts';
import { knownDates, knownMoments, laterOf } from '../graph/as-of/values.ts';
import type { Table, Tables } from '../graph/tables.ts';
import { firstAbove, firstAtLeast } from '../statistics/ranks.ts';
import { gather } from './event-index.ts';
import { openWord } from './words.ts';

/**
 * A value to compute for each row of an event table. It uses only what was known at the row's own time, or from the
 * moments in `known` on.
 */
export type Signal =
  /**
   * A column of the row, or of the row that a chain of references leads to. `measure`: the number written in its text.
   * `word`: 1 when its text contains the word, else 0.
   */
  | {
      readonly kind: 'column';
      readonly path: readonly string[];
      readonly column: string;
      readonly measure?: true;
      readonly word?: string;
    }
  /**
   * Days to a date column of the row, or of the row that `path` leads to: from the row's time, or from its date column
   * `from`.
   */
  | {
      readonly kind: 'interval';
      readonly path?: readonly string[];
      readonly column: string;
      readonly from?: string;
    }
  /** The row's rank, by a numeric column, among the rows that refer to the same parent. */
  | { readonly kind: 'rank'; readonly within: string; readonly column: string; readonly as: 'percentile' | 'deviation' }
  /** Which row a reference leads to. */
  | { readonly kind: 'reference'; readonly column: string };

/** Values per table row: numbers with NaN for missing, or codes with -1. `known`: when each value became known. */
export type SignalValues =
  | { readonly kind: 'number'; readonly values: Float64Array; readonly known?: Float64Array }
  | {
      readonly kind: 'category';
      readonly codes: Int32Array;
      readonly dictionary: readonly string[];
      readonly known?: Float64Array;
    };

export function signalKey(signal: Signal): string {
  switch (signal.kind) {
    case 'column':
      return `${pathText([...signal.path, signal.column])}${signal.measure ? ' as a number' : ''}${signal.word === undefined ? '' : ` with ${signal.word}`}`;
    case 'interval':
      return `${pathText([...pathOf(signal), signal.column])}-time${signal.from === undefined ? '' : ` of ${pathText([signal.from])}`}`;
    case 'rank':
      return `${pathText([signal.column])} ${signal.as} within ${pathText([signal.within])}`;
    case 'reference':
      return `→${pathText([signal.column])}`;
  }
}

/** The references from the row to that whose column a signal reads. */
export function pathOf(signal: Signal): readonly string[] {
  return 'path' in signal ? (signal.path ?? []) : [];
}

/**
 * Joins names with dots. A name with characters other than letters, digits and underscores is put in quotes, so that no
 * two paths give the same text.
 */
export function pathText(names: readonly string[]): string {
  return names.map((name) => (/^[\p{L}\p{N}_]+$/u.test(name) ? name : JSON.stringify(name))).join('.');
}

/**
 * The table at the end of a chain of references, and the row of it that each row leads to (-1 for none). `since`: the
 * moment from which that is known, when it is later than the row's own time.
 */
export type Led = { readonly target: Table; readonly rows?: Int32Array; readonly since?: Float64Array };

/**
 * Computes a signal for every row of `table`. `led` caches where the reference paths from `table` lead, for the next
 * signal computed over the same `tables`.
 */
export function computeSignal(
  tables: Tables,
  table: Table,
  signal: Signal,
  led: Map<string, Led> = new Map(),
): SignalValues {
  switch (signal.kind) {
    case 'column':
      return columnValues(tables, table, signal, led);
    case 'interval':
      return interval(tables, table, signal, led);
    case 'rank':
      return rankWithin(table, signal.within, signal.column, signal.as);
    case 'reference': {
      const reference = table.references.get(signal.column);
      assert(reference, `reference ${signal.column} of ${table.name}`);
      const target = tables.get(reference.table)!;
      const known = linkMoments(table, signal.column, target);
      return { kind: 'category', codes: reference.rows, dictionary: [], ...(known && { known }) };
    }
  }
}

/**
 * Follows a chain of references from every row of `table`. Each row is followed as of its own time, or as of the moment
 * when it is known where its references lead.
 */
function followPath(tables: Tables, table: Table, path: readonly string[]): Led {
  let target = table;
  const rows = new Int32Array(table.rows).map((_, row) => row);
  // For a row without its own time, the parent is known from the moment the parent is readable.
  let since = table.time ? undefined : new Float64Array(table.rows).fill(Number.NEGATIVE_INFINITY);
  for (const step of path) {
    const reference = target.references.get(step);
    assert(reference, `reference ${step} of ${target.name}`);
    const known = knownMoments(target, step);
    target = tables.get(reference.table)!;
    if (known) since ??= new Float64Array(table.rows).fill(Number.NEGATIVE_INFINITY);
    // The parent is read as it was known at the event: a version, or a row, that came later reads as missing.
    for (let row = 0; row < table.rows; row++) {
      const parent = rows[row] < 0 ? -1 : reference.rows[rows[row]];
      if (known && since && parent >= 0) since[row] = Math.max(since[row], known[rows[row]]);
      if (table.time)
        rows[row] = rowAsOf(target, parent, since ? Math.max(table.time[row], since[row]) : table.time[row]);
      else if (since) {
        rows[row] = parent < 0 ? -1 : firstVersion(target, parent);
        if (parent >= 0) since[row] = Math.max(since[row], readableSince(target, parent));
      }
    }
  }
  return { target, rows, ...(since?.some((moment) => moment !== Number.NEGATIVE_INFINITY) && { since }) };
}

/** Where the rows of `table` lead to whose column a signal reads. */
export function signalRows(tables: Tables, table: Table, signal: Signal): Led {
  return lead(tables, table, pathOf(signal), new Map());
}

function lead(tables: Tables, table: Table, path: readonly string[], led: Map<string, Led>): Led {
  const way = pathText([table.name, ...path]);
  let found = led.get(way);
  if (!found) led.set(way, (found = path.length === 0 ? { target: table } : followPath(tables, table, path)));
  return found;
}

function columnValues(
  tables: Tables,
  table: Table,
  { path, column: name, measure, word }: Signal & { kind: 'column' },
  led: Map<string, Led>,
): SignalValues {
  const { target, rows, since } = lead(tables, table, path, led);
  const column = target.columns.get(name);
  assert(column, `column ${name} of ${target.name}`);
  const moments = knownMoments(target, name);
  let known = moments && (rows ? gather(moments, rows) : moments);
  known = laterOf(known, since);
  const knownPart = known ? { known } : {};
  if (column.kind === 'text') {
    const codes = rows ? rows.map((row) => (row < 0 ? -1 : column.codes[row])) : column.codes;
    if (measure || word !== undefined) {
      const numbers = word === undefined ? openMeasures(column) : openWord(column, word);
      return {
        kind: 'number',
        values: Float64Array.from(codes, (code) => (code < 0 ? Number.NaN : numbers(code))),
        ...knownPart,
      };
    }
    return { kind: 'category', codes, dictionary: column.dictionary, ...knownPart };
  }
  const values = rows ? gather(column.values, rows) : toDoubles(column.values);
  return { kind: 'number', values, ...knownPart };
}

function interval(
  tables: Tables,
  table: Table,
  signal: Signal & { kind: 'interval' },
  led: Map<string, Led>,
): SignalValues {
  const { target, rows, since } = lead(tables, table, pathOf(signal), led);
  const column = target.columns.get(signal.column);
  assert(column?.kind === 'time', `date column ${signal.column} of ${target.name}`);
  const start = startOf(table, signal);
  const dates = rows ? gather(column.values, rows) : column.values;
  const values = dates.map((value, row) => (value - start.values[row]) / microsecondsPerDay);
  const moments = knownDates(target, signal.column);
  const known = laterOf(laterOf(moments && (rows ? gather(moments, rows) : moments), since), start.known);
  return { kind: 'number', values, ...(known ? { known } : {}) };
}

/** When the days of an interval begin, for each row. */
function startOf(table: Table, { from }: Signal & { kind: 'interval' }) {
  if (from === undefined) {
    assert(table.time, `time of ${table.name}`);
    return { values: table.time };
  }
  const column = table.columns.get(from);
  assert(column?.kind === 'time', `date column ${from} of ${table.name}`);
  return { values: column.values, known: knownDates(table, from) };
}

/** With more siblings, rows are ranked only when all siblings have the same time (which takes a single sort). */
const siblingsMax = 256;

/**
 * Rank of each row among its siblings: the rows with the same parent, a time ≤ its own, and a value. percentile:
 * (siblings below + half of those equal) / (siblings - 1), in [0, 1]; deviation: (x - mean) / sd of the group. Missing
 * for a row without siblings. Siblings that come later change nothing, not even through their number.
 */
function rankWithin(table: Table, within: string, name: string, as: 'percentile' | 'deviation'): SignalValues {
  const reference = table.references.get(within);
  const column = table.columns.get(name);
  assert(
    reference && column?.kind === 'number' && table.time,
    `numeric column ${name} and reference ${within} of ${table.name}`,
  );
  const values = new Float64Array(table.rows).fill(Number.NaN);
  const groups = new Map<number, number[]>();
  for (let row = 0; row < table.rows; row++) {
    if (reference.rows[row] < 0 || Number.isNaN(column.values[row]) || Number.isNaN(table.time[row])) continue;
    const group = groups.get(reference.rows[row]);
    if (group) group.push(row);
    else groups.set(reference.rows[row], [row]);
  }
  for (const group of groups.values()) {
    const { time } = table;
    group.sort((a, b) => time[a] - time[b]);
    for (let from = 0, to = 0; from < group.length; from = to) {
      while (to < group.length && time[group[to]] === time[group[from]]) to++;
      if (from > 0 && to > siblingsMax) break;
      standGroup(column.values, group.slice(0, to), group.slice(from, to), as, values);
    }
  }
  return { kind: 'number', values };
}

function standGroup(
  x: Numbers,
  group: readonly number[],
  rows: readonly number[],
  as: 'percentile' | 'deviation',
  into: Float64Array,
): void {
  if (group.length < 2) return;
  if (as === 'percentile') {
    const sorted = Float64Array.from(group, (row) => x[row]).sort();
    for (const row of rows) {
      const below = firstAtLeast(sorted, x[row]);
      const equal = firstAbove(sorted, x[row]) - below;
      into[row] = (below + (equal - 1) / 2) / (group.length - 1);
    }
    return;
  }
  // Sorted before summing, so that the order of rows in the file cannot change a bit of the sum.
  const sorted = Float64Array.from(group, (row) => x[row]).sort();
  let sum = 0;
  for (const value of sorted) sum += value;
  const mean = sum / sorted.length;
  let m2 = 0;
  for (const value of sorted) m2 += (value - mean) * (value - mean);
  const sd = Math.sqrt(m2 / sorted.length);
  if (sd > 0) for (const row of rows) into[row] = (x[row] - mean) / sd;
}
