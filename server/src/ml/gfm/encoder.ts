import { mix } from '../graph/texts.ts';
import { type HalfLives, remaining } from './decay.ts';
import { type FactGraph, forDirections, otherEnd } from './graph.ts';
import { type Inputs, openInputs, scaleInputs } from './inputs.ts';
import { addSignature } from './signatures.ts';

/** How wide the parts of a raw vector are. */
export type EncoderSizes = {
  /** Of a signature; a power of two. */
  readonly signature: number;
  /** What is passed on of a neighbour's inputs: their leading principal axes. */
  readonly profile: number;
  /** What is passed on over two steps. */
  readonly farProfile: number;
  /** One profile per relation and direction where they fit, else hashed into so many columns. */
  readonly near: number;
  readonly far: number;
};

export const defaultSizes: EncoderSizes = { signature: 128, profile: 32, farProfile: 8, near: 704, far: 176 };

/** Everything a raw vector is computed with, frozen when the version is made; plain data but for `profileAxes`. */
export type Encoder = {
  readonly sizes: EncoderSizes;
  readonly halfLives: HalfLives;
  /** Those with a fact known when the encoder was fitted: facts of others are not read. Direction 2r leads from subject to object, 2r + 1 back. */
  readonly relations: readonly string[];
  readonly inputs: Inputs;
  /** profile × inputs, row-major: the principal axes of the scaled inputs. */
  readonly profileAxes: Float64Array;
  /** By part, what it is multiplied with, so that parts weigh what they are meant to. */
  readonly partScales: readonly number[];
};

/** A stretch of a raw vector, and its share of the squared length on average. */
export type Part = { readonly name: string; readonly start: number; readonly size: number; readonly share: number };

const partShares = {
  own: 0.2,
  near: 0.44,
  far: 0.08,
  signature: 0.06,
  partnersLong: 0.08,
  partnersShort: 0.04,
  partnersTyped: 0.06,
  partnersFar: 0.04,
} as const;

export function partsOf({ sizes, inputs }: Pick<Encoder, 'sizes' | 'inputs'>): Part[] {
  const { signature } = sizes;
  const widths: Record<keyof typeof partShares, number> = {
    own: inputs.columns.length,
    near: sizes.near,
    far: sizes.far,
    signature,
    partnersLong: signature,
    partnersShort: signature,
    partnersTyped: signature,
    partnersFar: signature,
  };
  let start = 0;
  return Object.entries(partShares).map(([name, share]) => {
    const size = widths[name as keyof typeof partShares];
    const part = { name, start, size, share };
    start += size;
    return part;
  });
}

/** Of a direction the newest facts with something left are followed, so that a hub costs no more than others. */
const neighboursMax = 64;
const edgesScanned = 256;
/** A mean over neighbours is drawn to 0 as if by so much weight of neighbours like everybody. */
const shrinkage = 0.5;
const momentEntitiesMax = 50_000;

/** What was known at one moment t, as raw vectors. */
export type Moment = {
  readonly size: number;
  /** Fills `out`, all of it. The same for an entity whatever was asked before. False when nothing was known of it: `out` is zeros. */
  encode(entity: number, out: Float64Array): boolean;
};

/** What is kept of an entity while others are encoded that it is a neighbour of. */
type Known = {
  /** Its profile. */
  readonly own: Float64Array;
  readonly degree: number;
  /** Mean profile and signatures of its own neighbours; made when first asked for. */
  around: { readonly profile: Float64Array; readonly signature: Float64Array } | null;
};

/**
 * Opens a moment. A raw vector is, part by part: the entity's scaled inputs; per relation and direction the weighted mean of its
 * neighbours' profiles (near), and of their neighbours' mean profiles (far); its signature; the sum of its neighbours'
 * signatures with weights that decay slowly, fast, and slowly by relation; the sum of those of their neighbours. What lasts weighs
 * log2(1 + weight) while it does; hubs count less by the root of their degree.
 */
export function openMoment(graph: FactGraph, encoder: Encoder, seeds: Int32Array, t: number): Moment {
  const { sizes, halfLives, inputs, profileAxes, partScales } = encoder;
  const read = openInputs(graph, inputs.columns, halfLives);
  const width = inputs.columns.length;
  const profileSize = profileAxes.length / width;
  const farSize = Math.min(sizes.farProfile, profileSize);
  const parts = partsOf(encoder);
  const size = parts.at(-1)!.start + parts.at(-1)!.size;
  const startOf = (wanted: keyof typeof partShares) => parts.find(({ name }) => name === wanted)!.start;
  const [ownAt, nearAt, farAt, signatureAt] = [startOf('own'), startOf('near'), startOf('far'), startOf('signature')];
  const [longAt, shortAt] = [startOf('partnersLong'), startOf('partnersShort')];
  const [typedAt, partnersFarAt] = [startOf('partnersTyped'), startOf('partnersFar')];
  const directions = directionsOf(graph, encoder.relations);
  const nearPlaces = layOut(2 * encoder.relations.length, profileSize, sizes.near);
  const farPlaces = layOut(2 * encoder.relations.length, farSize, sizes.far);
  const bounds = Array.from({ length: 2 * encoder.relations.length }, (_, d) =>
    mix(hashName(encoder.relations[d >> 1]!) + (d & 1)),
  );
  const known = new Map<number, Known>();
  const scratch = new Float64Array(width);

  function knownOf(entity: number): Known {
    const found = known.get(entity);
    if (found !== undefined) return found;
    if (known.size >= momentEntitiesMax) known.clear();
    read(entity, t, scratch);
    scaleInputs(inputs, scratch);
    let degree = 0;
    forDirections(graph, entity, t, (direction, start, end) => {
      if (directions[direction]! >= 0) degree += end - start;
    });
    const made = { own: project(scratch, profileAxes), degree, around: null };
    known.set(entity, made);
    return made;
  }

  function aroundOf(entity: number) {
    const own = knownOf(entity);
    if (own.around !== null) return own.around;
    const profile = new Float64Array(farSize);
    const signature = new Float64Array(sizes.signature);
    let total = 0;
    forNeighbours(graph, halfLives, directions, entity, t, (_, other, weights) => {
      const neighbour = knownOf(other);
      for (let k = 0; k < farSize; k++) profile[k] = profile[k]! + weights.near * neighbour.own[k]!;
      addSignature(signature, 0, sizes.signature, seeds[other]!, 0, weights.long / Math.sqrt(neighbour.degree));
      total += weights.near;
    });
    scaleBy(profile, 1 / (total + shrinkage));
    normalize(signature);
    const around = { profile, signature };
    own.around = around;
    return around;
  }

  function encode(entity: number, out: Float64Array): boolean {
    out.fill(0);
    if (!(graph.bornAt[entity]! <= t)) return false;
    const own = out.subarray(ownAt, ownAt + width);
    read(entity, t, own);
    scaleInputs(inputs, own);
    addSignature(out, signatureAt, sizes.signature, seeds[entity]!, 0, 1);
    const near = new Float64Array(profileSize);
    const far = new Float64Array(farSize);
    let current = -1;
    let total = 0;
    const finish = () => {
      if (total > 0) {
        spread(near, 1 / (total + shrinkage), nearPlaces[current]!, out, nearAt);
        spread(far, 1 / (total + shrinkage), farPlaces[current]!, out, farAt);
      }
      near.fill(0);
      far.fill(0);
      total = 0;
    };
    forNeighbours(graph, halfLives, directions, entity, t, (direction, other, weights) => {
      if (direction !== current) finish();
      current = direction;
      const neighbour = knownOf(other);
      const around = aroundOf(other);
      for (let k = 0; k < profileSize; k++) near[k] = near[k]! + weights.near * neighbour.own[k]!;
      for (let k = 0; k < farSize; k++) far[k] = far[k]! + weights.near * around.profile[k]!;
      total += weights.near;
      const damped = 1 / Math.sqrt(neighbour.degree);
      const seed = seeds[other]!;
      addSignature(out, longAt, sizes.signature, seed, 0, weights.long * damped);
      addSignature(out, shortAt, sizes.signature, seed, 0, weights.short * damped);
      addSignature(out, typedAt, sizes.signature, seed, bounds[direction]!, weights.long * damped);
      for (let k = 0; k < sizes.signature; k++)
        out[partnersFarAt + k] = out[partnersFarAt + k]! + weights.long * damped * around.signature[k]!;
    });
    finish();
    for (const { name, start, size: length } of parts)
      if (name.startsWith('partners')) normalize(out.subarray(start, start + length));
    for (const [i, { start, size: length }] of parts.entries())
      scaleBy(out.subarray(start, start + length), partScales[i]!);
    return true;
  }

  return { size, encode };
}

type Weights = { near: number; long: number; short: number };

/** The neighbours of an entity at t, direction by direction and newest known first, with what is left of the facts between. */
function forNeighbours(
  graph: FactGraph,
  halfLives: HalfLives,
  directions: Int32Array,
  entity: number,
  t: number,
  visit: (direction: number, other: number, weights: Weights) => void,
): void {
  const { fact, store } = graph;
  const weights = { near: 0, long: 0, short: 0 };
  forDirections(graph, entity, t, (own, start, end) => {
    const direction = directions[own]!;
    if (direction < 0) return;
    const relationClass = store.relations[own >> 1]!.class;
    const [short, long] = halfLives[relationClass];
    let taken = 0;
    for (let edge = end - 1; edge >= Math.max(start, end - edgesScanned) && taken < neighboursMax; edge--) {
      const each = fact[edge]!;
      const strength = Math.log2(1 + store.facts.weight[each]!);
      weights.short = strength * remaining(graph, each, t, short);
      weights.long = strength * remaining(graph, each, t, long);
      // What ended long ago says little of the neighbour's state today; moments are too few to forget as fast.
      weights.near = relationClass === 'lasting' ? weights.short : weights.long;
      if (weights.long === 0) continue;
      taken++;
      visit(direction, otherEnd(graph, edge, own), weights);
    }
  });
}

/** By the graph's direction that of the encoder, which may number relations otherwise or not know them: -1. */
function directionsOf({ store, directions }: FactGraph, relations: readonly string[]): Int32Array {
  return Int32Array.from({ length: directions }, (_, direction) => {
    const relation = relations.indexOf(store.relations[direction >> 1]!.name);
    return relation < 0 ? -1 : 2 * relation + (direction & 1);
  });
}

/** Where value k of direction d goes: side by side where there is room, else by a hash, with its sign. */
function layOut(directions: number, size: number, room: number): Int32Array[] {
  const fits = directions * size <= room;
  return Array.from({ length: directions }, (_, d) =>
    Int32Array.from({ length: size }, (__, k) => {
      if (fits) return d * size + k;
      const hash = mix(mix(d + 1) ^ Math.imul(k + 1, 0x9e3779b9));
      const place = (hash >>> 1) % room;
      return (hash & 1) === 0 ? place : ~place;
    }),
  );
}

function spread(values: Float64Array, factor: number, places: Int32Array, out: Float64Array, start: number): void {
  for (let k = 0; k < values.length; k++) {
    const place = places[k]!;
    const at = start + (place < 0 ? ~place : place);
    out[at] = out[at]! + (place < 0 ? -factor : factor) * values[k]!;
  }
}

/** The values along each row of `axes`. */
export function project(values: Float64Array, axes: Float64Array): Float64Array {
  const width = values.length;
  return Float64Array.from({ length: axes.length / width }, (_, i) => {
    let sum = 0;
    for (let k = 0; k < width; k++) sum += axes[i * width + k]! * values[k]!;
    return sum;
  });
}

function scaleBy(values: Float64Array, factor: number): void {
  for (let k = 0; k < values.length; k++) values[k] = values[k]! * factor;
}

/** To length 1; zeros stay. */
export function normalize(values: Float64Array): void {
  let square = 0;
  for (const value of values) square += value * value;
  if (square > 0) scaleBy(values, 1 / Math.sqrt(square));
}

function hashName(name: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
}
