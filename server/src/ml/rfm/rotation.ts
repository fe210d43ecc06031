import { assert } from '../../lib/failure.ts';

/** Pairs of moments whose embeddings determine the axes. */
export const rotatedPairs = 4_000;

const sweepsMax = 60;
const isZero = 1e-11;

/**
 * The principal axes of rows (n × columns) about the origin, widest first: eigenvectors of their second moments, by
 * Jacobi rotations (Golub & Van Loan, Matrix Computations, 8.5). Column k of the result (columns × columns, row-major)
 * is axis k, with the sign that makes its largest number positive.
 */
export function principalAxes(rows: Float32Array, columns: number): Float64Array {
  const a = secondMoments(rows, columns);
  const axes = new Float64Array(columns * columns);
  for (let k = 0; k < columns; k++) axes[k * columns + k] = 1;
  let trace = 0;
  for (let k = 0; k < columns; k++) trace += a[k * columns + k];
  for (let sweep = 0; ; sweep++) {
    let outside = 0;
    for (let p = 0; p < columns; p++) for (let q = p + 1; q < columns; q++) outside += a[p * columns + q] ** 2;
    if (Math.sqrt(outside) <= isZero * trace) break;
    assert(sweep < sweepsMax, 'rotations come to an end');
    for (let p = 0; p < columns; p++) for (let q = p + 1; q < columns; q++) turn(a, axes, columns, p, q);
  }
  const order = Array.from({ length: columns }, (_, k) => k).sort(
    (i, j) => a[j * columns + j] - a[i * columns + i] || i - j,
  );
  const sorted = new Float64Array(columns * columns);
  for (const [k, from] of order.entries()) {
    let largest = 0;
    for (let r = 0; r < columns; r++) {
      const value = axes[r * columns + from];
      if (Math.abs(value) > Math.abs(largest)) largest = value;
    }
    const sign = largest < 0 ? -1 : 1;
    for (let r = 0; r < columns; r++) sorted[r * columns + k] = sign * axes[r * columns + from];
  }
  return sorted;
}

function secondMoments(rows: Float32Array, columns: number): Float64Array {
  const moments = new Float64Array(columns * columns);
  for (let from = 0; from < rows.length; from += columns) {
    for (let p = 0; p < columns; p++) {
      const x = rows[from + p];
      for (let q = p; q < columns; q++) moments[p * columns + q] += x * rows[from + q];
    }
  }
  for (let p = 0; p < columns; p++) for (let q = 0; q < p; q++) moments[p * columns + q] = moments[q * columns + p];
  return moments;
}

/** Rotates axes p and q so that their off-diagonal entry becomes 0. */
function turn(a: Float64Array, axes: Float64Array, n: number, p: number, q: number): void {
  const shared = a[p * n + q];
  if (shared === 0) return;
  const theta = (a[q * n + q] - a[p * n + p]) / (2 * shared);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < n; k++) {
    const [x, y] = [a[k * n + p], a[k * n + q]];
    a[k * n + p] = c * x - s * y;
    a[k * n + q] = s * x + c * y;
  }
  for (let k = 0; k < n; k++) {
    const [x, y] = [a[p * n + k], a[q * n + k]];
    a[p * n + k] = c * x - s * y;
    a[q * n + k] = s * x + c * y;
    const [u, v] = [axes[k * n + p], axes[k * n + q]];
    axes[k * n + p] = c * u - s * v;
    axes[k * n + q] = s * u + c * v;
  }
}
