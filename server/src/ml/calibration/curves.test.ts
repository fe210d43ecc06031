import fc from 'fast-check';
import { expect, test } from 'vitest';
import { histogramOf, thresholdsOf } from './curves.ts';

const rows = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.boolean()), { minLength: 1, maxLength: 300 })
  .map((list) => ({ p: list.map(([p]) => p / 40), y: list.map(([, yes]) => Number(yes)) }));

test('each threshold says what is true of the rows at or above it, and the last takes all rows', () => {
  fc.assert(
    fc.property(rows, ({ p, y }) => {
      const told = thresholdsOf(y, p);
      for (const { threshold, rate, precision, recall, false_positive_rate } of told) {
        const acted = y.filter((_, i) => p[i] >= threshold);
        const hits = acted.filter((label) => label === 1).length;
        const positives = y.filter((label) => label === 1).length;
        expect(rate).toBeCloseTo(acted.length / y.length, 12);
        expect(precision).toBeCloseTo(hits / acted.length, 12);
        expect(recall).toBe(positives === 0 ? null : hits / positives);
        expect(false_positive_rate).toBe(
          positives === y.length ? null : (acted.length - hits) / (y.length - positives),
        );
      }
      told.slice(1).forEach(({ threshold }, i) => {
        expect(threshold).toBeLessThan(told[i].threshold);
      });
      expect(told.at(-1)!.rate).toBe(1);
      expect(told.length).toBeLessThanOrEqual(22);
    }),
  );
});

test('a histogram counts every value once, its edges included', () => {
  const bins = histogramOf([0, 0.049, 0.05, 0.5, 1], 0, 1);
  expect(bins).toHaveLength(20);
  expect([bins[0].rows, bins[1].rows, bins[10].rows, bins[19].rows]).toEqual([2, 1, 1, 1]);
  expect(histogramOf([3, 3], 3, 3)).toEqual([{ from: 3, to: 3, rows: 2 }]);
});
