import { assert } from '../../lib/failure.ts';
import { checkLengths, type Numbers } from './metrics.ts';
import { seedRandom } from './random.ts';
import { averageRanks, quantileOfSorted } from './ranks.ts';

/**
 * Standard error of the AUROC for independent rows (DeLong, DeLong & Clarke-Pearson 1988; by midranks, Sun & Xu 2014).
 * NaN with fewer than two rows in a class. Rows that share an entity are not independent: for those use a bootstrap by
 * groups.
 */
export function aurocStandardError(labels: Numbers, scores: Numbers): number {
  checkLengths(labels, scores);
  const within = [0, 1].map((side) => Float64Array.from(scores).filter((_, i) => labels[i] === side));
  const [negatives, positives] = within.map((side) => side.length);
  const ranks = averageRanks(scores);
  const ranksWithin = within.map(averageRanks);
  const placements = [new Float64Array(negatives), new Float64Array(positives)];
  const filled = [0, 0];
  for (let i = 0; i < labels.length; i++) {
    const side = labels[i] === 1 ? 1 : 0;
    const at = filled[side]++;
    placements[side][at] = (ranks[i] - ranksWithin[side][at]) / (side === 1 ? negatives : positives);
  }
  return Math.sqrt(sampleVariance(placements[0]) / negatives + sampleVariance(placements[1]) / positives);
}

export type BootstrapComparison = {
  /** metric(second) - metric(first) on all rows. */
  readonly difference: number;
  readonly standardError: number;
  /** The 2.5 % and 97.5 % points of the replicates. */
  readonly low: number;
  readonly high: number;
  /** Number of replicates on which the metric was defined. */
  readonly replicates: number;
};

/**
 * The difference in a metric between two predictions of the same rows (rows × classes for class probabilities), with
 * its error by resampling whole groups with replacement. groups: one number per row (its anchor, or its entity). Rows
 * of a group stay together because they are not independent. seed: the same seed gives the same result. O(replicates ×
 * the metric's cost).
 */
export function bootstrapDifference(
  metric: (labels: Numbers, predictions: Numbers) => number,
  labels: Numbers,
  first: Numbers,
  second: Numbers,
  groups: Numbers,
  options: { replicates: number; seed: number },
): BootstrapComparison {
  checkLengths(first, second);
  checkLengths(labels, groups);
  const width = first.length / labels.length;
  assert(Number.isInteger(width), 'predictions must be rows, or rows × classes');
  const of = (predictions: Numbers, rows: readonly number[]) =>
    Float64Array.from(
      { length: rows.length * width },
      (_, k) => predictions[rows[Math.floor(k / width)] * width + (k % width)],
    );
  const members = groupRows(groups);
  const random = seedRandom(options.seed);
  const differences: number[] = [];
  for (let replicate = 0; replicate < options.replicates; replicate++) {
    const rows: number[] = [];
    for (let i = 0; i < members.length; i++)
      for (const row of members[Math.floor(random() * members.length)]) rows.push(row);
    const drawn = Float64Array.from(rows, (row) => labels[row]);
    const difference = metric(drawn, of(second, rows)) - metric(drawn, of(first, rows));
    if (!Number.isNaN(difference)) differences.push(difference);
  }
  const sorted = Float64Array.from(differences).sort();
  return {
    difference: metric(labels, second) - metric(labels, first),
    standardError: Math.sqrt(sampleVariance(sorted)),
    low: quantileOfSorted(sorted, 0.025),
    high: quantileOfSorted(sorted, 0.975),
    replicates: sorted.length,
  };
}

/**
 * Rows of each distinct group. Groups are ordered by their first row, so that the draw does not depend on their
 * numbers.
 */
function groupRows(groups: Numbers): number[][] {
  const members = new Map<number, number[]>();
  for (let i = 0; i < groups.length; i++) {
    const rows = members.get(groups[i]);
    if (rows === undefined) members.set(groups[i], [i]);
    else rows.push(i);
  }
  return [...members.values()];
}

function sampleVariance(values: Numbers): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  const centre = sum / values.length;
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += (values[i] - centre) ** 2;
  return (squares / values.length) * (values.length / (values.length - 1));
}
