import { roundClasses, roundProbability } from '../calibration/bounds.ts';
import { applyCalibrator, type Calibrator } from '../calibration/calibrate.ts';
import { sigmoid } from '../statistics/logistic.ts';
import { type Objective, widthOf } from '../statistics/objective.ts';

/** What training learned about the output as a whole; null before it has. */
export type OutputScale = {
  readonly calibrator: Calibrator | null;
  /** Range of the training labels. */
  readonly range: readonly [number, number];
  /** What the margins are of a number; the number itself where absent. */
  readonly link?: MarginLink | undefined;
};

/** The least and the most of labels, of which there is one at least. */
export function labelRange(labels: Float64Array): readonly [number, number] {
  return [labels.reduce((a, b) => Math.min(a, b)), labels.reduce((a, b) => Math.max(a, b))];
}

/** The logarithm of a number that is not negative, or of one more than it. */
export type MarginLink = 'log' | 'log1p';

/**
 * What margins say in the terms of the labels: probabilities of a yes, calibrated, to nine decimals; numbers, no
 * further than the labels went (the rest is extrapolation nobody asked for); or class probabilities, row-major rows ×
 * classes, to nine decimals that add up to 1.
 */
export function outputOf(objective: Objective, scale: OutputScale | null, margins: Float64Array): Float64Array {
  if (objective.kind === 'regression') {
    const [least, most] = scale?.range ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    const unlink = scale?.link === 'log' ? Math.exp : scale?.link === 'log1p' ? Math.expm1 : Number;
    return margins.map((margin) => Math.min(most, Math.max(least, unlink(margin))));
  }
  const probabilities = new Float64Array(margins.length);
  if (objective.kind !== 'multiclass') {
    const calibrator = scale?.calibrator;
    // A loop: a call for each of a file's rows takes longer than what is called.
    for (let i = 0; i < margins.length; i++)
      probabilities[i] = roundProbability(calibrator ? applyCalibrator(calibrator, margins[i]) : sigmoid(margins[i]));
    return probabilities;
  }
  const width = widthOf(objective);
  for (let from = 0; from < margins.length; from += width) {
    let most = Number.NEGATIVE_INFINITY;
    for (let c = 0; c < width; c++) most = Math.max(most, margins[from + c]);
    let total = 0;
    for (let c = 0; c < width; c++) total += probabilities[from + c] = Math.exp(margins[from + c] - most);
    for (let c = 0; c < width; c++) probabilities[from + c] /= total;
    roundClasses(probabilities.subarray(from, from + width));
  }
  return probabilities;
}
