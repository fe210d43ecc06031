import type { Signal, SignalValues } from '../../events/signals.ts';
import { isFilledLater, isKnown } from '../../graph/as-of/values.ts';
import type { Table } from '../../graph/tables.ts';
import { allTable, type Events, labelsTable } from '../feature.ts';
import type { ColumnUse } from './column-use.ts';
import type { Context } from './context.ts';
import { isSteady, someDays } from './date-pairs.ts';

/** `use`: how its values may be read. `raw`: whether it is a column of the events themselves. */
export type FoundSignal = { readonly signal: Signal; readonly use: ColumnUse; readonly raw: boolean };

/** The signals of an event table: its own columns, columns of the rows it refers to, and ranks within groups. */
export function signalsOf({ graph, uses, rankGroups, datePairs, cut }: Context, events: Events): FoundSignal[] {
  const table = graph.table(events.table);
  const found: FoundSignal[] = [];
  const groups = rankGroups(table);
  const addInterval = (to: Table, interval: Omit<Signal & { kind: 'interval' }, 'kind'>) => {
    const signal: Signal = { kind: 'interval', ...interval };
    const isPlanned = columnOf(to, interval.column).planned === true;
    if (table.time && !isSteady(knownDays(graph.values(table.name, signal), table.time, cut), isPlanned))
      found.push({ signal, use: { kind: 'number' }, raw: false });
  };
  for (const [column, use] of uses.get(table.name) ?? []) {
    if (use.kind === 'number') {
      found.push({ signal: { kind: 'column', path: [], column }, use, raw: true });
      if (isFilledLater(table, column) || columnOf(table, column).type === 'boolean') continue;
      for (const within of groups) {
        for (const as of ['percentile', 'deviation'] as const)
          found.push({ signal: { kind: 'rank', within, column, as }, use, raw: false });
      }
    } else if (use.kind === 'measure') found.push(...readMeasure([], column, use.values, true));
    else if (use.kind === 'category') found.push({ signal: { kind: 'column', path: [], column }, use, raw: true });
    else if (use.kind === 'date') addInterval(table, { column });
  }
  // What lies between two dates of the event itself: a bill's due date and the day it was paid.
  for (const pair of datePairs(table))
    found.push({ signal: { kind: 'interval', ...pair }, use: { kind: 'number' }, raw: false });
  for (const [reference, { table: name }] of table.references) {
    if (reference === allTable) continue;
    // The entity's own columns are the same on all its events, so they are proposed as attributes of the entity.
    const isOwn = events.via.length === 1 && events.via[0] === reference;
    // How late or early an event is against a date of what it belongs to: a payment against the loan's due date.
    if (table.name !== labelsTable)
      for (const column of datesOf(graph.table(name), uses.get(name), isOwn))
        addInterval(graph.table(name), { path: [reference], column });
    if (isOwn) continue;
    for (const [column, use] of uses.get(name) ?? []) {
      if (use.kind === 'number' || use.kind === 'category')
        found.push({ signal: { kind: 'column', path: [reference], column }, use, raw: false });
      else if (use.kind === 'measure') found.push(...readMeasure([reference], column, use.values, false));
    }
  }
  return found;
}

function columnOf({ contract }: Table, name: string) {
  return contract.columns.find((column) => column.name === name)!;
}

/** Values of an interval in some of the rows known at `cut`, sorted. */
function knownDays(signal: SignalValues, time: Float64Array, cut: number): Float64Array {
  if (signal.kind !== 'number') return new Float64Array();
  const { values, known } = signal;
  return someDays(values.length, (row) =>
    isKnown(time, row, cut) && isKnown(known, row, cut) ? values[row] : Number.NaN,
  );
}

/** Dates of a row that events may be held against; of the entity itself only those that are planned. */
function datesOf({ contract }: Table, uses: ReadonlyMap<string, ColumnUse> | undefined, isOwn: boolean): string[] {
  return contract.columns
    .filter(({ name, pii, planned }) => uses?.get(name)?.kind === 'date' && !pii && (planned || !isOwn))
    .map(({ name }) => name);
}

/** Signals of a text that contains numbers: the number, and the frequent texts that are not numbers. */
function readMeasure(path: readonly string[], column: string, values: readonly string[], raw: boolean): FoundSignal[] {
  const number: FoundSignal = {
    signal: { kind: 'column', path, column, measure: true },
    use: { kind: 'number' },
    raw,
  };
  if (values.length === 0) return [number];
  return [
    number,
    { signal: { kind: 'column', path, column }, use: { kind: 'category', values, told: values, isWordy: false }, raw },
  ];
}

/** Median group size from which rows that share a parent are ranked among each other. */
const rankGroupMin = 3;
const rankGroupMax = 500;

/**
 * Finds the references of each table whose rows happen together, from rows readable at `cut`. Results are cached per
 * table, as many features read one table.
 */
export function openRankGroups(cut: number): (table: Table) => readonly string[] {
  const found = new Map<string, readonly string[]>();
  return (table) => {
    if (!found.has(table.name)) found.set(table.name, findRankGroups(table, cut));
    return found.get(table.name)!;
  };
}

/**
 * References whose rows happen together (the lines of one invoice, the results of one race), from rows readable at
 * `cut`.
 */
function findRankGroups(table: Table, cut: number): string[] {
  if (!table.time || table.versions) return [];
  return [...table.references].flatMap(([column, { rows, values }]) => {
    // If the reference is filled later, the members of a group are not known at the rows' time.
    if (values || isFilledLater(table, column)) return [];
    const groups = new Map<number, { size: number; time: number; together: boolean }>();
    for (let row = 0; row < table.rows; row++) {
      if (rows[row] < 0 || !isKnown(table.time, row, cut)) continue;
      const group = groups.get(rows[row]);
      if (!group) groups.set(rows[row], { size: 1, time: table.time![row], together: true });
      else {
        group.size++;
        if (group.time !== table.time![row]) group.together = false;
      }
    }
    const sizes = [...groups.values()].map((group) => group.size).sort((a, b) => a - b);
    const median = sizes[sizes.length >> 1] ?? 0;
    const together = [...groups.values()].filter((group) => group.together).length;
    return median >= rankGroupMin && median <= rankGroupMax && together >= groups.size * 0.95 ? [column] : [];
  });
}
