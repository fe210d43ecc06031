import { assert } from '../../lib/failure.ts';
import { knownMoments } from '../events/signals.ts';
import { linkedSince, rowAsOf, type Table } from '../graph/tables.ts';
import type { FeatureMatrix } from '../trees/matrix.ts';
import { evaluateAttribute } from './attributes.ts';
import { evaluateComparisons } from './comparisons.ts';
import {
  companyDecay,
  companyMax,
  type Events,
  eventsKey,
  type Feature,
  type Focus,
  focusKey,
  isComparison,
} from './feature.ts';
import type { Graph } from './graph.ts';
import { openHistory } from './history.ts';
import { evaluateHistory } from './readers.ts';
import type { Member, State, Write } from './state.ts';

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
  const byFocus = groupBy(others, (index) => focusKey(features[index].focus));
  for (const members of byFocus.values()) {
    evaluateFocus(
      graph,
      features[members[0]].focus,
      anchors,
      members.map((index) => ({ index, read: features[index].read })),
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
    const row = rows[i];
    if (row >= 0 && !(known && !(known[row] <= limit[i]))) into[i] = values[row];
  }
}

function evaluateFocus(graph: Graph, focus: Focus, anchors: Anchors, members: readonly Member[], write: Write): void {
  if (focus.kind === 'recent') evaluateCompany(graph, focus, anchors, members, write);
  else if (focus.kind === 'root') evaluateRoot(graph, anchors, members, write);
  else evaluateShared(graph, stateOf(graph, focus, anchors), members, write);
}

/** What a row is compared with belongs to its parent, and is not shared: the answer depends on the row's own values. */
function evaluateRoot(graph: Graph, anchors: Anchors, members: readonly Member[], write: Write): void {
  const reads = members.filter(({ read }) => !isComparison(read));
  evaluateState(graph, anchors, reads, write);
  const comparisons = members.flatMap(({ index, read }) => (isComparison(read) ? [{ index, read }] : []));
  for (const group of groupBy(comparisons, ({ read }) => eventsKey(read.events)).values()) {
    const { events } = group[0].read;
    const parents = stateOf(graph, { kind: 'parent', of: { kind: 'root' }, reference: events.via[0] }, anchors);
    evaluateComparisons(graph, events, parents, anchors, group, write);
  }
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
        const readable = of.fresh ? row : rowAsOf(of.table!, row, of.limit[i]);
        return readable < 0 ? -1 : linkedRow(target, reference.rows[readable], of.limit[i]);
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
        for (let v = view.count - 1; v >= 0 && v >= view.count - companyMax && rows[i] < 0; v--)
          rows[i] = linkedRow(company, target.rows[view.row(v)], of.limit[i]);
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
      const row = linkedRow(company, target.rows[view.row(v)], anchors.limit[i]);
      if (row < 0) continue;
      // The same row at the same moment is one state, whoever asks.
      const key = `${row} ${anchors.at[i]} ${anchors.limit[i]} ${anchors.own[i]}`;
      let state = seen.get(key);
      if (state === undefined) {
        state = met.rows.length;
        seen.set(key, state);
        met.rows.push(row);
        met.own.push(anchors.own[i]);
        met.at.push(anchors.at[i]);
        met.limit.push(anchors.limit[i]);
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
        const value = values[m * met.rows.length + state];
        if (Number.isNaN(value)) continue;
        sum += weight * value;
        total += weight;
      }
      if (total > 0) write(members[m].index, from, sum / total);
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
