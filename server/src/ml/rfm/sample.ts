import { evaluate } from '../features/evaluate.ts';
import type { Feature } from '../features/feature.ts';
import type { Graph } from '../features/graph.ts';
import type { Table } from '../graph/tables.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import { applyRankMap, fitRankMap, type RankMap } from '../statistics/ranks.ts';
import { type Inputs, scoreInputs } from './inputs.ts';
import type { Moments } from './moments.ts';
import { type EncoderTarget, observeTargets, widthOf } from './targets.ts';

/** Rows evaluated at a time. It limits memory, and changes no result. */
const evaluateRows = 8_192;

/**
 * Evaluates features at moments, in batches; `take` gets each batch with its indices. Moments are in order of
 * `readableUntil`, so that the graph model is read month by month.
 */
export function evaluateMoments(
  graph: Graph,
  features: readonly Feature[],
  table: Table,
  { rows, at, readableUntil }: Moments,
  take: (part: FeatureMatrix, places: Int32Array) => void,
): void {
  const order = Int32Array.from(rows.keys()).sort((a, b) => readableUntil[a] - readableUntil[b] || a - b);
  for (let from = 0; from < rows.length; from += evaluateRows) {
    const places = order.subarray(from, from + evaluateRows);
    const anchors = {
      table,
      fresh: false,
      rows: places.map((place) => rows[place]),
      own: new Int32Array(places.length).fill(-1),
      ownTable: table.name,
      at: Float64Array.from(places, (place) => at[place]),
      readableUntil: Float64Array.from(places, (place) => readableUntil[place]),
    };
    take(evaluate(graph, features, anchors), places);
  }
}

/** The chosen targets by kind of head, with the scalings of numbers. */
export type Objectives = {
  readonly logistic: readonly EncoderTarget[];
  readonly numbers: readonly { readonly target: EncoderTarget; readonly scaling: Scaling }[];
  readonly groups: readonly EncoderTarget[];
};

/** `rank`: normal scores. `log`: the signed logarithm, standardised. */
type Scaling =
  | { readonly kind: 'rank'; readonly map: RankMap }
  | { readonly kind: 'log'; readonly mean: number; readonly deviation: number };

/** Targets known on fewer rows, or with a rarer class below this share, are dropped. */
const knownRowsMin = 100;
const rareShareMin = 0.005;
const rankOptions = { knotsMax: 64, scoreMax: 3 };
/** Standardised logarithms are clamped to this many standard deviations. */
const deviationsMax = 5;

/** Keeps the targets that vary on the observed rows, and fixes their scalings. */
export function chooseObjectives(targets: readonly EncoderTarget[], observed: readonly Float32Array[]): Objectives {
  const objectives = {
    logistic: [] as EncoderTarget[],
    numbers: [] as { target: EncoderTarget; scaling: Scaling }[],
    groups: [] as EncoderTarget[],
  };
  for (const [t, target] of targets.entries()) {
    const known = observed[t].filter((value) => !Number.isNaN(value));
    if (known.length < knownRowsMin * widthOf(target)) continue;
    if (target.kind === 'exists') {
      const share = known.reduce((sum, value) => sum + value, 0) / known.length;
      if (Math.min(share, 1 - share) >= rareShareMin) objectives.logistic.push(target);
    } else if (target.kind === 'category') objectives.groups.push(target);
    else {
      const scaling = fitScaling(target, known);
      if (scaling) objectives.numbers.push({ target, scaling });
    }
  }
  return objectives;
}

function fitScaling(target: EncoderTarget, known: Float32Array): Scaling | null {
  const isSummed = target.kind === 'count' || (target.kind === 'number' && target.aggregate === 'sum');
  if (!isSummed) {
    const map = fitRankMap(known.filter(Number.isFinite).sort(), rankOptions);
    return map.knots.length < 2 ? null : { kind: 'rank', map };
  }
  let sum = 0;
  for (const value of known) sum += signedLog(value);
  const mean = sum / known.length;
  let squares = 0;
  for (const value of known) squares += (signedLog(value) - mean) ** 2;
  const deviation = Math.sqrt(squares / known.length);
  return deviation > 0 ? { kind: 'log', mean, deviation } : null;
}

function signedLog(value: number): number {
  return Math.sign(value) * Math.log1p(Math.abs(value));
}

function scaled(scaling: Scaling, value: number): number {
  if (!Number.isFinite(value)) return Number.NaN;
  if (scaling.kind === 'rank') return applyRankMap(scaling.map, value);
  const deviations = (signedLog(value) - scaling.mean) / scaling.deviation;
  return Math.max(-deviationsMax, Math.min(deviationsMax, deviations));
}

/** Pairs of moments for training: rows 2k and 2k + 1 are a pair. All arrays are row by row, NaN for unknown values. */
export type MomentSample = {
  readonly entities: Int32Array;
  readonly inputs: Float32Array;
  /** Whether each score (input without its flag) was missing. */
  readonly missing: Uint8Array;
  readonly logistic: Float32Array;
  readonly numbers: Float32Array;
  readonly groups: Float32Array;
  /** A label of each row on the scale of its head, for fine-tuning. */
  readonly label?: Float32Array;
};

/** Reads inputs and targets at moments, nothing after `until`. `unread`: inputs that count as missing. */
export function makeSample(
  graph: Graph,
  table: Table,
  moments: Moments,
  inputs: Inputs,
  objectives: Objectives,
  until: number,
  unread: readonly number[] = [],
): MomentSample {
  const n = moments.rows.length;
  const columns = inputs.features.length + inputs.flags.length;
  const scored = new Float32Array(n * columns);
  const missing = new Uint8Array(n * inputs.features.length);
  evaluateMoments(graph, inputs.features, table, moments, (part, places) => {
    for (const f of unread) part.values.fill(Number.NaN, f * part.rows, (f + 1) * part.rows);
    const scores = scoreInputs(inputs, part);
    for (const [i, place] of places.entries()) {
      scored.set(scores.subarray(i * columns, (i + 1) * columns), place * columns);
      for (let f = 0; f < part.features; f++)
        missing[place * part.features + f] = Number(!Number.isFinite(part.values[f * part.rows + i]));
    }
  });
  const observe = (targets: readonly EncoderTarget[]) => observeTargets(graph, targets, moments, table, until);
  const numbers = observe(objectives.numbers.map(({ target }) => target)).map((values, k) =>
    values.map((value) => scaled(objectives.numbers[k].scaling, value)),
  );
  return {
    entities: moments.rows,
    inputs: scored,
    missing,
    logistic: sideBySide(observe(objectives.logistic), n),
    numbers: sideBySide(numbers, n),
    groups: sideBySide(observe(objectives.groups), n),
  };
}

/** The rows of two samples, one after the other; the rows of `first` have no label. */
export function joinSamples(
  first: MomentSample,
  second: MomentSample & { readonly label: Float32Array },
): MomentSample {
  const join = (a: Float32Array, b: Float32Array) => {
    const joined = new Float32Array(a.length + b.length);
    joined.set(a);
    joined.set(b, a.length);
    return joined;
  };
  return {
    entities: Int32Array.from([...first.entities, ...second.entities]),
    inputs: join(first.inputs, second.inputs),
    missing: Uint8Array.from([...first.missing, ...second.missing]),
    logistic: join(first.logistic, second.logistic),
    numbers: join(first.numbers, second.numbers),
    groups: join(first.groups, second.groups),
    label: join(new Float32Array(first.entities.length).fill(Number.NaN), second.label),
  };
}

function sideBySide(parts: readonly Float32Array[], rows: number): Float32Array {
  const widths = parts.map((part) => part.length / rows);
  const columns = widths.reduce((sum, width) => sum + width, 0);
  const joined = new Float32Array(rows * columns);
  let from = 0;
  for (const [p, part] of parts.entries()) {
    const width = widths[p];
    for (let i = 0; i < rows; i++) joined.set(part.subarray(i * width, (i + 1) * width), i * columns + from);
    from += width;
  }
  return joined;
}
