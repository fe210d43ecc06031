// Made data and forests for the tests of this folder.
import fc from 'fast-check';
import type { FeatureMatrix } from '../../../src/ml/statistics/matrix.ts';
import { type Random, seedRandom } from '../../../src/ml/statistics/random.ts';
import { binFeatures } from '../../../src/ml/trees/binning.ts';
import type { Forest, Tree } from '../../../src/ml/trees/forest.ts';
import { defaultForestOptions, type ForestOptions } from '../../../src/ml/trees/options.ts';
import { trainForest } from '../../../src/ml/trees/train.ts';

/** Options under which a tree is what its formula says: no shrinkage, sampling, penalty or minimum. */
export const plainOptions: ForestOptions = {
  ...defaultForestOptions,
  loss: { kind: 'squared' },
  rounds: 1,
  learningRate: 1,
  minLeafRows: 1,
  minChildWeight: 0,
  l2: 0,
  rowSample: 1,
  columnSample: 1,
};

export function matrixOf(columns: readonly (readonly number[])[]): FeatureMatrix {
  return { rows: columns[0].length, features: columns.length, values: Float32Array.from(columns.flat()) };
}

export function allRows(matrix: FeatureMatrix): Int32Array {
  return Int32Array.from({ length: matrix.rows }, (_, i) => i);
}

/** Trains on all rows of a matrix. */
export function fitAll(
  matrix: FeatureMatrix,
  labels: ArrayLike<number>,
  options: ForestOptions,
  weights: Float64Array | null = null,
): Forest {
  return trainForest(binFeatures(matrix, allRows(matrix)), Float64Array.from(labels), weights, options);
}

const extremes = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  -0,
  0,
  1,
  1e-45,
  3.4028234663852886e38,
];

/** Values around 0 on a coarse grid, so that they tie with thresholds, with some missing and extreme ones. */
export function randomMatrix(rows: number, features: number, random: Random): FeatureMatrix {
  const draw = (): number =>
    random() < 0.2 ? extremes[Math.floor(random() * extremes.length)] : Math.round(random() * 40 - 20) / 10;
  return { rows, features, values: Float32Array.from({ length: rows * features }, draw) };
}

/** A tree with random splits, not a trained one: features repeat on paths and covers are arbitrary. */
export function randomTree(features: number, leaves: number, output: number, random: Random): Tree {
  const feature = [-1];
  const left = [0];
  const right = [0];
  for (let count = 1; count < leaves; count++) {
    const open = feature.flatMap((f, node) => (f < 0 ? [node] : []));
    const node = open[Math.floor(random() * open.length)];
    feature[node] = Math.floor(random() * features);
    left[node] = feature.push(-1) - 1;
    right[node] = feature.push(-1) - 1;
    left.push(0, 0);
    right.push(0, 0);
  }
  const cover = feature.map(() => 1 + Math.floor(random() * 20));
  for (let node = feature.length - 1; node >= 0; node--) {
    if (feature[node] >= 0) cover[node] = cover[left[node]] + cover[right[node]];
  }
  const isLeaf = (node: number): boolean => feature[node] < 0;
  const threshold = (_: number, node: number): number => {
    if (isLeaf(node)) return 0;
    return random() < 0.1 ? Number.POSITIVE_INFINITY : Math.round(random() * 40 - 20) / 10;
  };
  return {
    output,
    feature: Int32Array.from(feature),
    threshold: Float32Array.from(feature, threshold),
    missingLeft: Uint8Array.from(feature, (f) => (f >= 0 && random() < 0.5 ? 1 : 0)),
    left: Int32Array.from(left),
    right: Int32Array.from(right),
    value: Float64Array.from(feature, (_, node) => (isLeaf(node) ? random() - 0.5 : 0)),
    cover: Float64Array.from(cover),
    gain: Float64Array.from(feature, (_, node) => (isLeaf(node) ? 0 : random())),
  };
}

/** A tree of one test of the only feature; a row that fails it gets `value`. */
export function stump(threshold: number, missingLeft: boolean, value: number): Tree {
  return {
    output: 0,
    feature: Int32Array.of(0, -1, -1),
    threshold: Float32Array.of(threshold, 0, 0),
    missingLeft: Uint8Array.of(missingLeft ? 1 : 0, 0, 0),
    left: Int32Array.of(1, 0, 0),
    right: Int32Array.of(2, 0, 0),
    value: Float64Array.of(0, 0, value),
    cover: Float64Array.of(2, 1, 1),
    gain: Float64Array.of(1, 0, 0),
  };
}

export type Sample = { readonly forest: Forest; readonly matrix: FeatureMatrix };

/** Forests of up to 6 random trees with a matrix to score. */
export function samples(limits: {
  features: number;
  leaves: number;
  outputs: number;
  rows: number;
}): fc.Arbitrary<Sample> {
  return fc
    .record({
      seed: fc.integer(),
      features: fc.integer({ min: 1, max: limits.features }),
      leaves: fc.array(fc.integer({ min: 1, max: limits.leaves }), { maxLength: 6 }),
      outputs: fc.integer({ min: 1, max: limits.outputs }),
      rows: fc.integer({ min: 1, max: limits.rows }),
    })
    .map(({ seed, features, leaves, outputs, rows }) => {
      const random = seedRandom(seed);
      const trees = leaves.map((count) => randomTree(features, count, Math.floor(random() * outputs), random));
      const base = Float64Array.from({ length: outputs }, () => random());
      return { forest: { features, outputs, base, trees }, matrix: randomMatrix(rows, features, random) };
    });
}
