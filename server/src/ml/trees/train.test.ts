import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scoreReference } from '../../../tests/support/kernel-reference.ts';
import { allRows, fitAll, matrixOf, plainOptions, randomMatrix } from '../../../tests/support/samples/trees.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import { seedRandom } from '../statistics/random.ts';
import { binFeatures } from './binning.ts';
import { encodeForest } from './codec.ts';
import { type Forest, forestGains } from './forest.ts';
import type { Loss } from './losses.ts';
import { defaultForestOptions, type ForestOptions } from './options.ts';
import { trainForest } from './train.ts';

const stump = { ...plainOptions, depthMax: 1 };

function leafValues(forest: Forest): number[] {
  return forest.trees.flatMap((tree) => Array.from(tree.value).filter((_, node) => tree.feature[node] < 0));
}

test('one squared-loss split with l2 is the one computed by hand', () => {
  // Base 4; residuals −3 −3 −1 7. The split separates the 7: G = −7, H = 1 + l2 on the right; G = 7, H = 3 + l2 on the
  // left.
  const forest = fitAll(matrixOf([[1, 2, 3, 4]]), [1, 1, 3, 11], { ...stump, l2: 1, learningRate: 0.5 });
  expect(forest.base).toEqual(Float64Array.of(4));
  const [tree] = forest.trees;
  expect(tree.threshold[0]).toBe(3.5);
  expect(leafValues(forest)).toEqual([(0.5 * -7) / 4, (0.5 * 7) / 2]);
  expect(tree.cover).toEqual(Float64Array.of(4, 3, 1));
  expect(forestGains(forest)[0]).toBeCloseTo(0.5 * (49 / 4 + 49 / 2), 9);
});

test('one logistic split is a Newton step', () => {
  // Base log-odds 0, so every p = ½, g = ±½ and h = ¼.
  const forest = fitAll(matrixOf([[1, 2, 3, 4]]), [0, 0, 1, 1], { ...stump, loss: { kind: 'logistic' }, l2: 2 });
  expect(forest.base).toEqual(Float64Array.of(0));
  expect(leafValues(forest)).toEqual([-1 / 2.5, 1 / 2.5]);
});

test('absolute leaves are medians of the residuals, quantile leaves quantiles, both shrunk', () => {
  const column = [0, 0, 0, 1, 1, 1, 1];
  const labels = [1, 2, 9, 10, 20, 30, 90];
  const matrix = matrixOf([column]);
  const absolute = fitAll(matrix, labels, { ...stump, loss: { kind: 'absolute' }, learningRate: 0.1 });
  expect(absolute.base).toEqual(Float64Array.of(10));
  expect(leafValues(absolute)).toEqual([0.1 * (2 - 10), 0.1 * (25 - 10)]);
  const quantile = fitAll(matrix, labels, { ...stump, loss: { kind: 'quantile', alpha: 0.9 }, learningRate: 0.1 });
  expect(quantile.base).toEqual(Float64Array.of(90));
  expect(leafValues(quantile)).toEqual([0.1 * (9 - 90), 0]);
});

test('weights move the median', () => {
  const weights = Float64Array.of(1, 1, 5, 1, 1, 1);
  const forest = fitAll(
    matrixOf([[0, 0, 0, 1, 1, 1]]),
    [1, 2, 9, 20, 30, 40],
    { ...stump, loss: { kind: 'absolute' } },
    weights,
  );
  expect(forest.base).toEqual(Float64Array.of(9));
  expect(leafValues(forest)).toEqual([0, 30 - 9]);
});

test('poisson leaves reach the mean count of their rows in one full step', () => {
  const forest = fitAll(matrixOf([[0, 0, 1, 1]]), [1, 3, 10, 30], { ...stump, loss: { kind: 'poisson' } });
  const margins = scoreReference(forest, matrixOf([[0, 1]]));
  expect(Math.exp(margins[0])).toBeCloseTo(2, 10);
  expect(Math.exp(margins[1])).toBeCloseTo(20, 10);
});

test('softmax learns three classes', () => {
  const random = seedRandom(8);
  const labels = Array.from({ length: 300 }, (_, i) => i % 3);
  const matrix = matrixOf([labels.map((label) => label + 0.9 * random()), labels.map(() => random())]);
  const loss = { kind: 'softmax', classes: 3 } as const;
  const forest = fitAll(matrix, labels, { ...plainOptions, loss, rounds: 20, learningRate: 0.3, l2: 1, depthMax: 2 });
  const margins = scoreReference(forest, matrix);
  labels.forEach((label, row) => {
    const own = margins.subarray(row * 3, row * 3 + 3);
    expect(own.indexOf(Math.max(...own))).toBe(label);
  });
});

test('depth two learns exclusive or', () => {
  const random = seedRandom(2);
  const columns = [0, 1].map(() => Array.from({ length: 400 }, () => random()));
  const labels = columns[0].map((a, r) => Number(a > 0.5 !== columns[1][r] > 0.5));
  const matrix = matrixOf(columns);
  const options = {
    ...plainOptions,
    loss: { kind: 'logistic' },
    depthMax: 2,
    rounds: 40,
    learningRate: 0.3,
    l2: 1,
  } as const;
  const margins = scoreReference(fitAll(matrix, labels, options), matrix);
  const right = labels.filter((label, row) => margins[row] > 0 === (label === 1)).length;
  expect(right).toBeGreaterThan(390);
});

test('missing values go where they fit, on either side and on their own', () => {
  const high = matrixOf([[1, 2, Number.NaN, 3, 4, Number.NaN]]);
  const [withHigh] = fitAll(high, [0, 0, 9, 9, 9, 9], stump).trees;
  expect([withHigh.missingLeft[0], withHigh.threshold[0]]).toEqual([0, 2.5]);
  const [withLow] = fitAll(high, [0, 0, 0, 9, 9, 0], stump).trees;
  expect([withLow.missingLeft[0], withLow.threshold[0]]).toEqual([1, 2.5]);
  const [alone] = fitAll(high, [0, 0, 9, 0, 0, 9], stump).trees;
  expect([alone.missingLeft[0], alone.threshold[0]]).toEqual([0, Number.POSITIVE_INFINITY]);
  const [unseen] = fitAll(matrixOf([[1, 2, 3]]), [0, 0, 9], stump).trees;
  expect(unseen.missingLeft[0]).toBe(1);
});

test('infinities and zeros of either sign fall on the side their value says', () => {
  const { POSITIVE_INFINITY: high, NEGATIVE_INFINITY: low } = Number;
  const matrix = matrixOf([[low, low, -0, 0, high, high]]);
  const labels = [1, 1, 5, 5, 9, 9];
  const margins = scoreReference(fitAll(matrix, labels, { ...plainOptions, depthMax: 3 }), matrix);
  labels.forEach((label, row) => {
    expect(margins[row]).toBeCloseTo(label, 12);
  });
});

test('the margins training works with are those scoring gives', () => {
  // Squared loss, full steps, leaves with one value each: training ends exactly where its margins equal the labels.
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const matrix = randomMatrix(300, 2, seedRandom(seed));
      const cell = (row: number, f: number): number => {
        const value = matrix.values[f * 300 + row];
        return Number.isNaN(value) ? 7 : Math.sign(value);
      };
      const labels = Array.from({ length: 300 }, (_, row) => cell(row, 0) * cell(row, 1));
      const options = { ...plainOptions, rounds: 30, depthMax: 6, leavesMax: 32 };
      const margins = scoreReference(fitAll(matrix, labels, options), matrix);
      labels.forEach((label, row) => {
        expect(margins[row]).toBeCloseTo(label, 6);
      });
    }),
    { numRuns: 10 },
  );
});

test('above 255 values, bins hold about as many rows each and frequent values one of their own', () => {
  const random = seedRandom(3);
  const values = Array.from({ length: 20_000 }, (_, i) => (i % 2 === 0 ? 0 : random() - 0.3));
  const { cuts, bins } = binFeatures(matrixOf([values]), Int32Array.from(values.keys()));
  const counts = new Float64Array(256);
  for (const bin of bins) counts[bin]++;
  expect(cuts[0].length).toBeGreaterThan(240);
  expect(cuts[0].length).toBeLessThan(255);
  const [most, second] = Array.from(counts).sort((a, b) => b - a);
  expect(most).toBe(10_000);
  expect(second).toBeLessThan(100);
  values.forEach((value, i) => {
    const below = cuts[0].findIndex((cut) => Math.fround(value) <= cut);
    expect(bins[i]).toBe(1 + (below < 0 ? cuts[0].length : below));
  });
});

test('bins of more than 200,000 rows come from a stride of them', () => {
  const values = Float32Array.from({ length: 450_000 }, (_, i) => i);
  const matrix = { rows: values.length, features: 1, values };
  const { bins, cuts } = binFeatures(matrix, allRows(matrix));
  expect(cuts[0].length).toBe(254);
  expect([bins[0], bins[449_999]]).toEqual([1, 255]);
});

const losses: Loss[] = [
  { kind: 'logistic' },
  { kind: 'squared' },
  { kind: 'absolute' },
  { kind: 'quantile', alpha: 0.2 },
  { kind: 'poisson' },
  { kind: 'softmax', classes: 2 },
];

function noisyData(rows: number, seed: number): { matrix: FeatureMatrix; labels: Float64Array } {
  const random = seedRandom(seed);
  const matrix = {
    rows,
    features: 6,
    values: Float32Array.from({ length: rows * 6 }, () => 5 * Math.floor(random() * 10)),
  };
  return {
    matrix,
    labels: Float64Array.from({ length: rows }, (_, r) => Number(matrix.values[r] + 30 * random() > 40)),
  };
}

test.each(losses)('weight 2 is the row twice: $kind', (loss) => {
  const { matrix, labels } = noisyData(300, 6);
  const weights = Float64Array.from({ length: 300 }, (_, r) => 1 + (r % 2));
  const twice = Int32Array.from(Array.from(weights.keys()).flatMap((row) => Array(weights[row]).fill(row)));
  const options = { ...plainOptions, loss, rounds: 5, learningRate: 0.3, l2: 1 };
  const weighted = trainForest(binFeatures(matrix, allRows(matrix)), labels, weights, options);
  const repeated = trainForest(
    binFeatures(matrix, twice),
    Float64Array.from(twice, (row) => labels[row]),
    null,
    options,
  );
  const margins = scoreReference(repeated, matrix);
  scoreReference(weighted, matrix).forEach((margin, i) => {
    expect(margin).toBeCloseTo(margins[i], 9);
  });
});

test('rows of weight 0 are not there', () => {
  const { matrix, labels } = noisyData(200, 7);
  const rows = allRows(matrix).filter((row) => row % 3 !== 0);
  const weights = Float64Array.from({ length: 200 }, (_, row) => (row % 3 === 0 ? 0 : 1));
  const options = { ...plainOptions, loss: { kind: 'absolute' } as const, rounds: 3 };
  const without = trainForest(
    binFeatures(matrix, rows),
    Float64Array.from(rows, (row) => labels[row]),
    null,
    options,
  );
  const zeroed = trainForest(binFeatures(matrix, allRows(matrix)), labels, weights, options);
  expect(encodeForest(zeroed)).toEqual(encodeForest(without));
});

test('the same arguments give the same bytes, another seed others', () => {
  const { matrix, labels } = noisyData(500, 1);
  const options = { ...defaultForestOptions, rounds: 20 };
  const bytes = (changes: Partial<ForestOptions>): Uint8Array =>
    encodeForest(fitAll(matrix, labels, { ...options, ...changes }));
  expect(bytes({})).toEqual(bytes({}));
  expect(bytes({ seed: 2 })).not.toEqual(bytes({}));
  const whole = { rowSample: 1, columnSample: 1 };
  expect(bytes({ ...whole, seed: 2 })).toEqual(bytes(whole));
});

test('trees keep within depth, leaves, rows and child weight', () => {
  const limits = fc.record({
    depthMax: fc.integer({ min: 1, max: 8 }),
    leavesMax: fc.integer({ min: 2, max: 32 }),
    minLeafRows: fc.integer({ min: 1, max: 60 }),
    minChildWeight: fc.integer({ min: 0, max: 80 }),
  });
  const { matrix, labels } = noisyData(400, 12);
  const check = (limit: typeof limits extends fc.Arbitrary<infer T> ? T : never): void => {
    const forest = fitAll(matrix, labels, { ...plainOptions, ...limit, rounds: 3 });
    for (const tree of forest.trees) {
      const depth = new Int32Array(tree.feature.length);
      tree.feature.forEach((feature, node) => {
        if (feature >= 0) depth[tree.left[node]] = depth[tree.right[node]] = depth[node] + 1;
        else expect(tree.cover[node]).toBeGreaterThanOrEqual(Math.max(limit.minLeafRows, limit.minChildWeight));
      });
      expect(Math.max(...depth)).toBeLessThanOrEqual(limit.depthMax);
      expect(tree.feature.filter((feature) => feature < 0).length).toBeLessThanOrEqual(limit.leavesMax);
    }
  };
  fc.assert(fc.property(limits, check), { numRuns: 40 });
});

test('with nothing to learn from, the base is the answer', () => {
  const constant = fitAll(matrixOf([[5, 5, 5]]), [1, 2, 3], plainOptions);
  expect([constant.base[0], constant.trees.length]).toEqual([2, 0]);
  const oneRow = fitAll(matrixOf([[5]]), [3], plainOptions);
  expect([oneRow.base[0], oneRow.trees.length]).toEqual([3, 0]);
  for (const loss of losses) {
    const alike = fitAll(matrixOf([[1, 2, 3, 4]]), [1, 1, 1, 1], { ...plainOptions, loss });
    expect(alike.trees).toEqual([]);
    expect(alike.base.every(Number.isFinite)).toBe(true);
  }
});

test('rounds are reported as they end', () => {
  const { matrix, labels } = noisyData(100, 1);
  const seen: [number, number][] = [];
  const options = { ...plainOptions, rounds: 3 };
  trainForest(binFeatures(matrix, allRows(matrix)), labels, null, options, (round, trees) => seen.push([round, trees]));
  expect(seen).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
  ]);
});
