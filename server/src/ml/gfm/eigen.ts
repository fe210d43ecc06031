import { assert } from '../../lib/failure.ts';

const iterationsMax = 60;

/**
 * Eigenvalues, descending, and eigenvectors of a symmetric matrix, by Householder tridiagonalisation and the implicit
 * QL method (Golub & Van Loan, Matrix Computations, 8.3). matrix: n × n, row-major, overwritten. vectors: row i is the
 * unit vector of values[i], its largest entry positive, so that the same matrix gives the same vectors. About 5 n³
 * multiplications.
 */
export function eigenSymmetric(matrix: Float64Array, n: number): { values: Float64Array; vectors: Float64Array } {
  assert(matrix.length === n * n, 'the matrix is square');
  const { diagonal, beside, vectors } = tridiagonalize(matrix, n);
  diagonalize(diagonal, beside, vectors, n);
  const order = Array.from({ length: n }, (_, i) => i).sort((a, b) => diagonal[b] - diagonal[a] || a - b);
  const sorted = new Float64Array(n * n);
  for (const [to, from] of order.entries()) {
    const row = vectors.subarray(from * n, from * n + n);
    let largest = 0;
    for (let k = 1; k < n; k++) if (Math.abs(row[k]) > Math.abs(row[largest]) + 1e-9) largest = k;
    const sign = row[largest] < 0 ? -1 : 1;
    for (let k = 0; k < n; k++) sorted[to * n + k] = sign * row[k];
  }
  return { values: Float64Array.from(order, (i) => diagonal[i]), vectors: sorted };
}

/**
 * A = Qᵀ T Q with T tridiagonal (`beside[i]` is the entry between i and i + 1); the rows of `vectors` are those of Q.
 */
function tridiagonalize(a: Float64Array, n: number) {
  const diagonal = new Float64Array(n);
  const beside = new Float64Array(n);
  const reflections: { readonly start: number; readonly v: Float64Array; readonly beta: number }[] = [];
  const p = new Float64Array(n);
  for (let k = 0; k < n; k++) {
    diagonal[k] = a[k * n + k];
    if (k === n - 1) break;
    const m = n - k - 1;
    const column = a.slice(k * n + k + 1, k * n + n);
    let norm = 0;
    for (const x of column) norm += x * x;
    norm = Math.sqrt(norm);
    const head = column[0];
    if (norm === 0 || m === 1) {
      beside[k] = head;
      continue;
    }
    const alpha = head > 0 ? -norm : norm;
    beside[k] = alpha;
    column[0] = head - alpha;
    const beta = 1 / (norm * (norm + Math.abs(head)));
    let share = 0;
    for (let i = 0; i < m; i++) {
      const row = a.subarray((k + 1 + i) * n + k + 1, (k + 1 + i) * n + n);
      let sum = 0;
      for (let j = 0; j < m; j++) sum += row[j] * column[j];
      p[i] = beta * sum;
      share += p[i] * column[i];
    }
    const half = (beta * share) / 2;
    for (let i = 0; i < m; i++) p[i] = p[i] - half * column[i];
    for (let i = 0; i < m; i++) {
      const row = a.subarray((k + 1 + i) * n + k + 1, (k + 1 + i) * n + n);
      const [v, w] = [column[i], p[i]];
      for (let j = 0; j < m; j++) row[j] = row[j] - v * p[j] - w * column[j];
    }
    reflections.push({ start: k + 1, v: column, beta });
  }
  const vectors = new Float64Array(n * n);
  for (let i = 0; i < n; i++) vectors[i * n + i] = 1;
  // Q = H_last … H_first, applied from the last on, so that only the filled corner of the matrix is computed.
  const dots = new Float64Array(n);
  for (const { start, v, beta } of reflections.reverse()) {
    for (let i = start; i < n; i++) {
      const row = vectors.subarray(i * n + start, i * n + n);
      let sum = 0;
      for (let j = 0; j < v.length; j++) sum += row[j] * v[j];
      dots[i] = beta * sum;
    }
    for (let i = start; i < n; i++) {
      const row = vectors.subarray(i * n + start, i * n + n);
      const d = dots[i];
      for (let j = 0; j < v.length; j++) row[j] = row[j] - d * v[j];
    }
  }
  return { diagonal, beside, vectors };
}

/** Transforms the tridiagonal matrix into a diagonal one, and the rows of `vectors` with it. */
function diagonalize(d: Float64Array, e: Float64Array, vectors: Float64Array, n: number): void {
  let largest = 0;
  for (let i = 0; i < n; i++) largest = Math.max(largest, Math.abs(d[i]) + Math.abs(e[i]));
  for (let l = 0; l < n; l++) {
    for (let iteration = 0; ; iteration++) {
      let m = l;
      // Compared with the largest entry: with a matrix of low rank, iterations on rounding errors would never end.
      while (m < n - 1 && Math.abs(e[m]) > Number.EPSILON * largest) m++;
      if (m === l) break;
      assert(iteration < iterationsMax, 'the QL method converges');
      let g = (d[l + 1] - d[l]) / (2 * e[l]);
      let r = Math.hypot(g, 1);
      g = d[m] - d[l] + e[l] / (g + (g < 0 ? -r : r));
      let [s, c, p] = [1, 1, 0];
      let i = m - 1;
      for (; i >= l; i--) {
        const f = s * e[i];
        const b = c * e[i];
        r = Math.hypot(f, g);
        e[i + 1] = r;
        if (r === 0) {
          d[i + 1] = d[i + 1] - p;
          e[m] = 0;
          break;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        r = (d[i] - g) * s + 2 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
        rotate(vectors.subarray(i * n, i * n + n), vectors.subarray((i + 1) * n, (i + 1) * n + n), c, s);
      }
      if (r === 0 && i >= l) continue;
      d[l] = d[l] - p;
      e[l] = g;
      e[m] = 0;
    }
  }
}

function rotate(low: Float64Array, high: Float64Array, c: number, s: number): void {
  for (let k = 0; k < low.length; k++) {
    const f = high[k];
    high[k] = s * low[k] + c * f;
    low[k] = c * low[k] - s * f;
  }
}
