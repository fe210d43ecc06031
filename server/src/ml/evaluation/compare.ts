import { riskBand } from '../calibration/score.ts';
import { isHigherBetter, type MetricName, mostProbable } from '../statistics/metrics.ts';
import type { Objective } from '../statistics/objective.ts';
import { openMetrics } from '../statistics/open-metrics.ts';
import { averageRanks, sortedOrder } from '../statistics/ranks.ts';
import { bootstrapEstimates, type Resampling } from '../statistics/standard-errors.ts';
import { type Estimates, type JudgedRows, metricsOfKind } from './measure.ts';

/** Two predictions of the same rows, paired: both are measured on the same draws of rows. */
export type Comparison = {
  /** By how much the first is better: positive is better, whichever way the metric points. */
  readonly gains: Estimates;
  /**
   * Which is better by the task's metric; `cannot_tell` where the 95 % interval of its gain holds 0, or where what
   * looks better has learned from more of these rows.
   */
  readonly better: 'model' | 'compare_with' | 'cannot_tell';
  /** Why these rows cannot tell; null where they can. */
  readonly reason: string | null;
  /** Spearman's, of the predictions of both; null for classes, and where all predictions of one are equal. */
  readonly rank_correlation: number | null;
  /** Mean of the first prediction less the second; null for classes. */
  readonly mean_change: number | null;
  /** Share of rows that are in another tenth by the second than by the first; null for classes. */
  readonly decile_changed: number | null;
  /** Share of rows in another band of the score; null without a score. */
  readonly band_changed: number | null;
  /** Share of rows whose most probable class is another one; null unless for classes. */
  readonly class_changed: number | null;
};

/** How many of the measured rows each version may have learned from; null where it does not say. */
export type Seen = { readonly model: number | null; readonly compare_with: number | null };

/**
 * Compares two predictions of the same rows. `score`: how a score follows from the probability, if it does. `seen`:
 * what the versions have learned from.
 */
export function compareRows(
  objective: Objective,
  first: JudgedRows,
  second: JudgedRows,
  resampling: Resampling,
  score: ((probability: number) => number) | null,
  seen: Seen = { model: null, compare_with: null },
): Comparison {
  const names = metricsOfKind[objective.kind];
  const [ofFirst, ofSecond] = [first, second].map((judged) => openMetrics(names, objective.kind, judged));
  const estimates = bootstrapEstimates((weights) => {
    const others = ofSecond(weights);
    return ofFirst(weights).map((value, at) => (isHigherBetter(names[at]) ? value - others[at] : others[at] - value));
  }, resampling);
  const gains: Estimates = Object.fromEntries(names.map((name, at) => [name, estimates[at]]));
  const isClass = objective.kind === 'multiclass';
  const share = (of: (values: Float64Array) => ArrayLike<unknown>) => {
    const [a, b] = [of(first.values), of(second.values)];
    return shareOf(a.length, (row) => a[row] !== b[row]);
  };
  return {
    gains,
    ...verdictOf(gains[objective.metric], seen, first.labels.length),
    rank_correlation: isClass ? null : rankCorrelation(first.values, second.values),
    mean_change: isClass ? null : meanOf(first.values) - meanOf(second.values),
    decile_changed: isClass ? null : share(decilesOf),
    band_changed: score === null || isClass ? null : share((values) => Array.from(values, (p) => riskBand(score(p)))),
    class_changed: isClass ? share((values) => mostProbable(first.labels, values)) : null,
  };
}

function verdictOf(gain: Estimates[MetricName], seen: Seen, rows: number): Pick<Comparison, 'better' | 'reason'> {
  const better = gain && gain.low > 0 ? 'model' : gain && gain.high < 0 ? 'compare_with' : null;
  if (better === null) return { better: 'cannot_tell', reason: 'the 95 % interval of the gain holds 0' };
  const other = better === 'model' ? 'compare_with' : 'model';
  const [own, others] = [seen[better], seen[other]];
  // Against a version that has learned from fewer of them, it would look better anyway; the other way round it is.
  if (own === null || others === null || own <= others) return { better, reason: null };
  const count = (of: number) => of.toLocaleString('en');
  const reason = `${better} looks better, and may have learned from ${count(own)} of these ${count(rows)} rows, ${other} from ${count(others)}: such rows flatter`;
  return { better: 'cannot_tell', reason };
}

/**
 * Spearman's rank correlation: Pearson's of the midranks (Spearman 1904). Null where all values of one side are equal.
 */
export function rankCorrelation(first: Float64Array, second: Float64Array): number | null {
  const [a, b] = [averageRanks(first), averageRanks(second)];
  const centre = (a.length + 1) / 2;
  let [both, ofA, ofB] = [0, 0, 0];
  for (let row = 0; row < a.length; row++) {
    both += (a[row] - centre) * (b[row] - centre);
    ofA += (a[row] - centre) ** 2;
    ofB += (b[row] - centre) ** 2;
  }
  return ofA === 0 || ofB === 0 ? null : both / Math.sqrt(ofA * ofB);
}

/** The tenth of each row, from 0; rows of equal value are in one tenth, that of their middle rank. */
function decilesOf(values: Float64Array): Int32Array {
  const rows = values.length;
  const order = sortedOrder(values);
  const deciles = new Int32Array(rows);
  for (let from = 0; from < rows; ) {
    let to = from + 1;
    while (to < rows && values[order[to]] === values[order[from]]) to++;
    const decile = Math.floor((5 * (from + to)) / rows);
    for (let at = from; at < to; at++) deciles[order[at]] = Math.min(9, decile);
    from = to;
  }
  return deciles;
}

function shareOf(rows: number, is: (row: number) => boolean): number {
  let count = 0;
  for (let row = 0; row < rows; row++) if (is(row)) count++;
  return count / rows;
}

function meanOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}
