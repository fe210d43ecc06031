import { firstVersion } from '../graph/as-of/rows.ts';
import { firstAfter } from '../graph/as-of/search.ts';
import { changesUndated, isFilledLater } from '../graph/as-of/values.ts';
import type { Table } from '../graph/tables.ts';
import { evaluateMetric, isHigherBetter, type MetricName } from '../statistics/metrics.ts';
import type { Objective } from '../statistics/objective.ts';
import { openMetrics } from '../statistics/open-metrics.ts';
import { bootstrapEstimates, type Estimate, type Resampling, resamplingOf } from '../statistics/standard-errors.ts';
import type { Examples } from '../tasks/examples.ts';
import type { Task } from '../tasks/task.ts';
import type { ModelWarning, WarningReason } from './warning.ts';

/**
 * The task's metric for predictions without a model: `constant`, one value for all rows; `own_mean`, the mean of the
 * row's own earlier labels (the median, where the metric is absolute error); `own_last`, the last of them;
 * `referred_mean`, of new rows: the mean of earlier labels of rows that refer to the same (the borrower's earlier
 * loans), by the reference that answers best (`referred_by`). A row without earlier labels gets the constant. A metric
 * of order alone is that of equal answers for the constant. `gain`: of the model over the best of them.
 */
export type Naive = { readonly constant: number } & { readonly [W in Exclude<NaiveWay, 'constant'>]?: number } & {
  readonly referred_by?: string;
  readonly gain?: NaiveGain;
};

export type NaiveWay = 'constant' | 'own_mean' | 'own_last' | 'referred_mean';

/**
 * By how much a model's metric is better on the same rows than that of a naive prediction, with its 95 % interval by
 * draws of rows: above 0 is better, whichever way the metric points.
 */
export type NaiveGain = Estimate & { readonly over: NaiveWay };

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

/** The answers of one way for all evaluated rows together, and their metric. */
type Answered = { readonly way: NaiveWay; readonly said: Float64Array; readonly value: number; readonly by?: string };

/**
 * Measures the naive predictions on all evaluated rows together. Own labels count only for examples with a finite
 * `closes` and a row in the tables. `referred`: of new rows, what they refer to. `model`: a model's predictions of the
 * evaluated rows, in their order (rows × classes for multiclass), to compare with.
 */
export function evaluateNaive(
  objective: Objective,
  examples: Examples,
  parts: readonly NaivePart[],
  referred: readonly Referred[] = [],
  model: Float64Array | null = null,
): Naive {
  const rows = parts.flatMap(({ evaluated }) => Array.from(evaluated));
  const labels = Float64Array.from(rows, (i) => examples.labels[i]);
  const answer = (way: NaiveWay, said: Float64Array, by?: string): Answered => {
    const { value } = evaluateMetric(objective.metric, labels, said);
    return { way, said, value, ...(by !== undefined && { by }) };
  };
  const answers = parts.map((part) => answerNaive(objective, examples, part));
  const said = (of: (answer: NaiveAnswers) => readonly number[]) => Float64Array.from(answers.flatMap(of));
  const isOrder = orderMetrics.has(objective.metric);
  const ways = [
    // Folds have constants of their own, whose order would say something.
    answer('constant', isOrder ? said(({ constant }) => constant.map(() => 0)) : said(({ constant }) => constant)),
    ...(answers.some(({ own }) => own)
      ? [
          answer(
            'own_mean',
            said(({ constant, own }) => own?.mean ?? constant),
          ),
          answer(
            'own_last',
            said(({ constant, own }) => own?.last ?? constant),
          ),
        ]
      : []),
    ...bestOf(objective.metric, answerAllReferred(objective, examples, parts, referred, answer)),
  ];
  const [best] = bestOf(objective.metric, ways);
  const by = ways.at(-1)?.by;
  return {
    ...(Object.fromEntries(ways.map(({ way, value }) => [way, value])) as { constant: number }),
    ...(by !== undefined && { referred_by: by }),
    ...(model && { gain: gainOver(objective, best, { labels, values: model }, resamplingFor(examples, rows)) }),
  };
}

/** The first of the best answers; none of none. */
function bestOf(metric: MetricName, answered: readonly Answered[]): Answered[] {
  const better = isHigherBetter(metric) ? 1 : -1;
  return answered.toSorted((a, b) => better * (b.value - a.value)).slice(0, 1);
}

function answerAllReferred(
  { kind }: Objective,
  examples: Examples,
  parts: readonly NaivePart[],
  referred: readonly Referred[],
  answer: (way: NaiveWay, said: Float64Array, by: string) => Answered,
): Answered[] {
  if (kind === 'multiclass') return [];
  return referred.flatMap(({ name, rows }) => {
    const answers = parts.flatMap((part) => answerReferred(examples, rows, part));
    if (answers.every(({ count }) => count === 0)) return [];
    return [
      answer(
        'referred_mean',
        Float64Array.from(answers, ({ value }) => value),
        name,
      ),
    ];
  });
}

function resamplingFor({ at, rows: entities }: Examples, rows: readonly number[]): Resampling {
  return resamplingOf(
    Float64Array.from(rows, (i) => at[i]),
    Int32Array.from(rows, (i) => entities[i]),
  );
}

function gainOver(
  { metric, kind }: Objective,
  { way, said }: Answered,
  model: { readonly labels: Float64Array; readonly values: Float64Array },
  resampling: Resampling,
): NaiveGain {
  const better = isHigherBetter(metric) ? 1 : -1;
  const [ofModel, ofNaive] = [model.values, said].map((values) =>
    openMetrics([metric], kind, { labels: model.labels, values }),
  );
  const [estimate] = bootstrapEstimates((weights) => {
    const [[one], [other]] = [ofModel(weights), ofNaive(weights)];
    return [better * (one - other)];
  }, resampling);
  return { over: way, ...estimate };
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

const wordsOf: Readonly<Record<NaiveWay, (naive: Naive) => string>> = {
  constant: () => 'the same for all',
  own_mean: () => 'the mean of own earlier labels',
  own_last: () => 'the last of them',
  referred_mean: ({ referred_by }) => `the mean of earlier labels by ${referred_by}`,
};
const ways = Object.keys(wordsOf) as NaiveWay[];

/** Says what takes no learning reaches, and by how much the model is better than the best of it. */
export function describeNaive(naive: Naive): string {
  const told = ways.flatMap((way) => (naive[way] === undefined ? [] : [`${round(naive[way])} ${wordsOf[way](naive)}`]));
  return `without learning: ${told.join(', ')}${naive.gain ? `; the model's ${describeGain(naive, naive.gain)}` : ''}`;
}

function describeGain(naive: Naive, { over, value, low, high }: NaiveGain): string {
  const words = over === 'own_last' ? 'the last of own earlier labels' : wordsOf[over](naive);
  const what = `the ${round(naive[over]!)} of ${words}`;
  if (Number.isNaN(low)) return `cannot be told from ${what} by these rows`;
  // Of what is surely worse by how much, as of what is better.
  const [from, to] = high < 0 ? [-high, -low] : [low, high];
  const size = `by ${round(Math.abs(value))} (19 of 20 times between ${round(from)} and ${round(to)})`;
  const verdict = low > 0 ? 'is better' : high < 0 ? 'is worse' : `is not surely ${value > 0 ? 'better' : 'worse'}`;
  return `${verdict} than ${what} ${size}`;
}

/** Returns a warning where the model is not surely better than what takes no learning. */
export function warnOfNaive(output: string, metric: MetricName, value: number, naive: Naive): ModelWarning[] {
  const { gain } = naive;
  if (!gain || gain.low > 0) return [];
  // Few rows cannot tell: then the values alone speak.
  if (Number.isNaN(gain.low) && gain.value > 0) return [];
  const message = `${output}: its ${metric} of ${round(value)} ${describeGain(naive, gain)}`;
  const { over } = gain;
  const isTold = !Number.isNaN(gain.low);
  const because: WarningReason = {
    ...{ code: 'no_gain' as const, output, metric, value, over, of: naive[over]!, gain: gain.value },
    ...{ by: over === 'referred_mean' ? (naive.referred_by ?? null) : null },
    ...{ low: isTold ? gain.low : null, high: isTold ? gain.high : null },
  };
  const code = isTold && gain.high < 0 ? 'worse_than_naive' : 'no_better_than_naive';
  return [{ code, output, message, because }];
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
