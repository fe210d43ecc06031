import { firstVersion } from '../graph/as-of/rows.ts';
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
  return [...table.references].flatMap(([name, { rows: targets }]) => {
    const column = columns.find((one) => one.name === name);
    const isKnownWithRow = column && !isFilledLater(table, name) && !changesUndated(table, column);
    if (!isKnownWithRow || task.hide.includes(`${table.name}.${name}`)) return [];
    return [{ name, rows: rows.map((row) => (row < 0 ? -1 : targets[firstVersion(table, row)])) }];
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
  const dated = known.filter((i) => rows[i] >= 0 && Number.isFinite(closes[i]));
  const earlierOf = Map.groupBy(dated, (i) => rows[i]);
  return Array.from(evaluated, (j) => {
    const earlier = (earlierOf.get(rows[j]) ?? []).filter((i) => closes[i] <= Math.min(at[j], until));
    const sum = earlier.reduce((total, i) => total + labels[i], constantCounts * constant);
    return { count: earlier.length, value: sum / (earlier.length + constantCounts) };
  });
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
  const dated = known.filter((i) => rows[i] >= 0 && Number.isFinite(closes[i])).sort((a, b) => at[a] - at[b] || a - b);
  const ownOf = Map.groupBy(dated, (i) => rows[i]);
  const own = Array.from(evaluated, (j) =>
    (ownOf.get(rows[j]) ?? []).filter((i) => closes[i] <= Math.min(at[j], until)).map((i) => labels[i]),
  );
  if (own.every((earlier) => earlier.length === 0)) return constants;
  return {
    ...constants,
    own: {
      mean: own.map((earlier) => (earlier.length > 0 ? center(earlier) : constant)),
      last: own.map((earlier) => earlier.at(-1) ?? constant),
    },
  };
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
