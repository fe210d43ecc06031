import { assert } from '../../lib/failure.ts';
import { knownMoments } from '../events/signals.ts';
import { linkedSince, rowAsOf, type Table } from '../graph/tables.ts';
import type { FeatureMatrix } from '../trees/matrix.ts';
import { openAttribute } from './attributes.ts';
import { openComparisons } from './comparisons.ts';
import { openEmbeddings } from './embeddings.ts';
import {
  companyDecay,
  companyMax,
  type Events,
  eventsKey,
  type Feature,
  type Focus,
  focusKey,
  isComparison,
  type Read,
} from './feature.ts';
import type { Graph } from './graph.ts';
import { openHistory } from './history.ts';
import { openReaders } from './readers.ts';
import { arrivals, type Member, type State, type Write } from './state.ts';
import { openWordRates } from './words.ts';

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
  /** How far labels are known, where that is earlier than the limit. */
  readonly labelled?: Float64Array;
};

/** Computes features for anchors; see `openProgram`. */
export function evaluate(graph: Graph, features: readonly Feature[], anchors: Anchors): FeatureMatrix {
  return openProgram(graph, features)(anchors);
}

/**
 * Computes features for anchors: column-major float32, NaN for what is not known. They are written to `room` where it has
 * the length: then they last until that is used again.
 */
export type Program = (anchors: Anchors, room?: Float32Array) => FeatureMatrix;

/**
 * Prepares features to be computed for anchors: what depends on the tables and the features alone is looked up once, when
 * first asked for. Each value depends only on its own anchor, so one row and a million rows give the same bits.
 */
export function openProgram(graph: Graph, features: readonly Feature[]): Program {
  let parts: readonly Part[] | undefined;
  return (anchors, room) => {
    parts ??= openParts(graph, features);
    const rows = anchors.rows.length;
    const values = room?.length === features.length * rows ? room : new Float32Array(features.length * rows);
    const write: Write = (feature, i, value) => {
      values[feature * rows + i] = value;
    };
    const inOrder = areInOrder(anchors.rows);
    for (const part of parts) part({ anchors, values, write, inOrder });
    return { rows, features: features.length, values };
  };
}

/** Fills the columns of some features. */
type Part = (asked: Asked) => void;
type Asked = {
  readonly anchors: Anchors;
  readonly values: Float32Array;
  readonly write: Write;
  /** Whether the anchors ask about the first rows of their table, in order. */
  readonly inOrder: boolean;
};
type StateOf = (anchors: Anchors) => State;
type ReadState = (state: State, write: Write) => void;

function openParts(graph: Graph, features: readonly Feature[]): Part[] {
  const states = openStates(graph);
  const parts: Part[] = [];
  const others: number[] = [];
  features.forEach(({ focus, read }, index) => {
    if (focus.kind === 'root' && read.kind === 'attribute') parts.push(openOwnNumber(index, read));
    else others.push(index);
  });
  for (const indexes of groupBy(others, (index) => focusKey(features[index].focus)).values()) {
    const { focus } = features[indexes[0]];
    const members = indexes.map((index) => ({ index, read: features[index].read }));
    const read = openFocus(graph, states, focus, members);
    parts.push(({ anchors, values, write }) => {
      for (const index of indexes) columnOf(values, index, anchors).fill(Number.NaN);
      read(anchors, write);
    });
  }
  return parts;
}

function areInOrder(rows: Int32Array): boolean {
  for (let i = 0; i < rows.length; i++) if (rows[i] !== i) return false;
  return true;
}

function columnOf(values: Float32Array, index: number, { rows: { length } }: Anchors): Float32Array {
  return values.subarray(index * length, (index + 1) * length);
}

/** A number of the anchor's own row. */
function openOwnNumber(index: number, read: Read & { kind: 'attribute' }): Part {
  const attribute = openAttribute({ index, read });
  return ({ anchors, values, write, inOrder }) => {
    const into = columnOf(values, index, anchors);
    if (anchors.fresh) return copyNumbers(anchors, read.column, inOrder, into);
    into.fill(Number.NaN);
    attribute(anchors, write);
  };
}

/** A new row's own numbers are most of what large files are read for: straight from the column. */
function copyNumbers({ table, rows, limit }: Anchors, name: string, inOrder: boolean, into: Float32Array): void {
  const column = table.columns.get(name);
  if (!column) {
    into.fill(Number.NaN);
    return;
  }
  assert(column.kind === 'number', `${name} is numeric`);
  const { values } = column;
  const known = knownMoments(table, name);
  if (inOrder && !known) {
    into.set(values.subarray(0, rows.length));
    return;
  }
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    into[i] = row >= 0 && !(known && !(known[row] <= limit[i])) ? values[row] : Number.NaN;
  }
}

function openFocus(
  graph: Graph,
  states: (focus: Focus) => StateOf,
  focus: Focus,
  members: readonly Member[],
): (anchors: Anchors, write: Write) => void {
  if (focus.kind === 'recent') return openCompany(graph, states, focus, members);
  if (focus.kind === 'root') return openRoot(graph, states, members);
  const stateOf = states(focus);
  const read = openShared(graph, members);
  return (anchors, write) => read(stateOf(anchors), write);
}

/** What a row is compared with belongs to its parent, and is not shared: the answer depends on the row's own values. */
function openRoot(
  graph: Graph,
  states: (focus: Focus) => StateOf,
  members: readonly Member[],
): (anchors: Anchors, write: Write) => void {
  const read = openReads(
    graph,
    members.filter(({ read }) => !isComparison(read)),
  );
  const comparisons = members.flatMap(({ index, read }) => (isComparison(read) ? [{ index, read }] : []));
  const groups = Array.from(groupBy(comparisons, ({ read }) => eventsKey(read.events)).values(), (group) => {
    const { events } = group[0].read;
    return {
      compare: openComparisons(graph, events, group),
      parentsOf: states({ kind: 'parent', of: { kind: 'root' }, reference: events.via[0] }),
    };
  });
  return (anchors, write) => {
    read(anchors, write);
    for (const { compare, parentsOf } of groups) compare(parentsOf(anchors), anchors, write);
  };
}

/** Reads each distinct state once: many anchors of one moment look at the same parent, company or base rate. */
function openShared(graph: Graph, members: readonly Member[]): ReadState {
  const read = openReads(
    graph,
    members.map(({ read }, index) => ({ index, read })),
  );
  return (state, write) => {
    const { firsts, placeOf } = findDistinct(state, momentsOf(state));
    if (firsts.length === state.rows.length) {
      read(state, (m, i, value) => write(members[m].index, i, value));
      return;
    }
    const values = new Float64Array(members.length * firsts.length).fill(Number.NaN);
    const { table, fresh, reach } = state;
    const rows = new Int32Array(firsts.map((i) => state.rows[i]));
    const picked = reach && Float64Array.from(firsts, (i) => reach[i]);
    const distinct = pickState(state, firsts, { table, fresh, rows, reach: picked });
    read(distinct, (m, i, value) => {
      values[m * firsts.length + i] = value;
    });
    for (let m = 0; m < members.length; m++) {
      for (let i = 0; i < placeOf.length; i++) write(members[m].index, i, values[m * firsts.length + placeOf[i]]);
    }
  };
}

/** A state of the moments of those `picked` from another: its rows are as given. */
function pickState(
  { own, ownTable, at, limit, labelled }: State,
  picked: readonly number[],
  given: Pick<State, 'table' | 'fresh' | 'rows' | 'reach'>,
): State {
  const state = {
    ...given,
    ...{ own: new Int32Array(picked.length), ownTable },
    ...{ at: new Float64Array(picked.length), limit: new Float64Array(picked.length) },
    ...(labelled && { labelled: Float64Array.from(picked, (i) => labelled[i]) }),
  };
  for (let k = 0; k < picked.length; k++) {
    state.own[k] = own[picked[k]];
    state.at[k] = at[picked[k]];
    state.limit[k] = limit[picked[k]];
  }
  return state;
}

/** The first of the rows of each distinct state, and each row's place among them. */
function findDistinct({ rows }: State, { numbers, count }: Moments): { firsts: number[]; placeOf: Int32Array } {
  const distinct = new Map<number, number>();
  const firsts: number[] = [];
  const placeOf = rows.map((row, i) => {
    const key = stateKey(row, numbers[i], count);
    let place = distinct.get(key);
    if (place === undefined) {
      place = firsts.push(i) - 1;
      distinct.set(key, place);
    }
    return place;
  });
  return { firsts, placeOf };
}

/** One number for a row (-1: none) at one of `count` moments; exact, as no memory holds 2^53 rows times moments. */
function stateKey(row: number, moment: number, count: number): number {
  return (row + 1) * count + moment;
}

/** A number from 0 to `count` - 1 per anchor, the same for those of one moment. */
type Moments = { readonly numbers: Int32Array; readonly count: number };

/**
 * Numbers the different moments of anchors: when they ask, how far they read and which own row they leave out. What stands
 * in one row at one moment is one state, whoever asks.
 */
function momentsOf({ at, limit, own, reach, labelled }: State): Moments {
  const numbers = new Int32Array(at.length);
  if (at.length === 1) return { numbers, count: 1 };
  const numberOf = new Map<string, number>();
  for (let i = 0; i < at.length; i++) {
    const isSame = i > 0 && at[i] === at[i - 1] && limit[i] === limit[i - 1] && own[i] === own[i - 1];
    if (isSame && (!reach || reach[i] === reach[i - 1]) && (!labelled || labelled[i] === labelled[i - 1])) {
      numbers[i] = numbers[i - 1];
      continue;
    }
    const key = `${at[i]} ${limit[i]} ${own[i]}${reach ? ` ${reach[i]}` : ''}${labelled ? ` until ${labelled[i]}` : ''}`;
    let number = numberOf.get(key);
    if (number === undefined) numberOf.set(key, (number = numberOf.size));
    numbers[i] = number;
  }
  return { numbers, count: numberOf.size };
}

/** The table and row that each anchor's focus stands on, as it was known then; -1 for none. */
export function focusRows(
  graph: Graph,
  focus: Focus,
  anchors: Anchors,
): { table: Table | undefined; rows: Int32Array } {
  const { table, rows, fresh, limit, reach = limit } = openStates(graph)(focus)(anchors);
  return { table, rows: table && !fresh ? rows.map((row, i) => rowAsOf(table, row, reach[i])) : rows };
}

/** The rows of the newest `most` readable events of each anchor's focus: `rows[k]` is one of anchor `of[k]`'s. */
export function newestEvents(
  graph: Graph,
  focus: Focus,
  events: Events,
  most: number,
  anchors: Anchors,
): { of: readonly number[]; rows: readonly number[] } {
  const of: number[] = [];
  const rows: number[] = [];
  openHistory(graph, events).each(openStates(graph)(focus)(anchors), (windows) => {
    for (let k = 0; k < windows.count; k++) {
      const { i, count, row } = windows.at(k);
      for (let v = count - 1; v >= 0 && v >= count - most; v--) {
        of.push(i);
        rows.push(row(v));
      }
    }
  });
  return { of, rows };
}

/** Rows met by one way beyond one each: a bound on memory, past which each further anchor has met but one. */
const furtherMetMax = 1_000_000;

/**
 * The different rows that the newest of the anchors' own readable `events` lead to by `to`: all events of one moment, at most
 * `companyMax` of them. `of[k]` is the anchor that met `rows[k]`; each anchor's stand together.
 */
export function newestCompany(
  graph: Graph,
  events: Events,
  to: string,
  anchors: Anchors,
): { of: readonly number[]; rows: readonly number[] } {
  const target = reachedBy(graph, events, to);
  const company = graph.table(target.table);
  const history = openHistory(graph, events);
  const of: number[] = [];
  const rows: number[] = [];
  let further = 0;
  history.each(anchors, (windows) => {
    for (let k = 0; k < windows.count; k++) {
      const { i, limit, count, row, position } = windows.at(k);
      const first = rows.length;
      let newest = Number.NaN;
      for (let v = count - 1; v >= 0 && v >= count - companyMax; v--) {
        const met = linkedRow(company, target.rows[row(v)], limit);
        const time = history.index.time[position(v)];
        if (rows.length > first && (time !== newest || further >= furtherMetMax)) break;
        if (met < 0 || rows.includes(met, first)) continue;
        if (rows.length > first) further++;
        newest = time;
        of.push(i);
        rows.push(met);
      }
    }
  });
  return { of, rows };
}

/** The states that foci stand on: of one set of anchors each is found once, whoever asks. */
function openStates(graph: Graph): (focus: Focus) => StateOf {
  const opened = new Map<string, StateOf>();
  const states = (focus: Focus): StateOf => {
    const key = focusKey(focus);
    let stateOf = opened.get(key);
    if (!stateOf) {
      const make = openState(graph, states, focus);
      const made = new WeakMap<Anchors, State>();
      stateOf = (anchors) => {
        let state = made.get(anchors);
        if (!state) made.set(anchors, (state = make(anchors)));
        return state;
      };
      opened.set(key, stateOf);
    }
    return stateOf;
  };
  return states;
}

function openState(graph: Graph, states: (focus: Focus) => StateOf, focus: Focus): StateOf {
  switch (focus.kind) {
    case 'root':
      return (anchors) => anchors;
    case 'all':
      return (anchors) => ({
        ...anchors,
        table: undefined,
        fresh: false,
        rows: new Int32Array(anchors.rows.length),
      });
    case 'parent': {
      const stateOf = states(focus.of);
      return (anchors) => {
        const of = stateOf(anchors);
        const reference = of.table!.references.get(focus.reference);
        assert(reference, `reference ${focus.reference} of ${of.table!.name}`);
        const target = graph.table(reference.table);
        const reach = of.fresh ? reachOfParents(of) : of.reach;
        const limit = reach ?? of.limit;
        const rows = of.rows.map((row, i) => {
          const readable = of.fresh ? row : rowAsOf(of.table!, row, limit[i]);
          return readable < 0 ? -1 : linkedRow(target, reference.rows[readable], limit[i]);
        });
        return { ...anchors, table: target, fresh: false, rows, reach };
      };
    }
    case 'last': {
      const stateOf = states(focus.of);
      const target = reachedBy(graph, focus.events, focus.to);
      const company = graph.table(target.table);
      const history = openHistory(graph, focus.events);
      return (anchors) => {
        const rows = new Int32Array(anchors.rows.length).fill(-1);
        history.each(stateOf(anchors), (windows) => {
          for (let k = 0; k < windows.count; k++) {
            const { i, limit, count, row } = windows.at(k);
            for (let v = count - 1; v >= 0 && v >= count - companyMax && rows[i] < 0; v--)
              rows[i] = linkedRow(company, target.rows[row(v)], limit);
          }
        });
        return { ...anchors, table: company, fresh: false, rows };
      };
    }
    case 'recent':
      throw new Error('company is averaged, it has no single row');
  }
}

/** What a new row refers to was there when it came, but of data that stop before its anchor, or of its own moment, nothing is read. */
function reachOfParents(root: State): Float64Array | undefined {
  const { at, limit } = root;
  const reach = arrivals(root).map((moment, i) => (limit[i] < at[i] ? limit[i] : moment));
  return reach.some((moment, i) => moment > limit[i]) ? reach : undefined;
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
function openCompany(
  graph: Graph,
  states: (focus: Focus) => StateOf,
  focus: Focus & { kind: 'recent' },
  members: readonly Member[],
): (anchors: Anchors, write: Write) => void {
  const stateOf = states(focus.of);
  const target = reachedBy(graph, focus.events, focus.to);
  const company = graph.table(target.table);
  const history = openHistory(graph, focus.events);
  const isTimed = history.index.table.time !== undefined && !focus.events.arriving;
  const read = openReads(
    graph,
    members.map(({ read }, index) => ({ index, read })),
  );
  return (anchors, write) => {
    const moments = momentsOf(anchors);
    const placeOf = new Map<number, number>();
    const met: number[] = [];
    const metBy: number[] = [];
    const links: Links = { of: [], ends: [], places: [], weights: [] };
    history.each(stateOf(anchors), (windows) => {
      for (let k = 0; k < windows.count; k++) {
        const { i, count, row } = windows.at(k);
        let weight = 1;
        for (let v = count - 1; v >= 0 && v >= count - companyMax; v--) {
          const member = linkedRow(company, target.rows[row(v)], anchors.limit[i]);
          if (member < 0) continue;
          const key = stateKey(member, moments.numbers[i], moments.count);
          let place = placeOf.get(key);
          if (place === undefined) {
            place = met.push(member) - 1;
            metBy.push(i);
            placeOf.set(key, place);
          }
          addLink(links, place, weight);
          // A table without time has no newest event: all its rows weigh the same.
          if (isTimed) weight *= companyDecay;
        }
        links.of.push(i);
        links.ends.push(links.places.length);
      }
    });
    const asked = pickState(anchors, metBy, { table: company, fresh: false, rows: new Int32Array(met) });
    const values = new Float64Array(members.length * met.length).fill(Number.NaN);
    read(asked, (m, place, value) => {
      values[m * met.length + place] = value;
    });
    averageLinks(links, values, met.length, members, write);
  };
}

/** Whom each of the anchors `of` met, and with what weight: its links end before `ends`, the first's start at 0. */
type Links = {
  readonly of: number[];
  readonly ends: number[];
  readonly places: number[];
  readonly weights: number[];
};

/** Who was met before by the same anchor weighs more. */
function addLink({ ends, places, weights }: Links, place: number, weight: number): void {
  for (let l = ends.at(-1) ?? 0; l < places.length; l++) {
    if (places[l] === place) {
      weights[l] += weight;
      return;
    }
  }
  places.push(place);
  weights.push(weight);
}

/** `values`: per member, of each place. */
function averageLinks(
  { of, ends, places, weights }: Links,
  values: Float64Array,
  met: number,
  members: readonly Member[],
  write: Write,
): void {
  for (let k = 0; k < of.length; k++) {
    const first = k === 0 ? 0 : ends[k - 1];
    for (let m = 0; m < members.length; m++) {
      let sum = 0;
      let total = 0;
      for (let l = first; l < ends[k]; l++) {
        const value = values[m * met + places[l]];
        if (Number.isNaN(value)) continue;
        sum += weights[l] * value;
        total += weights[l];
      }
      if (total > 0) write(members[m].index, of[k], sum / total);
    }
  }
}

/** What is read off a state: its rows' own values, and their histories. */
function openReads(graph: Graph, members: readonly Member[]): ReadState {
  const attributes: ReadState[] = [];
  const embedded = members.filter(({ read }) => read.kind === 'embedding');
  const histories = new Map<string, { events: Events; members: Member[] }>();
  for (const member of members) {
    if (member.read.kind === 'embedding') continue;
    if (!('events' in member.read)) {
      attributes.push(member.read.kind === 'words' ? openWordRates(graph, member) : openAttribute(member));
      continue;
    }
    const key = eventsKey(member.read.events);
    const group = histories.get(key);
    if (group) group.members.push(member);
    else histories.set(key, { events: member.read.events, members: [member] });
  }
  const reads = [
    ...attributes,
    ...(embedded.length > 0 ? [openEmbeddings(graph, embedded)] : []),
    ...Array.from(histories.values(), (group) => openReaders(graph, group.events, group.members)),
  ];
  return (state, write) => {
    for (const read of reads) read(state, write);
  };
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
