import { microsecondsPerDay } from '../contract/contract.ts';
import type { ObjectiveKind } from '../statistics/objective.ts';
import { roundProbability } from './bounds.ts';
import { type ConformalInterval, fitConformal, fitSpread, radiusAt } from './conformal.ts';
import { fitVennAbers, probabilityInterval, type VennAbers } from './venn-abers.ts';

/** How sure a version is of an output; plain data, kept as JSON without loss. */
export type Interval =
  | { readonly kind: 'conformal'; readonly conformal: ConformalInterval }
  | { readonly kind: 'venn_abers'; readonly pair: VennAbers };

/** Share of later rows that a regression interval is made to hold. */
const coverage = 0.9;
/**
 * How wide errors are changes with time, so a bound is one that held nine in ten of the newest rows: as many as tell
 * that share to 1.7 points, of at least a year so that all its seasons are among them. How errors widen with the
 * prediction changes less, and is told by more. (27 cuts of seven made-up and real tasks, later rows: bounds of one
 * width, from the newest 1,000 rows, held shares 5.9 points from nine in ten on average, these 3.9; from the newest 500
 * it is 4.1.)
 */
const newestRowsMin = 300;
const spreadRowsMin = 1_000;
const newestSpanMin = 365.25 * microsecondsPerDay;

/**
 * Rows a model was not trained on, later in time: before and after calibration, and what came. `until`: up to when each
 * was answered from, which is its moment, or where data stop. So rows of one stop are as new as one another; the latest
 * alone would be of the longest gaps.
 */
export type Unseen = {
  readonly margins: Float64Array;
  readonly predictions: Float64Array;
  readonly labels: Float64Array;
  readonly until: Float64Array;
};

/**
 * The interval of an output from rows its model was not trained on: Venn–Abers of a probability, split-conformal of a
 * number, from the newest of them. Null of classes, and where there are too few rows to promise anything.
 */
export function fitInterval(kind: ObjectiveKind, { margins, predictions, labels, until }: Unseen): Interval | null {
  if (kind === 'binary')
    return labels.length === 0 ? null : { kind: 'venn_abers', pair: fitVennAbers(margins, labels) };
  if (kind !== 'regression') return null;
  const newest = newestRows(until, newestRowsMin);
  const more = newestRows(until, spreadRowsMin);
  const of = (values: Float64Array, rows: Int32Array) => Float64Array.from(rows, (row) => values[row]);
  const spread = fitSpread(of(labels, more), of(predictions, more));
  const conformal = fitConformal(of(labels, newest), of(predictions, newest), coverage, spread);
  return conformal && { kind: 'conformal', conformal };
}

/**
 * The newest rows, at least so many and as far back as `fitInterval` wants; all rows of the earliest moment among them.
 */
function newestRows(until: Float64Array, rowsMin: number): Int32Array {
  const newestFirst = until.toSorted().reverse();
  const most = newestFirst.length - 1;
  if (most < 0) return new Int32Array();
  const since = Math.min(newestFirst[Math.min(rowsMin - 1, most)], newestFirst[0] - newestSpanMin);
  return Int32Array.from(until.keys()).filter((row) => until[row] >= since);
}

/** The interval of one row. It holds the prediction. */
export function intervalOf(interval: Interval, margin: number, prediction: number): readonly [number, number] {
  if (interval.kind === 'venn_abers') {
    const [lower, upper] = probabilityInterval(interval.pair, margin, prediction);
    return [Math.min(roundProbability(lower), prediction), Math.max(roundProbability(upper), prediction)];
  }
  const radius = radiusAt(interval.conformal, prediction);
  return [prediction - radius, prediction + radius];
}
