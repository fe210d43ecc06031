import { assert } from '../../lib/failure.ts';
import { sortedOrder } from '../training/ranks.ts';
import { fitSmallLogistic, logit } from './logistic.ts';

/** Rows of one bin of predicted probability: what was said and what came. */
export type ReliabilityBin = {
  readonly rows: number;
  readonly low: number;
  readonly high: number;
  readonly meanProbability: number;
  readonly observedRate: number;
};

export type Reliability = { readonly expectedCalibrationError: number; readonly bins: readonly ReliabilityBin[] };

/**
 * The reliability table and expected calibration error: the mean distance of the bins' probability and observed rate,
 * weighted by their rows (Naeini, Cooper & Hauskrecht 2015). Empty bins are left out.
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
 * Cox's (1958) calibration line, logit P(y = 1) = intercept + slope · logit p: 0 and 1 when calibrated; a slope below 1
 * says the probabilities are too extreme. `inTheLarge` is the intercept with the slope held at 1. p is kept 1e-15 from
 * 0 and 1.
 */
export function calibrationLine(
  labels: ArrayLike<number>,
  probabilities: ArrayLike<number>,
): { slope: number; intercept: number; inTheLarge: number } {
  const margins = Float64Array.from(probabilities, (p) => logit(Math.min(Math.max(p, 1e-15), 1 - 1e-15)));
  const [intercept, slope] = fitSmallLogistic([margins], labels, null);
  const [inTheLarge] = fitSmallLogistic([], labels, null, margins);
  return { slope, intercept, inTheLarge };
}

/**
 * Spiegelhalter's (1986) z: standard normal when the probabilities are right; above 1.96 in size they are not.
 * z = Σ (y - p)(1 - 2p) / sqrt(Σ (1 - 2p)² p (1 - p)). NaN when every p is 0, one half or 1.
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
