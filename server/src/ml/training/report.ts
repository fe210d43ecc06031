import {
  type CalibrationReport,
  evaluateCalibration,
  evaluateSureness,
  type Sure,
  type SurenessReport,
} from '../calibration/evaluate.ts';
import { reliability } from '../calibration/reliability.ts';
import type { ModelFeature } from '../explain/model-features.ts';
import type { ToldLeak } from '../leakage/tell.ts';
import { evaluateMetric, type MetricName } from '../statistics/metrics.ts';
import type { Objective } from '../statistics/objective.ts';
import { aurocStandardError } from '../statistics/standard-errors.ts';
import type { Curves } from './curves.ts';
import type { Cutoff } from './cutoffs.ts';
import type { Days } from './days.ts';
import type { LayerReport } from './layers.ts';
import type { Naive } from './naive.ts';
import type { ModelWarning } from './warning.ts';
import type { Widening } from './widen.ts';

/** How good predictions are: the task's metric with its standard error, and other common metrics. */
export type Measures = {
  readonly rows: number;
  /** The days that these rows were asked about. Older versions do not say them. */
  readonly days?: Days;
  /** Of yes or no alone: rows with a label of 1. */
  readonly positives?: number;
  readonly value: number;
  /** Standard error of the metric: by DeLong for AUROC, else by a jackknife over anchors. */
  readonly standard_error: number;
  readonly others: Readonly<Record<string, number>>;
  readonly reliability?: ReturnType<typeof reliability>;
  /** Calibration of probabilities, on rows that their calibrator had not seen. */
  readonly calibration?: CalibrationReport;
  /** The days of the rows that calibration was measured on. */
  readonly checked?: Days;
  /** Coverage of the prediction bounds, on rows that they had not seen. */
  readonly sureness?: SurenessReport;
};

/** What training a version found; stored in the version as report.json. */
export type FitReport = {
  readonly task: string;
  readonly training_rows: number;
  /** What the model reads, most important first. Older versions have their number only. */
  readonly features: readonly ModelFeature[];
  readonly outputs: readonly {
    readonly name: string;
    /** The metric by which recipes were evaluated. */
    readonly metric: MetricName;
    readonly recipe: string;
    readonly trials: readonly unknown[];
    /** What averaging more models gained, where there was time for it. */
    readonly widening?: readonly Widening[];
    /** The rows that the model learned from, whose average is the average case. Older versions do not say them. */
    readonly learned?: { readonly rows: number; readonly days: Days };
    /** On rows later than what the models had learned from. */
    readonly out_of_fold: Measures | null;
    /** What takes no learning, on the same rows, by the metric; null where there are none. */
    readonly naive: Naive | null;
    /** Where requested: what each layer of the model adds, on the same rows. */
    readonly layers?: readonly LayerReport[];
    /**
     * Where a graph model is available: the metric of the best recipe that reads it, and of the best that does not.
     * Each is a mean over folds of rows later than what was learned from.
     */
    readonly graph?: { readonly read: number; readonly unread: number };
    /** For the output that a score is computed from: the effect of accepting rows from each score on. */
    readonly cutoffs?: readonly Cutoff[];
    /** On the rows of `out_of_fold`; null where there are none. Older versions do not have them. */
    readonly curves?: Curves | null;
  }[];
  readonly notes: readonly string[];
  readonly warnings: readonly ModelWarning[];
  /** Features that may tell more about the label than was known. */
  readonly leakage: readonly ToldLeak[];
  readonly unused_columns: readonly unknown[];
};

/** With fewer rows, calibration and bounds are not measured. */
const evaluatedRowsMin = 100;

/** Measures predictions (rows × classes for multiclass). `groups`: rows of one group are not independent. */
export function measure(
  objective: Objective,
  labels: Float64Array,
  predictions: Float64Array,
  groups: readonly number[],
  sure: Sure | null = null,
): Measures {
  const value = evaluateMetric(objective.metric, labels, predictions).value;
  const names: MetricName[] =
    objective.kind === 'regression'
      ? ['mae', 'rmse', 'r2']
      : objective.kind === 'multiclass'
        ? ['multiclass_accuracy', 'multiclass_macro_f1', 'multiclass_log_loss']
        : ['auroc', 'average_precision', 'kolmogorov_smirnov', 'log_loss', 'brier'];
  const others = Object.fromEntries(names.map((name) => [name, evaluateMetric(name, labels, predictions).value]));
  const isEvaluated = labels.length >= evaluatedRowsMin;
  return {
    rows: labels.length,
    ...(objective.kind === 'binary' && { positives: labels.filter((label) => label === 1).length }),
    value,
    standard_error:
      objective.metric === 'auroc'
        ? aurocStandardError(labels, predictions)
        : jackknife(objective.metric, labels, predictions, groups),
    others,
    ...(isEvaluated &&
      objective.kind === 'binary' && {
        reliability: reliability(labels, predictions, { bins: 10, binning: 'equal_count' }),
        calibration: evaluateCalibration(labels, predictions, groups.length > 0 ? groups : null),
      }),
    ...(isEvaluated && sure && { sureness: evaluateSureness(labels, sure) }),
  };
}

/**
 * Formats a value with its standard error. Both may be NaN where the rows cannot tell them: an AUROC needs both
 * classes, a standard error two moments.
 */
export function sayWithError(value: number, error: number, decimals = 4): string {
  if (Number.isNaN(value)) return 'unknown';
  return Number.isNaN(error) ? value.toFixed(decimals) : `${value.toFixed(decimals)} ± ${error.toFixed(decimals)}`;
}

/** Describes calibration and coverage of bounds, one line each. */
export function describeSureness({ calibration, sureness }: Measures): string[] {
  const lines: string[] = [];
  if (calibration) {
    const { of_perfect: perfect, bins, rows } = calibration;
    lines.push(
      `calibration error ${calibration.expected_calibration_error.toFixed(4)} of ${bins} bins (right probabilities show ${perfect.mean.toFixed(4)}, 19 of 20 times less than ${perfect.high.toFixed(4)}), slope ${sayWithError(calibration.slope, calibration.slope_standard_error, 3)}, intercept ${sayWithError(calibration.intercept, calibration.intercept_standard_error, 3)}, Spiegelhalter's z ${calibration.spiegelhalter_z.toFixed(2)}, ${rows} rows`,
    );
  }
  if (sureness?.kind === 'conformal')
    lines.push(
      `${(100 * sureness.observed).toFixed(1)} % ± ${(100 * sureness.standard_error).toFixed(1)} within their bounds of ${(100 * sureness.expected).toFixed(0)} %, ${sureness.rows} rows`,
    );
  if (sureness?.kind === 'rate')
    lines.push(
      `bounds ${sureness.lower.toFixed(4)} to ${sureness.upper.toFixed(4)} on average, observed ${sureness.observed.toFixed(4)}`,
    );
  return lines;
}

const jackknifeGroups = 20;

/** Standard error by leaving out one of twenty parts at a time, each of whole groups (Quenouille 1956). */
function jackknife(
  metric: MetricName,
  labels: Float64Array,
  predictions: Float64Array,
  groups: readonly number[],
): number {
  const distinct = [...new Set(groups)].sort((a, b) => a - b);
  const parts = Math.min(jackknifeGroups, distinct.length);
  if (parts < 2) return Number.NaN;
  const partOf = new Map(distinct.map((group, g) => [group, g % parts]));
  const width = predictions.length / labels.length;
  const values = Array.from({ length: parts }, (_, part) => {
    const rows = Array.from(labels.keys()).filter((row) => partOf.get(groups[row]) !== part);
    return evaluateMetric(
      metric,
      rows.map((row) => labels[row]),
      rows.flatMap((row) => [...predictions.subarray(row * width, (row + 1) * width)]),
    ).value;
  });
  const mean = values.reduce((a, b) => a + b, 0) / parts;
  return Math.sqrt(((parts - 1) / parts) * values.reduce((sum, v) => sum + (v - mean) ** 2, 0));
}
