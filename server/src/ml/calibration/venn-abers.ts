import { firstAbove, firstAtLeast } from '../statistics/ranks.ts';
import { boundProbability } from './bounds.ts';

/**
 * A fitted inductive Venn–Abers predictor (Vovk, Petej & Fedorova 2015) as two step functions, as versions of before
 * have it. It says between which two calibrated probabilities the one of a row lies, and not how many rows that rests
 * on: with thousands of rows the two are nearly the same. A step of `lower` holds from its margin up to the next one; a
 * step of `upper` holds from the previous margin (exclusive) up to its own.
 */
export type VennAbers = { readonly lower: Steps; readonly upper: Steps };

type Steps = { readonly margins: readonly number[]; readonly probabilities: readonly number[] };

/** p0 and p1 for one margin: 0 ≤ p0 ≤ p1 ≤ 1. O(log n). */
export function applyVennAbers(predictor: VennAbers, margin: number): { p0: number; p1: number } {
  const { lower, upper } = predictor;
  // A negative between two calibration rows pools with the one below, a positive with the one above.
  const below = firstAbove(lower.margins, margin) - 1;
  const above = firstAtLeast(upper.margins, margin);
  return {
    p0: below < 0 ? 0 : lower.probabilities[below],
    p1: above === upper.margins.length ? 1 : upper.probabilities[above],
  };
}

/**
 * The interval shown with a calibrated probability: [p0, p1] within the service's bounds. It is widened to contain the
 * probability, which comes from another calibrator.
 */
export function probabilityInterval(predictor: VennAbers, margin: number, probability: number): [number, number] {
  const { p0, p1 } = applyVennAbers(predictor, margin);
  return [Math.min(boundProbability(p0), probability), Math.max(boundProbability(p1), probability)];
}
