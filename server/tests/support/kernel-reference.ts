// What the kernel computes, in plain TypeScript: the tests hold one against the other.

import type { FeatureMatrix } from '../../src/ml/statistics/matrix.ts';
import type { Forest, Tree } from '../../src/ml/trees/forest.ts';
import { coalitionWeights, expectTree, leafShapley, listPieces } from '../../src/ml/trees/shapley.ts';

/** Margins of all rows, rows × outputs, by walking each tree from its root. */
export function scoreReference(forest: Forest, matrix: FeatureMatrix): Float64Array {
  const margins = new Float64Array(matrix.rows * forest.outputs);
  for (let row = 0; row < matrix.rows; row++) {
    for (let o = 0; o < forest.outputs; o++) margins[row * forest.outputs + o] = forest.base[o];
    for (const tree of forest.trees) {
      let node = 0;
      while (tree.feature[node] >= 0) node = isRight(tree, node, matrix, row) ? tree.right[node] : tree.left[node];
      margins[row * forest.outputs + tree.output] += tree.value[node];
    }
  }
  return margins;
}

/** Contributions of all rows, rows × outputs × (features + 1), with the kernel's order of sums. */
export function contributionsReference(forest: Forest, matrix: FeatureMatrix): Float64Array {
  const { features, outputs } = forest;
  const width = features + 1;
  const result = new Float64Array(matrix.rows * outputs * width);
  const expected = forest.base.slice();
  for (const tree of forest.trees) expected[tree.output] += expectTree(tree);
  for (let row = 0; row < matrix.rows; row++) {
    for (let o = 0; o < outputs; o++) result[(row * outputs + o) * width + features] = expected[o];
    for (const tree of forest.trees) {
      const base = (row * outputs + tree.output) * width;
      addTree(tree, matrix, row, result.subarray(base, base + features));
    }
  }
  return result;
}

function addTree(tree: Tree, matrix: FeatureMatrix, row: number, phi: Float64Array): void {
  for (const { leaves, features } of listPieces(tree)) {
    // A piece's leaves are summed before they are added, as in its table.
    const sums = new Float64Array(phi.length);
    for (const path of leaves) {
      const isOff = ({ node, isRight: mustBe }: { node: number; isRight: boolean }): boolean =>
        isRight(tree, node, matrix, row) !== mustBe;
      const off = new Set(path.steps.filter(isOff).map(({ node }) => tree.feature[node]));
      const pattern = path.features.reduce((bits, feature, j) => (off.has(feature) ? bits : bits | (1 << j)), 0);
      leafShapley(path, pattern, coalitionWeights(path.features.length)).forEach((value, j) => {
        sums[path.features[j]] += value;
      });
    }
    for (const feature of features) phi[feature] += sums[feature];
  }
}

function isRight(tree: Tree, node: number, matrix: FeatureMatrix, row: number): boolean {
  const value = matrix.values[tree.feature[node] * matrix.rows + row];
  return Number.isNaN(value) ? tree.missingLeft[node] === 0 : value > tree.threshold[node];
}

/**
 * Gradient, hessian and row sums per column and bin, column-major columns × 256 × 3, for the given rows.
 * bins: column-major, `bins[column * rowCount + row]`; gradients and hessians: whole numbers.
 */
export function histogramReference(
  bins: Uint8Array,
  rowCount: number,
  rows: readonly number[],
  gradients: Float64Array,
  hessians: Float64Array,
): Float64Array {
  const columns = bins.length / rowCount;
  const sums = new Float64Array(columns * 256 * 3);
  for (let column = 0; column < columns; column++) {
    for (const row of rows) {
      const at = (column * 256 + bins[column * rowCount + row]) * 3;
      sums[at] += gradients[row];
      sums[at + 1] += hessians[row];
      sums[at + 2] += 1;
    }
  }
  return sums;
}
