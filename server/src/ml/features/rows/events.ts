import { pathOf, type Signal, type SignalValues, signalKey, signalRows } from '../../events/signals.ts';
import { firstAfter } from '../../graph/as-of/search.ts';
import { isKnown } from '../../graph/as-of/values.ts';
import { allTable, type Read } from '../feature.ts';
import type { States } from '../focus.ts';
import type { Graph } from '../graph.ts';
import { listSpans, openHistory } from '../history.ts';
import type { Anchors, State } from '../state.ts';
import { type EventRead, partsRead, type Range } from './parts.ts';
import { type Add, type Found, knownAt, type RowPlace, rowSince, tellSignal, textOf } from './read-row.ts';
import { usualOf, type WholeRows, wholeIn, wholeOf } from './whole.ts';

/** Adds the events that are read of a state; returns what is read as a whole instead, or besides. */
export function readEvents(
  graph: Graph,
  states: States,
  read: EventRead,
  state: State,
  add: Add<Found>,
): WholeRows | null {
  const { events } = read;
  if (read.kind === 'rating') return readRating(graph, read, state, add);
  // A comparison reads the events of the parent.
  const isComparison = read.kind === 'against' || read.kind === 'same';
  if (isComparison) addCompared(read.column, state, add);
  const of = isComparison
    ? states({ kind: 'parent', of: { kind: 'root' }, reference: events.via[0] })(state as Anchors)
    : state;
  const { spans, slots, years } = listSpans([read]);
  const history = openHistory(graph, events, spans);
  const signal = signalOf(read);
  const values = signal && graph.values(events.table, signal);
  const ledTo =
    signal && pathOf(signal).length > 0 ? signalRows(graph.tables, graph.table(events.table), signal) : null;
  const isAll = events.via.includes(allTable);
  let whole: WholeRows | null = null;
  history.each(of, (windows) => {
    const window = windows.at(0);
    const spanOf = (slot: number): Range =>
      slot < 0 ? [0, window.count] : [windows.from[slot][0], windows.to[slot][0]];
    const hasValue = (v: number) => !values || isFilled(values, window.row(v), window.readableUntil);
    const parts = partsRead(read, window, spanOf(slots[0]), years[0] < 0 ? null : spanOf(years[0]), hasValue);
    if (isAll) whole = wholeIn(window, parts, hasValue, history.index.time, history.index.table);
    else
      for (const { role, range } of parts)
        for (let v = range[1] - 1; v >= range[0]; v--)
          if (hasValue(v)) {
            const row = window.row(v);
            const since = Math.max(history.index.time[window.position(v)], rowSince(history.index.table, row));
            const known = values ? knownAt(values.known, row, since) : since;
            const holder = signal && values ? holderOf(graph, events.table, signal, values, ledTo, row) : null;
            const column = signal ? signalKey(signal) : null;
            const value = values ? tellSignal(values, row) : null;
            add({ table: history.index.table, row, role, column, value, known, holder });
          }
    if (read.kind === 'number' && read.aggregate === 'smoothed')
      whole = usualOf(graph, read.events, values!, window.readableUntil);
  });
  return whole;
}

function signalOf(read: EventRead): Signal | null {
  if ('signal' in read) return read.signal;
  return 'column' in read ? { kind: 'column', path: [], column: read.column } : null;
}

function isFilled(values: SignalValues, row: number, readableUntil: number): boolean {
  const isMissing = values.kind === 'number' ? Number.isNaN(values.values[row]) : values.codes[row] < 0;
  return !isMissing && isKnown(values.known, row, readableUntil);
}

function holderOf(
  graph: Graph,
  table: string,
  signal: Signal,
  values: SignalValues,
  ledTo: ReturnType<typeof signalRows> | null,
  row: number,
): RowPlace | null {
  if (signal.kind === 'reference' && values.kind === 'category')
    return { table: graph.table(graph.table(table).references.get(signal.column)!.table), row: values.codes[row] };
  return ledTo?.rows ? { table: ledTo.target, row: ledTo.rows[row] } : null;
}

/** The new row's own value, which is compared. */
function addCompared(column: string, { table, rows }: State, add: Add<Found>): void {
  const own = table!.columns.get(column)!;
  const value = own.kind === 'text' ? textOf(own, rows[0]) : own.values[rows[0]];
  const known = Number.NEGATIVE_INFINITY;
  add({ table: table!, row: rows[0], role: 'own', column, value, known, holder: null });
}

/** The row's own outcomes against others. All outcomes by then are read besides: they say how strong those are. */
function readRating(
  graph: Graph,
  read: Extract<Read, { kind: 'rating' }>,
  { rows, readableUntil, labelled = readableUntil }: State,
  add: Add<Found>,
): WholeRows {
  const { events, against } = read;
  const until = Math.min(readableUntil[0], labelled[0]);
  const label = graph.values(events.table, { kind: 'column', path: [], column: 'label' });
  for (const to of [events, { table: events.table, via: [...events.via.slice(0, -1), against] }]) {
    const { offsets, time, rows: all, table } = graph.index(to);
    const end = firstAfter(time, offsets[rows[0]], offsets[rows[0] + 1], until);
    for (let p = end - 1; p >= offsets[rows[0]]; p--) {
      const [row, column] = [all[p], 'label'];
      add({ table, row, role: 'read', column, value: tellSignal(label, row), known: time[p], holder: null });
    }
  }
  return wholeOf(graph, events, until);
}
