import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitAll, plainOptions, randomMatrix, samples } from '../../../tests/support/samples/trees.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import { seedRandom } from '../statistics/random.ts';
import type { Forest, Tree } from './forest.ts';
import { loadForest } from './scorer.ts';
import { coalitionWeights } from './shapley.ts';

/**
 * The expected value of a tree when only the features in `known` are known: EXPVALUE of Lundberg et al. 2018, algorithm
 * 1.
 */
function expectKnown(tree: Tree, matrix: FeatureMatrix, row: number, known: number, node = 0): number {
  const feature = tree.feature[node];
  if (feature < 0) return tree.value[node];
  const [left, right] = [tree.left[node], tree.right[node]];
  if ((known >> feature) & 1) {
    const value = matrix.values[feature * matrix.rows + row];
    const goesLeft = Number.isNaN(value) ? tree.missingLeft[node] === 1 : value <= tree.threshold[node];
    return expectKnown(tree, matrix, row, known, goesLeft ? left : right);
  }
  const sum =
    tree.cover[left] * expectKnown(tree, matrix, row, known, left) +
    tree.cover[right] * expectKnown(tree, matrix, row, known, right);
  return sum / tree.cover[node];
}

/** Shapley values by their definition, over all subsets of all features. */
function shapleyByDefinition(forest: Forest, matrix: FeatureMatrix, row: number): number[] {
  const n = forest.features;
  const factorial = (k: number): number => (k < 2 ? 1 : k * factorial(k - 1));
  const margin = (known: number): number =>
    forest.trees.reduce((sum, tree) => sum + expectKnown(tree, matrix, row, known), forest.base[0]);
  return Array.from({ length: n }, (_, i) => {
    let sum = 0;
    for (let known = 0; known < 2 ** n; known++) {
      if ((known >> i) & 1) continue;
      const size = known.toString(2).replaceAll('0', '').length;
      const weight = (factorial(size) * factorial(n - 1 - size)) / factorial(n);
      sum += weight * (margin(known | (1 << i)) - margin(known));
    }
    return sum;
  });
}

function expectByDefinition({ forest, matrix }: { forest: Forest; matrix: FeatureMatrix }): void {
  const parts = loadForest(forest).contributions(matrix, 0, matrix.rows);
  for (let row = 0; row < matrix.rows; row++) {
    shapleyByDefinition(forest, matrix, row).forEach((value, feature) => {
      expect(parts[row * (forest.features + 1) + feature]).toBeCloseTo(value, 10);
    });
  }
}

test('contributions are Shapley values by their definition', () => {
  const limits = { features: 7, leaves: 20, outputs: 1, rows: 3 };
  fc.assert(fc.property(samples(limits), expectByDefinition), { numRuns: 40 });
});

test('they are on paths of more features than tables hold', () => {
  const deep = chainTree(11);
  const forest = { features: 11, outputs: 1, base: Float64Array.of(0.3), trees: [deep] };
  expectByDefinition({ forest, matrix: randomMatrix(4, 11, seedRandom(9)) });
});

test('contributions and the expected margin add up to the margin', () => {
  fc.assert(
    fc.property(samples({ features: 20, leaves: 32, outputs: 3, rows: 10 }), ({ forest, matrix }) => {
      const scorer = loadForest(forest);
      const margins = scorer.score(matrix, 0, matrix.rows);
      const parts = scorer.contributions(matrix, 0, matrix.rows);
      const width = forest.features + 1;
      margins.forEach((margin, i) => {
        const sum = parts.subarray(i * width, (i + 1) * width).reduce((total, part) => total + part, 0);
        expect(Math.abs(sum - margin)).toBeLessThan(1e-9);
      });
    }),
    { numRuns: 100 },
  );
});

test('the expected margin of a forest is the mean margin of its training rows', () => {
  const matrix = randomMatrix(200, 3, seedRandom(4));
  const labels = Array.from({ length: 200 }, (_, r) => (matrix.values[r] > 0 ? 3 : 1));
  const scorer = loadForest(fitAll(matrix, labels, { ...plainOptions, rounds: 3, learningRate: 0.5 }));
  const margins = scorer.score(matrix, 0, 200);
  const mean = margins.reduce((sum, margin) => sum + margin, 0) / 200;
  expect(scorer.contributions(matrix, 0, 1)[3]).toBeCloseTo(mean, 12);
});

test('coalition weights of all subsets add up to 1', () => {
  for (const d of [1, 2, 7, 31]) {
    let subsets = 1;
    let sum = 0;
    coalitionWeights(d).forEach((weight, k) => {
      sum += subsets * weight;
      subsets *= (d - 1 - k) / (k + 1);
    });
    expect(sum).toBeCloseTo(1, 12);
  }
});

/** A tree with one leaf at every level and another feature at each level; the last path has all features. */
function chainTree(features: number): Tree {
  const nodes = 2 * features + 1;
  const isSplit = (node: number): boolean => node % 2 === 0 && node < nodes - 1;
  const from = <T>(value: (node: number) => T): T[] => Array.from({ length: nodes }, (_, node) => value(node));
  return {
    output: 0,
    feature: Int32Array.from(from((node) => (isSplit(node) ? node / 2 : -1))),
    threshold: Float32Array.from(from((node) => (isSplit(node) ? 1 : 0))),
    missingLeft: Uint8Array.from(from((node) => (node % 4 === 0 ? 1 : 0))),
    left: Int32Array.from(from((node) => (isSplit(node) ? node + 1 : 0))),
    right: Int32Array.from(from((node) => (isSplit(node) ? node + 2 : 0))),
    value: Float64Array.from(from((node) => (isSplit(node) ? 0 : 1 + node))),
    // Number of rows: two at every leaf, one at the last.
    cover: Float64Array.from(from((node) => (isSplit(node) || node === nodes - 1 ? nodes - node : 2))),
    gain: Float64Array.from(from(() => 0)),
  };
}
