import { assert } from '../../lib/failure.ts';
import { logit } from '../statistics/logistic.ts';
import { firstAbove, sortedOrder } from '../statistics/ranks.ts';
import { fitPlatt } from './platt.ts';

/**
 * A piecewise-linear map in log-odds. Its knots strictly ascend in both coordinates; a gentle slope continues outside
 * them.
 */
export type IsotonicCalibrator = {
  readonly kind: 'isotonic';
  readonly margins: readonly number[];
  readonly logOdds: readonly number[];
  readonly tailSlope: number;
};

/** Consecutive rows that share one fitted value. */
type Block = { weight: number; sum: number; marginSum: number };

/** Outside the outer steps the data show no rise. A tenth of the overall slope is just enough to keep rows in order. */
const tailShare = 0.1;

/**
 * Isotonic regression (pool adjacent violators) of labels on margins, made strictly increasing: each step becomes a
 * knot at its mean margin, and values between knots are interpolated. A step's value is (positives + base rate)/(weight
 * + 1), so that a step without positives is not certain. labels: 0 or 1. weights: > 0 in sum, or null for ones. O(n).
 */
export function fitIsotonic(
  margins: Float64Array,
  labels: ArrayLike<number>,
  weights: ArrayLike<number> | null,
): IsotonicCalibrator {
  const order = sortedOrder(margins);
  const ties: Block[] = [];
  let total = 0;
  let positives = 0;
  for (let start = 0; start < order.length; ) {
    const margin = margins[order[start]];
    const tie = { weight: 0, sum: 0, marginSum: 0 };
    for (; start < order.length && margins[order[start]] === margin; start++) {
      const weight = weights === null ? 1 : weights[order[start]];
      tie.weight += weight;
      tie.sum += weight * labels[order[start]];
      tie.marginSum += weight * margin;
    }
    total += tie.weight;
    positives += tie.sum;
    if (tie.weight > 0) ties.push(tie);
  }
  assert(positives > 0 && positives < total, 'isotonic calibration needs both classes');
  const baseRate = positives / total;
  const fittedValue = (block: Block) => (block.sum + baseRate) / (block.weight + 1);
  // Smoothing pulls small steps towards the base rate, which may reverse neighbours, so the smoothed values are pooled
  // once more.
  const steps = pool(
    pool(ties, (block) => block.sum / block.weight),
    fittedValue,
  );
  return {
    kind: 'isotonic',
    margins: steps.map((block) => block.marginSum / block.weight),
    logOdds: steps.map((block) => logit(fittedValue(block))),
    tailSlope: tailShare * fitPlatt(margins, labels, weights).slope,
  };
}

/** Calibrated log-odds of a margin. */
export function applyIsotonic(calibrator: IsotonicCalibrator, margin: number): number {
  const { margins, logOdds, tailSlope } = calibrator;
  const last = margins.length - 1;
  if (margin <= margins[0]) return logOdds[0] + tailSlope * (margin - margins[0]);
  if (margin >= margins[last]) return logOdds[last] + tailSlope * (margin - margins[last]);
  const above = firstAbove(margins, margin);
  const share = (margin - margins[above - 1]) / (margins[above] - margins[above - 1]);
  return logOdds[above - 1] + (logOdds[above] - logOdds[above - 1]) * share;
}

/** Merges neighbours until values ascend strictly (Ayer et al. 1955). */
function pool(blocks: readonly Block[], fittedValue: (block: Block) => number): Block[] {
  const pooled: Block[] = [];
  for (const block of blocks) {
    const merged = { ...block };
    while (pooled.length > 0 && fittedValue(pooled[pooled.length - 1]) >= fittedValue(merged)) {
      const before = pooled.pop()!;
      merged.weight += before.weight;
      merged.sum += before.sum;
      merged.marginSum += before.marginSum;
    }
    pooled.push(merged);
  }
  return pooled;
}
