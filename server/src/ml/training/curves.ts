import {
  type GainsRow,
  gainsOf,
  type HistogramBin,
  histogramOf,
  type Threshold,
  thresholdsOf,
} from '../calibration/curves.ts';
import { reliability } from '../calibration/reliability.ts';
import { mostProbable } from '../kinds/fields.ts';
import { type Objective, widthOf } from '../statistics/objective.ts';

/** How the predictions of an output lie, and what would come of acting on them. */
export type Curves = {
  readonly rows: number;
  /** Rows whose label is 1; null unless labels are yes or no. */
  readonly positives: number | null;
  /** Of probabilities from 0 to 1, of numbers from the lowest to the highest prediction; null for classes. */
  readonly histogram: readonly HistogramBin[] | null;
  /** Of the scores, 0 to 1000, where a score is computed from this output. */
  readonly score_histogram: readonly HistogramBin[] | null;
  /** Of probabilities. */
  readonly thresholds: readonly Threshold[] | null;
  /** Of probabilities, by descending prediction. */
  readonly gains: readonly GainsRow[] | null;
  /** For classes, in their order. */
  readonly classes: readonly ClassCounts[] | null;
};

/** `predicted`: rows of which the class was the most probable; `correct`: those of them that are of it. */
export type ClassCounts = {
  readonly name: string;
  readonly rows: number;
  readonly predicted: number;
  readonly correct: number;
};

const bins = 10;
const scoreMax = 1000;

/**
 * Draws the curves of predictions (rows × classes for multiclass) that the scoring models had not learned from. Null
 * without rows. `scoreOf` maps a probability to a score, 0 to 1000; null where no score is computed from this output.
 */
export function curvesOf(
  objective: Objective,
  labels: Float64Array,
  predictions: Float64Array,
  scoreOf: ((probability: number) => number) | null,
): Curves | null {
  const rows = labels.length;
  if (rows === 0) return null;
  const none = { score_histogram: null, thresholds: null, gains: null, classes: null };
  if (objective.kind === 'multiclass')
    return { rows, positives: null, histogram: null, ...none, classes: classesOf(objective, labels, predictions) };
  if (objective.kind === 'regression') {
    const [low, high] = predictions.reduce(
      ([a, b], value) => [Math.min(a, value), Math.max(b, value)],
      [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
    );
    return { rows, positives: null, histogram: histogramOf(predictions, low, high), ...none };
  }
  const table = reliability(labels, predictions, { bins, binning: 'equal_count' }).bins;
  return {
    rows,
    positives: labels.reduce((sum, label) => sum + label, 0),
    histogram: histogramOf(predictions, 0, 1),
    score_histogram: scoreOf && histogramOf(predictions.map(scoreOf), 0, scoreMax),
    thresholds: thresholdsOf(labels, predictions),
    gains: gainsOf(table, labels),
    classes: null,
  };
}

function classesOf(objective: Objective, labels: Float64Array, predictions: Float64Array): ClassCounts[] {
  const answered = mostProbable(predictions, widthOf(objective));
  return objective.classes.map((name, c) => ({
    name,
    rows: labels.filter((label) => label === c).length,
    predicted: answered.filter((answer) => answer === c).length,
    correct: answered.filter((answer, row) => answer === c && labels[row] === c).length,
  }));
}
