import { type Moment, normalize, openMoment } from './encoder.ts';
import { embeddingSize, type FittedEncoder } from './fit.ts';
import type { FactGraph } from './graph.ts';
import { signatureSeeds } from './signatures.ts';

/** Vectors of a graph's entities at any moment. */
export type Embedder = {
  /** 1024 numbers of length 1, from what was known at t alone; null when nothing was known of the entity. t: microseconds. */
  embed(entity: number, t: number): Float32Array | null;
  /** The same of many, which is faster. */
  embedAll(entities: readonly number[], t: number): (Float32Array | null)[];
};

/** Moments whose neighbourhoods are kept. */
const momentsMax = 4;
/** Raw vectors rotated together. */
const entitiesAtOnce = 16;

/** The same graph, encoder, entity and t give the same vector, bit for bit, whatever was asked before. */
export function openEmbedder(graph: FactGraph, { encoder, rotation }: FittedEncoder): Embedder {
  const seeds = signatureSeeds(graph);
  const moments = new Map<number, Moment>();
  function momentOf(t: number): Moment {
    const moment = moments.get(t) ?? openMoment(graph, encoder, seeds, t);
    moments.delete(t);
    moments.set(t, moment);
    if (moments.size > momentsMax) moments.delete(moments.keys().next().value!);
    return moment;
  }
  function embedAll(entities: readonly number[], t: number): (Float32Array | null)[] {
    const moment = momentOf(t);
    const answers: (Float32Array | null)[] = [];
    for (let start = 0; start < entities.length; start += entitiesAtOnce) {
      const raws: Float64Array[] = [];
      const block = entities.slice(start, start + entitiesAtOnce);
      const isKnown = block.map((entity) => {
        const raw = new Float64Array(moment.size);
        const known = moment.encode(entity, raw);
        if (known) raws.push(raw);
        return known;
      });
      const vectors = rotateAll(joined(raws, moment.size), moment.size, rotation);
      for (const known of isKnown) answers.push(known ? vectors.shift()! : null);
    }
    return answers;
  }
  return { embed: (entity, t) => embedAll([entity], t)[0]!, embedAll };
}

function joined(raws: readonly Float64Array[], width: number): Float64Array {
  const all = new Float64Array(raws.length * width);
  for (const [v, raw] of raws.entries()) all.set(raw, v * width);
  return all;
}

/** Rotates raw vectors, one after the other in `raws`, to unit vectors of 1024. Each as if it were alone. */
function rotateAll(raws: Float64Array, width: number, rotation: Float32Array): Float32Array[] {
  const count = raws.length / width;
  const vectors = Array.from({ length: count }, () => new Float64Array(embeddingSize));
  const axes = Math.min(width, embeddingSize);
  // Axis by axis, so that the rotation, which no cache holds, is read once for all of them.
  for (let i = 0; i < axes; i++) {
    const axis = rotation.subarray(i * width, i * width + width);
    for (let v = 0; v < count; v++) vectors[v]![i] = dot(axis, raws, v * width);
  }
  return vectors.map((vector) => {
    normalize(vector);
    return Float32Array.from(vector);
  });
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
