// What the kernel computes, in plain TypeScript: the tests hold one against the other.
import type { Forest, Tree } from '../forest.ts';
import { tabledTestsMax } from '../layout.ts';
import { numberLeaves } from '../leaves.ts';
import type { FeatureMatrix } from '../matrix.ts';
import { coalitionWeights, expectTree, leafShapley, listLeafPaths, listTests, satisfiedPattern } from '../shapley.ts';

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
  const { tests, features } = listTests(tree);
  const { below } = numberLeaves(tree);
  const satisfied = new Uint32Array(features.length).fill(0xffffffff);
  for (const node of tests) {
    const cleared = below[isRight(tree, node, matrix, row) ? tree.left[node] : tree.right[node]];
    satisfied[features.indexOf(tree.feature[node])] &= ~cleared;
  }
  // A small tree's leaves are summed before they are added, as in its table.
  const isTabled = tests.length <= tabledTestsMax;
  const sums = isTabled ? new Float64Array(phi.length) : phi;
  for (const path of listLeafPaths(tree)) {
    const slots = path.features.map((feature) => features.indexOf(feature));
    const pattern = satisfiedPattern(path, slots, satisfied);
    const values = leafShapley(path, pattern, coalitionWeights(path.features.length));
    path.features.forEach((feature, j) => {
      sums[feature] += values[j];
    });
  }
  if (isTabled) for (const feature of features) phi[feature] += sums[feature];
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
