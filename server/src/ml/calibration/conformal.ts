import { assert } from '../../lib/failure.ts';

/** Prediction ± radius holds the truth for a new row with probability `coverage`, if it is exchangeable with these. */
export type ConformalInterval = { readonly coverage: number; readonly radius: number; readonly rows: number };

/**
 * A split-conformal interval from rows the model was not trained on: the ⌈(n + 1) · coverage⌉-th smallest absolute
 * residual (Lei et al. 2018). coverage: in (0, 1). radius is in the label's unit.
 * Returns null when there are too few rows to promise the coverage: fewer than coverage / (1 - coverage).
 */
export function fitConformal(
  labels: ArrayLike<number>,
  predictions: ArrayLike<number>,
  coverage: number,
): ConformalInterval | null {
  assert(labels.length === predictions.length, 'labels and predictions must have one entry per row');
  assert(coverage > 0 && coverage < 1, 'coverage must lie between 0 and 1');
  const rows = labels.length;
  // The product of a decimal coverage may exceed a whole number by rounding alone.
  const rank = Math.ceil((rows + 1) * coverage - 1e-9);
  if (rank > rows) return null;
  const residuals = Float64Array.from({ length: rows }, (_, i) => Math.abs(labels[i] - predictions[i])).sort();
  return { coverage, radius: residuals[rank - 1], rows };
}

export type CoverageCheck = {
  readonly rows: number;
  /** Share of rows inside their interval. */
  readonly observed: number;
  readonly expected: number;
  /** Standard error of `observed` if the promise holds: of these rows, and of the rows that fixed the radius. */
  readonly standardError: number;
  /** False when fewer rows are inside than three standard errors below the promise allow. */
  readonly isKept: boolean;
};

/** Per row the least and the most that is expected. */
export type Bounds = { readonly lower: Float64Array; readonly upper: Float64Array };

/** Checks what a promise made of `rows` rows holds of later rows with labels, whose bounds are given. */
export function checkCoverage(
  { coverage, rows: fitted }: { readonly coverage: number; readonly rows: number },
  labels: ArrayLike<number>,
  { lower, upper }: Bounds,
): CoverageCheck {
  assert(labels.length === lower.length && labels.length > 0, 'labels and bounds must have one entry per row');
  const rows = labels.length;
  let inside = 0;
  for (let i = 0; i < rows; i++) if (labels[i] >= lower[i] && labels[i] <= upper[i]) inside++;
  const observed = inside / rows;
  const standardError = Math.sqrt(coverage * (1 - coverage) * (1 / rows + 1 / (fitted + 2)));
  return { rows, observed, expected: coverage, standardError, isKept: observed >= coverage - 3 * standardError };
}
