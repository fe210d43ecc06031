import { Failure } from '../../lib/failure.ts';
import type { EntityKind } from '../contract/contract.ts';
import { type Neighborhood, openNeighborhood, searchedMax } from '../vector-search/neighborhood.ts';
import { entityKinds } from './facts/store.ts';
import { embeddingSize } from './fit.ts';
import type { FactGraph } from './graph.ts';
import type { Gfm } from './version.ts';

/** Entities of one kind, to be searched by their indices in `entities`. */
export type KindNeighborhood = { readonly entities: Int32Array; readonly neighborhood: Neighborhood };

/**
 * The entities of a kind known at t. Entities of the last period that ended by t are scanned with their vectors of that
 * period, later entities with their vectors at t; near ones are then compared at t. Throws Failure 'limit_exceeded'
 * when more than 50,000 came after that period.
 */
export async function openKind(gfm: Gfm, kind: EntityKind, t: number): Promise<KindNeighborhood> {
  const entities = entitiesAt(gfm.graph, kind, t);
  const period = await gfm.periodBefore(t);
  const placeIn = period === null ? entities.map(() => -1) : placesOf(entities, period.entities);
  const late = placeIn.reduce((count, place) => count + Number(place < 0), 0);
  if (late > searchedMax)
    throw new Failure(
      'limit_exceeded',
      `the graph has ${late} entities of kind ${kind} that no period has by then; up to ${searchedMax} are searched`,
      { reason: 'too_many_entities' },
    );
  const neighborhood = openNeighborhood({
    count: entities.length,
    prefixes(from, to, columns) {
      const prefixes = new Float32Array((to - from) * columns);
      const rest: number[] = [];
      for (let i = from; i < to; i++) {
        const place = placeIn[i];
        if (place < 0) rest.push(i);
        else prefixes.set(period!.prefixes.subarray(place * columns, (place + 1) * columns), (i - from) * columns);
      }
      const made = gfm.embedPrefixes(
        Int32Array.from(rest, (i) => entities[i]),
        t,
        columns,
      );
      for (const [k, i] of rest.entries())
        prefixes.set(made.subarray(k * columns, (k + 1) * columns), (i - from) * columns);
      return prefixes;
    },
    whole(places) {
      const vectors = gfm.embedAll(
        Array.from(places, (place) => entities[place]),
        t,
      );
      const joined = new Float32Array(places.length * embeddingSize);
      for (const [i, vector] of vectors.entries()) if (vector !== null) joined.set(vector, i * embeddingSize);
      return joined;
    },
  });
  return { entities, neighborhood };
}

function entitiesAt({ store, bornAt, entities }: FactGraph, kind: EntityKind, t: number): Int32Array {
  const code = entityKinds.indexOf(kind);
  return Int32Array.from({ length: entities }, (_, e) => e).filter((e) => store.kinds[e] === code && bornAt[e] <= t);
}

/** The index of each entity in `others`, or -1. Both are ascending. */
function placesOf(entities: Int32Array, others: Int32Array): Int32Array {
  let at = 0;
  return entities.map((entity) => {
    while (at < others.length && others[at] < entity) at++;
    return others[at] === entity ? at : -1;
  });
}
