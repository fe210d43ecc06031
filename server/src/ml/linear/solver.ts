import { logit, sigmoid } from '../statistics/logistic.ts';

/** A ridge problem on columns stored one after another: value of column j in row i at `columns[j * rows + i]`. */
export type RidgeProblem = {
  readonly loss: 'logistic' | 'squared';
  readonly rows: number;
  readonly columns: Float32Array;
  /** Weighted mean of each column; the solution is in centred columns, so the intercept is the mean margin. */
  readonly means: Float64Array;
  readonly labels: Float64Array;
  /** Per row, ≥ 0, not all 0. */
  readonly weights: Float64Array;
  readonly l2: number;
};

export type RidgeSolution = {
  readonly intercept: number;
  readonly weights: Float64Array;
  readonly iterations: number;
  /** Largest absolute derivative at the end, relative to the sum of residuals of the model without columns. */
  readonly gradient: number;
};

const tolerance = 1e-9;
const iterationsMax = 200;
const memory = 12;
/** Multiply-adds spent on the starting curvature: about half a second. Beyond that, evenly spaced rows are used. */
const curvatureWorkMax = 4e8;

/**
 * Minimises Σ weight · loss + l2/2 · |w|² with a free intercept; loss is ½(m - y)² or the logistic loss. Uses L-BFGS
 * (Nocedal 1980), started with the Cholesky factor of the Hessian at w = 0: this solves the squared loss directly and
 * the logistic one in a handful of steps. The line search finds the zero of the derivative along the step, which is
 * monotone since the objective is convex; it works on margins alone: O(rows). Sums run in row order, so the result is
 * deterministic.
 */
export function solveRidge(problem: RidgeProblem): RidgeSolution {
  const { rows, l2 } = problem;
  const size = problem.means.length;
  const start = startingPoint(problem);
  // All labels are equal: no column can tell rows apart, and for one class no finite intercept is optimal.
  if (start.scale === 0) {
    return { intercept: start.intercept, weights: new Float64Array(size), iterations: 0, gradient: 0 };
  }
  const margins = new Float64Array(rows).fill(start.intercept);
  const slopes = new Float64Array(rows);
  // The last entry of a point is its intercept.
  const point = new Float64Array(size + 1);
  point[size] = start.intercept;
  let gradient = gradientAt(problem, point, margins);
  const precondition = startingCurvature(problem, start.curvature, start.weight);
  const steps: Step[] = [];
  let iterations = 0;
  for (; iterations < iterationsMax && largest(gradient) > tolerance * start.scale; iterations++) {
    const direction = quasiNewtonDirection(gradient, steps, precondition);
    if (!(dot(direction, gradient) < 0)) break;
    directionalMargins(problem, direction, slopes);
    const coefficients = direction.subarray(0, size);
    const penalty = {
      first: l2 * dot(point.subarray(0, size), coefficients),
      second: l2 * dot(coefficients, coefficients),
    };
    const length = searchLine(problem, margins, slopes, penalty);
    if (length === 0) break;
    for (let i = 0; i < rows; i++) margins[i] += length * slopes[i];
    const moved = direction.map((value) => value * length);
    for (let j = 0; j <= size; j++) point[j] += moved[j];
    const next = gradientAt(problem, point, margins);
    const change = next.map((value, j) => value - gradient[j]);
    const curvature = dot(moved, change);
    if (curvature > 0) {
      steps.push({ moved, change, curvature });
      if (steps.length > memory) steps.shift();
    }
    gradient = next;
  }
  return {
    intercept: point[size],
    weights: point.slice(0, size),
    iterations,
    gradient: largest(gradient) / start.scale,
  };
}

type Step = { readonly moved: Float64Array; readonly change: Float64Array; readonly curvature: number };

/** The best model without columns: its intercept, its curvature per unit of weight, and its sum of residuals. */
function startingPoint(problem: RidgeProblem) {
  const { loss, rows, labels, weights } = problem;
  let weight = 0;
  let sum = 0;
  let size = 0;
  for (let i = 0; i < rows; i++) {
    weight += weights[i];
    sum += weights[i] * labels[i];
    size += weights[i] * Math.abs(labels[i]);
  }
  const rate = sum / weight;
  let scale = 0;
  for (let i = 0; i < rows; i++) scale += weights[i] * Math.abs(labels[i] - rate);
  // What remains of a constant after rounding is not a residual.
  if (scale <= 1e-12 * size) scale = 0;
  if (loss === 'squared') return { intercept: rate, curvature: 1, scale, weight };
  const isOneClass = rate <= 0 || rate >= 1;
  const intercept = isOneClass ? logit((sum + 0.5) / (weight + 1)) : logit(rate);
  return { intercept, curvature: rate * (1 - rate), scale: isOneClass ? 0 : scale, weight };
}

/** Derivatives of the objective by each weight and, as last entry, by the intercept. */
function gradientAt(problem: RidgeProblem, point: Float64Array, margins: Float64Array): Float64Array {
  const { loss, rows, columns, means, labels, weights, l2 } = problem;
  const size = means.length;
  const gradient = new Float64Array(size + 1);
  const residuals = new Float64Array(rows);
  let total = 0;
  for (let i = 0; i < rows; i++) {
    const prediction = loss === 'squared' ? margins[i] : sigmoid(margins[i]);
    residuals[i] = weights[i] * (prediction - labels[i]);
    total += residuals[i];
  }
  for (let j = 0; j < size; j++) {
    const start = j * rows;
    let sum = 0;
    for (let i = 0; i < rows; i++) sum += residuals[i] * columns[start + i];
    gradient[j] = sum - means[j] * total + l2 * point[j];
  }
  gradient[size] = total;
  return gradient;
}

/** Writes the change of each row's margin per unit step along `direction`. */
function directionalMargins(problem: RidgeProblem, direction: Float64Array, slopes: Float64Array): void {
  const { rows, columns, means } = problem;
  const size = means.length;
  let constant = direction[size];
  for (let j = 0; j < size; j++) constant -= direction[j] * means[j];
  slopes.fill(constant);
  for (let j = 0; j < size; j++) {
    const factor = direction[j];
    const start = j * rows;
    for (let i = 0; i < rows; i++) slopes[i] += factor * columns[start + i];
  }
}

/**
 * The step length at which the derivative along the step has fallen to a twentieth, by Newton steps kept inside the
 * bracket; 0 when the derivative is below rounding. penalty: first and second derivative of the ridge at length 0.
 */
function searchLine(
  problem: RidgeProblem,
  margins: Float64Array,
  slopes: Float64Array,
  penalty: { first: number; second: number },
): number {
  const { loss, rows, labels, weights } = problem;
  const derivativesAt = (length: number) => {
    let first = penalty.first + length * penalty.second;
    let second = penalty.second;
    for (let i = 0; i < rows; i++) {
      const margin = margins[i] + length * slopes[i];
      const prediction = loss === 'squared' ? margin : sigmoid(margin);
      first += weights[i] * (prediction - labels[i]) * slopes[i];
      second += weights[i] * (loss === 'squared' ? 1 : prediction * (1 - prediction)) * slopes[i] * slopes[i];
    }
    return { first, second };
  };
  const origin = derivativesAt(0).first;
  if (!(origin < 0)) return 0;
  let low = 0;
  let high = Infinity;
  let length = 1;
  for (let attempt = 0; attempt < 40; attempt++) {
    const { first, second } = derivativesAt(length);
    if (Math.abs(first) <= 0.05 * -origin) return length;
    if (first < 0) low = length;
    else high = length;
    const newton = length - first / second;
    const isInside = newton > low && newton < high && newton < 10 * length;
    length = isInside ? newton : high === Infinity ? 4 * length : (low + high) / 2;
  }
  return low;
}

/** The L-BFGS two-loop recursion: minus the approximate inverse Hessian times the gradient. */
function quasiNewtonDirection(
  gradient: Float64Array,
  steps: readonly Step[],
  precondition: (vector: Float64Array) => void,
): Float64Array {
  const direction = gradient.map((value) => -value);
  const shares = new Float64Array(steps.length);
  for (let k = steps.length - 1; k >= 0; k--) {
    const { moved, change, curvature } = steps[k];
    shares[k] = dot(moved, direction) / curvature;
    for (let j = 0; j < direction.length; j++) direction[j] -= shares[k] * change[j];
  }
  precondition(direction);
  for (let k = 0; k < steps.length; k++) {
    const { moved, change, curvature } = steps[k];
    const correction = shares[k] - dot(change, direction) / curvature;
    for (let j = 0; j < direction.length; j++) direction[j] += correction * moved[j];
  }
  return direction;
}

/**
 * Returns a function that solves with the Hessian at w = 0, in place: curvature · Σ weight (x - mean)(x - mean)ᵀ + l2
 * for the weights, and curvature · Σ weight for the intercept, which is independent of them because columns are
 * centred.
 */
function startingCurvature(problem: RidgeProblem, curvature: number, weight: number): (vector: Float64Array) => void {
  const size = problem.means.length;
  const hessian = weightedProducts(problem, weight);
  for (let j = 0; j < size; j++) {
    for (let k = 0; k <= j; k++) hessian[j * size + k] *= curvature;
    hessian[j * size + j] += problem.l2;
  }
  factorCholesky(hessian, size);
  return (vector) => {
    for (let j = 0; j < size; j++) {
      let value = vector[j];
      for (let k = 0; k < j; k++) value -= hessian[j * size + k] * vector[k];
      vector[j] = value / hessian[j * size + j];
    }
    for (let j = size - 1; j >= 0; j--) {
      vector[j] /= hessian[j * size + j];
      for (let k = 0; k < j; k++) vector[k] -= hessian[j * size + k] * vector[j];
    }
    vector[size] /= curvature * weight;
  };
}

/**
 * Lower triangle of Σ weight (x - mean)(x - mean)ᵀ, size × size row-major, over at most as many rows as the budget
 * allows, scaled up to all rows. Rows are processed in blocks that stay in cache, and columns in pairs that share
 * loads.
 */
function weightedProducts(problem: RidgeProblem, weight: number): Float64Array {
  const { rows, columns, means, weights } = problem;
  const size = means.length;
  const used = Math.min(rows, Math.max(2 * size, Math.floor((2 * curvatureWorkMax) / (size * size + 1))));
  const padded = size + (size & 1);
  const blockRows = 256;
  const block = new Float64Array(padded * blockRows);
  const products = new Float64Array(padded * padded);
  let usedWeight = 0;
  for (let from = 0; from < used; from += blockRows) {
    const count = Math.min(blockRows, used - from);
    block.fill(0);
    for (let i = 0; i < count; i++) {
      const row = Math.floor(((from + i) * rows) / used);
      const root = Math.sqrt(weights[row]);
      usedWeight += weights[row];
      for (let j = 0; j < size; j++) block[j * blockRows + i] = root * (columns[j * rows + row] - means[j]);
    }
    for (let j = 0; j < padded; j += 2)
      for (let k = 0; k <= j; k += 2) addPair(products, padded, block, blockRows, j, k);
  }
  const scale = usedWeight > 0 ? weight / usedWeight : 0;
  const lower = new Float64Array(size * size);
  for (let j = 0; j < size; j++) for (let k = 0; k <= j; k++) lower[j * size + k] = scale * products[j * padded + k];
  return lower;
}

/** Adds the four dot products of block columns j, j + 1 with k, k + 1. */
function addPair(products: Float64Array, width: number, block: Float64Array, rows: number, j: number, k: number): void {
  let s00 = 0;
  let s01 = 0;
  let s10 = 0;
  let s11 = 0;
  const j0 = j * rows;
  const k0 = k * rows;
  for (let i = 0; i < rows; i++) {
    const a0 = block[j0 + i];
    const a1 = block[j0 + rows + i];
    const b0 = block[k0 + i];
    const b1 = block[k0 + rows + i];
    s00 += a0 * b0;
    s01 += a0 * b1;
    s10 += a1 * b0;
    s11 += a1 * b1;
  }
  products[j * width + k] += s00;
  products[j * width + k + 1] += s01;
  products[(j + 1) * width + k] += s10;
  products[(j + 1) * width + k + 1] += s11;
}

/**
 * Replaces the lower triangle of a positive definite matrix (row-major) by its Cholesky factor. A pivot lost to
 * rounding (from copies of a column under a tiny penalty) is raised; the factor then only directs the steps less well.
 */
function factorCholesky(a: Float64Array, size: number): void {
  for (let i = 0; i < size; i++) {
    const pivotMin = 1e-12 * a[i * size + i];
    for (let j = 0; j <= i; j++) {
      let value = a[i * size + j];
      for (let k = 0; k < j; k++) value -= a[i * size + k] * a[j * size + k];
      a[i * size + j] = i === j ? Math.sqrt(Math.max(value, pivotMin)) : value / a[j * size + j];
    }
  }
}

function largest(values: Float64Array): number {
  let most = 0;
  for (const value of values) most = Math.max(most, Math.abs(value));
  return most;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
