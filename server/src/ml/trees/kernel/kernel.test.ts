import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  contributionsReference,
  histogramReference,
  scoreReference,
} from '../../../../tests/support/kernel-reference.ts';
import { samples, stump } from '../../../../tests/support/samples/trees.ts';
import { seedRandom } from '../../statistics/random.ts';
import { loadForest } from '../scorer.ts';
import { compileKernel } from './build.ts';
import { openKernel } from './kernel.ts';

test('the committed kernel is what its source compiles to', async () => {
  const committed = await readFile(new URL('kernel.wasm', import.meta.url));
  expect(Buffer.compare(committed, await compileKernel())).toBe(0);
});

// The mask of a tree has one, two or four bytes.
test.each([8, 16, 32])('margins of trees of up to %i leaves equal those of the plain walk bit for bit', (leaves) => {
  fc.assert(
    fc.property(samples({ features: 5, leaves, outputs: 3, rows: 40 }), ({ forest, matrix }) => {
      const scorer = loadForest(forest);
      expect(scorer.score(matrix, 0, matrix.rows)).toEqual(scoreReference(forest, matrix));
    }),
    { numRuns: 150 },
  );
});

// A byte encodes a value by an even grid over the thresholds of a feature, at most 253 of them.
test.each([
  ['more than a byte tells apart', (i: number) => i / 7],
  ['of every size', (i: number) => (i % 2 === 0 ? 1 : -1) * 10 ** ((i % 82) - 44) * (1 + i / 1000)],
  ['side by side, and one far away', (i: number) => (i === 0 ? 1e30 : 1 + i * 2 ** -23)],
  ['without an end', (i: number) => [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, -0, 0, 1e-45, -1e-45][i] ?? i],
])('margins are those of the plain walk where thresholds are %s', (_, thresholdOf) => {
  const random = seedRandom(11);
  const thresholds = Float32Array.from({ length: 600 }, (_, i) => thresholdOf(i));
  const trees = Array.from(thresholds, (threshold) => stump(threshold, random() < 0.5, random()));
  const neighbors = Array.from(new Int32Array(thresholds.buffer), (bits) => [bits - 1, bits, bits + 1]).flat();
  const beside = new Float32Array(Int32Array.from(neighbors).buffer);
  const values = Float32Array.of(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -0, ...beside);
  const forest = { features: 1, outputs: 1, base: Float64Array.of(0), trees };
  const matrix = { rows: values.length, features: 1, values };
  expect(loadForest(forest).score(matrix, 0, matrix.rows)).toEqual(scoreReference(forest, matrix));
});

test('contributions equal those of the plain formula bit for bit, on tables and on long paths', () => {
  fc.assert(
    fc.property(samples({ features: 30, leaves: 32, outputs: 2, rows: 20 }), ({ forest, matrix }) => {
      const scorer = loadForest(forest);
      expect(scorer.contributions(matrix, 0, matrix.rows)).toEqual(contributionsReference(forest, matrix));
    }),
    { numRuns: 80 },
  );
});

test('a row scores and explains the same alone, in a batch, in its tail and across chunks', () => {
  const limits = { features: 4, leaves: 20, outputs: 2, rows: 1 };
  fc.assert(
    fc.property(samples(limits), fc.integer({ min: 1, max: 600 }), fc.integer(), ({ forest }, rows, seed) => {
      const random = seedRandom(seed);
      const values = Float32Array.from({ length: rows * forest.features }, () =>
        random() < 0.1 ? Number.NaN : Math.round(random() * 40 - 20) / 10,
      );
      const matrix = { rows, features: forest.features, values };
      const scorer = loadForest(forest);
      const margins = scorer.score(matrix, 0, rows);
      const parts = scorer.contributions(matrix, 0, rows);
      const width = forest.outputs * (forest.features + 1);
      for (const row of [0, rows >> 1, rows - 1]) {
        expect(scorer.score(matrix, row, row + 1)).toEqual(
          margins.slice(row * forest.outputs, (row + 1) * forest.outputs),
        );
        expect(scorer.contributions(matrix, row, row + 1)).toEqual(parts.slice(row * width, (row + 1) * width));
      }
      const from = Math.floor(rows / 3);
      expect(scorer.score(matrix, from, rows)).toEqual(margins.slice(from * forest.outputs));
    }),
    { numRuns: 60 },
  );
});

test('histograms count what the plain loop counts, and a sibling follows by subtraction', () => {
  const kernel = openKernel();
  const random = seedRandom(5);
  const rows = 1_000;
  const columns = 8;
  const bins = Uint8Array.from({ length: rows * columns }, () => Math.floor(random() * 256));
  const gradients = Float64Array.from({ length: rows }, () => Math.floor(random() * 2e9) - 1e9);
  const hessians = Float64Array.from({ length: rows }, () => Math.floor(random() * 1e6));
  const countBits = 10;
  const bytes = columns * 256 * 16;
  const [packedAt, idsAt, offsetsAt] = [
    kernel.reserve(((rows * columns) / 4) * 4),
    kernel.reserve(rows * 4),
    kernel.reserve(32),
  ];
  const [gAt, hAt, cellsAt, gatheredAt] = [rows * 8, rows * 8, rows * 16, rows * 16].map(kernel.reserve);
  const [allAt, childAt] = [kernel.reserve(bytes), kernel.reserve(bytes)];
  const { buffer } = kernel.memory;
  const packed = new Uint8Array(buffer, packedAt, rows * columns);
  for (let c = 0; c < columns; c++) {
    for (let r = 0; r < rows; r++) packed[((c >> 2) * rows + r) * 4 + (c & 3)] = bins[c * rows + r];
  }
  new Uint32Array(buffer, offsetsAt, columns).set(Array.from({ length: columns }, (_, c) => c * 256 * 16));
  new Float64Array(buffer, gAt, rows).set(gradients);
  new Float64Array(buffer, hAt, rows).set(hessians);
  kernel.quantizeGradients(gAt, hAt, rows, 1, 1, countBits, cellsAt);
  const all = Array.from({ length: rows }, (_, i) => i);
  const child = all.filter((row) => row % 3 === 0);
  new Uint32Array(buffer, idsAt, rows).set(child);
  const build = (count: number, isRoot: boolean, at: number): void =>
    kernel.buildHistogram(
      packedAt,
      rows * 4,
      columns / 4,
      offsetsAt,
      idsAt,
      count,
      cellsAt,
      gatheredAt,
      isRoot,
      at,
      bytes,
    );
  build(rows, true, allAt);
  build(child.length, false, childAt);
  const read = (at: number): Float64Array => {
    const cells = new BigInt64Array(buffer, at, columns * 256 * 2);
    return Float64Array.from({ length: columns * 256 * 3 }, (_, i) => {
      const cell = cells[Math.floor(i / 3) * 2 + 1];
      if (i % 3 === 0) return Number(cells[Math.floor(i / 3) * 2]);
      return Number(i % 3 === 1 ? cell >> BigInt(countBits) : cell & ((1n << BigInt(countBits)) - 1n));
    });
  };
  expect(read(allAt)).toEqual(histogramReference(bins, rows, all, gradients, hessians));
  expect(read(childAt)).toEqual(histogramReference(bins, rows, child, gradients, hessians));
  kernel.subtractHistogram(allAt, childAt, bytes);
  const rest = all.filter((row) => row % 3 !== 0);
  expect(read(allAt)).toEqual(histogramReference(bins, rows, rest, gradients, hessians));
});

test('values sort ascending, zeros by sign, missing ones of any sign last', () => {
  const negativeNaN = new Float32Array(Uint32Array.of(0xffc00001).buffer)[0];
  fc.assert(
    fc.property(fc.float32Array({ maxLength: 3_000 }), (numbers) => {
      const kernel = openKernel();
      const count = numbers.length + 1;
      const [at, scratchAt, countsAt] = [
        kernel.reserve(count * 4),
        kernel.reserve(count * 4),
        kernel.reserve(3 * 8192),
      ];
      const values = new Float32Array(kernel.memory.buffer, at, count);
      values.set(numbers);
      values[count - 1] = negativeNaN;
      const expected = values.slice().sort();
      kernel.sortFloats(at, count, scratchAt, countsAt);
      expect(values).toEqual(expected);
    }),
  );
});
