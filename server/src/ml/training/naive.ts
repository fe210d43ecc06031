import { evaluateMetric, type MetricName } from '../statistics/metrics.ts';
import type { Objective } from '../statistics/objective.ts';
import type { Examples } from '../tasks/examples.ts';

/**
 * The task's metric for predictions without a model: `constant`, one value for all rows; `own_mean`, the mean of the
 * row's own earlier labels (the median, where the metric is absolute error); `own_last`, the last of them. A row
 * without earlier labels gets the constant.
 */
export type Naive = { readonly constant: number; readonly own_mean?: number; readonly own_last?: number };

/**
 * Measures the naive predictions on the rows `evaluated`, whose labels are known. They use the labels of `from`; own
 * labels must be known at the row's anchor and at `until` (microseconds; Infinity: up to each anchor). Own labels count
 * only for examples with a finite `closes` and a row in the tables.
 */
export function evaluateNaive(
  objective: Objective,
  examples: Examples,
  from: Int32Array,
  evaluated: Int32Array,
  until: number,
): Naive {
  const { at, rows, labels, closes } = examples;
  const known = from.filter((i) => !Number.isNaN(labels[i]));
  const center = objective.metric === 'mae' ? medianOf : meanOf;
  const wanted = Float64Array.from(evaluated, (i) => labels[i]);
  const evaluate = (answers: Float64Array) => evaluateMetric(objective.metric, wanted, answers).value;
  if (objective.kind === 'multiclass') {
    const shares = objective.classes.map((_, c) => known.filter((i) => labels[i] === c).length / known.length);
    return {
      constant: evaluate(
        Float64Array.from({ length: wanted.length * shares.length }, (_, k) => shares[k % shares.length]),
      ),
    };
  }
  const constant = center(Array.from(known, (i) => labels[i]));
  const constants = { constant: evaluate(wanted.map(() => constant)) };
  const dated = known.filter((i) => rows[i] >= 0 && Number.isFinite(closes[i])).sort((a, b) => at[a] - at[b] || a - b);
  const ownOf = Map.groupBy(dated, (i) => rows[i]);
  const own = Array.from(evaluated, (j) =>
    (ownOf.get(rows[j]) ?? []).filter((i) => closes[i] <= Math.min(at[j], until)).map((i) => labels[i]),
  );
  if (own.every((earlier) => earlier.length === 0)) return constants;
  return {
    ...constants,
    own_mean: evaluate(Float64Array.from(own, (earlier) => (earlier.length > 0 ? center(earlier) : constant))),
    own_last: evaluate(Float64Array.from(own, (earlier) => earlier.at(-1) ?? constant)),
  };
}

/** The naive predictions, in words. */
const ways: readonly (readonly [keyof Naive, string])[] = [
  ['constant', 'the same for all'],
  ['own_mean', 'the mean of own earlier labels'],
  ['own_last', 'the last of them'],
];

export function describeNaive(naive: Naive): string {
  const told = ways.flatMap(([way, words]) => (naive[way] === undefined ? [] : [`${round(naive[way])} ${words}`]));
  return `without learning: ${told.join(', ')}`;
}

/** Returns a warning where the model is no better than a naive prediction. */
export function warnOfNaive(metric: MetricName, value: number, naive: Naive): string[] {
  const { higherIsBetter } = evaluateMetric(metric, [0, 1], [0, 1]);
  const better = ways.flatMap(([way, words]) => {
    const of = naive[way];
    return of !== undefined && (higherIsBetter ? of >= value : of <= value) ? [`${words} (${round(of)})`] : [];
  });
  return better.length === 0
    ? []
    : [`the model's ${metric} of ${round(value)} is no better than what takes no learning: ${better.join(', ')}`];
}

function round(value: number): string {
  return String(Number(value.toPrecision(4)));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
