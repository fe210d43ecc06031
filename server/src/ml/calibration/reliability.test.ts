import { describe, expect, it } from 'vitest';
import { sigmoid } from '../statistics/logistic.ts';
import { seedRandom } from '../statistics/random.ts';
import { calibrationLine, perfectCalibrationError, reliability, spiegelhalterZ } from './reliability.ts';

describe('reliability', () => {
  const labels = [0, 0, 1, 0, 1, 1];
  const probabilities = [0.1, 0.2, 0.3, 0.4, 0.8, 1];

  it('bins by equal width as a hand computation does', () => {
    const { bins, expectedCalibrationError } = reliability(labels, probabilities, { bins: 2, binning: 'equal_width' });
    expect(bins.map(({ rows }) => rows)).toEqual([4, 2]);
    expect(bins[0]).toMatchObject({ low: 0.1, high: 0.4, meanProbability: 0.25, observedRate: 0.25 });
    expect(bins[1].meanProbability).toBeCloseTo(0.9, 12);
    expect(expectedCalibrationError).toBeCloseTo((2 / 6) * 0.1, 12);
  });

  it('bins by equal count and keeps ties together', () => {
    const { bins, expectedCalibrationError } = reliability(labels, probabilities, { bins: 3, binning: 'equal_count' });
    expect(bins.map(({ rows }) => rows)).toEqual([2, 2, 2]);
    expect(expectedCalibrationError).toBeCloseTo((0.3 + 0.3 + 0.2) / 6, 12);
    const tied = reliability([0, 1, 0, 1], [0.5, 0.5, 0.5, 0.9], { bins: 4, binning: 'equal_count' });
    expect(tied.bins.map(({ rows }) => rows)).toEqual([3, 1]);
  });

  it('leaves out empty bins', () => {
    expect(reliability([1], [0.95], { bins: 10, binning: 'equal_width' }).bins.length).toBe(1);
  });
});

describe('perfectCalibrationError', () => {
  const one = { bins: 1, binning: 'equal_count', seed: 3 } as const;

  it('is that of the labels there may be', () => {
    // For two rows at one half the gap is 0 or a half with equal probability.
    expect(perfectCalibrationError([0.5, 0.5], one).mean).toBeCloseTo(0.25, 1);
    expect(perfectCalibrationError([0.5, 0.5], one).high).toBe(0.5);
    expect(perfectCalibrationError([0, 1, 1], { ...one, bins: 3 })).toEqual({ mean: 0, high: 0 });
  });

  it('is near that of a normal gap in each bin where rows are many', () => {
    const random = seedRandom(7);
    const p = Float64Array.from({ length: 20_000 }, () => random() ** 3).sort();
    // E|N(0, v)| = sqrt(2 v / π), and the variance of a bin's gap is Σ p (1 - p).
    let expected = 0;
    for (let from = 0; from < p.length; from += 2_000) {
      const variance = p.subarray(from, from + 2_000).reduce((sum, value) => sum + value * (1 - value), 0);
      expected += Math.sqrt((2 * variance) / Math.PI) / p.length;
    }
    const { mean, high } = perfectCalibrationError(p, { bins: 10, binning: 'equal_count', seed: 1 });
    expect(mean / expected).toBeCloseTo(1, 1);
    expect(high).toBeGreaterThan(mean);
    const labels = p.map((value) => (random() < value ? 1 : 0));
    const found = reliability(labels, p, { bins: 10, binning: 'equal_count' }).expectedCalibrationError;
    expect(found).toBeLessThan(1.5 * high);
  });
});

describe('calibrationLine and spiegelhalterZ', () => {
  const random = seedRandom(12);
  const margins = Float64Array.from({ length: 20_000 }, () => 4 * random() - 3);
  const labels = margins.map((margin) => (random() < sigmoid(margin) ? 1 : 0));
  const right = margins.map(sigmoid);
  const extreme = margins.map((margin) => sigmoid(2 * margin + 1));

  it('find nothing wrong with the true probabilities', () => {
    const line = calibrationLine(labels, right);
    expect(line.slope).toBeCloseTo(1, 1);
    expect(Math.abs(line.intercept)).toBeLessThan(0.06);
    expect(Math.abs(line.inTheLarge)).toBeLessThan(0.06);
    expect(Math.abs(spiegelhalterZ(labels, right))).toBeLessThan(2.5);
  });

  it('say how probabilities are off', () => {
    const line = calibrationLine(labels, extreme);
    expect(line.slope).toBeCloseTo(0.5, 1);
    expect(line.intercept).toBeCloseTo(-0.5, 1);
    expect(Math.abs(spiegelhalterZ(labels, extreme))).toBeGreaterThan(10);
  });

  it('count rows that depend on each other as the few that they are', () => {
    const some = { labels: labels.slice(0, 500), right: right.slice(0, 500) };
    const four = <T>(of: ArrayLike<T>) => Array.from({ length: 4 * of.length }, (_, i) => of[Math.floor(i / 4)]!);
    const groups = four([...some.labels.keys()]);
    const once = calibrationLine(some.labels, some.right);
    const [apart, grouped] = [null, groups].map((of) => calibrationLine(four(some.labels), four(some.right), of));
    expect([apart!.slope, grouped!.slope].map((slope) => slope.toFixed(6))).toEqual(
      [once.slope, once.slope].map((slope) => slope.toFixed(6)),
    );
    // Four copies of each row seem to halve the error, and do not.
    expect(apart!.slopeError / once.slopeError).toBeCloseTo(0.5, 6);
    expect(grouped!.slopeError / once.slopeError).toBeGreaterThan(0.85);
    expect(grouped!.slopeError / once.slopeError).toBeLessThan(1.2);
    // Groups of one row leave it as it is, or nearly; one group tells nothing.
    const own = calibrationLine(some.labels, some.right, [...some.labels.keys()]);
    expect(own.slopeError / once.slopeError).toBeLessThan(1.2);
    expect(calibrationLine(some.labels, some.right, new Array(500).fill(1)).slopeError).toBe(once.slopeError);
  });

  it('have the standard errors of a table of two by two', () => {
    // Woolf (1955): the variance of the log-odds of a group with a positives and b negatives is 1/a + 1/b; that of a
    // difference of two groups is the sum.
    const table = [
      { p: 0.5, yes: 30, no: 50 },
      { p: 1 / (1 + Math.exp(-1)), yes: 40, no: 20 },
    ];
    const rows = table.flatMap(({ p, yes, no }) => [...Array(yes).fill([p, 1]), ...Array(no).fill([p, 0])]);
    const line = calibrationLine(
      rows.map(([, y]) => y),
      rows.map(([p]) => p),
    );
    expect(line.intercept).toBeCloseTo(Math.log(30 / 50), 6);
    expect(line.interceptError).toBeCloseTo(Math.sqrt(1 / 30 + 1 / 50), 6);
    expect(line.slope).toBeCloseTo(Math.log(40 / 20) - Math.log(30 / 50), 6);
    expect(line.slopeError).toBeCloseTo(Math.sqrt(1 / 30 + 1 / 50 + 1 / 40 + 1 / 20), 6);
  });

  it('say no slope of probabilities that are all alike', () => {
    const alike = calibrationLine([0, 0, 0, 0], [0.1, 0.4, 0.6, 0.9]);
    expect(Object.values(alike)).toEqual(Array(6).fill(Number.NaN));
    const line = calibrationLine([0, 1, 1, 1], [0.5, 0.5, 0.5, 0.5]);
    expect([line.slope, line.slopeError, line.intercept]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    expect(line.inTheLarge).toBeCloseTo(Math.log(3), 6);
    expect(line.inTheLargeError).toBeCloseTo(Math.sqrt(1 + 1 / 3), 6);
  });

  it('match a hand computation of z', () => {
    const top = (1 - 0.8) * -0.6 + (0 - 0.3) * 0.4;
    const variance = 0.36 * 0.16 + 0.16 * 0.21;
    expect(spiegelhalterZ([1, 0], [0.8, 0.3])).toBeCloseTo(top / Math.sqrt(variance), 12);
    expect(spiegelhalterZ([1, 0], [0.5, 0.5])).toBeNaN();
  });
});
