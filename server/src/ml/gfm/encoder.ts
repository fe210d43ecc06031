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
  /** Of a place; a power of two. Few numbers, so that its axes are wide and short prefixes have some of them. */
  readonly place: number;
};

/** With about 80 inputs a raw vector has hardly more than 1,024 numbers, and its rotation loses nothing. */
export const defaultSizes: EncoderSizes = { signature: 64, profile: 24, farProfile: 8, near: 528, far: 176, place: 64 };

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
  own: 0.18,
  near: 0.4,
  far: 0.06,
  place: 0.3,
  partners: 0.03,
  partnersTyped: 0.03,
} as const;

export function partsOf({ sizes, inputs }: Pick<Encoder, 'sizes' | 'inputs'>): Part[] {
  const { signature } = sizes;
  const widths: Record<keyof typeof partShares, number> = {
    own: inputs.columns.length,
    near: sizes.near,
    far: sizes.far,
    place: sizes.place,
    partners: signature,
    partnersTyped: signature,
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
const entitiesKeptDefault = 50_000;
const momentDegreesMax = 1_000_000;
const placeSteps = 4;
/**
 * So many numbers of a place are made so many times as large. They are then among the first of a rotated vector: by its first 16 numbers
 * links were foretold at 3.4 % MRR instead of 1.1 (chance .7), by all at 13.2 instead of 13.8, and every prefix kept more neighbours.
 */
export const boldPlaces = 8;
export const boldness = 4;
/** What is kept of a place in a step. */
const placeKept = 0.2;
/** Who is tied to one alone would only hand back what it was given. */
const placeDegreeMin = 2;
/** What so many are tied to is nobody's neighbourhood. */
const placeDegreeMax = 256;

/** What was known at one moment t, as raw vectors. */
export type Moment = {
  readonly size: number;
  /** Fills `out`, all of it. The same for an entity whatever was asked before. False when nothing was known of it: `out` is zeros. */
  encode(entity: number, out: Float64Array): boolean;
};

/** What is kept of an entity while others are encoded, each made when first asked for. */
type Known = {
  readonly neighbours: Neighbours;
  profile: Float64Array | null;
  /** The mean profile of its own neighbours. */
  around: Float64Array | null;
  /** By step, where its place begins among those of the step. */
  readonly places: number[];
};

/** Vectors of one length side by side: millions of small arrays would cost more than what is computed. */
type Pool = { vectors: Float64Array; used: number; readonly scratch: Float64Array };

function openPool(size: number): Pool {
  return { vectors: new Float64Array(0), used: 0, scratch: new Float64Array(size) };
}

/** Keeps what is in the scratch, and says where. */
function keep(pool: Pool): number {
  const at = pool.used;
  pool.used += pool.scratch.length;
  if (pool.used > pool.vectors.length) {
    const grown = new Float64Array(Math.max(2 * pool.vectors.length, 64 * pool.scratch.length));
    grown.set(pool.vectors);
    pool.vectors = grown;
  }
  pool.vectors.set(pool.scratch, at);
  return at;
}

/**
 * Opens a moment. A raw vector is, part by part: the entity's scaled inputs; per relation and direction the weighted mean of its
 * neighbours' profiles (near), and of their neighbours' mean profiles (far); its place, the first numbers enlarged; the sum of its
 * neighbours' signatures, and the same by relation. A place is where an entity's signature comes to in `placeSteps` steps, in each of
 * which it is drawn to the mean of its neighbours': who is tied closely to one another comes together (as Zhou et al. 2003 spread
 * labels). What lasts weighs log2(1 + weight) while it does; in sums of signatures hubs count less by the root of their degree.
 * `entitiesKept`: of so many what was computed is kept for their neighbours; then it begins anew.
 */
export function openMoment(
  graph: FactGraph,
  encoder: Encoder,
  seeds: Int32Array,
  t: number,
  entitiesKept = entitiesKeptDefault,
): Moment {
  const { sizes, halfLives, inputs, profileAxes, partScales } = encoder;
  const read = openInputs(graph, inputs.columns, halfLives);
  const width = inputs.columns.length;
  const profileSize = profileAxes.length / width;
  const farSize = Math.min(sizes.farProfile, profileSize);
  const parts = partsOf(encoder);
  const size = parts.at(-1)!.start + parts.at(-1)!.size;
  const startOf = (wanted: keyof typeof partShares) => parts.find(({ name }) => name === wanted)!.start;
  const [ownAt, nearAt, farAt, placeAt] = [startOf('own'), startOf('near'), startOf('far'), startOf('place')];
  const [partnersAt, typedAt] = [startOf('partners'), startOf('partnersTyped')];
  const directions = directionsOf(graph, encoder.relations);
  const nearPlaces = layOut(2 * encoder.relations.length, profileSize, sizes.near);
  const farPlaces = layOut(2 * encoder.relations.length, farSize, sizes.far);
  const bounds = Array.from({ length: 2 * encoder.relations.length }, (_, d) =>
    mix(hashName(encoder.relations[d >> 1]!) + (d & 1)),
  );
  const known = new Map<number, Known>();
  const degrees = new Map<number, number>();
  const pools = Array.from({ length: placeSteps + 1 }, () => openPool(sizes.place));
  const scratch = new Float64Array(width);

  function knownOf(entity: number): Known {
    const found = known.get(entity);
    if (found !== undefined) return found;
    if (known.size >= entitiesKept) {
      known.clear();
      for (const pool of pools) pool.used = 0;
    }
    const neighbours = neighboursOf(graph, halfLives, directions, entity, t);
    const made = { neighbours, profile: null, around: null, places: [] };
    known.set(entity, made);
    return made;
  }

  function degreeOf(entity: number): number {
    let degree = degrees.get(entity);
    if (degree !== undefined) return degree;
    if (degrees.size >= momentDegreesMax) degrees.clear();
    degree = 0;
    forDirections(graph, entity, t, (direction, start, end) => {
      if (directions[direction]! >= 0) degree! += end - start;
    });
    degrees.set(entity, degree);
    return degree;
  }

  function profileOf(entity: number): Float64Array {
    const own = knownOf(entity);
    if (own.profile !== null) return own.profile;
    read(entity, t, scratch);
    scaleInputs(inputs, scratch);
    own.profile = project(scratch, profileAxes);
    return own.profile;
  }

  function aroundOf(entity: number): Float64Array {
    const own = knownOf(entity);
    if (own.around !== null) return own.around;
    const profile = new Float64Array(farSize);
    const { other, near } = own.neighbours;
    let total = 0;
    for (let i = 0; i < other.length; i++) {
      addScaled(profile, near[i]!, profileOf(other[i]!));
      total += near[i]!;
    }
    scaleBy(profile, 1 / (total + shrinkage));
    own.around = profile;
    return profile;
  }

  /** Where `pool` of the step has the entity's place. */
  function placeOf(entity: number, step: number): number {
    const own = knownOf(entity);
    const found = own.places[step];
    if (found !== undefined) return found;
    const { other, long } = own.neighbours;
    // A step is only made of the one before, so that each has its scratch to itself.
    const { scratch: place } = pools[step]!;
    place.fill(0);
    let total = 0;
    for (let i = 0; i < other.length; i++) {
      const degree = degreeOf(other[i]!);
      if (degree < placeDegreeMin || degree > placeDegreeMax) continue;
      addPlace(place, other[i]!, step - 1, long[i]!);
      total += long[i]!;
    }
    if (total > 0) scaleBy(place, (1 - placeKept) / total);
    addPlace(place, entity, step - 1, total > 0 ? placeKept : 1);
    normalize(place);
    // All may have been let go in between, and the entity with them: it is made known again before its place is kept.
    const { places } = knownOf(entity);
    places[step] = keep(pools[step]!);
    return places[step];
  }

  function addPlace(to: Float64Array, entity: number, step: number, weight: number): void {
    if (step === 0) addSignature(to, 0, sizes.place, seeds[entity]!, 0, weight);
    else {
      const at = placeOf(entity, step);
      const { vectors } = pools[step]!;
      for (let k = 0; k < to.length; k++) to[k] = to[k]! + weight * vectors[at + k]!;
    }
  }

  function encode(entity: number, out: Float64Array): boolean {
    out.fill(0);
    if (!(graph.bornAt[entity]! <= t)) return false;
    const own = out.subarray(ownAt, ownAt + width);
    read(entity, t, own);
    scaleInputs(inputs, own);
    const place = placeOf(entity, placeSteps);
    out.set(pools[placeSteps]!.vectors.subarray(place, place + sizes.place), placeAt);
    scaleBy(out.subarray(placeAt, placeAt + boldPlaces), boldness);
    const near = new Float64Array(profileSize);
    const far = new Float64Array(farSize);
    let total = 0;
    const { neighbours } = knownOf(entity);
    for (let i = 0; i < neighbours.other.length; i++) {
      const direction = neighbours.direction[i]!;
      const other = neighbours.other[i]!;
      addScaled(near, neighbours.near[i]!, profileOf(other));
      addScaled(far, neighbours.near[i]!, aroundOf(other));
      total += neighbours.near[i]!;
      const damped = neighbours.long[i]! / Math.sqrt(degreeOf(other));
      addSignature(out, partnersAt, sizes.signature, seeds[other]!, 0, damped);
      addSignature(out, typedAt, sizes.signature, seeds[other]!, bounds[direction]!, damped);
      if (neighbours.direction[i + 1] === direction) continue;
      spread(near, 1 / (total + shrinkage), nearPlaces[direction]!, out, nearAt);
      spread(far, 1 / (total + shrinkage), farPlaces[direction]!, out, farAt);
      near.fill(0);
      far.fill(0);
      total = 0;
    }
    for (const { name, start, size: length } of parts)
      if (name.startsWith('partners')) normalize(out.subarray(start, start + length));
    for (const [i, { start, size: length }] of parts.entries())
      scaleBy(out.subarray(start, start + length), partScales[i]!);
    return true;
  }

  return { size, encode };
}

/**
 * Who an entity has a fact with, direction by direction and newest known first, and what is left of the facts between: `near` of the
 * neighbour's state, `long` of the tie.
 */
type Neighbours = {
  readonly direction: readonly number[];
  readonly other: readonly number[];
  readonly near: readonly number[];
  readonly long: readonly number[];
};

function neighboursOf(
  graph: FactGraph,
  halfLives: HalfLives,
  directions: Int32Array,
  entity: number,
  t: number,
): Neighbours {
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

/** Adds `factor` times the first values of another. */
function addScaled(values: Float64Array, factor: number, other: Float64Array): void {
  for (let k = 0; k < values.length; k++) values[k] = values[k]! + factor * other[k]!;
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
  const along = new Float64Array(axes.length / width);
  for (let i = 0; i < along.length; i++) {
    let sum = 0;
    for (let k = 0; k < width; k++) sum += axes[i * width + k]! * values[k]!;
    along[i] = sum;
  }
  return along;
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
