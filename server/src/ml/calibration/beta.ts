import { fitSmallLogistic, softplus } from './logistic.ts';
import { slopeMin } from './platt.ts';

/** Calibrated log-odds = a · ln p - b · ln(1 - p) + c, with p the probability the margin stands for; a, b > 0. */
export type BetaCalibrator = { readonly kind: 'beta'; readonly a: number; readonly b: number; readonly c: number };

/**
 * Beta calibration with three parameters (Kull, Silva Filho & Flach 2017): a logistic regression on ln p and -ln(1 - p).
 * It bends either tail on its own and contains the identity (1, 1, 0), which Platt's sigmoid on probabilities does not.
 * a and b are held at or above 0.01, so the map rises everywhere. labels: 0 or 1. weights: ≥ 0 or null for ones.
 */
export function fitBeta(
  margins: Float64Array,
  labels: ArrayLike<number>,
  weights: ArrayLike<number> | null,
): BetaCalibrator {
  const lower = margins.map((margin) => -softplus(-margin));
  const upper = margins.map(softplus);
  const [c, a, b] = fitSmallLogistic([lower, upper], labels, weights);
  if (a >= slopeMin && b >= slopeMin) return { kind: 'beta', a, b, c };
  // The loss is convex, so the constrained optimum lies on an edge: the better of the two edges' optima.
  const flatLower = fitEdge(upper, lower, labels, weights);
  const flatUpper = fitEdge(lower, upper, labels, weights);
  const edges: BetaCalibrator[] = [
    { kind: 'beta', a: slopeMin, b: flatLower.slope, c: flatLower.intercept },
    { kind: 'beta', a: flatUpper.slope, b: slopeMin, c: flatUpper.intercept },
  ];
  const losses = edges.map((edge) => lossOf(edge, margins, labels, weights));
  return losses[0] <= losses[1] ? edges[0] : edges[1];
}

/** Calibrated log-odds of a margin. */
export function applyBeta(calibrator: BetaCalibrator, margin: number): number {
  return -calibrator.a * softplus(-margin) + calibrator.b * softplus(margin) + calibrator.c;
}

function fitEdge(
  free: Float64Array,
  held: Float64Array,
  labels: ArrayLike<number>,
  weights: ArrayLike<number> | null,
): { slope: number; intercept: number } {
  const offset = held.map((value) => slopeMin * value);
  const [intercept, slope] = fitSmallLogistic([free], labels, weights, offset);
  if (slope >= slopeMin) return { slope, intercept };
  const both = offset.map((value, i) => value + slopeMin * free[i]);
  return { slope: slopeMin, intercept: fitSmallLogistic([], labels, weights, both)[0] };
}

function lossOf(
  calibrator: BetaCalibrator,
  margins: Float64Array,
  labels: ArrayLike<number>,
  weights: ArrayLike<number> | null,
): number {
  let loss = 0;
  for (let i = 0; i < labels.length; i++) {
    const margin = applyBeta(calibrator, margins[i]);
    loss += (weights === null ? 1 : weights[i]) * (softplus(margin) - labels[i] * margin);
  }
  return loss;
}
