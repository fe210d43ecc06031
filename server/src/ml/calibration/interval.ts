import { microsecondsPerDay } from '../contract/contract.ts';
import type { AimKind } from '../tasks/aim.ts';
import { roundProbability } from './bounds.ts';
import { type ConformalInterval, fitConformal } from './conformal.ts';
import { fitVennAbers, probabilityInterval, type VennAbers } from './venn-abers.ts';

/** How sure a version is of an output; plain data, kept as JSON without loss. */
export type Interval =
  | { readonly kind: 'conformal'; readonly conformal: ConformalInterval }
  | { readonly kind: 'venn_abers'; readonly pair: VennAbers };

/** Share of later rows that a regression interval is made to hold. */
const coverage = 0.9;
/**
 * How wide errors are changes, so the newest rows say it, as many as tell a coverage of nine in ten to a point, of at least a
 * year so that all its seasons are among them. (Positions in rel-f1: of 3,734 rows of eight years 98 % of the next four years'
 * lay within the bounds, of the newest 1,000 92 %.)
 */
const newestRowsMin = 1_000;
const newestSpanMin = 365.25 * microsecondsPerDay;

/** Rows a model was not trained on, later in time: before and after calibration, what came, and when they were asked. */
export type Unseen = {
  readonly margins: Float64Array;
  readonly predictions: Float64Array;
  readonly labels: Float64Array;
  readonly at: Float64Array;
};

/**
 * The interval of an output from rows its model was not trained on: Venn–Abers of a probability, split-conformal of a number,
 * from the newest of them. Null of classes, and where there are too few rows to promise anything.
 */
export function fitInterval(kind: AimKind, { margins, predictions, labels, at }: Unseen): Interval | null {
  if (kind === 'binary')
    return labels.length === 0 ? null : { kind: 'venn_abers', pair: fitVennAbers(margins, labels) };
  if (kind !== 'regression') return null;
  const newest = newestRows(at);
  const of = (values: Float64Array) => Float64Array.from(newest, (row) => values[row]);
  const conformal = fitConformal(of(labels), of(predictions), coverage);
  return conformal && { kind: 'conformal', conformal };
}

/** The newest rows, as many and as far back as `fitInterval` wants; all rows of the earliest moment among them. */
function newestRows(at: Float64Array): Int32Array {
  const newestFirst = at.toSorted().reverse();
  const most = newestFirst.length - 1;
  if (most < 0) return new Int32Array();
  const since = Math.min(newestFirst[Math.min(newestRowsMin - 1, most)], newestFirst[0] - newestSpanMin);
  return Int32Array.from(at.keys()).filter((row) => at[row] >= since);
}

/** The interval of one row. It holds the prediction. */
export function intervalOf(interval: Interval, margin: number, prediction: number): readonly [number, number] {
  if (interval.kind === 'venn_abers') {
    const [lower, upper] = probabilityInterval(interval.pair, margin, prediction);
    return [Math.min(roundProbability(lower), prediction), Math.max(roundProbability(upper), prediction)];
  }
  const { radius } = interval.conformal;
  return [prediction - radius, prediction + radius];
}
