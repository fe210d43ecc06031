import { assert } from '../../lib/failure.ts';

/**
 * Prediction ± radius holds the truth for a new row with probability `coverage`, if it is exchangeable with these. With
 * a `spread` the radius is in its unit: the error that is usual for the prediction.
 */
export type ConformalInterval = {
  readonly coverage: number;
  readonly radius: number;
  readonly rows: number;
  readonly spread?: Spread;
};

/** The mean absolute error at `predictions`, which ascend: linear between them and constant beyond. */
export type Spread = { readonly predictions: readonly number[]; readonly errors: readonly number[] };

/** Places at which a spread is told: as many, of so many rows each, as show its shape and not its noise. */
const placesMax = 10;
const placeRowsMin = 50;
/**
 * Each place is drawn to the mean of all by so many rows: half way where it has as many. That keeps every error above
 * 0, and bounds from being narrow where predictions were rare until everything changed. (Drawn by 20, shares held are
 * as near to what was promised on average over 24 cuts, and one of them is 82 % in place of 91 %.)
 */
const priorRows = 100;

/** How errors widen with the prediction. Null where rows are too few, predictions all alike, or nothing is wrong. */
export function fitSpread(labels: ArrayLike<number>, predictions: ArrayLike<number>): Spread | null {
  const rows = predictions.length;
  const byPrediction = Int32Array.from({ length: rows }, (_, i) => i).sort(
    (a, b) => predictions[a] - predictions[b] || a - b,
  );
  const errorOf = (row: number) => Math.abs(labels[row] - predictions[row]);
  const usual = meanOf(byPrediction, errorOf);
  const size = Math.max(placeRowsMin, Math.ceil(rows / placesMax));
  const places: { readonly prediction: number; readonly error: number }[] = [];
  for (let from = 0; from < rows; ) {
    let to = rows - from < 2 * size ? rows : from + size;
    // Equal predictions have one spread.
    while (to < rows && predictions[byPrediction[to]] === predictions[byPrediction[to - 1]]) to++;
    const part = byPrediction.subarray(from, to);
    const error = (meanOf(part, errorOf) * part.length + usual * priorRows) / (part.length + priorRows);
    places.push({ prediction: meanOf(part, (row) => predictions[row]), error });
    from = to;
  }
  if (places.length < 2 || usual === 0) return null;
  return { predictions: places.map(({ prediction }) => prediction), errors: places.map(({ error }) => error) };
}

/** The error that is usual for a prediction. */
function spreadAt({ predictions, errors }: Spread, prediction: number): number {
  const after = predictions.findIndex((place) => place >= prediction);
  if (after === 0) return errors[0];
  if (after < 0) return errors[errors.length - 1];
  const share = (prediction - predictions[after - 1]) / (predictions[after] - predictions[after - 1]);
  return errors[after - 1] + share * (errors[after] - errors[after - 1]);
}

/** How far the truth may be from a prediction, in the label's unit. */
export function radiusAt({ radius, spread }: ConformalInterval, prediction: number): number {
  return spread ? radius * spreadAt(spread, prediction) : radius;
}

function meanOf(rows: Int32Array, of: (row: number) => number): number {
  return rows.reduce((sum, row) => sum + of(row), 0) / rows.length;
}

/**
 * A split-conformal interval from rows the model was not trained on: the ⌈(n + 1) · coverage⌉-th smallest absolute
 * residual (Lei et al. 2018), with a `spread` in units of what is usual for its prediction. coverage: in (0, 1).
 * Returns null when there are too few rows to promise the coverage: fewer than coverage / (1 - coverage).
 */
export function fitConformal(
  labels: ArrayLike<number>,
  predictions: ArrayLike<number>,
  coverage: number,
  spread: Spread | null = null,
): ConformalInterval | null {
  assert(labels.length === predictions.length, 'labels and predictions must have one entry per row');
  assert(coverage > 0 && coverage < 1, 'coverage must lie between 0 and 1');
  const rows = labels.length;
  // The product of a decimal coverage may exceed a whole number by rounding alone.
  const rank = Math.ceil((rows + 1) * coverage - 1e-9);
  if (rank > rows) return null;
  const residuals = Float64Array.from({ length: rows }, (_, i) => {
    const residual = Math.abs(labels[i] - predictions[i]);
    return spread ? residual / spreadAt(spread, predictions[i]) : residual;
  }).sort();
  return { coverage, radius: residuals[rank - 1], rows, ...(spread && { spread }) };
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
