import { Failure } from '../../lib/failure.ts';
import { microsecondsPerDay } from '../contract/contract.ts';
import { sampleIndices, seedRandom } from '../statistics/random.ts';
import { defaultHalfLives, type HalfLives } from './decay.ts';
import { eigenSymmetric } from './eigen.ts';
import { boldness, boldPlaces, defaultSizes, type Encoder, type EncoderSizes, partsOf } from './encoder.ts';
import { entityKinds } from './facts/store.ts';
import { gramOf } from './gram.ts';
import type { FactGraph } from './graph.ts';
import { fitScaling, openInputs, proposeInputs, scaleInputs } from './inputs.ts';
import { bytesKeptForEverybody, openMoment } from './moment.ts';
import { signatureSeeds } from './signatures.ts';
import { normalize } from './vectors.ts';

export const embeddingSize = 1024;

/** An encoder, and the rotations of its raw vectors. */
export type FittedEncoder = {
  readonly encoder: Encoder;
  /**
   * By kind of entity, in the order of `entityKinds`: 1024 × raw size, row-major; rows beyond the raw size are zeros. A
   * kind with hardly any known entities has the rotation of the most frequent kind.
   */
  readonly rotations: readonly Float32Array[];
};

export type FitEncoderOptions = {
  /** Nothing known later is read. Microseconds. */
  readonly until: number;
  readonly seed?: number;
  readonly sizes?: EncoderSizes;
  readonly halfLives?: HalfLives;
};

const samplesMax = 4_096;
/** Samples of one kind, for its rotation. */
const kindSamplesMax = 8_192;
const kindSamplesMin = 25;
const periodDays = 91;
const periodsMax = 24;
/** Weights of the kinds in the sample for scalings: kinds that are asked about more often count more. */
const kindShares: Readonly<Record<string, number>> = { company: 3, individual: 2, asset: 1, event: 0.25, other: 0.25 };

/**
 * Fits an encoder: scalings, axes of profiles and of places, weights of the parts, and for each kind of entity a
 * rotation of its vectors to their principal axes. The rotation is not centred, so that cosines are kept and every
 * prefix is the best linear one for that kind; vectors of two kinds cannot be compared. Everything is fitted on
 * entities at moments a quarter apart, rotations at the last moment, and then fixed: all periods share it. It is
 * computed in closed form, without labels or gradients. Throws Failure 'invalid' when no fact is known by `until`.
 */
export function fitEncoder(
  graph: FactGraph,
  options: FitEncoderOptions,
  progress: (phase: string, done: number, of: number) => void = () => {},
): FittedEncoder {
  const { until, seed = 1, sizes = defaultSizes, halfLives = defaultHalfLives } = options;
  const samples = drawSamples(graph, momentsOf(graph, until), kindShares, samplesMax, seed);
  if (samples.length === 0)
    throw new Failure('invalid', 'no fact of the store is known by then: there is nothing to learn from');
  const columns = proposeInputs(graph, knownRelations(graph, until), until);
  const read = openInputs(graph, columns, halfLives);
  const rows = samples.map(({ entity, t }) => {
    const row = new Float64Array(columns.length);
    read(entity, t, row);
    return row;
  });
  const inputs = fitScaling(columns, rows);
  for (const row of rows) scaleInputs(inputs, row);
  const axes = eigenSymmetric(gramOf(rows, columns.length), columns.length).vectors;
  const profile = Math.min(sizes.profile, columns.length);
  const plain = {
    ...{ sizes, halfLives, inputs },
    relations: knownRelations(graph, until),
    profileAxes: axes.slice(0, profile * columns.length),
    partScales: partsOf({ sizes, inputs }).map(() => 1),
  };
  const draft: Encoder = { ...plain, ...fitPlaces(graph, plain, samples, progress) };
  const raw = encodeSamples(graph, draft, samples, (done) => progress('reading neighbourhoods', done, samples.length));
  const parts = partsOf(draft);
  const partScales = parts.map(({ start, size, share }) => {
    let square = 0;
    for (const row of raw) for (let k = start; k < start + size; k++) square += row[k] * row[k];
    return square === 0 ? 0 : Math.sqrt((share * raw.length) / square);
  });
  const encoder = { ...draft, partScales };
  return { encoder, rotations: fitRotations(graph, encoder, { until, seed }, progress) };
}

/** Fits the axes along which places differ most, on places with all numbers of their signatures. */
function fitPlaces(
  graph: FactGraph,
  encoder: Omit<Encoder, 'placeAxes' | 'placeScales'>,
  samples: readonly EntityMoment[],
  progress: (phase: string, done: number, of: number) => void,
): Pick<Encoder, 'placeAxes' | 'placeScales'> {
  const { place, placeSignature: size } = encoder.sizes;
  const whole: Encoder = {
    ...encoder,
    sizes: { ...encoder.sizes, place: size },
    placeAxes: Float64Array.from({ length: size * size }, (_, at) => Number(at % (size + 1) === 0)),
    placeScales: Array(size).fill(1),
  };
  const { start } = partsOf(whole).find(({ name }) => name === 'place')!;
  const rows = encodeSamples(graph, whole, samples, (done) => progress('reading places', done, samples.length));
  const places = rows.map((row) => row.slice(start, start + size));
  const { values, vectors } = eigenSymmetric(gramOf(places, size), size);
  const kept = values.subarray(0, place);
  const mean = kept.reduce((sum, value) => sum + value, 0) / place;
  return {
    placeAxes: Float64Array.from(
      { length: size * place },
      (_, at) => vectors[(at % place) * size + Math.floor(at / place)],
    ),
    // In a graph with few neighborhoods some axes are almost empty; they are not enlarged to the mean.
    placeScales: Array.from(kept, (value, k) =>
      k < boldPlaces ? boldness * Math.sqrt(mean / Math.max(mean, value)) : 1,
    ),
  };
}

function fitRotations(
  graph: FactGraph,
  encoder: Encoder,
  { until, seed }: { until: number; seed: number },
  progress: (phase: string, done: number, of: number) => void,
): Float32Array[] {
  // Graphs grow and their vectors change: those of the newest moment are most like the later vectors that are searched.
  const drawn = entityKinds.map((kind, code) =>
    drawSamples(graph, [until], { [kind]: 1 }, kindSamplesMax, seed + code + 1),
  );
  const most = Math.max(...drawn.map(({ length }) => length));
  const fitted = drawn.map((samples, code) => {
    if (samples.length < Math.min(most, kindSamplesMin)) return null;
    progress('rotating', code, drawn.length);
    const rows = encodeSamples(graph, encoder, samples, () => {});
    for (const row of rows) normalize(row);
    const width = rows[0].length;
    const { vectors } = eigenSymmetric(gramOf(rows, width), width);
    const rotation = new Float32Array(embeddingSize * width);
    rotation.set(vectors.subarray(0, Math.min(width, embeddingSize) * width));
    return rotation;
  });
  const usual = fitted[drawn.findIndex(({ length }) => length === most)]!;
  return fitted.map((rotation) => rotation ?? usual);
}

/** Sorted by name, so that the order of the facts does not matter. */
function knownRelations({ store: { relations, facts } }: FactGraph, until: number): string[] {
  const isKnown = new Uint8Array(relations.length);
  for (const [fact, known] of facts.known.entries()) if (known <= until) isKnown[facts.relation[fact]] = 1;
  return relations
    .filter((_, relation) => isKnown[relation] === 1)
    .map(({ name }) => name)
    .sort();
}

type EntityMoment = { readonly entity: number; readonly t: number };

/** The ends of quarters up to `until`, ascending. */
function momentsOf({ bornAt }: FactGraph, until: number): number[] {
  let first = until;
  for (const born of bornAt) first = Math.min(first, born);
  const moments: number[] = [];
  for (let t = until; t >= first && moments.length < periodsMax; t -= periodDays * microsecondsPerDay) moments.push(t);
  return moments.reverse();
}

/** Draws entities known at the given moments, kinds by their shares, uniformly within a kind. */
function drawSamples(
  { store, bornAt, entities }: FactGraph,
  moments: readonly number[],
  shares: Readonly<Record<string, number>>,
  most: number,
  seed: number,
): EntityMoment[] {
  const random = seedRandom(seed);
  const perMoment = Math.max(1, Math.floor(most / moments.length));
  return moments.flatMap((t) => {
    const known = entityKinds.map((kind, k) => {
      const members: number[] = [];
      if (shares[kind] === undefined) return members;
      for (let e = 0; e < entities; e++) if (store.kinds[e] === k && bornAt[e] <= t) members.push(e);
      return members;
    });
    const total = entityKinds.reduce((sum, kind, k) => sum + (known[k].length > 0 ? shares[kind] : 0), 0);
    return entityKinds.flatMap((kind, k) => {
      const members = known[k];
      const count = Math.min(members.length, Math.round((perMoment * (shares[kind] ?? 0)) / total));
      return Array.from(sampleIndices(members.length, count, random), (i) => ({ entity: members[i], t }));
    });
  });
}

function encodeSamples(
  graph: FactGraph,
  encoder: Encoder,
  samples: readonly EntityMoment[],
  report: (done: number) => void,
): Float64Array[] {
  const seeds = signatureSeeds(graph);
  const openAt = (t: number) => openMoment(graph, encoder, seeds, t, bytesKeptForEverybody);
  let moment = openAt(samples[0].t);
  let at = samples[0].t;
  return samples.map(({ entity, t }, i) => {
    if (t !== at) [moment, at] = [openAt(t), t];
    if (i % 256 === 0) report(i);
    const row = new Float64Array(moment.size);
    moment.encode(entity, row);
    return row;
  });
}
