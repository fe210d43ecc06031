import { assert } from '../../lib/failure.ts';
import { firstAtLeast } from '../statistics/ranks.ts';
import { boundProbability } from './bounds.ts';

/**
 * What bounds of a probability are made from: rows that the model was not trained on, in groups of neighboring margins;
 * plain data, kept as JSON without loss.
 */
export type RateBounds = {
  /** Of each group: the mean margin, and how many rows and positives it has. Margins ascend. */
  readonly margins: readonly number[];
  readonly rows: readonly number[];
  readonly positives: readonly number[];
  /** The distance of margins, in log-odds, at which a row counts 61 % of one of the same margin. */
  readonly bandwidth: number;
  /** Standard deviation of the log-odds of whole periods about what was predicted for them, beyond chance. */
  readonly swing: number;
};

/** About how many groups there are, and how many rows those at the ends have. */
const groupsMax = 100;
const endRows = 10;
/** Where fewer rows than these lie within the bandwidth, more distant ones count too, but each of them less. */
const likeRowsMin = 50;
/** Quantile of the normal distribution for bounds that hold nine of ten. */
const z = 1.6448536269514722;
/** Periods that the rows are divided into to see how rates swing. Fewer rows or periods say little but chance. */
const periodsMax = 10;
const periodRowsMin = 100;
const periodsMin = 4;

/**
 * Fits bounds to rows that the model was not trained on. Margins and predictions: before and after calibration. labels:
 * 0 or 1. until: the last moment of the data that each row was answered from. The bandwidth falls with the number of
 * rows as Silverman's rule has it (1986, eq. 3.28).
 */
export function fitRateBounds(
  margins: Float64Array,
  predictions: Float64Array,
  labels: ArrayLike<number>,
  until: Float64Array,
): RateBounds {
  const rows = margins.length;
  assert(rows > 0 && rows === labels.length, 'bounds need one label per margin');
  const order = Int32Array.from({ length: rows }, (_, i) => i).sort((a, b) => margins[a] - margins[b] || a - b);
  const groups: Int32Array[] = [];
  for (let from = 0; from < rows; from += groups.at(-1)!.length) {
    // Towards the ends groups are smaller, since they lie further apart there.
    const size = Math.min(Math.ceil(rows / groupsMax), endRows + Math.floor(Math.min(from, rows - from) / 4));
    groups.push(order.subarray(from, from + size));
  }
  const sum = (group: Int32Array, of: (row: number) => number) => group.reduce((total, row) => total + of(row), 0);
  const mean = sum(order, (row) => margins[row]) / rows;
  const deviation = Math.sqrt(sum(order, (row) => (margins[row] - mean) ** 2) / rows);
  return {
    margins: groups.map((group) => sum(group, (row) => margins[row]) / group.length),
    rows: groups.map(({ length }) => length),
    positives: groups.map((group) => sum(group, (row) => labels[row])),
    // Rows that are all alike have one group's margin, at any distance.
    bandwidth: 1.06 * (deviation || 1) * rows ** -0.2,
    swing: swingOf(predictions, labels, until),
  };
}

/**
 * By the method of moments (DerSimonian & Laird 1986): the shift of a period's log-odds is (observed − expected) /
 * variance, and has 1 / variance by chance alone.
 */
function swingOf(predictions: Float64Array, labels: ArrayLike<number>, until: Float64Array): number {
  const rows = predictions.length;
  const order = Int32Array.from({ length: rows }, (_, i) => i).sort((a, b) => until[a] - until[b] || a - b);
  const size = Math.max(periodRowsMin, Math.ceil(rows / periodsMax));
  const beyond: number[] = [];
  for (let from = 0; from < rows; ) {
    let to = rows - from < 2 * size ? rows : from + size;
    while (to < rows && until[order[to]] === until[order[to - 1]]) to++;
    let excess = 0;
    let variance = 0;
    for (const row of order.subarray(from, to)) {
      excess += labels[row] - predictions[row];
      variance += predictions[row] * (1 - predictions[row]);
    }
    if (variance > 0) beyond.push((excess / variance) ** 2 - 1 / variance);
    from = to;
  }
  if (beyond.length < periodsMin) return 0;
  return Math.sqrt(Math.max(0, beyond.reduce((sum, one) => sum + one) / beyond.length));
}

/**
 * The bounds of one row: where the rate of rows like it lies in nine of ten cases. They are Wilson's score interval
 * (1927) about the observed rate of the rows of like margins and about the prediction, both, for as many rows as count
 * as like it, and for how much periods swing. So they are wider where fewer rows were seen, and hold the prediction
 * inside.
 */
export function rateBoundsAt(
  { margins, rows, positives, bandwidth, swing }: RateBounds,
  margin: number,
  prediction: number,
): readonly [number, number] {
  const reach = Math.max(bandwidth, distanceToRows(margins, rows, margin));
  let like = 0;
  let found = 0;
  for (let group = 0; group < margins.length; group++) {
    const weight = (bandwidth / reach) * Math.exp(-0.5 * ((margins[group] - margin) / reach) ** 2);
    like += weight * rows[group];
    found += weight * positives[group];
  }
  // One row more at the prediction: where nothing like it was seen, the prediction is all there is.
  const rate = (found + prediction) / (like + 1);
  const sure = like / (1 + like * swing ** 2 * rate * (1 - rate));
  const [low, high] = [Math.min(rate, prediction), Math.max(rate, prediction)];
  return [boundProbability(wilson(low, sure, -1)), boundProbability(wilson(high, sure, 1))];
}

/** The distance from a margin within which `likeRowsMin` rows lie, or all. */
function distanceToRows(margins: readonly number[], rows: readonly number[], margin: number): number {
  let above = firstAtLeast(margins, margin);
  let below = above - 1;
  let distance = 0;
  for (let within = 0; within < likeRowsMin && (below >= 0 || above < margins.length); ) {
    const down = below < 0 ? Number.POSITIVE_INFINITY : margin - margins[below];
    const up = above === margins.length ? Number.POSITIVE_INFINITY : margins[above] - margin;
    distance = Math.min(down, up);
    within += down < up ? rows[below--] : rows[above++];
  }
  return distance;
}

/** One side of Wilson's interval for a rate observed in `rows` rows; 0 or 1 of no rows. */
function wilson(rate: number, rows: number, side: -1 | 1): number {
  return (rate * rows + (z * z) / 2 + side * z * Math.sqrt(rows * rate * (1 - rate) + (z * z) / 4)) / (rows + z * z);
}
