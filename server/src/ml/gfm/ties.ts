import { type HalfLives, remaining } from './decay.ts';
import { type FactGraph, forDirections, otherEnd } from './graph.ts';

/** Of a direction the newest facts with something left are followed, so that a hub costs no more than others. */
const neighboursMax = 64;
const edgesScanned = 256;

/**
 * Who an entity has a fact with, direction by direction and newest known first, and what is left of the facts between: `near` of the
 * neighbour's state, `long` of the tie.
 */
export type Ties = {
  readonly direction: readonly number[];
  readonly other: readonly number[];
  readonly near: readonly number[];
  readonly long: readonly number[];
};

/** As known at t. `directions`: see `directionsOf`. */
export function tiesOf(
  graph: FactGraph,
  halfLives: HalfLives,
  directions: Int32Array,
  entity: number,
  t: number,
): Ties {
  const { fact, store } = graph;
  const found = { direction: [] as number[], other: [] as number[], near: [] as number[], long: [] as number[] };
  forDirections(graph, entity, t, (own, start, end) => {
    const direction = directions[own]!;
    if (direction < 0) return;
    const relationClass = store.relations[own >> 1]!.class;
    const [short, long] = halfLives[relationClass];
    let taken = 0;
    for (let edge = end - 1; edge >= Math.max(start, end - edgesScanned) && taken < neighboursMax; edge--) {
      const each = fact[edge]!;
      const strength = Math.log2(1 + store.facts.weight[each]!);
      const left = strength * remaining(graph, each, t, long);
      if (left === 0) continue;
      taken++;
      found.direction.push(direction);
      found.other.push(otherEnd(graph, edge, own));
      // What ended long ago says little of the neighbour's state today; moments are too few to forget as fast.
      found.near.push(relationClass === 'lasting' ? strength * remaining(graph, each, t, short) : left);
      found.long.push(left);
    }
  });
  return found;
}

/** By the graph's direction that of the encoder, which may number relations otherwise or not know them: -1. */
export function directionsOf({ store, directions }: FactGraph, relations: readonly string[]): Int32Array {
  return Int32Array.from({ length: directions }, (_, direction) => {
    const relation = relations.indexOf(store.relations[direction >> 1]!.name);
    return relation < 0 ? -1 : 2 * relation + (direction & 1);
  });
}
