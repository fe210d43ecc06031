import { embeddingSize, type FittedEncoder } from './fit.ts';
import type { FactGraph } from './graph.ts';
import { type Moment, openMoment } from './moment.ts';
import { openRotator } from './rotate.ts';
import { signatureSeeds } from './signatures.ts';
import { normalize } from './vectors.ts';

/** Vectors of a graph's entities at any moment. */
export type Embedder = {
  /**
   * A vector of 1024 numbers and length 1, computed only from what was known at t (microseconds). Null when nothing was
   * known of the entity.
   */
  embed(entity: number, t: number): Float32Array | null;
  /** The same for many entities, which is faster. */
  embedAll(entities: readonly number[], t: number): (Float32Array | null)[];
  /**
   * The first `columns` numbers of each vector, one after the other, not normalised: the direction is that of the
   * prefix. This costs a small part of a whole vector. Zeros where nothing was known.
   */
  embedPrefixes(entities: Int32Array, t: number, columns: number): Float32Array;
};

/** Most moments whose neighborhoods are cached. */
const momentsMaxDefault = 4;
/** Raw vectors rotated at a time. */
const entitiesAtOnce = 16;

/**
 * Opens vectors of a graph. The same graph, encoder, entity and t give the same vector to the bit, whatever was asked
 * before. `bytesKept`: size of the cache per moment.
 */
export function openEmbedder(
  graph: FactGraph,
  { encoder, rotations }: FittedEncoder,
  { momentsMax = momentsMaxDefault, bytesKept }: { momentsMax?: number; bytesKept?: number } = {},
): Embedder {
  const seeds = signatureSeeds(graph);
  const moments = new Map<number, Moment>();
  const rotate = openRotator(rotations[0].length / embeddingSize, entitiesAtOnce);
  function momentOf(t: number): Moment {
    const moment = moments.get(t) ?? openMoment(graph, encoder, seeds, t, bytesKept);
    moments.delete(t);
    moments.set(t, moment);
    if (moments.size > momentsMax) moments.delete(moments.keys().next().value!);
    return moment;
  }
  /** Rotates the raw vectors of the entities known at t, cut to `columns`, and passes them to `take` in some order. */
  function rotateKnown(
    entities: ArrayLike<number>,
    t: number,
    columns: number,
    take: (place: number, vector: Float64Array) => void,
  ): void {
    const moment = momentOf(t);
    const kinds = Map.groupBy(Array.from(entities).keys(), (place) => graph.store.kinds[entities[place]]);
    for (const [kind, places] of kinds) {
      for (let start = 0; start < places.length; start += entitiesAtOnce) {
        const raws: Float64Array[] = [];
        const known = places.slice(start, start + entitiesAtOnce).filter((place) => {
          const raw = new Float64Array(moment.size);
          const isKnown = moment.encode(entities[place], raw);
          if (isKnown) raws.push(raw);
          return isKnown;
        });
        const vectors = rotate(raws, rotations[kind], columns);
        for (const [i, place] of known.entries()) take(place, vectors[i]);
      }
    }
  }
  function embedAll(entities: readonly number[], t: number): (Float32Array | null)[] {
    const answers: (Float32Array | null)[] = entities.map(() => null);
    rotateKnown(entities, t, embeddingSize, (place, vector) => {
      normalize(vector);
      answers[place] = Float32Array.from(vector);
    });
    return answers;
  }
  function embedPrefixes(entities: Int32Array, t: number, columns: number): Float32Array {
    const prefixes = new Float32Array(entities.length * columns);
    rotateKnown(entities, t, columns, (place, vector) => prefixes.set(vector, place * columns));
    return prefixes;
  }
  return { embed: (entity, t) => embedAll([entity], t)[0], embedAll, embedPrefixes };
}
