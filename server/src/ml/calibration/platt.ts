import { fitSmallLogistic } from './logistic.ts';

/** Calibrated log-odds = slope · margin + intercept; slope > 0. */
export type PlattCalibrator = { readonly kind: 'platt'; readonly slope: number; readonly intercept: number };

/** Slopes stay above this, so that a calibrator never reverses or ties the model's order, however poor the sample. */
export const slopeMin = 0.01;

/**
 * Platt's (1999) sigmoid, with the smoothed targets (N₊ + 1)/(N₊ + 2) and 1/(N₋ + 2) that keep it finite on separable or
 * one-class samples, minimised as in Lin, Lin & Weng (2007). labels: 0 or 1. weights: ≥ 0 or null for ones.
 */
export function fitPlatt(
  margins: Float64Array,
  labels: ArrayLike<number>,
  weights: ArrayLike<number> | null,
): PlattCalibrator {
  let positives = 0;
  let negatives = 0;
  for (let i = 0; i < labels.length; i++) {
    const weight = weights === null ? 1 : weights[i];
    if (labels[i] === 1) positives += weight;
    else negatives += weight;
  }
  const high = (positives + 1) / (positives + 2);
  const low = 1 / (negatives + 2);
  const targets = Float64Array.from(labels, (label) => (label === 1 ? high : low));
  const [intercept, slope] = fitSmallLogistic([margins], targets, weights);
  if (slope >= slopeMin) return { kind: 'platt', slope, intercept };
  const offset = margins.map((margin) => slopeMin * margin);
  return { kind: 'platt', slope: slopeMin, intercept: fitSmallLogistic([], targets, weights, offset)[0] };
}

/** Calibrated log-odds of a margin. */
export function applyPlatt(calibrator: PlattCalibrator, margin: number): number {
  return calibrator.slope * margin + calibrator.intercept;
}
