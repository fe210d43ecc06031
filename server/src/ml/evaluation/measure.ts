import { type GainsRow, gainsOf, type ReliabilityRow, reliabilityRows } from '../calibration/curves.ts';
import {
  type CalibrationReport,
  evaluateCalibration,
  evaluateSureness,
  type Sure,
  type SurenessReport,
} from '../calibration/evaluate.ts';
import { reliability } from '../calibration/reliability.ts';
import { classMetrics, numberMetrics, probabilityMetrics } from '../kinds/metrics.ts';
import type { MetricName } from '../statistics/metrics.ts';
import { type Objective, type ObjectiveKind, widthOf } from '../statistics/objective.ts';
import { openMetrics } from '../statistics/open-metrics.ts';
import { bootstrapEstimates, type Estimate, type Resampling } from '../statistics/standard-errors.ts';

/** Predictions of one output with what came. `values`: one per row, or rows × classes; labels are known. */
export type JudgedRows = { readonly labels: Float64Array; readonly values: Float64Array; readonly sure: Sure | null };

/** Metrics by name. */
export type Estimates = { readonly [M in MetricName]?: Estimate };

/** How good the predictions of one output are. */
export type Measured = {
  readonly rows: number;
  /** Rows whose label is 1; null unless labels are yes or no. */
  readonly positives: number | null;
  /** Means of predictions and labels; null for classes. */
  readonly mean_predicted: number | null;
  readonly mean_observed: number | null;
  /** With 95 % intervals. */
  readonly metrics: Estimates;
  /** Of probabilities, by ascending prediction. */
  readonly reliability: readonly ReliabilityRow[] | null;
  /** Of probabilities, by descending prediction. */
  readonly gains: readonly GainsRow[] | null;
  readonly calibration: CalibrationReport | null;
  /** What the bounds around predictions held. */
  readonly sureness: SurenessReport | null;
  /** For classes, in their order. */
  readonly classes: readonly ClassRow[] | null;
};

export type ClassRow = { readonly name: string; readonly rows: number; readonly mean_predicted: number };

/** The metrics that predictions of a kind are measured by. */
export const metricsOfKind: Readonly<Record<ObjectiveKind, readonly MetricName[]>> = {
  binary: probabilityMetrics,
  regression: numberMetrics,
  multiclass: classMetrics,
};

const bins = 10;

/** Measures the predictions of one output. There must be rows. */
export function measureRows(objective: Objective, judged: JudgedRows, resampling: Resampling): Measured {
  const { labels, values, sure } = judged;
  const isBinary = objective.kind === 'binary';
  const isNumber = objective.kind !== 'multiclass';
  const table = isBinary ? reliability(labels, values, { bins, binning: 'equal_count' }).bins : null;
  return {
    rows: labels.length,
    positives: isBinary ? sumOf(labels) : null,
    mean_predicted: isNumber ? sumOf(values) / values.length : null,
    mean_observed: isNumber ? sumOf(labels) / labels.length : null,
    metrics: estimateMetrics(metricsOfKind[objective.kind], objective, judged, resampling),
    reliability: table && reliabilityRows(table),
    gains: table && gainsOf(table, labels),
    calibration: isBinary ? evaluateCalibration(labels, values, resampling.groups) : null,
    sureness: sure && evaluateSureness(labels, sure),
    classes: isNumber ? null : classesOf(objective, judged),
  };
}

/** Metrics of predictions with their 95 % intervals. */
export function estimateMetrics(
  names: readonly MetricName[],
  objective: Objective,
  judged: JudgedRows,
  resampling: Resampling,
): Estimates {
  const estimates = bootstrapEstimates(openMetrics(names, objective.kind, judged), resampling);
  return Object.fromEntries(names.map((name, at) => [name, estimates[at]]));
}

function classesOf(objective: Objective, { labels, values }: JudgedRows): ClassRow[] {
  const width = widthOf(objective);
  return objective.classes.map((name, c) => ({
    name,
    rows: labels.filter((label) => label === c).length,
    mean_predicted: sumOf(values.filter((_, k) => k % width === c)) / labels.length,
  }));
}

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
