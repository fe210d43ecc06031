import { assert } from '../../lib/failure.ts';
import { fitSmallLogistic, logit, sigmoid } from '../statistics/logistic.ts';
import { seedRandom } from '../statistics/random.ts';
import { quantileOfSorted, sortedOrder } from '../statistics/ranks.ts';

/** The rows of one bin of predicted probability, with their mean prediction and observed rate. */
export type ReliabilityBin = {
  readonly rows: number;
  readonly low: number;
  readonly high: number;
  readonly meanProbability: number;
  readonly observedRate: number;
};

export type Reliability = { readonly expectedCalibrationError: number; readonly bins: readonly ReliabilityBin[] };

/**
 * The reliability table and the expected calibration error: the mean distance between the mean probability and the
 * observed rate of a bin, weighted by its rows (Naeini, Cooper & Hauskrecht 2015). Empty bins are left out.
 * 'equal_count' keeps equal probabilities in one bin; 'equal_width' splits [0, 1]. low and high are the probabilities
 * of a bin's outer rows.
 */
export function reliability(
  labels: ArrayLike<number>,
  probabilities: ArrayLike<number>,
  options: { bins: number; binning: 'equal_count' | 'equal_width' },
): Reliability {
  assert(labels.length === probabilities.length, 'labels and probabilities must have one entry per row');
  const order = sortedOrder(probabilities);
  const n = order.length;
  const bins: ReliabilityBin[] = [];
  let error = 0;
  for (let start = 0, bin = 0; bin < options.bins; bin++) {
    let end = start;
    if (options.binning === 'equal_count') {
      end = Math.max(start, Math.round(((bin + 1) * n) / options.bins));
      while (end > start && end < n && probabilities[order[end]] === probabilities[order[end - 1]]) end++;
    } else {
      const isLast = bin === options.bins - 1;
      while (end < n && (isLast || probabilities[order[end]] < (bin + 1) / options.bins)) end++;
    }
    if (end === start) continue;
    let said = 0;
    let came = 0;
    for (let i = start; i < end; i++) {
      said += probabilities[order[i]];
      came += labels[order[i]];
    }
    bins.push({
      rows: end - start,
      low: probabilities[order[start]],
      high: probabilities[order[end - 1]],
      meanProbability: said / (end - start),
      observedRate: came / (end - start),
    });
    error += Math.abs(said - came) / n;
    start = end;
  }
  return { expectedCalibrationError: error, bins };
}

/**
 * The calibration error that perfectly calibrated probabilities would show: labels are drawn from them, and the mean
 * and 95 % point over the draws are returned. With few rows it is far from 0. `seed` fixes the draws: the same seed
 * gives the same result.
 */
export function perfectCalibrationError(
  probabilities: ArrayLike<number>,
  options: { bins: number; binning: 'equal_count' | 'equal_width'; seed: number },
): { mean: number; high: number } {
  const n = probabilities.length;
  const sorted = Float64Array.from(probabilities).sort();
  const { bins } = reliability(new Float64Array(n), sorted, options);
  const random = seedRandom(options.seed);
  const draws = Math.min(perfectDrawsMax, Math.max(perfectDrawsMin, Math.floor(perfectRowsMax / Math.max(1, n))));
  const errors = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw++) {
    let row = 0;
    for (const { rows } of bins) {
      let gap = 0;
      for (const end = row + rows; row < end; row++) gap += sorted[row] - (random() < sorted[row] ? 1 : 0);
      errors[draw] += Math.abs(gap) / n;
    }
  }
  return { mean: errors.reduce((sum, error) => sum + error, 0) / draws, high: quantileOfSorted(errors.sort(), 0.95) };
}

const perfectDrawsMin = 200;
const perfectDrawsMax = 1_000;
/** Total number of rows drawn when there are many: takes a fifth of a second. */
const perfectRowsMax = 10_000_000;

/**
 * Standard errors are those of maximum likelihood with independent rows; of groups of rows that depend on each other,
 * the error of the slope is that by groups, where it is larger.
 */
export type CalibrationLine = {
  readonly slope: number;
  readonly slopeError: number;
  readonly intercept: number;
  readonly interceptError: number;
  /** The intercept with the slope held at 1. */
  readonly inTheLarge: number;
  readonly inTheLargeError: number;
};

/**
 * Cox's (1958) calibration line, logit P(y = 1) = intercept + slope · logit p: 0 and 1 when calibrated. A slope below 1
 * means that the probabilities are too extreme. p is kept 1e-15 from 0 and 1. NaN where all p are equal, and entirely
 * NaN when all labels are equal, because then there is no maximum. `groups`: one number per row, the same for rows that
 * depend on each other, such as those of one entity whose windows overlap; null where none do.
 */
export function calibrationLine(
  labels: ArrayLike<number>,
  probabilities: ArrayLike<number>,
  groups: ArrayLike<number> | null = null,
): CalibrationLine {
  if (new Set(Array.from(labels)).size < 2) return untold;
  const margins = Float64Array.from(probabilities, (p) => logit(Math.min(Math.max(p, 1e-15), 1 - 1e-15)));
  const [intercept, slope] = fitSmallLogistic([margins], labels, null);
  const [inTheLarge] = fitSmallLogistic([], labels, null, margins);
  // Fisher's information at the maximum, taken about the weighted mean of the margins to avoid cancellation.
  let [weights, weighted, shifted] = [0, 0, 0];
  for (const margin of margins) {
    const weight = variance(intercept + slope * margin);
    weights += weight;
    weighted += weight * margin;
    shifted += variance(inTheLarge + margin);
  }
  const centre = weighted / weights;
  const spread = margins.reduce(
    (sum, margin) => sum + variance(intercept + slope * margin) * (margin - centre) ** 2,
    0,
  );
  const isTold = spread > 1e-12 * weights;
  const alone = 1 / Math.sqrt(spread);
  const grouped = groups
    ? groupedError(
        margins.map((margin, i) => (labels[i]! - sigmoid(intercept + slope * margin)) * (margin - centre)),
        groups,
      ) / spread
    : 0;
  return {
    slope: isTold ? slope : Number.NaN,
    slopeError: isTold ? Math.max(alone, grouped) : Number.NaN,
    intercept: isTold ? intercept : Number.NaN,
    interceptError: isTold ? Math.sqrt(1 / weights + centre ** 2 / spread) : Number.NaN,
    inTheLarge,
    inTheLargeError: 1 / Math.sqrt(shifted),
  };
}

/**
 * The standard error of a sum of scores of which those of a group depend on each other (Liang and Zeger 1986),
 * corrected for few groups; 0 of a single one, which cannot tell.
 */
function groupedError(scores: Float64Array, groups: ArrayLike<number>): number {
  const sums = new Map<number, number>();
  for (const [i, score] of scores.entries()) sums.set(groups[i]!, (sums.get(groups[i]!) ?? 0) + score);
  if (sums.size < 2) return 0;
  const squares = [...sums.values()].reduce((sum, one) => sum + one ** 2, 0);
  return Math.sqrt((squares * sums.size) / (sums.size - 1));
}

const untold: CalibrationLine = {
  ...{ slope: Number.NaN, slopeError: Number.NaN, intercept: Number.NaN, interceptError: Number.NaN },
  ...{ inTheLarge: Number.NaN, inTheLargeError: Number.NaN },
};

function variance(margin: number): number {
  const p = sigmoid(margin);
  return p * (1 - p);
}

/**
 * Spiegelhalter's (1986) z: standard normal when the probabilities are calibrated; |z| above 1.96 means they are not. z
 * = Σ (y - p)(1 - 2p) / sqrt(Σ (1 - 2p)² p (1 - p)). NaN when every p is 0, one half or 1.
 */
export function spiegelhalterZ(labels: ArrayLike<number>, probabilities: ArrayLike<number>): number {
  let top = 0;
  let variance = 0;
  for (let i = 0; i < labels.length; i++) {
    const p = probabilities[i];
    top += (labels[i] - p) * (1 - 2 * p);
    variance += (1 - 2 * p) ** 2 * p * (1 - p);
  }
  return variance === 0 ? Number.NaN : top / Math.sqrt(variance);
}
