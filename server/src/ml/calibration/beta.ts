import { fitSmallLogistic, softplus } from '../statistics/logistic.ts';
import { slopeMin } from './platt.ts';

/** Calibrated log-odds = a · ln p - b · ln(1 - p) + c, with p the probability the margin stands for; a, b > 0. */
export type BetaCalibrator = { readonly kind: 'beta'; readonly a: number; readonly b: number; readonly c: number };

/** Penalty on the difference of a and b, equivalent to a normal prior with mean 0 and standard deviation 1. */
const bendPenalty = 1;

/**
 * Beta calibration with three parameters (Kull, Silva Filho & Flach 2017): a logistic regression on ln p and -ln(1 -
 * p). It bends each tail separately and contains the identity (1, 1, 0), which Platt's sigmoid on probabilities does
 * not. a and b are held at or above 0.01, so the map rises everywhere. They are also held close to each other: when
 * every p is small, ln(1 - p) hardly differs between rows and does not determine b. (With 300 positives in 12,000 rows
 * b became 22, and the slope on later rows 0.54; with the penalty it is 0.90 ± 0.10.) labels: 0 or 1. weights: ≥ 0 or
 * null for ones.
 */
export function fitBeta(
  margins: Float64Array,
  labels: ArrayLike<number>,
  weights: ArrayLike<number> | null,
): BetaCalibrator {
  const lower = margins.map((margin) => -softplus(-margin));
  const upper = margins.map(softplus);
  // a · ln p - b · ln(1 - p) = a · margin + (b - a) · softplus(margin).
  const [c, a, bend] = fitSmallLogistic([margins, upper], labels, weights, null, [0, bendPenalty]);
  if (a >= slopeMin && a + bend >= slopeMin) return { kind: 'beta', a, b: a + bend, c };
  // The loss is convex, so the constrained optimum lies on an edge: the better of the two edges' optima.
  const offset = margins.map((margin) => slopeMin * margin);
  const flatLower = fitEdge(upper, offset, labels, weights);
  const flatUpper = fitEdge(lower, offset, labels, weights);
  const edges: BetaCalibrator[] = [
    { kind: 'beta', a: slopeMin, b: slopeMin + flatLower.bend, c: flatLower.intercept },
    { kind: 'beta', a: slopeMin + flatUpper.bend, b: slopeMin, c: flatUpper.intercept },
  ];
  const losses = edges.map((edge) => lossOf(edge, margins, labels, weights));
  return losses[0] <= losses[1] ? edges[0] : edges[1];
}

/** Calibrated log-odds of a margin. */
export function applyBeta(calibrator: BetaCalibrator, margin: number): number {
  return -calibrator.a * softplus(-margin) + calibrator.b * softplus(margin) + calibrator.c;
}

/**
 * Fits the parameter of one side (`free`), at least `slopeMin`, with the other held there. `bend` is its excess, ≥ 0.
 */
function fitEdge(
  free: Float64Array,
  offset: Float64Array,
  labels: ArrayLike<number>,
  weights: ArrayLike<number> | null,
): { bend: number; intercept: number } {
  const [intercept, bend] = fitSmallLogistic([free], labels, weights, offset, [bendPenalty]);
  if (bend >= 0) return { bend, intercept };
  return { bend: 0, intercept: fitSmallLogistic([], labels, weights, offset)[0] };
}

function lossOf(
  calibrator: BetaCalibrator,
  margins: Float64Array,
  labels: ArrayLike<number>,
  weights: ArrayLike<number> | null,
): number {
  let loss = 0.5 * bendPenalty * (calibrator.b - calibrator.a) ** 2;
  for (let i = 0; i < labels.length; i++) {
    const margin = applyBeta(calibrator, margins[i]);
    loss += (weights === null ? 1 : weights[i]) * (softplus(margin) - labels[i] * margin);
  }
  return loss;
}
