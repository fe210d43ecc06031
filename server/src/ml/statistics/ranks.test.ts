import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyRankMap,
  averageRanks,
  firstAbove,
  firstAtLeast,
  fitRankMap,
  normalQuantile,
  quantileOfSorted,
  sortedOrder,
} from './ranks.ts';

describe('sortedOrder', () => {
  it('orders like a stable comparison, by radix and by comparing alike', () => {
    let state = 7;
    const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff) / 0x7fffffff - 0.5;
    for (const n of [0, 1, 50, 10_000]) {
      const values = Float64Array.from({ length: n }, () => Math.round(next() * 900) * 10 ** Math.round(next() * 20));
      if (n > 40) values.set([Infinity, -Infinity, -0, 0, 5e-324, -5e-324], 10);
      const expected = [...values.keys()].sort((a, b) =>
        values[a] === values[b] ? a - b : values[a] < values[b] ? -1 : 1,
      );
      expect([...sortedOrder(values)]).toEqual(expected);
    }
  });

  it('refuses NaN', () => {
    expect(() => sortedOrder([1, Number.NaN])).toThrow('NaN');
    expect(() => sortedOrder(new Float64Array(5000).fill(Number.NaN))).toThrow('NaN');
  });
});

describe('ranks and quantiles', () => {
  it('gives ties their average rank', () => {
    expect([...averageRanks([10, 20, 20, 5, 20])]).toEqual([2, 4, 4, 1, 4]);
  });

  it('interpolates quantiles between neighbours', () => {
    expect(quantileOfSorted([1, 2, 3, 4], 0.5)).toBe(2.5);
    expect(quantileOfSorted([1, 2, 3, 4], 0.1)).toBeCloseTo(1.3, 12);
    expect(quantileOfSorted([1, 2, Infinity], 0.5)).toBe(2);
    expect(quantileOfSorted([], 0.5)).toBeNaN();
  });

  it('finds the bounds of a tie', () => {
    expect([firstAtLeast([1, 2, 2, 3], 2), firstAbove([1, 2, 2, 3], 2), firstAtLeast([1], 9)]).toEqual([1, 3, 1]);
  });

  it('matches published normal quantiles', () => {
    expect(normalQuantile(0.5)).toBe(0);
    expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 8);
    expect(normalQuantile(0.01)).toBeCloseTo(-2.3263478740408408, 8);
    expect(normalQuantile(1e-6)).toBeCloseTo(-4.753424308822899, 7);
    expect(normalQuantile(1 - 1e-6)).toBeCloseTo(4.753424308822899, 7);
  });
});

describe('fitRankMap', () => {
  const options = { knotsMax: 255, scoreMax: 3 };

  it('puts each distinct value at its mean rank', () => {
    const { knots, scores } = fitRankMap([0, 0, 0, 1], options);
    expect(knots).toEqual([0, 1]);
    expect(scores[0]).toBeCloseTo(normalQuantile(3 / 8), 12);
    expect(scores[1]).toBeCloseTo(normalQuantile(7 / 8), 12);
  });

  it('has no knots for a constant or empty column and maps it to 0', () => {
    for (const column of [[], [4, 4, 4]]) {
      const map = fitRankMap(column, options);
      expect(map.knots).toEqual([]);
      expect(applyRankMap(map, 123)).toBe(0);
    }
  });

  it('is monotone, bounded, and close to normal scores on many values', () => {
    const sorted = Float64Array.from({ length: 5000 }, (_, i) => Math.exp(i / 500));
    const map = fitRankMap(sorted, options);
    expect(map.knots.length).toBe(255);
    fc.assert(
      fc.property(
        fc.double({ min: -10, max: 30_000, noNaN: true }),
        fc.double({ min: 0, max: 1000, noNaN: true }),
        (x, d) => {
          const low = applyRankMap(map, x);
          const high = applyRankMap(map, x + d);
          return low <= high && low >= -3 && high <= 3;
        },
      ),
    );
    for (let i = 100; i < 4900; i += 37) {
      expect(Math.abs(applyRankMap(map, sorted[i]) - normalQuantile((i + 0.5) / 5000))).toBeLessThan(0.01);
    }
  });

  it('keeps a mass point among many values at its mean rank', () => {
    const sorted = Float64Array.from({ length: 3000 }, (_, i) => Math.max(0, i - 1500));
    expect(applyRankMap(fitRankMap(sorted, options), 0)).toBeCloseTo(normalQuantile(1501 / 6000), 12);
  });
});
