import { assert } from '../../lib/failure.ts';
import { sigmoid } from '../statistics/logistic.ts';
import { applyBeta, type BetaCalibrator, fitBeta } from './beta.ts';
import { boundMargin, boundProbability } from './bounds.ts';
import { applyIsotonic, fitIsotonic, type IsotonicCalibrator } from './isotonic.ts';
import { applyPlatt, fitPlatt, type PlattCalibrator } from './platt.ts';

/** A fitted map from margins to probabilities; plain data, kept as JSON without loss. */
export type Calibrator = IsotonicCalibrator | BetaCalibrator | PlattCalibrator;

/** From this many rows of the rarer class the more flexible methods beat the stiffer ones; below, they fit noise. */
const isotonicRowsMin = 1000;
const betaRowsMin = 200;

/**
 * Fits the most flexible calibrator that the sample supports: isotonic from 1,000 rows of the rarer class, beta from
 * 200, Platt below. margins: log-odds of rows the model was not trained on, later in time. labels: 0 or 1. weights: ≥
 * 0, or null for ones; a row of weight 0 does not count.
 */
export function fitCalibrator(
  margins: Float64Array,
  labels: ArrayLike<number>,
  weights: ArrayLike<number> | null,
): Calibrator {
  assert(margins.length > 0 && margins.length === labels.length, 'a calibrator needs one label per margin');
  const counts = [0, 0];
  for (let i = 0; i < labels.length; i++) if (weights === null || weights[i] > 0) counts[labels[i] === 1 ? 1 : 0]++;
  const rarer = Math.min(counts[0], counts[1]);
  if (rarer >= isotonicRowsMin) return fitIsotonic(margins, labels, weights);
  if (rarer >= betaRowsMin) return fitBeta(margins, labels, weights);
  return fitPlatt(margins, labels, weights);
}

/**
 * The calibrated probability of a margin, in [0.0001, 0.9999]. It is strictly increasing up to floating-point
 * precision.
 */
export function applyCalibrator(calibrator: Calibrator, margin: number): number {
  return boundProbability(sigmoid(boundMargin(calibratedMargin(calibrator, margin))));
}

function calibratedMargin(calibrator: Calibrator, margin: number): number {
  switch (calibrator.kind) {
    case 'isotonic':
      return applyIsotonic(calibrator, margin);
    case 'beta':
      return applyBeta(calibrator, margin);
    case 'platt':
      return applyPlatt(calibrator, margin);
  }
}
