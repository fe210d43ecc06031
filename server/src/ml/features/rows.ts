// Which rows a feature is read from: through the readers' own states, windows and references.
import { assert } from '../../lib/failure.ts';
import { pathOf, type Signal, type SignalValues, signalKey, signalRows } from '../events/signals.ts';
import { rowAsOf, rowMoments } from '../graph/as-of/rows.ts';
import { firstAfter } from '../graph/as-of/search.ts';
import { isKnown, knownDates, knownMoments } from '../graph/as-of/values.ts';
import type { Table } from '../graph/tables.ts';
import { pickState } from './distinct-states.ts';
import { openReads, readExactly } from './evaluate.ts';
import {
  allTable,
  type Events,
  type Feature,
  type Focus,
  gapEventsMax,
  labelsTable,
  neighborDecay,
  neighborsMax,
  type Read,
  varietyEventsMax,
} from './feature.ts';
import { openLink, openStates, type States } from './focus.ts';
import type { Graph } from './graph.ts';
import { listSpans, openHistory, type Window } from './history.ts';
import type { Anchors, State } from './state.ts';

/**
 * What a row is read for.
 * - `read`: its value, or that it is there, is what is aggregated.
 * - `compared`: what is aggregated is held against it: of a rate all earlier events, of a swing the rest of the year,
 *   of a trend the newest value where the span lacks it.
 * - `own`: its value is held against what is aggregated.
 * - `leads`: its reference leads to a row that is read.
 */
export type Role = 'read' | 'compared' | 'own' | 'leads';

/** A row of a table; of rows that are sent again, that version. */
export type RowPlace = { readonly table: Table; readonly row: number };

export type ReadRow = RowPlace & {
  readonly role: Role;
  /** The place in `subjects` of the row that it is read for. */
  readonly of: number;
  /** What is read of it, as `signalKey` names it; null where it only counts. */
  readonly column: string | null;
  /** A number, the place of a text in its dictionary as text, or null where it only counts. */
  readonly value: number | string | null;
  /** Since when the row is there and says this, microseconds; -Infinity: always. */
  readonly known: number;
  /** The row in which the value stands, where this one leads to it. */
  readonly holder: RowPlace | null;
};

/** A row whose state is read: the one that is asked about or reached from it. */
export type Subject = {
  readonly table: Table | undefined;
  /** -1: none was known. */
  readonly row: number;
  /** Its share in the value; of two that are set against each other 1 and -1. */
  readonly weight: number;
  /** What is read of it; NaN: nothing. */
  readonly value: number;
};

/** Rows that are read together and are not listed one by one: of all entities, or of all that share words. */
export type WholeRows = {
  readonly table: Table;
  readonly rows: number;
  /** The moments of the first and the last of them; NaN where they have none. */
  readonly from: number;
  readonly until: number;
  /** Of a smoothed mean, what it is drawn to. */
  readonly mean: number | null;
};

export type FeatureRows = {
  /** In full precision; models read it as float32. NaN: missing, and then nothing is listed. */
  readonly value: number;
  readonly subjects: readonly Subject[];
  readonly whole: WholeRows | null;
  /** How many rows there are, and those of them that were asked for: the newest of each subject first. */
  readonly count: number;
  readonly rows: readonly ReadRow[];
};

/** Of the rows in their order those at places `from` to `to` - 1. */
export type Slice = { readonly from: number; readonly to: number };

/**
 * Returns the rows that a feature is read from at the only anchor. Nothing of them became known after its
 * `readableUntil` (of what comes with a new row: after the row's own time).
 */
export function rowsOf(graph: Graph, feature: Feature, anchors: Anchors, slice: Slice): FeatureRows {
  assert(anchors.rows.length === 1, 'one anchor');
  const [value] = readExactly(graph, [feature], anchors)[0];
  const list = openList(slice);
  if (Number.isNaN(value)) return { value, subjects: [], whole: null, count: 0, rows: [] };
  const { focus, read } = feature;
  const states = openStates(graph);
  const subjects: Subject[] = [];
  let whole: WholeRows | null = null;
  for (const { state, weight } of subjectsOf(graph, states, focus, anchors, list.add)) {
    const of = subjects.length;
    const own = valueAt(graph, feature, state, value);
    const { table, fresh, rows, readableUntil, reach = readableUntil } = state;
    const row = !table || fresh ? rows[0] : rowAsOf(table, rows[0], reach[0]);
    subjects.push({ table, row, weight, value: own });
    if (Number.isNaN(own)) continue;
    const add = (found: Omit<ReadRow, 'of'>) => list.add({ ...found, of });
    if ('events' in read) whole = readEvents(graph, states, read, state, add) ?? whole;
    else whole = readOwn(graph, read, state, row, add) ?? whole;
  }
  return { value, subjects: sharing(focus, subjects), whole, count: list.count(), rows: list.rows };
}

type Add<R = ReadRow> = (row: R) => void;

function openList({ from, to }: Slice) {
  const rows: ReadRow[] = [];
  let count = 0;
  return {
    rows,
    count: () => count,
    add(row: ReadRow): void {
      if (count >= from && count < to) rows.push(row);
      count++;
    },
  };
}

/** What is read of one subject: of a focus that is one row, the value itself. */
function valueAt(graph: Graph, { focus, read }: Feature, state: State, value: number): number {
  if (focus.kind !== 'recent' && focus.kind !== 'apart') return value;
  let own = Number.NaN;
  openReads(graph, [{ index: 0, read }])(state, (_, __, found) => {
    own = found;
  });
  return own;
}

/** Weights as shares of those subjects that have a value. */
function sharing({ kind }: Focus, subjects: readonly Subject[]): Subject[] {
  if (kind !== 'recent') return [...subjects];
  const total = subjects.reduce((sum, { weight, value }) => sum + (Number.isNaN(value) ? 0 : weight), 0);
  return subjects.map((one) => ({ ...one, weight: Number.isNaN(one.value) ? 0 : one.weight / total }));
}

type SubjectState = { readonly state: State; readonly weight: number };

/** The rows that a focus describes, and the events that lead to them. */
function subjectsOf(graph: Graph, states: States, focus: Focus, anchors: Anchors, add: Add): SubjectState[] {
  if (focus.kind === 'apart') {
    const { of, reference, from } = focus;
    addLeading(graph, states, of, anchors, add);
    return [reference, from].map((name, k) => ({
      state: states({ kind: 'parent', of, reference: name })(anchors),
      weight: k === 0 ? 1 : -1,
    }));
  }
  if (focus.kind !== 'recent') {
    addLeading(graph, states, focus, anchors, add);
    return [{ state: states(focus)(anchors), weight: 1 }];
  }
  addLeading(graph, states, focus.of, anchors, add);
  const { table, follow } = openLink(graph, graph.table(focus.events.table), focus.to);
  const history = openHistory(graph, focus.events);
  const isTimed = history.index.table.time !== undefined && !focus.events.arriving;
  const weights = new Map<number, number>();
  history.each(states(focus.of)(anchors), (windows) => {
    const window = windows.at(0);
    let weight = 1;
    for (let v = window.count - 1; v >= 0 && v >= window.count - neighborsMax; v--) {
      const met = follow(window.row(v), anchors.readableUntil[0]);
      if (met < 0) continue;
      const of = weights.has(met) ? [...weights.keys()].indexOf(met) : weights.size;
      add({ ...leading(history.index.table, window, v, focus.to, history.index.time), of });
      weights.set(met, (weights.get(met) ?? 0) + weight);
      if (isTimed) weight *= neighborDecay;
    }
  });
  return Array.from(weights, ([met, weight]) => {
    const state = pickState(anchors, [0], { table, fresh: false, rows: Int32Array.of(met) });
    return { state, weight };
  });
}

/** Adds the event that leads to the last row of a focus, and to those that it was reached by. */
function addLeading(graph: Graph, states: States, focus: Focus, anchors: Anchors, add: Add): void {
  if (focus.kind === 'root' || focus.kind === 'all') return;
  addLeading(graph, states, focus.of, anchors, add);
  if (focus.kind !== 'last') return;
  const { follow } = openLink(graph, graph.table(focus.events.table), focus.to);
  const history = openHistory(graph, focus.events);
  history.each(states(focus.of)(anchors), (windows) => {
    const window = windows.at(0);
    for (let v = window.count - 1; v >= 0 && v >= window.count - neighborsMax; v--) {
      if (follow(window.row(v), window.readableUntil) < 0) continue;
      add({ ...leading(history.index.table, window, v, focus.to, history.index.time), of: 0 });
      return;
    }
  });
}

function leading(table: Table, window: Window, v: number, to: string, time: Float64Array): Omit<ReadRow, 'of'> {
  const row = window.row(v);
  const known = knownAt(knownMoments(table, to), row, time[window.position(v)]);
  return { table, row, role: 'leads', column: to, value: null, known, holder: null };
}

/** The later of the moments of a row and of a value of it. */
function knownAt(known: Float64Array | undefined, row: number, since: number): number {
  return known ? Math.max(known[row], since) : since;
}

/** Adds the row that is described, where its own values are read. */
function readOwn(
  graph: Graph,
  read: Exclude<Read, { readonly events: Events }>,
  { table, fresh, readableUntil, labelled = readableUntil }: State,
  row: number,
  add: Add<Omit<ReadRow, 'of'>>,
): WholeRows | null {
  if (read.kind === 'calendar' || read.kind === 'data_age' || read.kind === 'embedding') return null;
  assert(table, 'a row is read');
  const since = fresh ? Number.NEGATIVE_INFINITY : rowSince(table, row);
  if (read.kind === 'age') {
    const { time } = table.contract;
    const column = time && 'column' in time ? time.column : null;
    add({ table, row, role: 'read', column, value: table.time![row], known: since, holder: null });
    return null;
  }
  const column = table.columns.get(read.column)!;
  const known = (read.kind === 'interval' ? knownDates : knownMoments)(table, read.column);
  const value = column.kind === 'text' ? textOf(column, row) : column.values[row];
  add({ table, row, role: 'read', column: read.column, value, known: knownAt(known, row, since), holder: null });
  if (read.kind !== 'words') return null;
  const events = { table: labelsTable, via: read.via };
  return wholeOf(graph, events, Math.min(readableUntil[0], labelled[0]));
}

function textOf({ codes, dictionary }: { codes: Int32Array; dictionary: readonly string[] }, row: number) {
  return codes[row] < 0 ? null : dictionary[codes[row]];
}

/** Since when a row, or a version of one, is there. */
function rowSince(table: Table, row: number): number {
  const since = rowMoments(table)?.[row] ?? Number.NaN;
  return Number.isNaN(since) ? Number.NEGATIVE_INFINITY : since;
}

/** All rows of the events that lead anywhere by a moment. */
function wholeOf(graph: Graph, events: Events, until: number, mean: number | null = null): WholeRows {
  const { table, time, rows: all, offsets, entities } = graph.index(events);
  let rows = 0;
  let [from, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let e = 0; e < entities; e++) {
    const end = firstAfter(time, offsets[e], offsets[e + 1], until);
    rows += end - offsets[e];
    if (end === offsets[e]) continue;
    from = Math.min(from, time[offsets[e]]);
    last = Math.max(last, time[end - 1]);
  }
  assert(rows <= all.length, 'rows of the index');
  return { table, rows, from: orNone(from), until: orNone(last), mean };
}

function orNone(moment: number): number {
  return Number.isFinite(moment) ? moment : Number.NaN;
}

type EventRead = Extract<Read, { readonly events: Events }>;

/** Adds the events that are read of a state; returns what is read as a whole instead, or besides. */
function readEvents(
  graph: Graph,
  states: States,
  read: EventRead,
  state: State,
  add: Add<Omit<ReadRow, 'of'>>,
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

/** Events from the first to before the last, counted as in a window. */
type Range = readonly [from: number, to: number];
type Part = { readonly role: Role; readonly range: Range };

/** Which events of a window are read, and what for: the newest are the last. Those without a value are not left out. */
function partsRead(
  read: EventRead,
  { count }: Window,
  span: Range,
  year: Range | null,
  hasValue: (v: number) => boolean,
): Part[] {
  const [from, to] = span;
  const part = (range: Range, role: Role = 'read'): Part => ({ role, range });
  /** The rest of a longer range around the span. */
  const around = ([first, end]: Range): Part[] => [
    part([Math.max(to, first), end], 'compared'),
    part(span),
    part([first, Math.min(from, end)], 'compared'),
  ];
  switch (read.kind) {
    case 'rate':
      return around(year ?? [0, count]);
    case 'since':
      return [part(read.which === 'last' ? [count - 1, count] : [0, 1])];
    case 'gap':
      return [part([Math.max(0, count - gapEventsMax), count])];
    case 'last_is':
      return [part([count - 1, count])];
    case 'variety':
      return [part([Math.max(from, to - varietyEventsMax), to])];
    case 'number': {
      if (read.aggregate === 'swing') return around(year!);
      if (read.aggregate !== 'last' && read.aggregate !== 'trend') return [part(span)];
      let last = count - 1;
      while (last >= 0 && !hasValue(last)) last--;
      if (read.aggregate === 'last') return [part([last, last + 1])];
      return last >= to ? [part([last, last + 1], 'compared'), part(span)] : [part(span)];
    }
    default:
      return [part(span)];
  }
}

function signalOf(read: EventRead): Signal | null {
  if ('signal' in read) return read.signal;
  return 'column' in read ? { kind: 'column', path: [], column: read.column } : null;
}

function isFilled(values: SignalValues, row: number, readableUntil: number): boolean {
  const isMissing = values.kind === 'number' ? Number.isNaN(values.values[row]) : values.codes[row] < 0;
  return !isMissing && isKnown(values.known, row, readableUntil);
}

/** The text of a category; the number of the row where it says which row a reference leads to. */
function tellSignal(values: SignalValues, row: number): number | string | null {
  if (values.kind === 'number') return values.values[row];
  return values.dictionary[values.codes[row]] ?? null;
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
function addCompared(column: string, { table, rows }: State, add: Add<Omit<ReadRow, 'of'>>): void {
  const own = table!.columns.get(column)!;
  const value = own.kind === 'text' ? textOf(own, rows[0]) : own.values[rows[0]];
  const known = Number.NEGATIVE_INFINITY;
  add({ table: table!, row: rows[0], role: 'own', column, value, known, holder: null });
}

/** Events of all rows together: how many are read, and of when. */
function wholeIn(
  window: Window,
  parts: readonly Part[],
  hasValue: (v: number) => boolean,
  time: Float64Array,
  table: Table,
): WholeRows {
  let rows = 0;
  let [from, until] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { range } of parts)
    for (let v = range[0]; v < range[1]; v++) {
      if (!hasValue(v)) continue;
      rows++;
      const moment = time[window.position(v)];
      from = Math.min(from, moment);
      until = Math.max(until, moment);
    }
  return { table, rows, from: orNone(from), until: orNone(until), mean: null };
}

/** What a smoothed mean is drawn to: the mean of all rows of the table. */
function usualOf(graph: Graph, { table, when }: Events, values: SignalValues, until: number): WholeRows {
  assert(values.kind === 'number', 'numbers are smoothed');
  const everything: Events = { table, via: [allTable], ...(when ? { when } : {}) };
  const { time, rows: all, table: of } = graph.index(everything);
  const end = firstAfter(time, 0, time.length, until);
  let [rows, sum] = [0, 0];
  for (let p = 0; p < end; p++) {
    const value = values.values[all[p]];
    if (Number.isNaN(value)) continue;
    rows++;
    sum += value;
  }
  return { table: of, rows, from: orNone(time[0]), until: orNone(time[end - 1]), mean: rows > 0 ? sum / rows : null };
}

/** The row's own outcomes against others. All outcomes by then are read besides: they say how strong those are. */
function readRating(
  graph: Graph,
  read: Extract<Read, { kind: 'rating' }>,
  { rows, readableUntil, labelled = readableUntil }: State,
  add: Add<Omit<ReadRow, 'of'>>,
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
