import { expect, test } from 'vitest';
import { seedRandom } from '../statistics/random.ts';
import { eigenSymmetric } from './eigen.ts';

function symmetric(n: number, seed: number, rank = n): Float64Array {
  const random = seedRandom(seed);
  const rows = Array.from({ length: rank }, () => Float64Array.from({ length: n }, () => random() - 0.3));
  const matrix = new Float64Array(n * n);
  for (const row of rows) for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) matrix[i * n + j] += row[i] * row[j];
  return matrix;
}

test.each([
  [1, 1],
  [2, 2],
  [3, 1],
  [40, 40],
  [40, 7],
])('eigenvectors of %i × %i of rank %i turn the matrix into its eigenvalues', (n, rank) => {
  const matrix = symmetric(n, n + rank, rank);
  const { values, vectors } = eigenSymmetric(matrix.slice(), n);
  for (let i = 0; i < n; i++) {
    if (i > 0) expect(values[i - 1]).toBeGreaterThanOrEqual(values[i]);
    for (let j = 0; j < n; j++) {
      let dot = 0;
      let applied = 0;
      for (let k = 0; k < n; k++) {
        dot += vectors[i * n + k] * vectors[j * n + k];
        let product = 0;
        for (let l = 0; l < n; l++) product += matrix[k * n + l] * vectors[j * n + l];
        applied += vectors[i * n + k] * product;
      }
      expect(dot).toBeCloseTo(i === j ? 1 : 0, 9);
      expect(applied).toBeCloseTo(i === j ? values[i] : 0, 8);
    }
  }
});

test('a matrix of zeros has the unit vectors', () => {
  const { values, vectors } = eigenSymmetric(new Float64Array(9), 3);
  expect(Array.from(values)).toEqual([0, 0, 0]);
  expect(Array.from(vectors)).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
});

test('a matrix of low rank has as many eigenvalues that are not zero', () => {
  const n = 300;
  const random = seedRandom(9);
  const rows = Array.from({ length: 20 }, () => Float64Array.from({ length: n }, () => random() - 0.5));
  const matrix = new Float64Array(n * n);
  for (const row of rows)
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) matrix[i * n + j] = matrix[i * n + j] + row[i] * row[j];
  const { values, vectors } = eigenSymmetric(matrix, n);
  expect(values[19]).toBeGreaterThan(1);
  expect(Math.abs(values[20])).toBeLessThan(1e-9);
  for (const i of [0, 19, 20, 299]) expect(Math.hypot(...vectors.subarray(i * n, i * n + n))).toBeCloseTo(1, 9);
});
