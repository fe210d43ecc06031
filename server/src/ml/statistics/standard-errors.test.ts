import { describe, expect, it } from 'vitest';
import { auroc, evaluateMetric, mae } from './metrics.ts';
import {
  aurocStandardError,
  bootstrapDifference,
  bootstrapEstimates,
  differenceInterval,
  meanInterval,
  rateInterval,
  resamplingOf,
} from './standard-errors.ts';

describe('aurocStandardError', () => {
  it('matches the DeLong variance written out over pairs', () => {
    const labels = [0, 1, 0, 1, 1, 0, 0, 1];
    const scores = [1, 3, 2, 2, 5, 4, 0, 2];
    const kernel = (x: number, y: number) => (x > y ? 1 : x === y ? 0.5 : 0);
    const positives = scores.filter((_, i) => labels[i] === 1);
    const negatives = scores.filter((_, i) => labels[i] === 0);
    const v10 = positives.map((x) => negatives.reduce((s, y) => s + kernel(x, y), 0) / negatives.length);
    const v01 = negatives.map((y) => positives.reduce((s, x) => s + kernel(x, y), 0) / positives.length);
    const area = v10.reduce((a, b) => a + b) / v10.length;
    const variance = (v: number[]) => v.reduce((s, x) => s + (x - area) ** 2, 0) / (v.length - 1);
    expect(aurocStandardError(labels, scores)).toBeCloseTo(Math.sqrt(variance(v10) / 4 + variance(v01) / 4), 12);
  });
});

describe('bootstrapDifference', () => {
  let state = 3;
  const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff) / 0x7fffffff;
  const labels = Float64Array.from({ length: 600 }, next);
  const first = labels.map((y) => y + next() - 0.5);
  const second = labels.map((y) => y + 2 * (next() - 0.5));
  const rows = Float64Array.from(labels.keys());

  it('agrees with the standard error of a mean when each row is its own group', () => {
    const result = bootstrapDifference(mae, labels, first, second, rows, { replicates: 2000, seed: 1 });
    const terms = labels.map((y, i) => Math.abs(y - second[i]) - Math.abs(y - first[i]));
    const centre = terms.reduce((a, b) => a + b) / 600;
    const error = Math.sqrt(terms.reduce((s, x) => s + (x - centre) ** 2, 0) / 599 / 600);
    expect(result.difference).toBeCloseTo(centre, 12);
    expect(result.standardError / error).toBeGreaterThan(0.93);
    expect(result.standardError / error).toBeLessThan(1.07);
    expect(result.low).toBeLessThan(centre);
    expect(result.high).toBeGreaterThan(centre);
  });

  it('is wider when rows come in identical groups', () => {
    const repeat = (values: Float64Array) => Float64Array.from({ length: 2400 }, (_, i) => values[i % 600]);
    const options = { replicates: 500, seed: 1 };
    const groups = Float64Array.from({ length: 2400 }, (_, i) => i % 600);
    const alone = Float64Array.from({ length: 2400 }, (_, i) => i);
    const args = [mae, repeat(labels), repeat(first), repeat(second)] as const;
    const grouped = bootstrapDifference(...args, groups, options);
    const ungrouped = bootstrapDifference(...args, alone, options);
    expect(grouped.standardError / ungrouped.standardError).toBeGreaterThan(1.7);
  });

  it('repeats with its seed and leaves out replicates of one class', () => {
    const options = { replicates: 300, seed: 9 };
    const args = [auroc, [0, 0, 1], [1, 2, 3], [3, 2, 1], [0, 1, 2], options] as const;
    expect(bootstrapDifference(...args)).toEqual(bootstrapDifference(...args));
    expect(bootstrapDifference(...args).replicates).toBeLessThan(300);
    expect(bootstrapDifference(...args).difference).toBe(-1);
  });
});

describe('bootstrapEstimates', () => {
  it('gives the bounds of draws of rows written out', () => {
    const labels = Float64Array.from({ length: 60 }, (_, i) => (i * 7) % 11);
    const values = labels.map((y, i) => y + ((i * 5) % 7) - 3);
    const groups = Float64Array.from({ length: 60 }, (_, i) => Math.floor(i / 3));
    const resampling = { drawn: 'entities', groups, replicates: 200, seed: 4 } as const;
    const [estimate] = bootstrapEstimates(
      (weights) => [evaluateMetric('mae', labels, values, weights).value],
      resampling,
    );
    // Predictions without error leave the error of the others alone as the difference.
    const written = bootstrapDifference(mae, labels, labels, values, groups, resampling);
    expect(estimate.value).toBe(written.difference);
    expect(estimate.low).toBeCloseTo(written.low, 12);
    expect(estimate.high).toBeCloseTo(written.high, 12);
  });

  it('has no bounds for rows of a single group', () => {
    const resampling = { drawn: 'entities', groups: [1, 1, 1], replicates: 100, seed: 1 } as const;
    const [{ value, low, high }] = bootstrapEstimates(() => [3], resampling);
    expect([value, low, high]).toEqual([3, Number.NaN, Number.NaN]);
  });
});

describe('resamplingOf', () => {
  it('draws moments where there are twenty, else entities, and rows of no entity each alone', () => {
    const range = (length: number) => Float64Array.from({ length }, (_, i) => i);
    expect(resamplingOf(range(20), new Float64Array(20)).drawn).toBe('moments');
    const few = resamplingOf(new Float64Array(4), [7, -1, 7, -1]);
    expect(few.drawn).toBe('entities');
    expect(new Set(Array.from(few.groups)).size).toBe(3);
  });
});

describe('rateInterval', () => {
  // Newcombe, Statistics in Medicine 17 (1998), table I, method 3: the score interval.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('is what Newcombe prints for %i of %i', (count, rows, low, high) => {
    const interval = rateInterval(count, rows);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  it('has the rate itself, also of none and of all', () => {
    for (let rows = 1; rows < 500; rows++) {
      expect(rateInterval(0, rows).low).toBe(0);
      expect(rateInterval(rows, rows).high).toBe(1);
    }
  });
});

describe('differenceInterval', () => {
  // Newcombe, Statistics in Medicine 17 (1998) 873-890, table II, method 10.
  it.each([
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [6, 7, 2, 7, 0.0582, 0.8062],
  ])('is what Newcombe prints for %i of %i less %i of %i', (a, m, b, n, low, high) => {
    const rateOf = (count: number, rows: number) => ({ value: count / rows, ...rateInterval(count, rows) });
    const interval = differenceInterval(rateOf(b, n), rateOf(a, m));
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });
});

describe('meanInterval', () => {
  it('is the mean and 1.96 standard errors of it, and none of one value', () => {
    const { low, high } = meanInterval(Float64Array.of(1, 2, 3, 4, 5))!;
    expect((low + high) / 2).toBeCloseTo(3, 12);
    expect((high - low) / 2).toBeCloseTo(1.959964 * Math.sqrt(2.5 / 5), 6);
    expect(meanInterval(Float64Array.of(1))).toBeNull();
  });
});
