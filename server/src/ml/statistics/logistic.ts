import { assert } from '../../lib/failure.ts';

const iterationsMax = 100;
const parametersMax = 4;
/** Keeps the coefficients finite on separable data. It is far too small to affect any real sample. */
const ridge = 1e-9;

/**
 * Logistic regression with an intercept and up to three columns, by damped Newton steps (IRLS). columns: each of length
 * n. targets: in [0, 1], not only 0 and 1. weights: ≥ 0 or null for ones. offset: added to the margin, or null.
 * penalties: one per column; the objective gets penalty / 2 · coefficient². Returns [intercept, one coefficient per
 * column].
 */
export function fitSmallLogistic(
  columns: readonly Float64Array[],
  targets: ArrayLike<number>,
  weights: ArrayLike<number> | null,
  offset: Float64Array | null = null,
  penalties: readonly number[] = [],
): Float64Array {
  const size = columns.length + 1;
  assert(size <= parametersMax, 'the small logistic regression takes at most three columns');
  let beta = new Float64Array(size);
  const ridges = Float64Array.from({ length: size }, (_, j) => ridge + (penalties[j - 1] ?? 0));
  let loss = objective(beta, columns, targets, weights, offset, ridges);
  for (let iteration = 0; iteration < iterationsMax; iteration++) {
    const { gradient, hessian } = derivatives(beta, columns, targets, weights, offset, ridges);
    const step = solveSymmetric(hessian, gradient, size);
    const decrement = dot(step, gradient);
    // The possible gain of the step is below the rounding of the loss. It is taken unchecked: convergence is quadratic
    // here.
    const rounding = 1e-12 * (1 + Math.abs(loss));
    if (decrement <= rounding) return beta.map((value, j) => value - step[j]);
    let candidate = beta;
    let candidateLoss = Infinity;
    for (let length = 1; length > 1e-6 && !(candidateLoss <= loss + rounding); length /= 2) {
      candidate = beta.map((value, j) => value - length * step[j]);
      candidateLoss = objective(candidate, columns, targets, weights, offset, ridges);
    }
    if (!(candidateLoss <= loss + rounding)) break;
    beta = candidate;
    loss = candidateLoss;
  }
  return beta;
}

/** 1 / (1 + e^-x), without overflow. */
export function sigmoid(x: number): number {
  if (x >= 0) return 1 / (1 + Math.exp(-x));
  const e = Math.exp(x);
  return e / (1 + e);
}

/** ln(p / (1 - p)) for p in (0, 1). */
export function logit(p: number): number {
  return Math.log(p) - Math.log1p(-p);
}

/** ln(1 + e^x), without overflow. It equals -ln(1 - p) when x is the margin of p. */
export function softplus(x: number): number {
  return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
}

function marginOf(
  beta: Float64Array,
  columns: readonly Float64Array[],
  offset: Float64Array | null,
  i: number,
): number {
  let margin = beta[0] + (offset === null ? 0 : offset[i]);
  for (let j = 0; j < columns.length; j++) margin += beta[j + 1] * columns[j][i];
  return margin;
}

function objective(
  beta: Float64Array,
  columns: readonly Float64Array[],
  targets: ArrayLike<number>,
  weights: ArrayLike<number> | null,
  offset: Float64Array | null,
  ridges: Float64Array,
): number {
  let loss = beta.reduce((sum, value, j) => sum + 0.5 * ridges[j] * value * value, 0);
  for (let i = 0; i < targets.length; i++) {
    const margin = marginOf(beta, columns, offset, i);
    loss += (weights === null ? 1 : weights[i]) * (softplus(margin) - targets[i] * margin);
  }
  return loss;
}

function derivatives(
  beta: Float64Array,
  columns: readonly Float64Array[],
  targets: ArrayLike<number>,
  weights: ArrayLike<number> | null,
  offset: Float64Array | null,
  ridges: Float64Array,
): { gradient: Float64Array; hessian: Float64Array } {
  const size = beta.length;
  const gradient = beta.map((value, j) => ridges[j] * value);
  const hessian = new Float64Array(size * size);
  const x = new Float64Array(size);
  x[0] = 1;
  for (let j = 0; j < size; j++) hessian[j * size + j] = ridges[j];
  for (let i = 0; i < targets.length; i++) {
    const p = sigmoid(marginOf(beta, columns, offset, i));
    const weight = weights === null ? 1 : weights[i];
    for (let j = 1; j < size; j++) x[j] = columns[j - 1][i];
    for (let j = 0; j < size; j++) {
      gradient[j] += weight * (p - targets[i]) * x[j];
      for (let k = 0; k <= j; k++) hessian[j * size + k] += weight * p * (1 - p) * x[j] * x[k];
    }
  }
  for (let j = 0; j < size; j++) for (let k = 0; k < j; k++) hessian[k * size + j] = hessian[j * size + k];
  return { gradient, hessian };
}

/**
 * Solves A x = b for a small positive definite A (row-major) by elimination with the diagonal as pivots. A column that
 * is linearly dependent on the earlier ones, up to rounding, gets 0.
 */
function solveSymmetric(matrix: Float64Array, right: Float64Array, size: number): Float64Array {
  const a = matrix.slice();
  const x = right.slice();
  const isSpanned = Array.from({ length: size }, () => false);
  for (let k = 0; k < size; k++) {
    isSpanned[k] = !(a[k * size + k] > 1e-12 * matrix[k * size + k]);
    if (isSpanned[k]) continue;
    for (let i = k + 1; i < size; i++) {
      const factor = a[i * size + k] / a[k * size + k];
      for (let j = k; j < size; j++) a[i * size + j] -= factor * a[k * size + j];
      x[i] -= factor * x[k];
    }
  }
  for (let i = size - 1; i >= 0; i--) {
    for (let j = i + 1; j < size; j++) x[i] -= a[i * size + j] * x[j];
    x[i] = isSpanned[i] ? 0 : x[i] / a[i * size + i];
  }
  return x;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
