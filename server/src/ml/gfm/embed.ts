import { embeddingSize, type FittedEncoder } from './fit.ts';
import type { FactGraph } from './graph.ts';
import { type Moment, openMoment } from './moment.ts';
import { signatureSeeds } from './signatures.ts';
import { normalize } from './vectors.ts';

/** Vectors of a graph's entities at any moment. */
export type Embedder = {
  /** 1024 numbers of length 1, from what was known at t alone; null when nothing was known of the entity. t: microseconds. */
  embed(entity: number, t: number): Float32Array | null;
  /** The same of many, which is faster. */
  embedAll(entities: readonly number[], t: number): (Float32Array | null)[];
  /**
   * What points where their first `columns` numbers do, one after the other, of any length: a whole vector costs many times as
   * much. Zeros where nothing was known.
   */
  embedPrefixes(entities: Int32Array, t: number, columns: number): Float32Array;
};

/** Moments whose neighbourhoods are kept. */
const momentsMaxDefault = 4;
/** Raw vectors rotated together. */
const entitiesAtOnce = 16;

/** The same graph, encoder, entity and t give the same vector, bit for bit, whatever was asked before. `bytesKept`: of each moment. */
export function openEmbedder(
  graph: FactGraph,
  { encoder, rotations }: FittedEncoder,
  { momentsMax = momentsMaxDefault, bytesKept }: { momentsMax?: number; bytesKept?: number } = {},
): Embedder {
  const seeds = signatureSeeds(graph);
  const moments = new Map<number, Moment>();
  function momentOf(t: number): Moment {
    const moment = moments.get(t) ?? openMoment(graph, encoder, seeds, t, bytesKept);
    moments.delete(t);
    moments.set(t, moment);
    if (moments.size > momentsMax) moments.delete(moments.keys().next().value!);
    return moment;
  }
  /** Hands over what the raw vectors of the entities known at t are rotated to, cut to `columns`, in some order. */
  function rotateKnown(
    entities: ArrayLike<number>,
    t: number,
    columns: number,
    take: (place: number, vector: Float64Array) => void,
  ): void {
    const moment = momentOf(t);
    const kinds = Map.groupBy(Array.from(entities).keys(), (place) => graph.store.kinds[entities[place]!]!);
    for (const [kind, places] of kinds) {
      for (let start = 0; start < places.length; start += entitiesAtOnce) {
        const raws: Float64Array[] = [];
        const known = places.slice(start, start + entitiesAtOnce).filter((place) => {
          const raw = new Float64Array(moment.size);
          const isKnown = moment.encode(entities[place]!, raw);
          if (isKnown) raws.push(raw);
          return isKnown;
        });
        const vectors = rotateAll(joined(raws, moment.size), moment.size, rotations[kind]!, columns);
        for (const [i, place] of known.entries()) take(place, vectors[i]!);
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
  return { embed: (entity, t) => embedAll([entity], t)[0]!, embedAll, embedPrefixes };
}

function joined(raws: readonly Float64Array[], width: number): Float64Array {
  const all = new Float64Array(raws.length * width);
  for (const [v, raw] of raws.entries()) all.set(raw, v * width);
  return all;
}

/** The first `columns` numbers that raw vectors, one after the other in `raws`, are rotated to. Each as if it were alone. */
function rotateAll(raws: Float64Array, width: number, rotation: Float32Array, columns: number): Float64Array[] {
  const count = raws.length / width;
  const vectors = Array.from({ length: count }, () => new Float64Array(columns));
  const axes = Math.min(width, columns);
  // Axis by axis, so that the rotation, which no cache holds, is read once for all of them.
  for (let i = 0; i < axes; i++) {
    const axis = rotation.subarray(i * width, i * width + width);
    for (let v = 0; v < count; v++) vectors[v]![i] = dot(axis, raws, v * width);
  }
  return vectors;
}

function dot(axis: Float32Array, raws: Float64Array, start: number): number {
  const width = axis.length;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let k = 0;
  for (; k + 3 < width; k += 4) {
    a += axis[k]! * raws[start + k]!;
    b += axis[k + 1]! * raws[start + k + 1]!;
    c += axis[k + 2]! * raws[start + k + 2]!;
    d += axis[k + 3]! * raws[start + k + 3]!;
  }
  for (; k < width; k++) a += axis[k]! * raws[start + k]!;
  return a + b + (c + d);
}
