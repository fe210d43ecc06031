import { assert } from '../../lib/failure.ts';
import { seedRandom } from '../trees/random.ts';
import { averageRanks, quantileOfSorted, sortedOrder } from './ranks.ts';

/** Numbers per row, in row order. Binary labels are 0 or 1. */
export type Numbers = ArrayLike<number>;

/** The metrics a task may ask for by name. The `multiclass_` ones read predictions as rows × classes, row-major. */
export const metricNames = [
  'auroc',
  'average_precision',
  'kolmogorov_smirnov',
  'log_loss',
  'brier',
  'accuracy',
  'f1',
  'mae',
  'rmse',
  'r2',
  'multiclass_accuracy',
  'multiclass_macro_f1',
  'multiclass_log_loss',
] as const;
export type MetricName = (typeof metricNames)[number];

const metrics: Record<MetricName, { measure: (labels: Numbers, predictions: Numbers) => number; higher: boolean }> = {
  auroc: { measure: auroc, higher: true },
  average_precision: { measure: averagePrecision, higher: true },
  kolmogorov_smirnov: { measure: kolmogorovSmirnov, higher: true },
  log_loss: { measure: logLoss, higher: false },
  brier: { measure: brier, higher: false },
  accuracy: { measure: accuracy, higher: true },
  f1: { measure: f1, higher: true },
  mae: { measure: mae, higher: false },
  rmse: { measure: rmse, higher: false },
  r2: { measure: r2, higher: true },
  multiclass_accuracy: { measure: multiclassAccuracy, higher: true },
  multiclass_macro_f1: { measure: multiclassMacroF1, higher: true },
  multiclass_log_loss: { measure: multiclassLogLoss, higher: false },
};

/**
 * One metric by name over all rows pooled. value is NaN where the metric is undefined, such as an AUROC of one class.
 */
export function evaluateMetric(
  name: MetricName,
  labels: Numbers,
  predictions: Numbers,
): { value: number; higherIsBetter: boolean } {
  const { measure, higher } = metrics[name];
  return { value: measure(labels, predictions), higherIsBetter: higher };
}

/**
 * Area under the ROC curve: the chance that a positive row scores above a negative one, ties counting half.
 * labels: 0 or 1. weights: ≥ 0. NaN when a class is absent. Equals scikit-learn's roc_auc_score.
 */
export function auroc(labels: Numbers, scores: Numbers, weights: Numbers | null = null): number {
  checkLengths(labels, scores);
  let won = 0;
  let below = 0;
  let positives = 0;
  walkTies(labels, scores, weights, 'ascending', (positive, negative) => {
    won += positive * (below + negative / 2);
    below += negative;
    positives += positive;
  });
  return won / (positives * below);
}

/**
 * Average precision: precision at each distinct score, weighted by the recall it adds; no interpolation, as
 * scikit-learn. NaN without a positive row.
 */
export function averagePrecision(labels: Numbers, scores: Numbers, weights: Numbers | null = null): number {
  checkLengths(labels, scores);
  let area = 0;
  let positives = 0;
  let rows = 0;
  walkTies(labels, scores, weights, 'descending', (positive, negative) => {
    positives += positive;
    rows += positive + negative;
    if (positive > 0) area += (positive * positives) / rows;
  });
  return area / positives;
}

/** The largest distance between the score distributions of the two classes, in [0, 1]. NaN when a class is absent. */
export function kolmogorovSmirnov(labels: Numbers, scores: Numbers): number {
  checkLengths(labels, scores);
  const positives = sum(labels);
  const negatives = labels.length - positives;
  if (positives === 0 || negatives === 0) return Number.NaN;
  let positivesBelow = 0;
  let negativesBelow = 0;
  let largest = 0;
  walkTies(labels, scores, null, 'ascending', (positive, negative) => {
    positivesBelow += positive;
    negativesBelow += negative;
    largest = Math.max(largest, Math.abs(positivesBelow / positives - negativesBelow / negatives));
  });
  return largest;
}

/** Mean negative log-likelihood in nats; probabilities are kept 1e-15 from 0 and 1. */
export function logLoss(labels: Numbers, probabilities: Numbers): number {
  return mean(labels, probabilities, (y, p) => -(y * logOf(p) + (1 - y) * logOf(1 - p)));
}

/** Mean squared error of probabilities (Brier 1950), in [0, 1]. */
export function brier(labels: Numbers, probabilities: Numbers): number {
  return mean(labels, probabilities, (y, p) => (y - p) * (y - p));
}

/** Share of rows whose probability is on the label's side of one half (p ≥ 0.5 reads as 1). */
export function accuracy(labels: Numbers, probabilities: Numbers): number {
  return mean(labels, probabilities, (y, p) => (p >= 0.5 === (y === 1) ? 1 : 0));
}

/** F1 of class 1 at p ≥ 0.5; 0 when it is neither present nor predicted. */
export function f1(labels: Numbers, probabilities: Numbers): number {
  checkLengths(labels, probabilities);
  let hits = 0;
  let errors = 0;
  for (let i = 0; i < labels.length; i++) {
    const predicted = probabilities[i] >= 0.5;
    if (predicted && labels[i] === 1) hits++;
    else if (predicted || labels[i] === 1) errors++;
  }
  return hits === 0 ? 0 : (2 * hits) / (2 * hits + errors);
}

/** Mean absolute error, in the label's unit. */
export function mae(labels: Numbers, predictions: Numbers): number {
  return mean(labels, predictions, (y, prediction) => Math.abs(y - prediction));
}

/** Root mean squared error, in the label's unit. */
export function rmse(labels: Numbers, predictions: Numbers): number {
  return Math.sqrt(mean(labels, predictions, (y, prediction) => (y - prediction) * (y - prediction)));
}

/** Share of the labels' variance explained, at most 1, negative when worse than their mean. NaN for constant labels. */
export function r2(labels: Numbers, predictions: Numbers): number {
  const centre = sum(labels) / labels.length;
  const variance = mean(labels, labels, (y) => (y - centre) * (y - centre));
  if (variance === 0) return Number.NaN;
  return 1 - mean(labels, predictions, (y, prediction) => (y - prediction) * (y - prediction)) / variance;
}

/** Share of rows whose most probable class is the label; the lower class wins a tie. labels: class numbers from 0. */
export function multiclassAccuracy(labels: Numbers, probabilities: Numbers): number {
  const predicted = mostProbable(labels, probabilities);
  return mean(labels, predicted, (y, prediction) => (y === prediction ? 1 : 0));
}

/** Unweighted mean of F1 over the classes that are present or predicted. labels: class numbers from 0. */
export function multiclassMacroF1(labels: Numbers, probabilities: Numbers): number {
  const predicted = mostProbable(labels, probabilities);
  const classes = probabilities.length / labels.length;
  const hits = new Float64Array(classes);
  const errors = new Float64Array(classes);
  for (let i = 0; i < labels.length; i++) {
    if (predicted[i] === labels[i]) hits[labels[i]]++;
    else {
      errors[labels[i]]++;
      errors[predicted[i]]++;
    }
  }
  let total = 0;
  let seen = 0;
  for (let c = 0; c < classes; c++) {
    if (hits[c] + errors[c] === 0) continue;
    total += (2 * hits[c]) / (2 * hits[c] + errors[c]);
    seen++;
  }
  return total / seen;
}

/** Mean negative log-probability of the label's class, in nats. probabilities: rows × classes, row-major. */
export function multiclassLogLoss(labels: Numbers, probabilities: Numbers): number {
  const classes = classCount(labels, probabilities);
  let total = 0;
  for (let i = 0; i < labels.length; i++) total -= logOf(probabilities[i * classes + labels[i]]);
  return total / labels.length;
}

/** What accepting every row at or above a score would mean. */
export type Cutoff = {
  readonly score: number;
  readonly approved: number;
  readonly approvalRate: number;
  /** Mean predicted probability of default of the approved; NaN when nobody is. */
  readonly expectedDefault: number;
  /** Observed share of defaults among the approved; NaN when nobody is. */
  readonly observedDefault: number;
};

/**
 * One line per cutoff: approval rate, and default among the approved as predicted and as observed.
 * scores: higher is safer. probabilities: of default. labels: 1 for a default, null when not known yet.
 */
export function cutoffTable(
  scores: Numbers,
  probabilities: Numbers,
  labels: Numbers | null,
  cutoffs: readonly number[],
): Cutoff[] {
  checkLengths(scores, probabilities);
  return cutoffs.map((cutoff) => {
    let approved = 0;
    let expected = 0;
    let observed = labels === null ? Number.NaN : 0;
    for (let i = 0; i < scores.length; i++) {
      if (scores[i] < cutoff) continue;
      approved++;
      expected += probabilities[i];
      if (labels !== null) observed += labels[i];
    }
    return {
      score: cutoff,
      approved,
      approvalRate: approved / scores.length,
      expectedDefault: expected / approved,
      observedDefault: observed / approved,
    };
  });
}

/**
 * Standard error of the AUROC over independent rows (DeLong, DeLong & Clarke-Pearson 1988; by midranks, Sun & Xu 2014).
 * NaN with fewer than two rows in a class. Rows that share an entity are not independent: bootstrap those by groups.
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
  /** Replicates on which the metric was defined. */
  readonly replicates: number;
};

/**
 * How far two predictions of the same rows (rows × classes where they are of classes) differ in a metric, by resampling whole groups
 * with replacement.
 * groups: one number per row (its anchor, or its entity); rows of a group stay together, since they are not independent.
 * seed: the same seed gives the same answer. O(replicates × the metric's cost).
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

/** Visits each distinct score in order with the weight of positive and negative rows that have it. */
function walkTies(
  labels: Numbers,
  scores: Numbers,
  weights: Numbers | null,
  direction: 'ascending' | 'descending',
  visit: (positive: number, negative: number) => void,
): void {
  const order = sortedOrder(scores);
  if (direction === 'descending') order.reverse();
  for (let start = 0; start < order.length; ) {
    const score = scores[order[start]];
    let positive = 0;
    let negative = 0;
    for (; start < order.length && scores[order[start]] === score; start++) {
      const weight = weights === null ? 1 : weights[order[start]];
      if (labels[order[start]] === 1) positive += weight;
      else negative += weight;
    }
    visit(positive, negative);
  }
}

/** Rows of each distinct group, groups in order of their first row so that the draw does not depend on their numbers. */
function groupRows(groups: Numbers): number[][] {
  const members = new Map<number, number[]>();
  for (let i = 0; i < groups.length; i++) {
    const rows = members.get(groups[i]);
    if (rows === undefined) members.set(groups[i], [i]);
    else rows.push(i);
  }
  return [...members.values()];
}

function mostProbable(labels: Numbers, probabilities: Numbers): Int32Array {
  const classes = classCount(labels, probabilities);
  return Int32Array.from({ length: labels.length }, (_, i) => {
    let best = 0;
    for (let c = 1; c < classes; c++) if (probabilities[i * classes + c] > probabilities[i * classes + best]) best = c;
    return best;
  });
}

function classCount(labels: Numbers, probabilities: Numbers): number {
  const classes = probabilities.length / labels.length;
  assert(Number.isInteger(classes), 'multiclass predictions must be rows × classes');
  return classes;
}

function logOf(p: number): number {
  return Math.log(Math.max(p, 1e-15));
}

function sum(values: Numbers): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i];
  return total;
}

function mean(labels: Numbers, predictions: Numbers, term: (label: number, prediction: number) => number): number {
  checkLengths(labels, predictions);
  let total = 0;
  for (let i = 0; i < labels.length; i++) total += term(labels[i], predictions[i]);
  return total / labels.length;
}

function sampleVariance(values: Numbers): number {
  const centre = sum(values) / values.length;
  return mean(values, values, (value) => (value - centre) ** 2) * (values.length / (values.length - 1));
}

function checkLengths(labels: Numbers, predictions: Numbers): void {
  assert(labels.length === predictions.length, 'labels and predictions must have one entry per row');
}
