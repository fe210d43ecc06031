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

/** What a bootstrap draws with replacement: whole groups of rows, which are not independent of each other. */
export type Resampling = {
  readonly drawn: 'moments' | 'entities';
  /** One number per row: its moment, or its entity. */
  readonly groups: Numbers;
  readonly replicates: number;
  readonly seed: number;
};

/** From this number of distinct moments on, moments are resampled. */
const momentsMin = 20;
/** Number of bootstrap draws; fewer for many rows, where metrics are slow. */
const replicatesOf = (rows: number) => (rows > 100_000 ? 100 : rows > 10_000 ? 300 : 1_000);
const seed = 1;

/**
 * How rows are resampled: by moment where there are enough, else by entity. `at` and `entities`: the moment and the
 * entity of each row; a row of no known entity (-1) is one of its own.
 */
export function resamplingOf(at: Numbers, entities: Numbers): Resampling {
  const isByMoment = new Set(Array.from(at)).size >= momentsMin;
  return {
    drawn: isByMoment ? 'moments' : 'entities',
    groups: isByMoment ? at : Float64Array.from(entities, (entity, row) => (entity < 0 ? -1 - row : entity)),
    replicates: replicatesOf(at.length),
    seed,
  };
}

/** A value, and the 2.5 % and 97.5 % points of the draws of a bootstrap; NaN where the rows cannot tell. */
export type Estimate = { readonly value: number; readonly low: number; readonly high: number };

/**
 * Values of weighted rows with their bounds by resampling whole groups with replacement. `measure` is called without
 * weights for the values, and for each draw with how often each row was drawn; it returns as many numbers each time.
 * Draws in which a value is NaN are left out of its bounds. The same resampling gives the same bounds, and draws the
 * same rows whatever is measured.
 */
export function bootstrapEstimates(
  measure: (weights: Float64Array | null) => readonly number[],
  { groups, replicates, seed }: Resampling,
): Estimate[] {
  const values = measure(null);
  const members = groupRows(groups);
  const draws = values.map((): number[] => []);
  const random = seedRandom(seed);
  for (let replicate = 0; replicate < (members.length < 2 ? 0 : replicates); replicate++) {
    const weights = new Float64Array(groups.length);
    for (let i = 0; i < members.length; i++)
      for (const row of members[Math.floor(random() * members.length)]) weights[row]++;
    for (const [at, value] of measure(weights).entries()) if (!Number.isNaN(value)) draws[at].push(value);
  }
  return values.map((value, at) => {
    const sorted = Float64Array.from(draws[at]).sort();
    return { value, low: quantileOfSorted(sorted, 0.025), high: quantileOfSorted(sorted, 0.975) };
  });
}

/**
 * The 95 % interval of a rate, `count` of `rows` (Wilson 1927): within [0, 1], and not empty where none or all count.
 * NaN without rows.
 */
export function rateInterval(count: number, rows: number): { low: number; high: number } {
  const rate = count / rows;
  const spread = normal95 ** 2 / rows;
  const centre = (rate + spread / 2) / (1 + spread);
  const half = (normal95 * Math.sqrt((rate * (1 - rate)) / rows + spread / (4 * rows))) / (1 + spread);
  // Of none and of all, one bound is the rate itself, which rounding would miss.
  return { low: Math.max(0, Math.min(rate, centre - half)), high: Math.min(1, Math.max(rate, centre + half)) };
}

/** The 95 % interval of the mean of independent values, by the normal distribution; null of fewer than two. */
export function meanInterval(values: Float64Array): { low: number; high: number } | null {
  if (values.length < 2) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const half = normal95 * Math.sqrt(sampleVariance(values) / values.length);
  return { low: mean - half, high: mean + half };
}

type Ranged = { readonly value: number; readonly low: number; readonly high: number };

/**
 * The 95 % interval of the difference of two independent estimates, `after` less `before`, by their own intervals
 * (Newcombe 1998, method 10, for rates; Zou & Donner 2008 in general).
 */
export function differenceInterval(before: Ranged, after: Ranged): { low: number; high: number } {
  const difference = after.value - before.value;
  return {
    low: difference - Math.hypot(after.value - after.low, before.high - before.value),
    high: difference + Math.hypot(after.high - after.value, before.value - before.low),
  };
}

/** The 97.5 % point of the standard normal distribution. */
const normal95 = 1.959963984540054;

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
