import { mix } from '../graph/texts.ts';
import { boldness, boldPlaces, type Encoder, type PartName, partsOf } from './encoder.ts';
import { type FactGraph, forDirections } from './graph.ts';
import { openInputs, scaleInputs } from './inputs.ts';
import { addSignature } from './signatures.ts';
import { directionsOf, type Ties, tiesOf } from './ties.ts';
import { keep, openPool } from './vector-pool.ts';
import { addScaled, normalize, project, scaleBy } from './vectors.ts';

/** A mean over neighbours is drawn to 0 as if by so much weight of neighbours like everybody. */
const shrinkage = 0.5;
const entitiesKeptDefault = 50_000;
const momentDegreesMax = 1_000_000;
const placeSteps = 4;
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
  readonly ties: Ties;
  profile: Float64Array | null;
  /** The mean profile of its own neighbours. */
  around: Float64Array | null;
  /** By step, where its place begins among those of the step. */
  readonly places: number[];
};

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
  const startOf = (wanted: PartName) => parts.find(({ name }) => name === wanted)!.start;
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
    const ties = tiesOf(graph, halfLives, directions, entity, t);
    const made = { ties, profile: null, around: null, places: [] };
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
    const { other, near } = own.ties;
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
    const { other, long } = own.ties;
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
    const { ties } = knownOf(entity);
    for (let i = 0; i < ties.other.length; i++) {
      const direction = ties.direction[i]!;
      const other = ties.other[i]!;
      addScaled(near, ties.near[i]!, profileOf(other));
      addScaled(far, ties.near[i]!, aroundOf(other));
      total += ties.near[i]!;
      const damped = ties.long[i]! / Math.sqrt(degreeOf(other));
      addSignature(out, partnersAt, sizes.signature, seeds[other]!, 0, damped);
      addSignature(out, typedAt, sizes.signature, seeds[other]!, bounds[direction]!, damped);
      if (ties.direction[i + 1] === direction) continue;
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

function hashName(name: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
}
