import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seedRandom } from '../statistics/random.ts';
import { cohortQuantile, decileOf, decileRange, fitCohort } from './cohort.ts';
import { checkCoverage, fitConformal, fitSpread } from './conformal.ts';
import { combineHorizons } from './horizons.ts';
import { fitInterval, intervalOf } from './interval.ts';
import { creditScore, riskBand } from './score.ts';

describe('creditScore', () => {
  it('gives the published anchor points', () => {
    expect(creditScore(0.1)).toBe(600);
    // Each doubling of the odds of paying, 9 to 1 at the anchor, is worth 80 points.
    expect([creditScore(1 / 19), creditScore(1 / 37), creditScore(1 / 5.5)]).toEqual([680, 760, 520]);
    expect([0.00819, 0.01927, 0.0446, 0.386].map(creditScore)).toEqual([900, 800, 700, 400]);
    expect([creditScore(0.0001), creditScore(0.9999)]).toEqual([1000, 0]);
  });

  it('falls as default grows likelier and stays between 0 and 1000', () => {
    const p = fc.double({ min: 0.0001, max: 0.9999, noNaN: true });
    fc.assert(
      fc.property(p, p, (a, b) => {
        const [safe, risky] = [creditScore(Math.min(a, b)), creditScore(Math.max(a, b))];
        return safe >= risky && risky >= 0 && safe <= 1000;
      }),
    );
  });

  it('names the bands of the service specification at their edges', () => {
    expect([1000, 900, 899, 800, 799, 700, 699, 600, 599, 400, 399, 0].map(riskBand)).toEqual([
      'Exceptional',
      'Exceptional',
      'Low Risk',
      'Low Risk',
      'Moderate Risk',
      'Moderate Risk',
      'Medium Risk',
      'Medium Risk',
      'High Risk',
      'High Risk',
      'Very High Risk',
      'Very High Risk',
    ]);
  });
});

describe('combineHorizons', () => {
  it('takes the largest of the shorter horizons, within bounds', () => {
    expect(combineHorizons([30, 90, 180, 365], [0, 0.2, 0.1, 1])).toEqual([0.0001, 0.2, 0.2, 0.9999]);
    expect(() => combineHorizons([90, 30], [0.1, 0.2])).toThrow('ascend');
  });
});

describe('cohort', () => {
  it('splits its own values into ten equal parts', () => {
    const cohort = fitCohort(Float64Array.from({ length: 1000 }, (_, i) => i));
    const counts = new Array<number>(11).fill(0);
    for (let i = 0; i < 1000; i++) counts[decileOf(cohort, i)]++;
    expect(counts).toEqual([0, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100]);
    expect([decileOf(cohort, -5), decileOf(cohort, 5000)]).toEqual([1, 10]);
    expect(cohortQuantile(cohort, 0.5)).toBeCloseTo(499.5, 9);
  });

  it('gives the range of the decile, stretched to values beyond the cohort', () => {
    const cohort = fitCohort([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
    expect(decileRange(cohort, 25)).toEqual({ from: 20, to: 30 });
    expect(decileRange(cohort, 140)).toEqual({ from: 90, to: 140 });
    expect(decileRange(cohort, -4)).toEqual({ from: -4, to: 10 });
  });

  it('leaves a mass of equal values in its lowest decile and rises with the value', () => {
    const cohort = fitCohort([...new Array<number>(60).fill(0), ...Array.from({ length: 40 }, (_, i) => i + 1)]);
    expect(decileOf(cohort, 0)).toBe(1);
    expect(decileOf(cohort, 1)).toBeGreaterThanOrEqual(6);
    const value = fc.integer({ min: -5, max: 60 });
    fc.assert(
      fc.property(value, value, (a, b) => decileOf(cohort, Math.min(a, b)) <= decileOf(cohort, Math.max(a, b))),
    );
  });
});

describe('fitInterval', () => {
  const day = 86_400_000_000;
  const widthOf = (moments: readonly number[], error: (row: number) => number) => {
    const zeros = new Float64Array(moments.length);
    const labels = Float64Array.from(moments, (_, row) => error(row));
    const interval = fitInterval('regression', {
      margins: zeros,
      predictions: zeros,
      labels,
      until: Float64Array.from(moments, (days) => days * day),
    });
    if (interval?.kind !== 'conformal') throw new Error('numbers have a conformal interval');
    return interval.conformal;
  };
  const days = (rows: number, perDay: number) => Array.from({ length: rows }, (_, row) => Math.floor(row / perDay));

  it('is of the newest rows where errors were larger before', () => {
    const everyOtherDay = days(4_000, 1).map((moment) => moment * 2);
    const { radius, rows } = widthOf(everyOtherDay, (row) => (row < 3_700 ? 9 : row / 4_000));
    expect([rows, radius < 1]).toEqual([300, true]);
  });

  it('is of a year at least, and of all there are where they are few', () => {
    expect(widthOf(days(4_000, 8), (row) => row).rows).toBe(366 * 8);
    expect(widthOf(days(250, 1), (row) => row).rows).toBe(250);
    // All rows of one moment are equally new.
    expect(
      widthOf(
        days(4_000, 200).map((moment) => moment * 400),
        (row) => row,
      ).rows,
    ).toBe(400);
  });

  it('is as wide as errors are usual for the prediction, and holds nine in ten of large ones too', () => {
    const random = seedRandom(12);
    const drawn = (rows: number) => {
      const predictions = Float64Array.from({ length: rows }, () => 10 * random());
      return { predictions, labels: predictions.map((p) => p + (0.2 + p) * (2 * random() - 1)) };
    };
    const past = drawn(10_000);
    const until = Float64Array.from(past.labels.keys());
    const interval = fitInterval('regression', { ...past, margins: past.predictions, until })!;
    const { labels, predictions } = drawn(20_000);
    const heldFrom = (least: number) => {
      const rows = [...predictions.keys()].filter((row) => predictions[row] >= least);
      const isHeld = (row: number) => {
        const [lower, upper] = intervalOf(interval, 0, predictions[row]);
        return labels[row] >= lower && labels[row] <= upper;
      };
      return rows.filter(isHeld).length / rows.length;
    };
    expect(Math.abs(heldFrom(0) - 0.9)).toBeLessThan(0.03);
    // One width for all rows would hold .66 of these.
    expect(Math.abs(heldFrom(8) - 0.9)).toBeLessThan(0.1);
    const widthAt = (prediction: number) => {
      const [lower, upper] = intervalOf(interval, 0, prediction);
      return upper - lower;
    };
    expect(widthAt(9)).toBeGreaterThan(4 * widthAt(1));
    expect([widthAt(-5), widthAt(50)].map((width) => width.toFixed(9))).toEqual(
      [widthAt(0), widthAt(10)].map((width) => width.toFixed(9)),
    );
  });
});

describe('fitSpread', () => {
  it('is the mean error at places of fifty rows, drawn to that of all', () => {
    const predictions = Float64Array.from({ length: 100 }, (_, i) => (i < 50 ? 1 : 3));
    const labels = predictions.map((p) => (p === 1 ? 2 : 9));
    // Errors of 1 and 6: (50 · 1 + 100 · 3.5) / 150 and (50 · 6 + 100 · 3.5) / 150.
    expect(fitSpread(labels, predictions)).toEqual({ predictions: [1, 3], errors: [400 / 150, 650 / 150] });
    // Equal predictions stay in one place, even across a cut.
    const twice = predictions.map((p, i) => (i < 70 ? 1 : p));
    expect(fitSpread(labels, twice)).toEqual({ predictions: [1, 3], errors: expect.anything() });
  });

  it('is none of few rows, of predictions all alike, and where nothing is wrong', () => {
    const rising = Float64Array.from({ length: 400 }, (_, i) => i);
    expect(fitSpread(rising.map((p) => p + 1).subarray(0, 99), rising.subarray(0, 99))).toBeNull();
    expect(fitSpread(rising, new Float64Array(400))).toBeNull();
    expect(fitSpread(rising, rising)).toBeNull();
  });
});

describe('fitConformal', () => {
  it('takes the residual that the finite-sample correction asks for', () => {
    const predictions = new Float64Array(9);
    expect(fitConformal([1, -2, 3, 4, -5, 6, 7, 8, 9], predictions, 0.9)).toEqual({
      coverage: 0.9,
      radius: 9,
      rows: 9,
    });
    expect(fitConformal([1, -2, 3, 4, -5, 6, 7, 8, 9], predictions, 0.75)?.radius).toBe(8);
    expect(fitConformal([1, 2, 3], [0, 0, 0], 0.9)).toBeNull();
  });

  it('covers as promised on average over samples', () => {
    const random = seedRandom(31);
    let inside = 0;
    for (let trial = 0; trial < 20_000; trial++) {
      const labels = Float64Array.from({ length: 20 }, () => random() + random());
      const interval = fitConformal(labels.subarray(0, 19), new Float64Array(19), 0.8);
      if (labels[19] <= interval!.radius) inside++;
    }
    // Exchangeable and without ties the coverage is exactly 16 in 20.
    expect(inside / 20_000).toBeCloseTo(0.8, 2);
  });

  it('tells kept coverage from coverage lost to drift', () => {
    const random = seedRandom(8);
    const noise = (scale: number) => Float64Array.from({ length: 1000 }, () => scale * (random() - 0.5));
    const interval = fitConformal(noise(1), new Float64Array(1000), 0.9)!;
    const bounds = {
      lower: new Float64Array(1000).fill(-interval.radius),
      upper: new Float64Array(1000).fill(interval.radius),
    };
    const kept = checkCoverage(interval, noise(1), bounds);
    expect(kept.isKept).toBe(true);
    expect(kept.standardError).toBeCloseTo(Math.sqrt(0.09 * (1 / 1000 + 1 / 1002)), 12);
    expect(checkCoverage(interval, noise(2), bounds)).toMatchObject({ isKept: false, expected: 0.9 });
  });
});
