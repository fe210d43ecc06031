import { roundClasses, roundProbability } from '../calibration/bounds.ts';
import { applyCalibrator, type Calibrator } from '../calibration/calibrate.ts';
import { sigmoid } from '../statistics/logistic.ts';
import { type Objective, widthOf } from '../statistics/objective.ts';

/** How margins become values of one output. Null before training knows it. */
export type OutputScale = {
  readonly calibrator: Calibrator | null;
  /** Range of the training labels. */
  readonly range: readonly [number, number];
  /** The link between margins and numbers; identity where absent. */
  readonly link?: MarginLink | undefined;
};

/** The smallest and the largest label; there must be at least one. */
export function labelRange(labels: Float64Array): readonly [number, number] {
  return [labels.reduce((a, b) => Math.min(a, b)), labels.reduce((a, b) => Math.max(a, b))];
}

/** A margin is the logarithm of the number ('log', non-negative numbers), or of one plus the number ('log1p'). */
export type MarginLink = 'log' | 'log1p';

/**
 * Converts margins to the scale of the labels. Binary: calibrated probabilities, rounded to nine decimals. Regression:
 * numbers clamped to the range of the training labels, without extrapolation. Multiclass: class probabilities,
 * row-major rows × classes, rounded to nine decimals, with sum 1.
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
    // A loop: a function call per row of a large file takes longer than its work.
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
