import { assert } from '../../lib/failure.ts';
import { sortedOrder } from './ranks.ts';

/** One number per row, in row order. Binary labels are 0 or 1. */
export type Numbers = ArrayLike<number>;

/** The metrics that a task may name. The `multiclass_` ones read predictions as rows × classes, row-major. */
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

type Measure = (labels: Numbers, predictions: Numbers, weights: Numbers | null) => number;

const metrics: Record<MetricName, { measure: Measure; higher: boolean }> = {
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
 * Computes a metric by its name over all rows pooled. value is NaN where the metric is undefined, such as an AUROC of
 * one class. weights: ≥ 0, one per row; a row of weight 2 counts as two such rows.
 */
export function evaluateMetric(
  name: MetricName,
  labels: Numbers,
  predictions: Numbers,
  weights: Numbers | null = null,
): { value: number; higherIsBetter: boolean } {
  const { measure, higher } = metrics[name];
  return { value: measure(labels, predictions, weights), higherIsBetter: higher };
}

/**
 * Prepares a metric of the same rows for weights of all kinds, which is faster than to evaluate it anew for each: the
 * terms of a mean are computed once.
 */
export function prepareMetric(
  name: MetricName,
  labels: Numbers,
  predictions: Numbers,
): (weights: Numbers | null) => number {
  const term = terms[name];
  if (!term) return (weights) => evaluateMetric(name, labels, predictions, weights).value;
  const ofRows = Float64Array.from(labels, (label, row) => term(label, predictions[row]));
  const finish = name === 'rmse' ? Math.sqrt : Number;
  return (weights) => finish(sum(ofRows, weights) / totalOf(ofRows.length, weights));
}

/** Whether a higher value of the metric is better. */
export function isHigherBetter(name: MetricName): boolean {
  return metrics[name].higher;
}

const squaredError = (label: number, prediction: number) => (label - prediction) * (label - prediction);

/** Of the metrics that are means over rows (rmse: the root of one), the term of a row. */
const terms: Partial<Record<MetricName, (label: number, prediction: number) => number>> = {
  log_loss: logLossOf,
  brier: squaredError,
  accuracy: isRight,
  mae: absoluteError,
  rmse: squaredError,
};

function logLossOf(y: number, p: number): number {
  return -(y * logOf(p) + (1 - y) * logOf(1 - p));
}

function isRight(y: number, p: number): number {
  return p >= 0.5 === (y === 1) ? 1 : 0;
}

function absoluteError(y: number, prediction: number): number {
  return Math.abs(y - prediction);
}

/**
 * Area under the ROC curve: the probability that a positive row scores above a negative one, ties counting half.
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
 * Average precision: the precision at each distinct score, weighted by the recall it adds, without interpolation, as in
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
export function kolmogorovSmirnov(labels: Numbers, scores: Numbers, weights: Numbers | null = null): number {
  checkLengths(labels, scores);
  const positives = sum(labels, weights);
  const negatives = totalOf(labels.length, weights) - positives;
  if (positives === 0 || negatives === 0) return Number.NaN;
  let positivesBelow = 0;
  let negativesBelow = 0;
  let largest = 0;
  walkTies(labels, scores, weights, 'ascending', (positive, negative) => {
    positivesBelow += positive;
    negativesBelow += negative;
    largest = Math.max(largest, Math.abs(positivesBelow / positives - negativesBelow / negatives));
  });
  return largest;
}

/** Mean negative log-likelihood in nats; probabilities are kept 1e-15 from 0 and 1. */
export function logLoss(labels: Numbers, probabilities: Numbers, weights: Numbers | null = null): number {
  return mean(labels, probabilities, weights, logLossOf);
}

/** Mean squared error of probabilities (Brier 1950), in [0, 1]. */
export function brier(labels: Numbers, probabilities: Numbers, weights: Numbers | null = null): number {
  return mean(labels, probabilities, weights, squaredError);
}

/** Share of rows whose probability is on the label's side of one half (p ≥ 0.5 reads as 1). */
export function accuracy(labels: Numbers, probabilities: Numbers, weights: Numbers | null = null): number {
  return mean(labels, probabilities, weights, isRight);
}

/** F1 of class 1 at p ≥ 0.5; 0 when it is neither present nor predicted. */
export function f1(labels: Numbers, probabilities: Numbers, weights: Numbers | null = null): number {
  checkLengths(labels, probabilities);
  let hits = 0;
  let errors = 0;
  for (let i = 0; i < labels.length; i++) {
    const weight = weights === null ? 1 : weights[i];
    const predicted = probabilities[i] >= 0.5;
    if (predicted && labels[i] === 1) hits += weight;
    else if (predicted || labels[i] === 1) errors += weight;
  }
  return hits === 0 ? 0 : (2 * hits) / (2 * hits + errors);
}

/** Mean absolute error, in the label's unit. */
export function mae(labels: Numbers, predictions: Numbers, weights: Numbers | null = null): number {
  return mean(labels, predictions, weights, absoluteError);
}

/** Root mean squared error, in the label's unit. */
export function rmse(labels: Numbers, predictions: Numbers, weights: Numbers | null = null): number {
  return Math.sqrt(mean(labels, predictions, weights, squaredError));
}

/** Share of the labels' variance explained, at most 1, negative when worse than their mean. NaN for constant labels. */
export function r2(labels: Numbers, predictions: Numbers, weights: Numbers | null = null): number {
  const centre = sum(labels, weights) / totalOf(labels.length, weights);
  const variance = mean(labels, labels, weights, (y) => (y - centre) * (y - centre));
  if (variance === 0) return Number.NaN;
  return 1 - mean(labels, predictions, weights, squaredError) / variance;
}

/** Share of rows whose most probable class is the label; the lower class wins a tie. labels: class numbers from 0. */
export function multiclassAccuracy(labels: Numbers, probabilities: Numbers, weights: Numbers | null = null): number {
  const predicted = mostProbable(labels, probabilities);
  return mean(labels, predicted, weights, (y, prediction) => (y === prediction ? 1 : 0));
}

/** Unweighted mean of F1 over the classes that are present or predicted. labels: class numbers from 0. */
export function multiclassMacroF1(labels: Numbers, probabilities: Numbers, weights: Numbers | null = null): number {
  const predicted = mostProbable(labels, probabilities);
  const classes = probabilities.length / labels.length;
  const hits = new Float64Array(classes);
  const errors = new Float64Array(classes);
  for (let i = 0; i < labels.length; i++) {
    const weight = weights === null ? 1 : weights[i];
    if (predicted[i] === labels[i]) hits[labels[i]] += weight;
    else {
      errors[labels[i]] += weight;
      errors[predicted[i]] += weight;
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
export function multiclassLogLoss(labels: Numbers, probabilities: Numbers, weights: Numbers | null = null): number {
  const classes = classCount(labels, probabilities);
  let total = 0;
  for (let i = 0; i < labels.length; i++)
    total -= (weights === null ? 1 : weights[i]) * logOf(probabilities[i * classes + labels[i]]);
  return total / totalOf(labels.length, weights);
}

/** Visits each distinct score in order, with the weights of its positive and negative rows. */
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

/** The most probable class of each row; the lower class wins a tie. probabilities: rows × classes, row-major. */
export function mostProbable(labels: Numbers, probabilities: Numbers): Int32Array {
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

function sum(values: Numbers, weights: Numbers | null): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += weights === null ? values[i] : weights[i] * values[i];
  return total;
}

function totalOf(rows: number, weights: Numbers | null): number {
  if (weights === null) return rows;
  let total = 0;
  for (let i = 0; i < rows; i++) total += weights[i];
  return total;
}

function mean(
  labels: Numbers,
  predictions: Numbers,
  weights: Numbers | null,
  term: (label: number, prediction: number) => number,
): number {
  checkLengths(labels, predictions);
  let total = 0;
  for (let i = 0; i < labels.length; i++) {
    const value = term(labels[i], predictions[i]);
    total += weights === null ? value : weights[i] * value;
  }
  return total / totalOf(labels.length, weights);
}

/** Asserts that labels and predictions have one entry per row. */
export function checkLengths(labels: Numbers, predictions: Numbers): void {
  assert(labels.length === predictions.length, 'labels and predictions must have one entry per row');
}
