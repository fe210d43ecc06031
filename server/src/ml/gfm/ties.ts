import { type HalfLives, remaining } from './decay.ts';
import { type FactGraph, forDirections, otherEnd } from './graph.ts';

/** Most facts of a direction that are followed, newest first, so that a hub costs no more than others. */
const neighboursMax = 64;
const edgesScanned = 256;

/**
 * The neighbors of entities, and what remains of the facts with them. `near` weights the neighbor's state, `long` the
 * tie itself. The ties of an entity are consecutive, by direction, newest known first.
 */
export type Ties = {
  direction: Uint16Array;
  other: Int32Array;
  near: Float64Array;
  long: Float64Array;
  /** Index of the next tie. Index 0 is not used, so that 0 can mean none. */
  used: number;
};

export function noTies(): Ties {
  const room = 1024;
  return {
    direction: new Uint16Array(room),
    other: new Int32Array(room),
    near: new Float64Array(room),
    long: new Float64Array(room),
    used: 1,
  };
}

export function bytesOf({ direction, other, near, long, used }: Ties): number {
  return [direction, other, near, long].reduce((sum, column) => sum + used * column.BYTES_PER_ELEMENT, 0);
}

/** Appends the ties of an entity as known at t. `directions`: see `directionsOf`. */
export function addTies(
  ties: Ties,
  graph: FactGraph,
  halfLives: HalfLives,
  directions: Int32Array,
  entity: number,
  t: number,
): void {
  const { fact, store } = graph;
  forDirections(graph, entity, t, (own, start, end) => {
    const direction = directions[own];
    if (direction < 0) return;
    const relationClass = store.relations[own >> 1].class;
    const [short, long] = halfLives[relationClass];
    const last = Math.max(start, end - edgesScanned);
    if (ties.used + neighboursMax > ties.other.length) makeRoom(ties);
    const most = ties.used + neighboursMax;
    for (let edge = end - 1; edge >= last && ties.used < most; edge--) {
      const each = fact[edge];
      const strength = Math.log2(1 + store.facts.weight[each]);
      const left = strength * remaining(graph, each, t, long);
      if (left === 0) continue;
      const at = ties.used++;
      ties.direction[at] = direction;
      ties.other[at] = otherEnd(graph, edge, own);
      // If a lasting fact ended long ago, the neighbor's present state matters little. Momentary facts are too few to
      // decay as fast.
      ties.near[at] = relationClass === 'lasting' ? strength * remaining(graph, each, t, short) : left;
      ties.long[at] = left;
    }
  });
}

function makeRoom(ties: Ties): void {
  const { direction, other, near, long } = ties;
  const room = 2 * other.length;
  ties.direction = new Uint16Array(room);
  ties.other = new Int32Array(room);
  ties.near = new Float64Array(room);
  ties.long = new Float64Array(room);
  ties.direction.set(direction);
  ties.other.set(other);
  ties.near.set(near);
  ties.long.set(long);
}

/**
 * Maps the graph's directions to those of the encoder, which may number relations differently; -1 for a relation it
 * does not know.
 */
export function directionsOf({ store, directions }: FactGraph, relations: readonly string[]): Int32Array {
  return Int32Array.from({ length: directions }, (_, direction) => {
    const relation = relations.indexOf(store.relations[direction >> 1].name);
    return relation < 0 ? -1 : 2 * relation + (direction & 1);
  });
}
