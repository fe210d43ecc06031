import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomMatrix, randomTree, samples } from '../../../tests/support/samples/trees.ts';
import { Failure } from '../../lib/failure.ts';
import { seedRandom } from '../statistics/random.ts';
import { decodeForest, encodeForest } from './codec.ts';
import { averageForests, forestGains } from './forest.ts';
import { loadForest } from './scorer.ts';

const limits = { features: 6, leaves: 32, outputs: 3, rows: 5 };

test('a forest survives its bytes', () => {
  fc.assert(
    fc.property(samples(limits), ({ forest }) => {
      expect(decodeForest(encodeForest(forest))).toEqual(forest);
    }),
    { numRuns: 50 },
  );
});

test('damaged bytes are refused or give a forest that scores', () => {
  fc.assert(
    fc.property(samples(limits), fc.nat(), fc.nat({ max: 255 }), ({ forest, matrix }, at, byte) => {
      const bytes = encodeForest(forest);
      bytes[at % bytes.length] = byte;
      try {
        const decoded = decodeForest(bytes);
        if (decoded.features === matrix.features) loadForest(decoded).score(matrix, 0, matrix.rows);
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
      }
    }),
    { numRuns: 300 },
  );
});

test('bytes cut short or followed by others are refused', () => {
  const random = seedRandom(1);
  const trees = [randomTree(3, 8, 0, random)];
  const bytes = encodeForest({ features: 3, outputs: 1, base: Float64Array.of(1), trees });
  for (let length = 0; length < bytes.length; length++) {
    expect(() => decodeForest(bytes.subarray(0, length))).toThrow(Failure);
  }
  expect(() => decodeForest(Uint8Array.of(...bytes, 0))).toThrow('something follows');
});

test('an average of forests scores the mean of their margins', () => {
  const random = seedRandom(4);
  const forests = Array.from({ length: 5 }, () => ({
    features: 4,
    outputs: 2,
    base: Float64Array.of(random(), random()),
    trees: [0, 1, 0].map((output) => randomTree(4, 10, output, random)),
  }));
  const matrix = randomMatrix(30, 4, random);
  const all = forests.map((forest) => loadForest(forest).score(matrix, 0, 30));
  const average = averageForests(forests);
  loadForest(average)
    .score(matrix, 0, 30)
    .forEach((margin, i) => {
      expect(margin).toBeCloseTo(all.reduce((sum, margins) => sum + margins[i], 0) / 5, 12);
    });
  const gains = forests.map(forestGains);
  forestGains(average).forEach((gain, f) => {
    expect(gain).toBeCloseTo(gains.reduce((sum, own) => sum + own[f], 0) / 5, 12);
  });
});

test('many scorers are open at once, and a closed one refuses', () => {
  const random = seedRandom(6);
  const forest = { features: 2, outputs: 1, base: Float64Array.of(0), trees: [randomTree(2, 30, 0, random)] };
  const matrix = randomMatrix(9, 2, random);
  const scorers = Array.from({ length: 50 }, () => loadForest(forest));
  const expected = scorers[0].score(matrix, 0, 9);
  for (const scorer of scorers) expect(scorer.score(matrix, 0, 9)).toEqual(expected);
  scorers[0].close();
  expect(() => scorers[0].score(matrix, 0, 9)).toThrow('open');
});
