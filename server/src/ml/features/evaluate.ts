import { assert } from '../../lib/failure.ts';
import { microsecondsPerDay } from '../contract/contract.ts';
import { type EventIndex, emptySummary, firstAfter, summarise } from '../events/event-index.ts';
import { knownDates, knownMoments, signalKey } from '../events/signals.ts';
import { linkedSince, rowAsOf, type Table } from '../graph/tables.ts';
import type { FeatureMatrix } from '../trees/matrix.ts';
import {
  companyDecay,
  companyMax,
  type Events,
  eventsKey,
  type Feature,
  type Focus,
  focusKey,
  gapEventsMax,
  type Read,
  type Span,
  varietyEventsMax,
} from './feature.ts';
import type { Graph } from './graph.ts';

/**
 * The questions asked: for row `rows[i]` of `table`, as of `at[i]`, reading nothing later than `limit[i]` (microseconds;
 * limit ≤ at). `own[i]` is the anchor's own row in the tables, kept out of every history, or -1.
 * `table` may hold rows that are not in the tables (new applications): then `own` is -1, or the row they restate.
 */
export type Anchors = {
  readonly table: Table;
  /** True when the anchor's row is new at its time and readable whole; false when it is an entity read as of the limit. */
  readonly fresh: boolean;
  readonly rows: Int32Array;
  readonly own: Int32Array;
  /** The table `own` counts in. */
  readonly ownTable: string;
  readonly at: Float64Array;
  readonly limit: Float64Array;
};

/** Rows of one table as of given moments: an anchor, or a row reached from anchors. Row -1 has nothing to read. */
type State = {
  readonly table: Table | undefined;
  readonly fresh: boolean;
  readonly rows: Int32Array;
  readonly own: Int32Array;
  readonly ownTable: string;
  readonly at: Float64Array;
  readonly limit: Float64Array;
};

type Write = (feature: number, i: number, value: number) => void;

/**
 * Computes features for anchors: column-major float32, NaN for what is not known. Each value depends only on its own
 * anchor, so one row and a million rows give the same bits.
 */
export function evaluate(graph: Graph, features: readonly Feature[], anchors: Anchors): FeatureMatrix {
  const rows = anchors.rows.length;
  const values = new Float32Array(features.length * rows).fill(Number.NaN);
  const write: Write = (feature, i, value) => {
    values[feature * rows + i] = value;
  };
  const others: number[] = [];
  features.forEach(({ focus, read }, index) => {
    if (anchors.fresh && focus.kind === 'root' && read.kind === 'attribute')
      copyNumbers(anchors, read.column, values.subarray(index * rows, (index + 1) * rows));
    else others.push(index);
  });
  const byFocus = groupBy(others, (index) => focusKey(features[index]!.focus));
  for (const members of byFocus.values()) {
    evaluateFocus(
      graph,
      features[members[0]!]!.focus,
      anchors,
      members.map((index) => ({ index, read: features[index]!.read })),
      write,
    );
  }
  return { rows, features: features.length, values };
}

/** A new row's own numbers are most of what large files are read for: straight from the column, a quarter of the time. */
function copyNumbers({ table, rows, limit }: Anchors, name: string, into: Float32Array): void {
  const column = table.columns.get(name);
  if (!column) return;
  assert(column.kind === 'number', `${name} is numeric`);
  const { values } = column;
  const known = knownMoments(table, name);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    if (row >= 0 && !(known && !(known[row]! <= limit[i]!))) into[i] = values[row]!;
  }
}

type Member = { readonly index: number; readonly read: Read };

function evaluateFocus(graph: Graph, focus: Focus, anchors: Anchors, members: readonly Member[], write: Write): void {
  if (focus.kind === 'recent') evaluateCompany(graph, focus, anchors, members, write);
  else if (focus.kind === 'root') evaluateState(graph, anchors, members, write);
  else evaluateShared(graph, stateOf(graph, focus, anchors), members, write);
}

/** Evaluates each distinct state once: many anchors of one moment look at the same parent, company or base rate. */
function evaluateShared(graph: Graph, state: State, members: readonly Member[], write: Write): void {
  const distinct = new Map<string, number>();
  const firsts: number[] = [];
  const stateOfAnchor = Int32Array.from(state.rows, (row, i) => {
    const key = `${row} ${state.at[i]} ${state.limit[i]} ${state.own[i]}`;
    let at = distinct.get(key);
    if (at === undefined) {
      at = firsts.push(i) - 1;
      distinct.set(key, at);
    }
    return at;
  });
  if (firsts.length === state.rows.length) {
    evaluateState(graph, state, members, write);
    return;
  }
  const values = new Float64Array(members.length * firsts.length).fill(Number.NaN);
  const shared: State = {
    ...state,
    rows: Int32Array.from(firsts, (i) => state.rows[i]),
    own: Int32Array.from(firsts, (i) => state.own[i]),
    at: Float64Array.from(firsts, (i) => state.at[i]),
    limit: Float64Array.from(firsts, (i) => state.limit[i]),
  };
  evaluateState(
    graph,
    shared,
    members.map(({ read }, index) => ({ index, read })),
    (feature, i, value) => {
      values[feature * firsts.length + i] = value;
    },
  );
  for (let m = 0; m < members.length; m++) {
    for (let i = 0; i < stateOfAnchor.length; i++)
      write(members[m].index, i, values[m * firsts.length + stateOfAnchor[i]]);
  }
}

/** The row each anchor's focus stands on, or -1. */
export function focusRows(graph: Graph, focus: Focus, anchors: Anchors): Int32Array {
  return stateOf(graph, focus, anchors).rows;
}

function stateOf(graph: Graph, focus: Focus, anchors: Anchors): State {
  const n = anchors.rows.length;
  switch (focus.kind) {
    case 'root':
      return anchors;
    case 'all':
      return { ...anchors, table: undefined, fresh: false, rows: new Int32Array(n) };
    case 'parent': {
      const of = stateOf(graph, focus.of, anchors);
      const reference = of.table!.references.get(focus.reference);
      assert(reference, `reference ${focus.reference} of ${of.table!.name}`);
      const target = graph.table(reference.table);
      const rows = Int32Array.from(of.rows, (row, i) => {
        const readable = of.fresh ? row : rowAsOf(of.table!, row, of.limit[i]!);
        return readable < 0 ? -1 : linkedRow(target, reference.rows[readable]!, of.limit[i]!);
      });
      return { ...anchors, table: target, fresh: false, rows };
    }
    case 'last': {
      const of = stateOf(graph, focus.of, anchors);
      const target = reachedBy(graph, focus.events, focus.to);
      const company = graph.table(target.table);
      const rows = new Int32Array(n).fill(-1);
      const history = openHistory(graph, focus.events, of);
      for (let i = 0; i < n; i++) {
        const view = history(i);
        for (let v = view.count - 1; v >= 0 && v >= view.count - companyMax && rows[i]! < 0; v--)
          rows[i] = linkedRow(company, target.rows[view.row(v)]!, of.limit[i]!);
      }
      return { ...anchors, table: company, fresh: false, rows };
    }
    case 'recent':
      throw new Error('company is averaged, it has no single row');
  }
}

/** A row that is not there yet is met by nobody: that it will come may be what the label is about. */
function linkedRow(table: Table, row: number, limit: number): number {
  return row >= 0 && linkedSince(table, row) <= limit ? row : -1;
}

function reachedBy(graph: Graph, events: Events, to: string) {
  const reference = graph.table(events.table).references.get(to);
  assert(reference, `reference ${to} of ${events.table}`);
  return reference;
}

/** Averages the state of the rows met by the newest events: weighted by recency, over those whose value is known. */
function evaluateCompany(
  graph: Graph,
  focus: Focus & { kind: 'recent' },
  anchors: Anchors,
  members: readonly Member[],
  write: Write,
): void {
  const of = stateOf(graph, focus.of, anchors);
  const target = reachedBy(graph, focus.events, focus.to);
  const company = graph.table(target.table);
  const history = openHistory(graph, focus.events, of);
  const n = anchors.rows.length;
  const met = { rows: [] as number[], own: [] as number[], at: [] as number[], limit: [] as number[] };
  const seen = new Map<string, number>();
  const links: { from: number; weights: Map<number, number> }[] = [];
  for (let i = 0; i < n; i++) {
    const weights = new Map<number, number>();
    const view = history(i);
    let weight = 1;
    for (let v = view.count - 1; v >= 0 && v >= view.count - companyMax; v--) {
      const row = linkedRow(company, target.rows[view.row(v)]!, anchors.limit[i]!);
      if (row < 0) continue;
      // The same row at the same moment is one state, whoever asks.
      const key = `${row} ${anchors.at[i]} ${anchors.limit[i]} ${anchors.own[i]}`;
      let state = seen.get(key);
      if (state === undefined) {
        state = met.rows.length;
        seen.set(key, state);
        met.rows.push(row);
        met.own.push(anchors.own[i]!);
        met.at.push(anchors.at[i]!);
        met.limit.push(anchors.limit[i]!);
      }
      weights.set(state, (weights.get(state) ?? 0) + weight);
      // A table without time has no newest event: all its rows weigh the same.
      if (view.timed) weight *= companyDecay;
    }
    links.push({ from: i, weights });
  }
  const states: State = {
    table: company,
    fresh: false,
    rows: Int32Array.from(met.rows),
    own: Int32Array.from(met.own),
    ownTable: anchors.ownTable,
    at: Float64Array.from(met.at),
    limit: Float64Array.from(met.limit),
  };
  const values = new Float64Array(members.length * met.rows.length).fill(Number.NaN);
  evaluateState(
    graph,
    states,
    members.map(({ read }, index) => ({ index, read })),
    (feature, i, value) => {
      values[feature * met.rows.length + i] = value;
    },
  );
  for (const { from, weights } of links) {
    for (let m = 0; m < members.length; m++) {
      let sum = 0;
      let total = 0;
      for (const [state, weight] of weights) {
        const value = values[m * met.rows.length + state]!;
        if (Number.isNaN(value)) continue;
        sum += weight * value;
        total += weight;
      }
      if (total > 0) write(members[m]!.index, from, sum / total);
    }
  }
}

function evaluateState(graph: Graph, state: State, members: readonly Member[], write: Write): void {
  const attributes: Member[] = [];
  const histories = new Map<string, { events: Events; members: Member[] }>();
  for (const member of members) {
    if (!('events' in member.read)) {
      attributes.push(member);
      continue;
    }
    const key = eventsKey(member.read.events);
    const group = histories.get(key);
    if (group) group.members.push(member);
    else histories.set(key, { events: member.read.events, members: [member] });
  }
  for (const member of attributes) evaluateAttribute(state, member, write);
  for (const group of histories.values()) evaluateHistory(graph, group.events, state, group.members, write);
}

function evaluateAttribute(state: State, { index, read }: Member, write: Write): void {
  const { rows, at, limit } = state;
  if (read.kind === 'data_age') {
    for (let i = 0; i < rows.length; i++) write(index, i, (at[i]! - limit[i]!) / microsecondsPerDay);
    return;
  }
  if (read.kind === 'calendar') {
    // Rows of one file mostly ask about one moment.
    let value = Number.NaN;
    for (let i = 0; i < rows.length; i++) {
      if (i === 0 || at[i] !== at[i - 1]) value = calendar(at[i]!, read.part);
      write(index, i, value);
    }
    return;
  }
  const table = state.table;
  assert(table, `${read.kind} is read off a row`);
  const readable = (i: number) => (state.fresh ? rows[i]! : rowAsOf(table, rows[i]!, limit[i]!));
  if (read.kind === 'age') {
    for (let i = 0; i < rows.length; i++) {
      const row = readable(i);
      if (row >= 0 && table.time) write(index, i, (at[i]! - table.time[row]!) / microsecondsPerDay);
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
      if (row >= 0 && !(moments && !(moments[row]! <= limit[i]!)))
        write(index, i, (at[i]! - column.values[row]!) / microsecondsPerDay);
    }
    return;
  }
  const isKnown = (row: number, i: number) => row >= 0 && !(known && !(known[row]! <= limit[i]!));
  if (read.kind === 'attribute') {
    assert(column.kind === 'number', `${read.column} is numeric`);
    for (let i = 0; i < rows.length; i++) {
      const row = readable(i);
      if (isKnown(row, i)) write(index, i, column.values[row]!);
    }
    return;
  }
  assert(column.kind === 'text', `${read.column} is text`);
  const code = read.kind === 'attribute_is' ? column.dictionary.indexOf(read.value) : -1;
  for (let i = 0; i < rows.length; i++) {
    const row = readable(i);
    if (!isKnown(row, i) || column.codes[row]! < 0) continue;
    if (read.kind === 'attribute_is') write(index, i, column.codes[row] === code ? 1 : 0);
    else write(index, i, column.dictionary[column.codes[row]!]!.length);
  }
}

function calendar(at: number, part: 'month' | 'weekday' | 'time'): number {
  const date = new Date(at / 1000);
  if (part === 'month') return date.getUTCMonth() + 1;
  if (part === 'weekday') return date.getUTCDay();
  return at / microsecondsPerDay;
}

/**
 * The readable events of one entity, oldest first: `row(v)` is the table row of the v-th of `count`.
 * `position(v)` is its place in index order, so that a column in that order can be read.
 */
type View = {
  count: number;
  readonly timed: boolean;
  row(v: number): number;
  position(v: number): number;
};

/** What a view stands on; `listed` holds positions one by one where they are not contiguous (row versions). */
type Window = View & { start: number; firstBlock: number; skip: number; listed: Int32Array | null };

const none = new Int32Array(0);

/** A cursor over the events of each row of a state. The returned view is reused by the next call. */
function openHistory(graph: Graph, events: Events, state: State): (i: number) => Window {
  const index = graph.index(events);
  const { versions } = index.table;
  const isOwnTable = events.table === state.ownTable;
  const positionOf = isOwnTable && !versions ? positionsOf(graph, events, index, state.own) : null;
  // Rows asked about may lie outside of the tables, where only a row they restate has a history.
  const entities = state.fresh ? state.own : state.rows;
  let listed = new Int32Array(versions ? 64 : 0);
  const view: Window = {
    count: 0,
    timed: index.table.time !== undefined,
    start: 0,
    firstBlock: 0,
    skip: Number.POSITIVE_INFINITY,
    listed: null,
    position(v) {
      if (view.listed) return view.listed[v]!;
      return view.start + (v >= view.skip ? v + 1 : v);
    },
    row(v) {
      return index.rows[view.position(v)]!;
    },
  };
  return (i) => {
    const entity = entities[i]!;
    view.count = 0;
    view.skip = Number.POSITIVE_INFINITY;
    view.listed = null;
    if (entity < 0) return view;
    const start = index.offsets[entity]!;
    const end = firstAfter(index.time, start, index.offsets[entity + 1]!, state.limit[i]!);
    view.start = start;
    view.firstBlock = index.blockOffsets[entity]!;
    view.count = end - start;
    const own = positionOf ? positionOf(i) : -1;
    if (versions) {
      // Each key counts once: by the version that was readable at the limit. The own row is left out in every version.
      const own = isOwnTable && state.own[i]! >= 0 ? state.own[i]! : -1;
      const ownVersions = own < 0 ? none : versions.rows.subarray(versions.offsets[own]!, versions.offsets[own + 1]!);
      if (listed.length < end - start) listed = new Int32Array((end - start) * 2);
      let count = 0;
      for (let p = start; p < end; p++) {
        const row = index.rows[p]!;
        if (
          versions.from[row]! <= state.limit[i]! &&
          state.limit[i]! < versions.until[row]! &&
          !ownVersions.includes(row)
        )
          listed[count++] = p;
      }
      view.count = count;
      view.listed = listed;
    } else if (own >= start && own < end) {
      view.skip = own - start;
      view.count--;
    }
    return view;
  };
}

/** Where each anchor's own row stands in the index, when the index is over the anchor's table; -1 elsewhere. */
function positionsOf(graph: Graph, events: Events, index: EventIndex, own: Int32Array): (i: number) => number {
  const entityOf = graph.targets(events);
  return (i) => {
    const row = own[i]!;
    const entity = row < 0 ? -1 : entityOf[row]!;
    if (entity < 0) return -1;
    const end = index.offsets[entity + 1]!;
    const time = index.moments ? index.moments[row]! : Number.NEGATIVE_INFINITY;
    // Rows of one moment stand together, ordered by key; the own row is among the last at or before its time.
    for (let p = firstAfter(index.time, index.offsets[entity]!, end, time) - 1; p >= index.offsets[entity]!; p--) {
      if (index.rows[p] === row) return p;
      if (index.time[p]! < time) break;
    }
    return -1;
  };
}

function evaluateHistory(graph: Graph, events: Events, state: State, members: readonly Member[], write: Write): void {
  const index = graph.index(events);
  const history = openHistory(graph, events, state);
  const counting: Member[] = [];
  const bySignal = new Map<string, { numbers: Member[]; categories: Member[] }>();
  for (const member of members) {
    const { read } = member;
    if (!('signal' in read)) {
      counting.push(member);
      continue;
    }
    const key = signalKey(read.signal);
    let group = bySignal.get(key);
    if (!group) bySignal.set(key, (group = { numbers: [], categories: [] }));
    (read.kind === 'number' ? group.numbers : group.categories).push(member);
  }
  const numbers: NumberReader[] = [];
  const categories: CategoryReader[] = [];
  for (const group of bySignal.values()) {
    if (group.numbers.length > 0) numbers.push(numberReader(graph, events, group.numbers));
    if (group.categories.length > 0) categories.push(categoryReader(graph, events, group.categories));
  }
  const n = state.rows.length;
  for (let i = 0; i < n; i++) {
    if (state.rows[i]! < 0) continue;
    const view = history(i);
    const limit = state.limit[i]!;
    for (const { index: feature, read } of counting) write(feature, i, countRead(read, index, view, limit));
    for (const reader of numbers) reader(view, index, limit, i, write);
    for (const reader of categories) reader(view, index, limit, i, write);
  }
}

/** The first event of the span, counted from the oldest readable one. */
function spanStart(span: Span, index: EventIndex, view: Window, limit: number): number {
  if ('all' in span) return 0;
  if ('last' in span) return Math.max(0, view.count - span.last);
  const earliest = limit - span.days * microsecondsPerDay;
  // Binary search over the view: events at or before `earliest` are outside.
  let low = 0;
  let high = view.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (index.time[view.position(middle)]! <= earliest) low = middle + 1;
    else high = middle;
  }
  return low;
}

function countRead(read: Read, index: EventIndex, view: Window, limit: number): number {
  const days = (from: number, to: number) => (to - from) / microsecondsPerDay;
  switch (read.kind) {
    case 'count':
      return view.count - spanStart(read.span, index, view, limit);
    case 'rate': {
      if (view.count === 0 || !('days' in read.span)) return Number.NaN;
      const lived = Math.max(days(index.time[view.position(0)]!, limit), 1);
      const recent = (view.count - spanStart(read.span, index, view, limit)) / Math.min(read.span.days, lived);
      return recent / (view.count / lived);
    }
    case 'since':
      if (view.count === 0) return Number.NaN;
      return days(index.time[view.position(read.which === 'last' ? view.count - 1 : 0)]!, limit);
    case 'gap': {
      const from = Math.max(0, view.count - gapEventsMax);
      const gaps = view.count - from - 1;
      if (gaps < (read.as === 'mean' ? 1 : 2)) return Number.NaN;
      const mean = days(index.time[view.position(from)]!, index.time[view.position(view.count - 1)]!) / gaps;
      if (read.as === 'mean') return mean;
      let m2 = 0;
      for (let v = from + 1; v < view.count; v++) {
        const gap = days(index.time[view.position(v - 1)]!, index.time[view.position(v)]!);
        m2 += (gap - mean) * (gap - mean);
      }
      return Math.sqrt(m2 / gaps);
    }
    default:
      throw new Error(`${read.kind} does not count events`);
  }
}

type NumberReader = (view: Window, index: EventIndex, limit: number, i: number, write: Write) => void;
type CategoryReader = NumberReader;

function numberReader(graph: Graph, events: Events, members: readonly Member[]): NumberReader {
  const first = members[0]!.read;
  assert(first.kind === 'number', 'numeric reads');
  const column = graph.numbers(events, first.signal);
  const spans = new Map<string, { span: Span; reads: { index: number; aggregate: string }[] }>();
  for (const { index, read } of members) {
    assert(read.kind === 'number', 'numeric reads');
    const key = JSON.stringify(read.span);
    const group = spans.get(key);
    if (group) group.reads.push({ index, aggregate: read.aggregate });
    else spans.set(key, { span: read.span, reads: [{ index, aggregate: read.aggregate }] });
  }
  const summary = emptySummary();
  const isKnown = (p: number, limit: number) =>
    !Number.isNaN(column.values[p]!) && !(column.known && !(column.known[p]! <= limit));
  let scratch = { values: new Float64Array(64), known: new Float64Array(column.known ? 64 : 0) };
  return (view, index, limit, i, write) => {
    let source = column;
    let start = view.start;
    let firstBlock = view.firstBlock;
    if (view.listed) {
      if (scratch.values.length < view.count) {
        scratch = {
          values: new Float64Array(view.count * 2),
          known: new Float64Array(column.known ? view.count * 2 : 0),
        };
      }
      for (let v = 0; v < view.count; v++) {
        scratch.values[v] = column.values[view.listed[v]!]!;
        if (column.known) scratch.known[v] = column.known[view.listed[v]!]!;
      }
      source = { values: scratch.values, ...(column.known ? { known: scratch.known } : {}), blocks: column.blocks };
      start = 0;
      firstBlock = -1;
    }
    let last = Number.NaN;
    for (let v = view.count - 1; v >= 0 && v >= view.count - companyMax; v--) {
      if (isKnown(view.position(v), limit)) {
        last = column.values[view.position(v)]!;
        break;
      }
    }
    for (const { span, reads } of spans.values()) {
      const from = spanStart(span, index, view, limit);
      if (from >= view.count) continue;
      summarise(source, start, firstBlock, from, view.count, view.skip, limit, summary);
      if (summary.count === 0) continue;
      for (const { index: feature, aggregate } of reads) {
        let value = Number.NaN;
        if (aggregate === 'mean') value = summary.mean;
        else if (aggregate === 'sum') value = summary.sum;
        else if (aggregate === 'sd')
          value = summary.count > 1 ? Math.sqrt(summary.m2 / (summary.count - 1)) : Number.NaN;
        else if (aggregate === 'min') value = summary.min;
        else if (aggregate === 'max') value = summary.max;
        else if (aggregate === 'last') value = last;
        else if (aggregate === 'trend') value = last - summary.mean;
        else value = slope(column.values, index, view, from, limit, isKnown);
        write(feature, i, value);
      }
    }
  };
}

/** Least-squares slope of the values over time, per day; missing below three values or when all share one time. */
function slope(
  values: Float64Array,
  index: EventIndex,
  view: Window,
  from: number,
  limit: number,
  isKnown: (p: number, limit: number) => boolean,
): number {
  let count = 0;
  let meanTime = 0;
  let meanValue = 0;
  for (let v = from; v < view.count; v++) {
    const p = view.position(v);
    if (!isKnown(p, limit)) continue;
    count++;
    meanTime += (index.time[p]! - limit) / microsecondsPerDay;
    meanValue += values[p]!;
  }
  if (count < 3) return Number.NaN;
  meanTime /= count;
  meanValue /= count;
  let across = 0;
  let along = 0;
  for (let v = from; v < view.count; v++) {
    const p = view.position(v);
    if (!isKnown(p, limit)) continue;
    const time = (index.time[p]! - limit) / microsecondsPerDay - meanTime;
    across += time * (values[p]! - meanValue);
    along += time * time;
  }
  return along > 0 ? across / along : Number.NaN;
}

function categoryReader(graph: Graph, events: Events, members: readonly Member[]): CategoryReader {
  const first = members[0]!.read;
  assert('signal' in first, 'category reads');
  const categories = graph.categories(events, first.signal);
  const { codes, known, codeOf } = categories;
  const codeAt = (p: number, limit: number) => (known && !(known[p]! <= limit) ? -1 : codes[p]!);
  const reads = members.map(({ index, read }) => ({
    index,
    read,
    code: 'value' in read ? (codeOf.get(read.value) ?? -2) : -2,
  }));
  const counts = new Map<number, number>();
  return (view, index, limit, i, write) => {
    for (const { index: feature, read, code } of reads) {
      if (read.kind === 'last_is') {
        if (view.count === 0) continue;
        const last = codeAt(view.position(view.count - 1), limit);
        if (last >= 0) write(feature, i, last === code ? 1 : 0);
        continue;
      }
      assert(read.kind === 'share' || read.kind === 'variety', 'category reads');
      if (read.kind === 'share' && !known && !view.listed && code >= 0) {
        const from = spanStart(read.span, index, view, limit);
        const [matching, filled] = categories.count(
          code,
          view.start + from,
          view.start + view.count,
          view.start + view.skip,
        );
        if (filled > 0) write(feature, i, matching / filled);
        continue;
      }
      const from = Math.max(
        spanStart(read.span, index, view, limit),
        read.kind === 'variety' ? view.count - varietyEventsMax : 0,
      );
      let filled = 0;
      let matching = 0;
      let changes = 0;
      let previous = -1;
      counts.clear();
      for (let v = from; v < view.count; v++) {
        const value = codeAt(view.position(v), limit);
        if (value < 0) continue;
        filled++;
        if (value === code) matching++;
        if (read.kind === 'variety') {
          counts.set(value, (counts.get(value) ?? 0) + 1);
          if (previous >= 0 && value !== previous) changes++;
          previous = value;
        }
      }
      if (filled === 0) continue;
      if (read.kind === 'share') write(feature, i, matching / filled);
      else if (read.as === 'distinct') write(feature, i, counts.size);
      else if (read.as === 'changes') {
        if (filled > 1) write(feature, i, changes / (filled - 1));
      } else write(feature, i, entropy(counts, filled));
    }
  };
}

function entropy(counts: ReadonlyMap<number, number>, total: number): number {
  let sum = 0;
  for (const count of counts.values()) sum -= (count / total) * Math.log(count / total);
  return sum;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
