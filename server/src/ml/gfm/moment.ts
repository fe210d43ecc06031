import { mix } from '../../lib/files/texts.ts';
import { type Encoder, type PartName, partsOf } from './encoder.ts';
import { type FactGraph, forDirections } from './graph.ts';
import { openInputs, scaleInputs } from './inputs.ts';
import { addSignature } from './signatures.ts';
import { addTies, bytesOf, directionsOf, noTies } from './ties.ts';
import { chunkOf, offsetOf, openPool, takeRow } from './vector-pool.ts';
import { addScaled, normalize, project, scaleBy } from './vectors.ts';

/** Weight of the prior in a mean over neighbors, which is shrunk to 0, the value of an average entity. */
const shrinkage = 0.5;
const bytesKeptDefault = 128 * 2 ** 20;
/**
 * Cache size for reading all entities at one moment: enough for a graph of a million entities. Whatever is evicted is
 * computed again many times.
 */
export const bytesKeptForEverybody = 2 * 2 ** 30;
const placeSteps = 4;
/** Weight of an entity's own place in each step. */
const placeKept = 0.2;
/** A neighbor with a single tie would only return what it received. */
const placeDegreeMin = 2;
/** A neighbor with more ties is a hub and not part of a neighborhood. */
const placeDegreeMax = 256;

/** What was known at a moment t, as raw vectors. */
export type Moment = {
  readonly size: number;
  /**
   * Fills all of `out`. The result for an entity does not depend on earlier calls. Returns false when nothing was known
   * of the entity; `out` is then zeros.
   */
  encode(entity: number, out: Float64Array): boolean;
};

/**
 * Fields of a cached entity, side by side: the entity; its degree; the range of its ties; the rows of its profile, of
 * the mean profile of its neighbors, and of its places by step. 0: not computed yet; each is computed at first use.
 */
const field = { entity: 0, degree: 1, ties: 2, tiesEnd: 3, profile: 4, around: 5, place: 6 } as const;
const fields = field.place + placeSteps;

/**
 * Opens a moment. A raw vector has these parts:
 * - own: the entity's scaled inputs;
 * - near and far: per relation and direction the weighted mean of its neighbors' profiles, and of their neighbors' mean
 *   profiles;
 * - place: its place, with the first numbers enlarged;
 * - partners: the sum of its neighbors' signatures; partnersTyped: the same, by relation.
 *
 * A place starts as the entity's signature along the axes of places. In each of `placeSteps` steps it moves toward the
 * mean of its neighbors' places, so that closely linked entities come together (like the label spreading of Zhou et al.
 * 2003). A lasting fact has weight log2(1 + weight) while it lasts. In sums of signatures a neighbor's weight is
 * divided by the root of its degree. `bytesKept`: the cache is emptied when it exceeds this size, checked before each
 * entity.
 */
export function openMoment(
  graph: FactGraph,
  encoder: Encoder,
  seeds: Int32Array,
  t: number,
  bytesKept = bytesKeptDefault,
): Moment {
  const { sizes, halfLives, inputs, profileAxes, placeAxes, placeScales, partScales } = encoder;
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
    mix(hashName(encoder.relations[d >> 1]) + (d & 1)),
  );
  /** By entity its number in the cache; 0 if it is not there. */
  const numberOf = new Int32Array(graph.entities);
  let met = new Int32Array(1024 * fields);
  let metUsed = 1;
  const ties = noTies();
  const profiles = openPool(profileSize);
  const arounds = openPool(farSize);
  const places = openPool(sizes.place);
  const scratch = new Float64Array(width);
  const signature = new Float64Array(sizes.placeSignature);
  const along = new Float64Array(profileSize);
  const near = new Float64Array(profileSize);
  const far = new Float64Array(farSize);

  function bytesHeld(): number {
    const pooled = [profiles, arounds, places].reduce((sum, { used, size: numbers }) => sum + used * numbers, 0);
    return Float64Array.BYTES_PER_ELEMENT * pooled + Int32Array.BYTES_PER_ELEMENT * metUsed * fields + bytesOf(ties);
  }

  function forget(): void {
    for (let self = 1; self < metUsed; self++) numberOf[met[self * fields + field.entity]] = 0;
    met.fill(0, 0, metUsed * fields);
    metUsed = 1;
    ties.used = 1;
    for (const pool of [profiles, arounds, places]) pool.used = 1;
  }

  function meet(entity: number): number {
    const found = numberOf[entity];
    if (found > 0) return found;
    const self = metUsed++;
    if (metUsed * fields > met.length) {
      const more = new Int32Array(2 * met.length);
      more.set(met);
      met = more;
    }
    met[self * fields + field.entity] = entity;
    numberOf[entity] = self;
    return self;
  }

  /** Computes the entity's ties if they are not cached. */
  function tie(self: number): void {
    if (met[self * fields + field.tiesEnd] > 0) return;
    const start = ties.used;
    addTies(ties, graph, halfLives, directions, met[self * fields + field.entity], t);
    for (let i = start; i < ties.used; i++) ties.other[i] = meet(ties.other[i]);
    met[self * fields + field.ties] = start;
    met[self * fields + field.tiesEnd] = ties.used;
  }

  function degreeOf(self: number): number {
    const found = met[self * fields + field.degree];
    if (found > 0) return found;
    let degree = 0;
    forDirections(graph, met[self * fields + field.entity], t, (direction, start, end) => {
      if (directions[direction] >= 0) degree += end - start;
    });
    met[self * fields + field.degree] = degree;
    return degree;
  }

  /**
   * Returns the row of the entity's profile; the next two functions do so for the mean profile of its neighbors and for
   * its place.
   */
  function profileOf(self: number): number {
    const found = met[self * fields + field.profile];
    if (found > 0) return found;
    const row = takeRow(profiles);
    read(met[self * fields + field.entity], t, scratch);
    scaleInputs(inputs, scratch);
    project(scratch, profileAxes, along);
    chunkOf(profiles, row).set(along, offsetOf(profiles, row));
    met[self * fields + field.profile] = row;
    return row;
  }

  function aroundOf(self: number): number {
    const found = met[self * fields + field.around];
    if (found > 0) return found;
    const row = takeRow(arounds);
    const [around, at] = [chunkOf(arounds, row), offsetOf(arounds, row)];
    around.fill(0, at, at + farSize);
    tie(self);
    const end = met[self * fields + field.tiesEnd];
    let total = 0;
    for (let i = met[self * fields + field.ties]; i < end; i++) {
      const profile = profileOf(ties.other[i]);
      addScaled(around, at, farSize, ties.near[i], chunkOf(profiles, profile), offsetOf(profiles, profile));
      total += ties.near[i];
    }
    scaleBy(around, at, farSize, 1 / (total + shrinkage));
    met[self * fields + field.around] = row;
    return row;
  }

  function placeOf(self: number, step: number): number {
    const found = met[self * fields + field.place + step];
    if (found > 0) return found;
    const row = takeRow(places);
    writePlace(self, step, chunkOf(places, row), offsetOf(places, row));
    met[self * fields + field.place + step] = row;
    return row;
  }

  /** Writes the entity's place after the step to to[at, at + place). */
  function writePlace(self: number, step: number, to: Float64Array, at: number): void {
    to.fill(0, at, at + sizes.place);
    tie(self);
    const end = met[self * fields + field.tiesEnd];
    let total = 0;
    for (let i = met[self * fields + field.ties]; i < end; i++) {
      const other = ties.other[i];
      const degree = degreeOf(other);
      if (degree < placeDegreeMin || degree > placeDegreeMax) continue;
      addPlace(to, at, ties.long[i], other, step - 1);
      total += ties.long[i];
    }
    if (total > 0) scaleBy(to, at, sizes.place, (1 - placeKept) / total);
    addPlace(to, at, total > 0 ? placeKept : 1, self, step - 1);
    normalize(to, at, sizes.place);
  }

  function addPlace(to: Float64Array, at: number, weight: number, self: number, step: number): void {
    if (step === 0) addFirstPlace(to, at, weight, seeds[met[self * fields + field.entity]]);
    else {
      const row = placeOf(self, step);
      addScaled(to, at, sizes.place, weight, chunkOf(places, row), offsetOf(places, row));
    }
  }

  /**
   * Adds a signature along the axes of places. It is computed each time: caching it would take as much memory as
   * another step.
   */
  function addFirstPlace(to: Float64Array, at: number, weight: number, seed: number): void {
    signature.fill(0);
    addSignature(signature, 0, signature.length, seed, 0, weight);
    for (let j = 0; j < signature.length; j++)
      if (signature[j] !== 0) addScaled(to, at, sizes.place, signature[j], placeAxes, j * sizes.place);
  }

  function encode(entity: number, out: Float64Array): boolean {
    out.fill(0);
    if (!(graph.bornAt[entity] <= t)) return false;
    if (bytesHeld() > bytesKept) forget();
    const self = meet(entity);
    const own = out.subarray(ownAt, ownAt + width);
    read(entity, t, own);
    scaleInputs(inputs, own);
    // No other entity reads the place of the last step, so it is not cached.
    writePlace(self, placeSteps, out, placeAt);
    for (const [k, scale] of placeScales.entries()) out[placeAt + k] = scale * out[placeAt + k];
    near.fill(0);
    far.fill(0);
    let total = 0;
    const end = met[self * fields + field.tiesEnd];
    for (let i = met[self * fields + field.ties]; i < end; i++) {
      const direction = ties.direction[i];
      const other = ties.other[i];
      const profile = profileOf(other);
      const around = aroundOf(other);
      addScaled(near, 0, profileSize, ties.near[i], chunkOf(profiles, profile), offsetOf(profiles, profile));
      addScaled(far, 0, farSize, ties.near[i], chunkOf(arounds, around), offsetOf(arounds, around));
      total += ties.near[i];
      const damped = ties.long[i] / Math.sqrt(degreeOf(other));
      const seed = seeds[met[other * fields + field.entity]];
      addSignature(out, partnersAt, sizes.signature, seed, 0, damped);
      addSignature(out, typedAt, sizes.signature, seed, bounds[direction], damped);
      if (i + 1 < end && ties.direction[i + 1] === direction) continue;
      spread(near, 1 / (total + shrinkage), nearPlaces[direction], out, nearAt);
      spread(far, 1 / (total + shrinkage), farPlaces[direction], out, farAt);
      near.fill(0);
      far.fill(0);
      total = 0;
    }
    for (const at of [partnersAt, typedAt]) normalize(out, at, sizes.signature);
    for (const [i, part] of parts.entries()) scaleBy(out, part.start, part.size, partScales[i]);
    return true;
  }

  return { size, encode };
}

/** The column of value k of direction d: side by side if they fit, else hashed; ~column for a negative sign. */
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
    const place = places[k];
    const at = start + (place < 0 ? ~place : place);
    out[at] = out[at] + (place < 0 ? -factor : factor) * values[k];
  }
}

function hashName(name: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
}
