import type { AimKind } from '../tasks/aim.ts';
import { roundProbability } from './bounds.ts';
import { type ConformalInterval, fitConformal } from './conformal.ts';
import { fitVennAbers, probabilityInterval, type VennAbers } from './vennAbers.ts';

/** How sure a version is of an output; plain data, kept as JSON without loss. */
export type Interval =
  | { readonly kind: 'conformal'; readonly conformal: ConformalInterval }
  | { readonly kind: 'venn_abers'; readonly pair: VennAbers };

/** Share of later rows that a regression interval is made to hold. */
const coverage = 0.9;

/**
 * The interval of an output from rows its model was not trained on, later in time: Venn–Abers of a probability,
 * split-conformal of a number. Null of classes, and where there are too few rows to promise anything.
 * margins, predictions: per row, before and after calibration. labels: one per row.
 */
export function fitInterval(
  kind: AimKind,
  margins: Float64Array,
  labels: Float64Array,
  predictions: Float64Array,
): Interval | null {
  if (kind === 'binary')
    return labels.length === 0 ? null : { kind: 'venn_abers', pair: fitVennAbers(margins, labels) };
  const conformal = kind === 'regression' ? fitConformal(labels, predictions, coverage) : null;
  return conformal && { kind: 'conformal', conformal };
}

/** The interval of one row. It holds the prediction. */
export function intervalOf(interval: Interval, margin: number, prediction: number): readonly [number, number] {
  if (interval.kind === 'venn_abers') {
    const [lower, upper] = probabilityInterval(interval.pair, margin, prediction);
    return [roundProbability(lower), roundProbability(upper)];
  }
  const { radius } = interval.conformal;
  return [prediction - radius, prediction + radius];
}
