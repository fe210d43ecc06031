import { sortedOrder } from '../statistics/ranks.ts';
import type { FactStore, Nodes, RelationClass, StoreRelation } from './facts/store.ts';

/**
 * The facts of a store as edges of both their ends. Direction 2r leads from the subject of relation r to its object, 2r
 * + 1 from object to subject. Reading at a moment t uses facts with known ≤ t < until, and their `to` only if to ≤ t.
 */
export type FactGraph = {
  readonly store: FactStore;
  readonly entities: number;
  readonly directions: number;
  /** The edges of entity e are [offsets[e], offsets[e + 1]), in order of (direction, known). */
  readonly offsets: Uint32Array;
  readonly direction: Uint16Array;
  readonly fact: Uint32Array;
  readonly known: Float64Array;
  /** When an entity was first known: by its first fact, or by a dated node row. Infinite where neither exists. */
  readonly bornAt: Float64Array;
  /** The rows of `nodes` of entity e are [nodeOffsets[e], nodeOffsets[e + 1]). */
  readonly nodeOffsets: Uint32Array;
};

export function openFactGraph(store: FactStore): FactGraph {
  const { facts, nodes, entities } = store;
  const size = entities.size;
  const count = facts.subject.length;
  const offsets = new Uint32Array(size + 1);
  for (const ends of [facts.subject, facts.object]) for (const entity of ends) offsets[entity + 1]++;
  for (let e = 0; e < size; e++) offsets[e + 1] += offsets[e];
  const edges = {
    direction: new Uint16Array(2 * count),
    fact: new Uint32Array(2 * count),
    known: new Float64Array(2 * count),
  };
  const next = offsets.slice(0, size);
  const bornAt = new Float64Array(size).fill(Number.POSITIVE_INFINITY);
  const place = (entity: number, direction: number, fact: number) => {
    const at = next[entity]++;
    edges.direction[at] = direction;
    edges.fact[at] = fact;
  };
  for (const fact of sortedOrder(facts.known)) {
    for (const [side, ends] of [facts.subject, facts.object].entries()) {
      const entity = ends[fact];
      place(entity, 2 * facts.relation[fact] + side, fact);
      bornAt[entity] = Math.min(bornAt[entity], facts.known[fact]);
    }
  }
  for (let e = 0; e < size; e++) groupByDirection(edges.direction, edges.fact, offsets[e], offsets[e + 1]);
  for (const [at, fact] of edges.fact.entries()) edges.known[at] = facts.known[fact];
  for (const [row, known] of nodes.known.entries()) {
    const entity = nodes.entity[row];
    if (Number.isFinite(known)) bornAt[entity] = Math.min(bornAt[entity], known);
  }
  const directions = 2 * store.relations.length;
  return { store, entities: size, directions, offsets, ...edges, bornAt, nodeOffsets: nodeOffsetsOf(nodes, size) };
}

/** Groups edges [start, end) by direction; edges of one direction keep their order. */
function groupByDirection(direction: Uint16Array, fact: Uint32Array, start: number, end: number): void {
  let isGrouped = true;
  for (let at = start + 1; at < end; at++) if (direction[at] < direction[at - 1]) isGrouped = false;
  if (isGrouped) return;
  const order = Array.from({ length: end - start }, (_, i) => start + i).sort(
    (a, b) => direction[a] - direction[b] || a - b,
  );
  const directions = order.map((at) => direction[at]);
  const facts = order.map((at) => fact[at]);
  direction.set(directions, start);
  fact.set(facts, start);
}

function nodeOffsetsOf({ entity }: Nodes, size: number): Uint32Array {
  const offsets = new Uint32Array(size + 1);
  for (const each of entity) offsets[each + 1]++;
  for (let e = 0; e < size; e++) offsets[e + 1] += offsets[e];
  return offsets;
}

export function relationOf({ store }: FactGraph, direction: number): StoreRelation {
  return store.relations[direction >> 1];
}

export function classOf(graph: FactGraph, direction: number): RelationClass {
  return relationOf(graph, direction).class;
}

/**
 * Visits the edges of an entity known by t, direction by direction: `visit(direction, start, end)`, in order of known.
 */
export function forDirections(
  { offsets, direction, known }: FactGraph,
  entity: number,
  t: number,
  visit: (direction: number, start: number, end: number) => void,
): void {
  const last = offsets[entity + 1];
  for (let start = offsets[entity]; start < last; ) {
    const own = direction[start];
    const end = endOfRun(direction, start, last);
    const stop = endOfKnown(known, start, end, t);
    if (stop > start) visit(own, start, stop);
    start = end;
  }
}

/**
 * The first edge with another direction than that of `start`, or `last`. Found by doubling steps, so that the cost for
 * a hub depends on its directions, not on its edges.
 */
function endOfRun(direction: Uint16Array, start: number, last: number): number {
  const own = direction[start];
  let low = start + 1;
  let high = low;
  for (let step = 1; high < last && direction[high] === own; step *= 2) {
    low = high + 1;
    high = Math.min(last, high + step);
  }
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (direction[middle] === own) low = middle + 1;
    else high = middle;
  }
  return high;
}

/** The first edge known later than t, or `end`. */
function endOfKnown(known: Float64Array, start: number, end: number, t: number): number {
  // In most cases all are known.
  if (known[end - 1] <= t) return end;
  let low = start;
  let high = end - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (known[middle] <= t) low = middle + 1;
    else high = middle;
  }
  return high;
}

export function otherEnd({ store: { facts }, fact }: FactGraph, edge: number, direction: number): number {
  return (direction & 1) === 0 ? facts.object[fact[edge]] : facts.subject[fact[edge]];
}

/**
 * The row of `nodes` that was valid for an entity at t, or -1. An undated row is valid from the entity's first fact on.
 */
export function nodeRowAt({ store, nodeOffsets, bornAt }: FactGraph, entity: number, t: number): number {
  if (!(bornAt[entity] <= t)) return -1;
  for (let row = nodeOffsets[entity + 1] - 1; row >= nodeOffsets[entity]; row--)
    if (store.nodes.known[row] <= t) return row;
  return -1;
}
