import { assert } from '../../lib/failure.ts';
import { isKnown, knownMoments } from '../graph/as-of/values.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import { openAttribute } from './attributes.ts';
import { openComparisons } from './comparisons.ts';
import { readDistinct } from './distinct-states.ts';
import { openEmbeddings } from './embeddings.ts';
import {
  type Events,
  eventsKey,
  type Feature,
  type Focus,
  focusKey,
  isComparison,
  pathKey,
  type Read,
} from './feature.ts';
import { openStates, type States } from './focus.ts';
import type { Graph } from './graph.ts';
import { openNeighbors } from './neighbors.ts';
import { openRating } from './ratings.ts';
import { openReaders } from './readers.ts';
import type { Anchors, Member, ReadState, Write } from './state.ts';
import { openWordRates } from './words.ts';

/** Evaluates features at anchors; see `openProgram`. */
export function evaluate(graph: Graph, features: readonly Feature[], anchors: Anchors): FeatureMatrix {
  return openProgram(graph, features)(anchors);
}

/**
 * Evaluates features at anchors. The result is column-major float32, NaN for what is not known. It is written to `room`
 * if that has the right length; then it is valid until `room` is used again.
 */
export type Program = (anchors: Anchors, room?: Float32Array) => FeatureMatrix;

/**
 * Prepares features for evaluation. What depends on the tables and the features alone is looked up once, at the first
 * call. Each value depends on its own anchor only, so one row and a million rows give the same bits. `states`: those of
 * the graph, where several programs read the same anchors.
 */
export function openProgram(graph: Graph, features: readonly Feature[], states = openStates(graph)): Program {
  let parts: readonly ColumnFiller[] | undefined;
  return (anchors, room) => {
    parts ??= openParts(graph, features, states);
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

/** The values of features before they are rounded to what models read; NaN for what is not known. */
export function readExactly(graph: Graph, features: readonly Feature[], anchors: Anchors): Float64Array[] {
  const states = openStates(graph);
  return features.map(({ focus, read }) => {
    const values = new Float64Array(anchors.rows.length).fill(Number.NaN);
    openFocus(graph, states, focus, [{ index: 0, read }])(anchors, (_, i, value) => {
      values[i] = value;
    });
    return values;
  });
}

/**
 * Parts features for threads, in parts of at most `most`: those that are read together stand together, as two threads
 * that read the same events both look them up. Of each part the places of its features.
 */
export function partFeatures(features: readonly Feature[], most: number): number[][] {
  const keyOf = ({ focus, read }: Feature) => {
    const isOfMany = focus.kind === 'recent' || focus.kind === 'apart';
    return `${focusKey(focus)} ${!isOfMany && 'events' in read ? pathKey(read.events) : ''}`;
  };
  return [...Map.groupBy(features.keys(), (f) => keyOf(features[f])).values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / most) }, (_, p) => group.slice(p * most, (p + 1) * most)),
  );
}

/** About how long features take, next to others: of neighbors, up to 32 rows are read for one. */
export function costOfFeatures(features: readonly Feature[]): number {
  return features.reduce((sum, { focus }) => sum + (focus.kind === 'recent' ? neighborCost : 1), 0);
}

/** As measured on rel-f1: finding neighbors, and reading each. */
const neighborCost = 5;

/** Fills the columns of some of the features. */
type ColumnFiller = (asked: FillRequest) => void;
type FillRequest = {
  readonly anchors: Anchors;
  readonly values: Float32Array;
  readonly write: Write;
  /** Whether the anchors are the first rows of their table, in order. */
  readonly inOrder: boolean;
};

function openParts(graph: Graph, features: readonly Feature[], states: States): ColumnFiller[] {
  const parts: ColumnFiller[] = [];
  const others: number[] = [];
  features.forEach(({ focus, read }, index) => {
    if (focus.kind === 'root' && read.kind === 'attribute') parts.push(openOwnNumber(index, read));
    else others.push(index);
  });
  for (const indexes of Map.groupBy(others, (index) => focusKey(features[index].focus)).values()) {
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

/** Reads a number of the anchor's own row. */
function openOwnNumber(index: number, read: Read & { kind: 'attribute' }): ColumnFiller {
  const attribute = openAttribute({ index, read });
  return ({ anchors, values, write, inOrder }) => {
    const into = columnOf(values, index, anchors);
    if (anchors.fresh) return copyNumbers(anchors, read.column, inOrder, into);
    into.fill(Number.NaN);
    attribute(anchors, write);
  };
}

/** Copies a column of new rows directly: their own numbers are most of what is read of large files. */
function copyNumbers(
  { table, rows, readableUntil }: Anchors,
  name: string,
  inOrder: boolean,
  into: Float32Array,
): void {
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
    into[i] = row >= 0 && isKnown(known, row, readableUntil[i]) ? values[row] : Number.NaN;
  }
}

function openFocus(
  graph: Graph,
  states: States,
  focus: Focus,
  members: readonly Member[],
): (anchors: Anchors, write: Write) => void {
  if (focus.kind === 'root') return openRoot(graph, states, members);
  const indexes = members.map(({ index }) => index);
  const read = openReads(
    graph,
    members.map(({ read }, index) => ({ index, read })),
  );
  if (focus.kind === 'recent') return openNeighbors(graph, states(focus.of), focus, read, indexes);
  if (focus.kind === 'apart') return openApart(states, focus, read, indexes);
  const stateOf = states(focus);
  return (anchors, write) => readDistinct(stateOf(anchors), read, indexes, write);
}

/** Reads two rows, and writes what the first has more than the second; nothing where either has no value. */
function openApart(
  states: States,
  { of, reference, from }: Focus & { kind: 'apart' },
  read: ReadState,
  indexes: readonly number[],
): (anchors: Anchors, write: Write) => void {
  const places = [...indexes.keys()];
  const [first, second] = [reference, from].map((name) => states({ kind: 'parent', of, reference: name }));
  return (anchors, write) => {
    const rows = anchors.rows.length;
    const values = new Float64Array(indexes.length * rows).fill(Number.NaN);
    readDistinct(first(anchors), read, places, (k, i, value) => {
      values[k * rows + i] = value;
    });
    readDistinct(second(anchors), read, places, (k, i, value) => write(indexes[k], i, values[k * rows + i] - value));
  };
}

/**
 * Reads the row itself. Comparisons read the parent's events but are not shared between rows: the result depends on the
 * row's own values.
 */
function openRoot(graph: Graph, states: States, members: readonly Member[]): (anchors: Anchors, write: Write) => void {
  const read = openReads(
    graph,
    members.filter(({ read }) => !isComparison(read)),
  );
  const comparisons = members.flatMap(({ index, read }) => (isComparison(read) ? [{ index, read }] : []));
  const groups = Array.from(Map.groupBy(comparisons, ({ read }) => eventsKey(read.events)).values(), (group) => {
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

/** Prepares all reads of a state: its rows' own values, and their histories. */
export function openReads(graph: Graph, members: readonly Member[]): ReadState {
  const attributes: ReadState[] = [];
  const embedded = members.filter(({ read }) => read.kind === 'embedding');
  const histories = new Map<string, { events: Events; members: Member[] }>();
  for (const member of members) {
    if (member.read.kind === 'embedding') continue;
    if (member.read.kind === 'rating') {
      attributes.push(openRating(graph, { index: member.index, read: member.read }));
      continue;
    }
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

function columnOf(values: Float32Array, index: number, { rows: { length } }: Anchors): Float32Array {
  return values.subarray(index * length, (index + 1) * length);
}

function areInOrder(rows: Int32Array): boolean {
  for (let i = 0; i < rows.length; i++) if (rows[i] !== i) return false;
  return true;
}
