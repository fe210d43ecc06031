import { describe, expect, it } from 'vitest';
import { seedRandom } from '../trees/random.ts';
import { sigmoid } from './logistic.ts';
import { calibrationLine, reliability, spiegelhalterZ } from './reliability.ts';

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

  it('match a hand computation of z', () => {
    const top = (1 - 0.8) * -0.6 + (0 - 0.3) * 0.4;
    const variance = 0.36 * 0.16 + 0.16 * 0.21;
    expect(spiegelhalterZ([1, 0], [0.8, 0.3])).toBeCloseTo(top / Math.sqrt(variance), 12);
    expect(spiegelhalterZ([1, 0], [0.5, 0.5])).toBeNaN();
  });
});
