import { fitSmallLogistic } from '../statistics/logistic.ts';

/** Calibrated log-odds = slope · margin + intercept; slope > 0. */
export type PlattCalibrator = { readonly kind: 'platt'; readonly slope: number; readonly intercept: number };

/**
 * The smallest slope, so that a calibrator never reverses or ties the order of the model, however poor the sample is.
 */
export const slopeMin = 0.01;

/** Penalty on the excess of a slope above 1, equivalent to a normal prior with mean 0 and standard deviation 2. */
const steepPenalty = 0.25;

/**
 * Platt's (1999) sigmoid, minimised as in Lin, Lin & Weng (2007). Its smoothed targets (N₊ + 1)/(N₊ + 2) and 1/(N₋ + 2)
 * keep it finite on separable or one-class samples. A slope above 1 is drawn towards 1: few positives do not determine
 * it, and it decides what becomes of margins outside the sample. (Four positives among 460 margins within 0.3 of one
 * another gave a slope of 10, and predictions of 17 % where 0.3 % came true. On synthetic margins without information,
 * with 3 to 20 positives and evaluated four deviations above the sample, the mean log loss is .135 with the penalty and
 * .150 without. With a true slope of 1 or 2 the penalty is equal or better throughout; with a slope of 4 and 3 or 8
 * positives it is worse by .001, and by .07 four deviations above.) labels: 0 or 1. weights: ≥ 0 or null for ones.
 */
export function fitPlatt(
  margins: Float64Array,
  labels: ArrayLike<number>,
  weights: ArrayLike<number> | null,
): PlattCalibrator {
  const targets = smoothLabels(labels, weights);
  const [intercept, slope] = fitSmallLogistic([margins], targets, weights);
  if (slope > 1) {
    const [held, more] = fitSmallLogistic([margins], targets, weights, margins, [steepPenalty]);
    return { kind: 'platt', slope: 1 + more, intercept: held };
  }
  if (slope >= slopeMin) return { kind: 'platt', slope, intercept };
  const offset = margins.map((margin) => slopeMin * margin);
  return { kind: 'platt', slope: slopeMin, intercept: fitSmallLogistic([], targets, weights, offset)[0] };
}

/** Platt's targets for 0/1 labels: (N₊ + 1)/(N₊ + 2) and 1/(N₋ + 2), with N₊ and N₋ the sums of weights. */
export function smoothLabels(labels: ArrayLike<number>, weights: ArrayLike<number> | null): Float64Array {
  let positives = 0;
  let negatives = 0;
  for (let i = 0; i < labels.length; i++) {
    const weight = weights === null ? 1 : weights[i];
    if (labels[i] === 1) positives += weight;
    else negatives += weight;
  }
  const high = (positives + 1) / (positives + 2);
  const low = 1 / (negatives + 2);
  return Float64Array.from(labels, (label) => (label === 1 ? high : low));
}

/** Calibrated log-odds of a margin. */
export function applyPlatt(calibrator: PlattCalibrator, margin: number): number {
  return calibrator.slope * margin + calibrator.intercept;
}
