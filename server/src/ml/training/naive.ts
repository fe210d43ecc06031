import { firstVersion } from '../graph/as-of/rows.ts';
import { firstAfter } from '../graph/as-of/search.ts';
import { changesUndated, isFilledLater } from '../graph/as-of/values.ts';
import type { Table } from '../graph/tables.ts';
import { evaluateMetric, type MetricName } from '../statistics/metrics.ts';
import type { Objective } from '../statistics/objective.ts';
import type { Examples } from '../tasks/examples.ts';
import type { Task } from '../tasks/task.ts';
import type { ModelWarning } from './warning.ts';

/**
 * The task's metric for predictions without a model: `constant`, one value for all rows; `own_mean`, the mean of the
 * row's own earlier labels (the median, where the metric is absolute error); `own_last`, the last of them;
 * `referred_mean`, of new rows: the mean of earlier labels of rows that refer to the same (the borrower's earlier
 * loans), by the reference that answers best (`referred_by`). A row without earlier labels gets the constant. A metric
 * of order alone is that of equal answers for the constant.
 */
export type Naive = {
  readonly constant: number;
  readonly own_mean?: number;
  readonly own_last?: number;
  readonly referred_mean?: number;
  readonly referred_by?: string;
};

/**
 * Rows `evaluated`, whose labels are known, and the examples `from` whose labels may be used to predict them. Own
 * labels must be known at the row's anchor and at `until` (microseconds; Infinity: up to each anchor).
 */
export type NaivePart = { readonly from: Int32Array; readonly evaluated: Int32Array; readonly until: number };

/** What new rows refer to: per example the row of the other table, -1 where there is none. */
export type Referred = { readonly name: string; readonly rows: Int32Array };

/** The references of the examples' rows of `table`, as far as they are known with the row and not hidden. */
export function referredOf(task: Task, table: Table, rows: Int32Array): Referred[] {
  const { columns } = table.contract;
  return [...table.references].flatMap(([name, reference]) => {
    const column = columns.find((one) => one.name === name);
    const isKnownWithRow = column && !isFilledLater(table, name) && !changesUndated(table, column);
    if (!isKnownWithRow || task.hide.includes(`${table.name}.${name}`)) return [];
    return [{ name, rows: rows.map((row) => (row < 0 ? -1 : reference.rows[firstVersion(table, row)])) }];
  });
}

/** A mean of few labels is drawn to the constant, as if it had come once besides. */
const constantCounts = 1;
const orderMetrics: ReadonlySet<MetricName> = new Set(['auroc', 'average_precision', 'kolmogorov_smirnov']);

/**
 * Measures the naive predictions on all evaluated rows together. Own labels count only for examples with a finite
 * `closes` and a row in the tables. `referred`: of new rows, what they refer to.
 */
export function evaluateNaive(
  objective: Objective,
  examples: Examples,
  parts: readonly NaivePart[],
  referred: readonly Referred[] = [],
): Naive {
  const answers = parts.map((part) => answerNaive(objective, examples, part));
  const wanted = Float64Array.from(parts.flatMap(({ evaluated }) => Array.from(evaluated, (i) => examples.labels[i])));
  const evaluate = (of: (answer: NaiveAnswers) => readonly number[]) =>
    evaluateMetric(objective.metric, wanted, Float64Array.from(answers.flatMap(of))).value;
  const isOrder = orderMetrics.has(objective.metric);
  return {
    // Folds have constants of their own, whose order would say something.
    constant: evaluate(({ constant }) => (isOrder ? constant.map(() => 0) : constant)),
    ...bestReferred(objective, examples, parts, referred, wanted),
    ...(answers.some(({ own }) => own) && {
      own_mean: evaluate(({ constant, own }) => own?.mean ?? constant),
      own_last: evaluate(({ constant, own }) => own?.last ?? constant),
    }),
  };
}

function bestReferred(
  objective: Objective,
  examples: Examples,
  parts: readonly NaivePart[],
  referred: readonly Referred[],
  wanted: Float64Array,
): Pick<Naive, 'referred_mean' | 'referred_by'> {
  if (objective.kind === 'multiclass') return {};
  let best: { readonly value: number; readonly name: string; readonly isHigher: boolean } | undefined;
  for (const { name, rows } of referred) {
    const answers = parts.flatMap((part) => answerReferred(examples, rows, part));
    if (answers.every(({ count }) => count === 0)) continue;
    const said = Float64Array.from(answers, ({ value }) => value);
    const { value, higherIsBetter: isHigher } = evaluateMetric(objective.metric, wanted, said);
    if (!best || (isHigher ? value > best.value : value < best.value)) best = { value, name, isHigher };
  }
  return best ? { referred_mean: best.value, referred_by: best.name } : {};
}

function answerReferred({ at, labels, closes }: Examples, rows: Int32Array, { from, evaluated, until }: NaivePart) {
  const known = Array.from(from).filter((i) => !Number.isNaN(labels[i]));
  const constant = meanOf(known.map((i) => labels[i]));
  const groups = groupKnown({ labels, closes, rows }, known);
  const sumsOf = new Map([...groups].map(([row, group]) => [row, runningSums(group.labels)]));
  return Array.from(evaluated, (j) => {
    const count = countKnown(groups.get(rows[j]), Math.min(at[j], until));
    const sum = constantCounts * constant + (count === 0 ? 0 : sumsOf.get(rows[j])![count - 1]);
    return { count, value: sum / (count + constantCounts) };
  });
}

/** The labels of one group in the order in which they became known, with the examples that they are of. */
type KnownLabels = { readonly places: Int32Array; readonly closes: Float64Array; readonly labels: Float64Array };

/** The labels of examples by their `rows`; without those of no row, and those that do not say when they were known. */
function groupKnown(
  { rows, labels, closes }: Pick<Examples, 'rows' | 'labels' | 'closes'>,
  known: readonly number[],
): Map<number, KnownLabels> {
  const dated = known.filter((i) => rows[i] >= 0 && Number.isFinite(closes[i]));
  const sorted = dated.sort((a, b) => closes[a] - closes[b] || a - b);
  return new Map(
    Array.from(
      Map.groupBy(sorted, (i) => rows[i]),
      ([row, places]): [number, KnownLabels] => [
        row,
        {
          places: Int32Array.from(places),
          closes: Float64Array.from(places, (i) => closes[i]),
          labels: Float64Array.from(places, (i) => labels[i]),
        },
      ],
    ),
  );
}

/** How many labels of a group were known at a moment. */
function countKnown(group: KnownLabels | undefined, moment: number): number {
  return group ? firstAfter(group.closes, 0, group.closes.length, moment) : 0;
}

/** Predictions of the rows of a part, of classes rows × classes. `own`: absent where no row has earlier labels. */
type NaiveAnswers = {
  readonly constant: readonly number[];
  readonly own?: { readonly mean: readonly number[]; readonly last: readonly number[] };
};

function answerNaive(objective: Objective, examples: Examples, { from, evaluated, until }: NaivePart): NaiveAnswers {
  const { at, rows, labels, closes } = examples;
  const known = from.filter((i) => !Number.isNaN(labels[i]));
  if (objective.kind === 'multiclass') {
    const shares = objective.classes.map((_, c) => known.filter((i) => labels[i] === c).length / known.length);
    return { constant: Array.from(evaluated).flatMap(() => shares) };
  }
  const center = objective.metric === 'mae' ? medianOf : meanOf;
  const constant = center(Array.from(known, (i) => labels[i]));
  const constants = { constant: Array.from(evaluated, () => constant) };
  const groups = groupKnown({ rows, labels, closes }, Array.from(known));
  const counts = Array.from(evaluated, (j) => countKnown(groups.get(rows[j]), Math.min(at[j], until)));
  if (counts.every((count) => count === 0)) return constants;
  const running = objective.metric === 'mae' ? runningMedians : runningMeans;
  const answersOf = new Map(
    Array.from(groups, ([row, group]) => [row, { mean: running(group.labels), last: runningLast(group, at) }]),
  );
  const answer = (of: 'mean' | 'last') =>
    Array.from(evaluated, (j, k) => (counts[k] === 0 ? constant : answersOf.get(rows[j])![of][counts[k] - 1]));
  return { ...constants, own: { mean: answer('mean'), last: answer('last') } };
}

/** Of the first 1, 2, … labels to become known, the one of the latest row; of rows of one moment, the last of them. */
function runningLast({ places, labels }: KnownLabels, at: Float64Array): Float64Array {
  let latest = 0;
  return labels.map((_, k) => {
    if (at[places[k]] > at[places[latest]] || (at[places[k]] === at[places[latest]] && places[k] > places[latest]))
      latest = k;
    return labels[latest];
  });
}

/** Sums of the first 1, 2, … values. */
function runningSums(values: Float64Array): Float64Array {
  let sum = 0;
  return values.map((value) => {
    sum += value;
    return sum;
  });
}

function runningMeans(values: Float64Array): Float64Array {
  return runningSums(values).map((sum, k) => sum / (k + 1));
}

/**
 * Medians of the first 1, 2, … values. Starts with all of them in a list by size, and takes the newest out again, one
 * after the other: the middle then moves by at most one place at a time.
 */
function runningMedians(values: Float64Array): Float64Array {
  const medians = new Float64Array(values.length);
  const bySize = Int32Array.from(values.keys()).sort((a, b) => values[a] - values[b] || a - b);
  const rankOf = new Int32Array(values.length);
  for (const [rank, k] of bySize.entries()) rankOf[k] = rank;
  const next = Int32Array.from(values, (_, rank) => rank + 1);
  const before = Int32Array.from(values, (_, rank) => rank - 1);
  // Of an even number, the lower of the two in the middle.
  let middle = (values.length - 1) >> 1;
  for (let count = values.length; count > 0; count--) {
    const lower = values[bySize[middle]];
    medians[count - 1] = count % 2 === 1 ? lower : (lower + values[bySize[next[middle]]]) / 2;
    const gone = rankOf[count - 1];
    if (count % 2 === 1 && gone >= middle) middle = before[middle];
    else if (count % 2 === 0 && gone <= middle) middle = next[middle];
    if (before[gone] >= 0) next[before[gone]] = next[gone];
    if (next[gone] < values.length) before[next[gone]] = before[gone];
  }
  return medians;
}

/** The naive predictions, in words. */
function waysOf(naive: Naive): [value: number, words: string][] {
  const { constant, own_mean, own_last, referred_mean, referred_by } = naive;
  const ways: [number | undefined, string][] = [
    [constant, 'the same for all'],
    [own_mean, 'the mean of own earlier labels'],
    [own_last, 'the last of them'],
    [referred_mean, `the mean of earlier labels by ${referred_by}`],
  ];
  return ways.filter((way): way is [number, string] => way[0] !== undefined);
}

export function describeNaive(naive: Naive): string {
  const told = waysOf(naive).map(([value, words]) => `${round(value)} ${words}`);
  return `without learning: ${told.join(', ')}`;
}

/** Returns a warning where the model is no better than a naive prediction. */
export function warnOfNaive(output: string, metric: MetricName, value: number, naive: Naive): ModelWarning[] {
  const { higherIsBetter } = evaluateMetric(metric, [0, 1], [0, 1]);
  const better = waysOf(naive).flatMap(([of, words]) =>
    (higherIsBetter ? of >= value : of <= value) ? [`${words} (${round(of)})`] : [],
  );
  if (better.length === 0) return [];
  const message = `${output}: the model's ${metric} of ${round(value)} is no better than what takes no learning: ${better.join(', ')}`;
  return [{ code: 'no_better_than_naive', output, message }];
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
