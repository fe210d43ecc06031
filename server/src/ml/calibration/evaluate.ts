import { type Bounds, type CoverageCheck, checkCoverage } from './conformal.ts';
import { calibrationLine, perfectCalibrationError, reliability, spiegelhalterZ } from './reliability.ts';

/**
 * How well calibrated probabilities were, on rows later than all those used for training and calibration; part of
 * reports.
 */
export type CalibrationReport = {
  readonly rows: number;
  readonly bins: number;
  readonly binning: 'equal_count';
  readonly expected_calibration_error: number;
  /**
   * The error that perfectly calibrated probabilities would show on as many rows, with labels drawn from them: mean and
   * 95 % point.
   */
  readonly of_perfect: { readonly mean: number; readonly high: number };
  readonly slope: number;
  readonly slope_standard_error: number;
  readonly intercept: number;
  readonly intercept_standard_error: number;
  readonly spiegelhalter_z: number;
};

/** How sure a model was of later rows, and whether that held; part of reports. */
export type SurenessReport =
  | ({ readonly kind: 'conformal' } & Omit<CoverageCheck, 'standardError' | 'isKept'> & {
        readonly standard_error: number;
        readonly mean_width: number;
      })
  | {
      readonly kind: 'rate';
      readonly rows: number;
      /** Means of the bounds, and the share of positive labels. */
      readonly lower: number;
      readonly upper: number;
      readonly observed: number;
    };

const bins = 10;
const binning = 'equal_count';
const seed = 1;

/** Evaluates probabilities against labels. labels: 0 or 1, one per probability, at least one. `groups`: see there. */
export function evaluateCalibration(
  labels: ArrayLike<number>,
  probabilities: ArrayLike<number>,
  groups: ArrayLike<number> | null,
): CalibrationReport {
  const line = calibrationLine(labels, probabilities, groups);
  return {
    rows: labels.length,
    bins,
    binning,
    expected_calibration_error: reliability(labels, probabilities, { bins, binning }).expectedCalibrationError,
    of_perfect: perfectCalibrationError(probabilities, { bins, binning, seed }),
    slope: line.slope,
    slope_standard_error: line.slopeError,
    intercept: line.intercept,
    intercept_standard_error: line.interceptError,
    spiegelhalter_z: spiegelhalterZ(labels, probabilities),
  };
}

/**
 * Bounds of rows. `promised`: the share of rows that they are meant to hold, and how many rows they were fitted to;
 * null for probabilities.
 */
export type Sure = Bounds & { readonly promised: { readonly coverage: number; readonly rows: number } | null };

/** Evaluates bounds against labels. labels: one per row, at least one. */
export function evaluateSureness(labels: ArrayLike<number>, { promised, ...bounds }: Sure): SurenessReport {
  const mean = (values: ArrayLike<number>) => {
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += values[i];
    return sum / values.length;
  };
  const [lower, upper] = [mean(bounds.lower), mean(bounds.upper)];
  if (!promised) return { kind: 'rate', rows: labels.length, lower, upper, observed: mean(labels) };
  const { rows, observed, expected, standardError } = checkCoverage(promised, labels, bounds);
  return {
    kind: 'conformal',
    ...{ rows, observed, expected },
    standard_error: standardError,
    mean_width: upper - lower,
  };
}
