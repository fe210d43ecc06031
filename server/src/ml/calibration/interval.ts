import { microsecondsPerDay } from '../contract/contract.ts';
import type { ObjectiveKind } from '../statistics/objective.ts';
import { roundProbability } from './bounds.ts';
import { type ConformalInterval, fitConformal, fitSpread, radiusAt } from './conformal.ts';
import { fitRateBounds, type RateBounds, rateBoundsAt } from './rate-bounds.ts';
import { probabilityInterval, type VennAbers } from './venn-abers.ts';

/** The fitted interval of an output; plain data, kept as JSON without loss. */
export type Interval =
  | { readonly kind: 'conformal'; readonly conformal: ConformalInterval }
  | { readonly kind: 'rate'; readonly bounds: RateBounds }
  /** In versions of before. */
  | { readonly kind: 'venn_abers'; readonly pair: VennAbers };

/** Share of later rows that a regression interval is meant to hold. */
const coverage = 0.9;
/**
 * The size of errors changes over time, so the radius is fitted to the newest rows: at least 300, which measure a share
 * of nine in ten to 1.7 points, and at least those of a year, so that all its seasons are included. How errors grow
 * with the prediction changes less, so it is fitted to at least 1,000 rows. (Measured on later rows in 27 cuts of seven
 * synthetic and real tasks: bounds of one width from the newest 1,000 rows held shares 5.9 points from nine in ten on
 * average, these bounds 3.9 points; with the newest 500 rows it is 4.1.)
 */
const newestRowsMin = 300;
const spreadRowsMin = 1_000;
const newestSpanMin = 365.25 * microsecondsPerDay;

/**
 * Rows that a model was not trained on, later in time: margins before and predictions after calibration, and labels.
 * `until`: the last moment of the data that each row was answered from, which is its anchor or an earlier end of the
 * data. Rows answered from the same end are thus equally new. To take only the latest anchors would select the rows
 * with the longest gaps.
 */
export type Unseen = {
  readonly margins: Float64Array;
  readonly predictions: Float64Array;
  readonly labels: Float64Array;
  readonly until: Float64Array;
};

/**
 * Fits the interval of an output to rows its model was not trained on: the rate of like rows for a probability,
 * split-conformal on the newest rows for a number. Null for classes, and when there are too few rows to promise
 * anything.
 */
export function fitInterval(kind: ObjectiveKind, { margins, predictions, labels, until }: Unseen): Interval | null {
  if (kind === 'binary')
    return labels.length === 0 ? null : { kind: 'rate', bounds: fitRateBounds(margins, predictions, labels, until) };
  if (kind !== 'regression') return null;
  const newest = newestRows(until, newestRowsMin);
  const more = newestRows(until, spreadRowsMin);
  const of = (values: Float64Array, rows: Int32Array) => Float64Array.from(rows, (row) => values[row]);
  const spread = fitSpread(of(labels, more), of(predictions, more));
  const conformal = fitConformal(of(labels, newest), of(predictions, newest), coverage, spread);
  return conformal && { kind: 'conformal', conformal };
}

/**
 * The newest rows: at least `rowsMin`, and at least those of the newest year. All rows of the earliest moment are
 * included.
 */
function newestRows(until: Float64Array, rowsMin: number): Int32Array {
  const newestFirst = until.toSorted().reverse();
  const most = newestFirst.length - 1;
  if (most < 0) return new Int32Array();
  const since = Math.min(newestFirst[Math.min(rowsMin - 1, most)], newestFirst[0] - newestSpanMin);
  return Int32Array.from(until.keys()).filter((row) => until[row] >= since);
}

/** The interval of one row. It always contains the prediction. */
export function intervalOf(interval: Interval, margin: number, prediction: number): readonly [number, number] {
  if (interval.kind !== 'conformal') {
    const [lower, upper] =
      interval.kind === 'rate'
        ? rateBoundsAt(interval.bounds, margin, prediction)
        : probabilityInterval(interval.pair, margin, prediction);
    return [Math.min(roundProbability(lower), prediction), Math.max(roundProbability(upper), prediction)];
  }
  const radius = radiusAt(interval.conformal, prediction);
  return [prediction - radius, prediction + radius];
}
