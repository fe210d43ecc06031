import { Failure } from '../../lib/failure.ts';
import { microsecondsPerDay } from '../contract/contract.ts';
import { sampleIndices, seedRandom } from '../trees/random.ts';
import { defaultHalfLives, type HalfLives } from './decay.ts';
import { eigenSymmetric } from './eigen.ts';
import { defaultSizes, type Encoder, type EncoderSizes, openMoment, partsOf } from './encoder.ts';
import { entityKinds } from './facts/store.ts';
import type { FactGraph } from './graph.ts';
import { fitScaling, openInputs, proposeInputs, scaleInputs } from './inputs.ts';
import { signatureSeeds } from './signatures.ts';

export const embeddingSize = 1024;

/** An encoder and the rotation of its raw vectors: 1024 × raw size, row-major; rows beyond the raw size are zeros. */
export type FittedEncoder = { readonly encoder: Encoder; readonly rotation: Float32Array };

export type FitEncoderOptions = {
  /** Nothing known later is read. Microseconds. */
  readonly until: number;
  readonly seed?: number;
  readonly sizes?: EncoderSizes;
  readonly halfLives?: HalfLives;
};

const samplesMax = 4_096;
const periodDays = 91;
const periodsMax = 24;
/** Of what the rotation is fitted on: who is asked about more often counts more. */
const kindShares: Readonly<Record<string, number>> = { company: 3, individual: 2, asset: 1, event: 0.25, other: 0.25 };

/**
 * Fits an encoder: scalings, profile axes, weights of the parts, and the rotation of raw vectors to their principal axes, not centred,
 * so that cosines stay and a prefix is the best linear one. All of it over entities at moments a quarter apart, and frozen: vectors
 * of every period share it. Closed form: no labels, no gradient. Throws Failure 'invalid' when no fact is known by `until`.
 */
export function fitEncoder(
  graph: FactGraph,
  options: FitEncoderOptions,
  progress: (phase: string, done: number, of: number) => void = () => {},
): FittedEncoder {
  const { until, seed = 1, sizes = defaultSizes, halfLives = defaultHalfLives } = options;
  const samples = drawSamples(graph, until, seed);
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
  const draft: Encoder = {
    ...{ sizes, halfLives, inputs },
    relations: knownRelations(graph, until),
    profileAxes: axes.slice(0, profile * columns.length),
    partScales: partsOf({ sizes, inputs }).map(() => 1),
  };
  const raw = encodeSamples(graph, draft, samples, (done) => progress('reading neighbourhoods', done, samples.length));
  const parts = partsOf(draft);
  const partScales = parts.map(({ start, size, share }) => {
    let square = 0;
    for (const row of raw) for (let k = start; k < start + size; k++) square += row[k]! * row[k]!;
    return square === 0 ? 0 : Math.sqrt((share * raw.length) / square);
  });
  for (const row of raw)
    for (const [i, { start, size }] of parts.entries())
      for (let k = start; k < start + size; k++) row[k] = row[k]! * partScales[i]!;
  progress('rotating', 0, 1);
  const width = raw[0]!.length;
  const { vectors } = eigenSymmetric(gramOf(raw, width), width);
  const rotation = new Float32Array(embeddingSize * width);
  rotation.set(vectors.subarray(0, Math.min(width, embeddingSize) * width));
  return { encoder: { ...draft, partScales }, rotation };
}

/** By name, so that the order in which facts came does not matter. */
function knownRelations({ store: { relations, facts } }: FactGraph, until: number): string[] {
  const isKnown = new Uint8Array(relations.length);
  for (const [fact, known] of facts.known.entries()) if (known <= until) isKnown[facts.relation[fact]!] = 1;
  return relations
    .filter((_, relation) => isKnown[relation] === 1)
    .map(({ name }) => name)
    .sort();
}

type Sample = { readonly entity: number; readonly t: number };

/** Entities known at the ends of quarters, kinds by their shares, drawn without regard to who they are. */
function drawSamples({ store, bornAt, entities }: FactGraph, until: number, seed: number): Sample[] {
  let first = until;
  for (const born of bornAt) first = Math.min(first, born);
  const moments: number[] = [];
  for (let t = until; t >= first && moments.length < periodsMax; t -= periodDays * microsecondsPerDay) moments.push(t);
  moments.reverse();
  const random = seedRandom(seed);
  const perMoment = Math.max(1, Math.floor(samplesMax / moments.length));
  return moments.flatMap((t) => {
    const known = entityKinds.map((_, kind) => {
      const members: number[] = [];
      for (let e = 0; e < entities; e++) if (store.kinds[e] === kind && bornAt[e]! <= t) members.push(e);
      return members;
    });
    const total = entityKinds.reduce((sum, kind, k) => sum + (known[k]!.length > 0 ? kindShares[kind]! : 0), 0);
    return entityKinds.flatMap((kind, k) => {
      const members = known[k]!;
      const count = Math.min(members.length, Math.round((perMoment * kindShares[kind]!) / total));
      return Array.from(sampleIndices(members.length, count, random), (i) => ({ entity: members[i]!, t }));
    });
  });
}

function encodeSamples(
  graph: FactGraph,
  encoder: Encoder,
  samples: readonly Sample[],
  report: (done: number) => void,
): Float64Array[] {
  const seeds = signatureSeeds(graph);
  let moment = openMoment(graph, encoder, seeds, samples[0]!.t);
  let at = samples[0]!.t;
  return samples.map(({ entity, t }, i) => {
    if (t !== at) [moment, at] = [openMoment(graph, encoder, seeds, t), t];
    if (i % 256 === 0) report(i);
    const row = new Float64Array(moment.size);
    moment.encode(entity, row);
    return row;
  });
}

/** Σ x xᵀ over rows, row-major. Rows go by four, which reads the matrix a quarter as often. */
function gramOf(rows: readonly Float64Array[], n: number): Float64Array {
  const gram = new Float64Array(n * n);
  const none = new Float64Array(n);
  for (let r = 0; r < rows.length; r += 4) {
    const [a, b, c, d] = [rows[r]!, rows[r + 1] ?? none, rows[r + 2] ?? none, rows[r + 3] ?? none];
    for (let i = 0; i < n; i++) {
      const [p, q, s, u] = [a[i]!, b[i]!, c[i]!, d[i]!];
      if (p === 0 && q === 0 && s === 0 && u === 0) continue;
      const row = gram.subarray(i * n, i * n + n);
      for (let j = i; j < n; j++) row[j] = row[j]! + p * a[j]! + q * b[j]! + s * c[j]! + u * d[j]!;
    }
  }
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) gram[i * n + j] = gram[j * n + i]!;
  return gram;
}
