import { assert } from '../../lib/failure.ts';
import { fitSmallLogistic, sigmoid } from '../statistics/logistic.ts';
import { applyBeta, type BetaCalibrator, fitBeta } from './beta.ts';
import { boundMargin, boundProbability } from './bounds.ts';
import { applyIsotonic, fitIsotonic, type IsotonicCalibrator } from './isotonic.ts';
import { applyPlatt, fitPlatt, type PlattCalibrator, smoothLabels } from './platt.ts';

/** A fitted map from margins to probabilities; plain data, kept as JSON without loss. */
export type Calibrator = IsotonicCalibrator | BetaCalibrator | PlattCalibrator;

/**
 * Margins (log-odds) of rows a model was not trained on, with labels, 0 or 1. weights: ≥ 0, or null for ones. emphasis:
 * > 0, how much a row of that weight tells of the slope of a calibrator, for its level all tell alike; absent or null
 * for ones.
 */
export type Sample = {
  readonly margins: Float64Array;
  readonly labels: ArrayLike<number>;
  readonly weights: Float64Array | null;
  readonly emphasis?: Float64Array | null;
};

/** A sample, and one of later rows that a calibrator of it can be judged by. */
export type Foretold = { readonly past: Sample; readonly later: Sample };

/** From this many rows of the rarer class more flexible methods may beat stiffer ones; below, they fit noise. */
const isotonicRowsMin = 1000;
const betaRowsMin = 200;
/** Steps are preferred for a gain on later rows of so many of its standard errors. */
const stepsErrors = 2;

/**
 * Fits a calibrator: beta from 200 rows of the rarer class, Platt below. Isotonic where, from 1,000 such rows on, it
 * foretold later rows better than the stiffer one, beyond chance: where margins tell little, its steps are mostly
 * noise. (Made-up contests, four draws of AUROC .58: mean slope on later rows .60 with steps and .78 without.) A row of
 * weight 0 does not count.
 */
export function fitCalibrator(sample: Sample, foretold: readonly Foretold[] = []): Calibrator {
  const { margins, labels, weights } = sample;
  assert(margins.length > 0 && margins.length === labels.length, 'a calibrator needs one label per margin');
  return rarerOf(sample) >= isotonicRowsMin && areStepsBetter(foretold)
    ? fitIsotonic(margins, labels, weights)
    : fitStiff(sample);
}

function fitStiff(sample: Sample): BetaCalibrator | PlattCalibrator {
  const { margins, labels, weights, emphasis } = sample;
  const fit = rarerOf(sample) >= betaRowsMin ? fitBeta : fitPlatt;
  if (!emphasis) return fit(margins, labels, weights);
  return withLevel(fit(margins, labels, emphasise(emphasis, weights)), sample);
}

/** Weights times emphasis, with the same sum as the weights: priors of calibrators are held against it. */
function emphasise(emphasis: Float64Array, weights: Float64Array | null): Float64Array {
  const scaled = emphasis.map((times, i) => times * (weights?.[i] ?? 1));
  const sum = (values: Float64Array) => values.reduce((a, b) => a + b, 0);
  const share = (weights === null ? emphasis.length : sum(weights)) / sum(scaled);
  return scaled.map((weight) => weight * share);
}

/** Moves a calibrator up or down, so that it answers the sample's rows right on average. */
function withLevel<C extends BetaCalibrator | PlattCalibrator>(calibrator: C, { margins, labels, weights }: Sample): C {
  const offset = margins.map((margin) => calibratedMargin(calibrator, margin));
  const [shift] = fitSmallLogistic([], smoothLabels(labels, weights), weights, offset);
  return calibrator.kind === 'beta'
    ? { ...calibrator, c: calibrator.c + shift }
    : { ...calibrator, intercept: calibrator.intercept + shift };
}

/** Rows of the rarer class that count. */
function rarerOf({ labels, weights }: Sample): number {
  const counts = [0, 0];
  for (let i = 0; i < labels.length; i++) if (weights === null || weights[i] > 0) counts[labels[i] === 1 ? 1 : 0]++;
  return Math.min(counts[0], counts[1]);
}

/** Whether the mean log loss of later rows is less with steps, by more than chance. */
function areStepsBetter(foretold: readonly Foretold[]): boolean {
  const gains = foretold.flatMap(({ past, later }) => {
    if (rarerOf(past) < isotonicRowsMin) return [];
    const [stiff, steps] = [fitStiff(past), fitIsotonic(past.margins, past.labels, past.weights)];
    return Array.from(later.margins, (margin, i) => {
      const [before, after] = [stiff, steps].map((calibrator) => {
        const p = applyCalibrator(calibrator, margin);
        return -Math.log(later.labels[i] === 1 ? p : 1 - p);
      });
      return (later.weights?.[i] ?? 1) * (before - after);
    });
  });
  if (gains.length === 0) return false;
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
  const squares = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0);
  return mean > (stepsErrors * Math.sqrt(squares)) / gains.length;
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
