import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitSmallLogistic, logit, sigmoid, softplus } from '../statistics/logistic.ts';
import { seedRandom } from '../statistics/random.ts';
import { applyBeta, fitBeta } from './beta.ts';
import { boundMargin, probabilityMax, probabilityMin } from './bounds.ts';
import { applyCalibrator, type Calibrator, fitCalibrator } from './calibrate.ts';
import { applyIsotonic, fitIsotonic } from './isotonic.ts';
import { fitPlatt, slopeMin } from './platt.ts';
import { calibrationLine, reliability } from './reliability.ts';

/** Margins in ±4 around a base and labels drawn from sigmoid(truth(margin)). */
function simulate(rows: number, base: number, truth: (margin: number) => number, seed: number) {
  const random = seedRandom(seed);
  const margins = Float64Array.from({ length: rows }, () => base + 4 * (random() + random() - 1));
  const labels = margins.map((margin) => (random() < sigmoid(truth(margin)) ? 1 : 0));
  return { margins, labels };
}

const identity = (margin: number) => margin;

describe('logistic helpers', () => {
  it('do not overflow and undo each other', () => {
    expect([sigmoid(-800), sigmoid(800), softplus(800), softplus(-800)]).toEqual([0, 1, 800, 0]);
    expect(logit(sigmoid(3))).toBeCloseTo(3, 12);
    expect(logit(sigmoid(-30))).toBeCloseTo(-30, 12);
  });

  it('fit a saturated table exactly', () => {
    const x = Float64Array.from([0, 0, 0, 0, 1, 1, 1, 1]);
    const [intercept, slope] = fitSmallLogistic([x], [1, 0, 0, 0, 1, 1, 1, 0], null);
    expect(intercept).toBeCloseTo(Math.log(1 / 3), 7);
    expect(intercept + slope).toBeCloseTo(Math.log(3), 7);
    const [rate] = fitSmallLogistic([], [1, 0, 0], Float64Array.from([2, 1, 1]));
    expect(rate).toBeCloseTo(0, 7);
  });

  it('stay finite on separable labels', () => {
    const beta = fitSmallLogistic([Float64Array.from([-1, -2, 1, 2])], [0, 0, 1, 1], null);
    expect([...beta].every(Number.isFinite)).toBe(true);
    expect(beta[1]).toBeGreaterThan(5);
  });
});

describe('fitPlatt', () => {
  it('gives the values of LIBSVM published in scikit-learn’s tests', () => {
    const { slope, intercept } = fitPlatt(Float64Array.from([5, -4, 1]), [1, 0, 0], null);
    expect(slope).toBeCloseTo(0.20261354391187855, 5);
    expect(intercept).toBeCloseTo(-0.6523631498001051, 5);
  });

  it('keeps the order of scores that are worse than chance, at the base rate', () => {
    const { margins, labels } = simulate(500, 0, (margin) => -margin, 2);
    const { slope, intercept } = fitPlatt(margins, labels, null);
    expect(slope).toBe(slopeMin);
    const expected = margins.reduce((sum, margin) => sum + sigmoid(slope * margin + intercept), 0);
    expect(expected / 500).toBeCloseTo(labels.reduce((a, b) => a + b) / 500, 2);
  });

  it('gives the base rate to margins that say nothing', () => {
    const labels = Float64Array.from({ length: 300_000 }, (_, i) => (i % 10 === 0 ? 1 : 0));
    for (const fit of [fitPlatt, fitBeta, fitIsotonic]) {
      const calibrator = fit(new Float64Array(300_000).fill(0.1), labels, null);
      expect(applyCalibrator(calibrator, 0.1)).toBeCloseTo(0.1, 4);
    }
  });

  it('says little more than the base rate beyond the margins of a few positives, and what many tell as it is', () => {
    const steep = (rows: number, positiveEvery: number) => {
      const margins = Float64Array.from({ length: rows }, (_, i) => -6 + (0.3 * i) / rows);
      // The highest margins of each stretch are the positives.
      const labels = margins.map((_, i) => Number(i % positiveEvery === positiveEvery - 1 && i > rows / 3));
      return applyCalibrator(fitPlatt(margins, labels, null), -5);
    };
    expect(steep(460, 100)).toBeLessThan(0.06);
    const { margins, labels } = simulate(3_000, -3, (margin) => 3 * margin + 6, 5);
    expect(labels.reduce((sum, label) => sum + label, 0)).toBeLessThan(900);
    expect(fitPlatt(margins, labels, null).slope).toBeCloseTo(3, 0);
  });

  it('smooths a sample of one class', () => {
    const { slope, intercept } = fitPlatt(Float64Array.from([1, 1, 1]), [0, 0, 0], null);
    expect(sigmoid(slope + intercept)).toBeCloseTo(0.2, 6);
  });
});

describe('fitBeta', () => {
  it('recovers the identity and a bent map', () => {
    const plain = simulate(200_000, 0, identity, 3);
    const same = fitBeta(plain.margins, plain.labels, null);
    expect(same.a).toBeCloseTo(1, 1);
    expect(same.b).toBeCloseTo(1, 1);
    expect(Math.abs(same.c)).toBeLessThan(0.1);
    const truth = (m: number) => -0.4 * softplus(-m) + 2 * softplus(m) - 0.5;
    const bent = simulate(200_000, 0, truth, 4);
    const fitted = fitBeta(bent.margins, bent.labels, null);
    for (const m of [-3, -1, 0, 1, 2]) expect(Math.abs(applyBeta(fitted, m) - truth(m))).toBeLessThan(0.12);
  });

  it('leaves right probabilities as they are where all are small, and only some 200 rows are positive', () => {
    for (const seed of [1, 2, 3]) {
      const random = seedRandom(seed);
      const spread = () => 0.85 * (random() + random() + random() + random() - 2);
      const margins = Float64Array.from({ length: 8_000 }, () => spread() - 3.8);
      const labels = margins.map((margin) => (random() < sigmoid(margin) ? 1 : 0));
      const { a, b } = fitBeta(margins, labels, null);
      // Without the penalty b was 8.98 and 0.01.
      expect(Math.abs(a - 1)).toBeLessThan(0.4);
      expect(Math.abs(b - a)).toBeLessThan(0.5);
    }
  });

  it('holds both parameters above zero, at the constrained optimum', () => {
    const loss = (a: number, b: number, c: number, s: { margins: Float64Array; labels: Float64Array }) => {
      let total = 0.5 * (b - a) ** 2;
      for (let i = 0; i < s.labels.length; i++) {
        const margin = applyBeta({ kind: 'beta', a, b, c }, s.margins[i]);
        total += softplus(margin) - s.labels[i] * margin;
      }
      return total;
    };
    const falling = [
      (m: number) => 0.5 * softplus(-m) + softplus(m) - 1,
      (m: number) => -softplus(-m) - 0.5 * softplus(m) + 1,
      (m: number) => -m,
    ];
    falling.forEach((truth, k) => {
      const sample = simulate(2000, 0, truth, 5 + k);
      const { a, b, c } = fitBeta(sample.margins, sample.labels, null);
      expect(Math.min(a, b)).toBe(slopeMin);
      const best = loss(a, b, c, sample);
      for (const [da, db, dc] of [
        [0.05, 0],
        [0, 0.05],
        [0.05, 0.05],
        [-0.05, 0],
        [0, -0.05],
        [0, 0],
      ].flatMap(([x, y]) => [-0.05, 0, 0.05].map((z) => [x, y, z]))) {
        const next = [Math.max(a + da, slopeMin), Math.max(b + db, slopeMin)];
        expect(loss(next[0], next[1], c + dc, sample)).toBeGreaterThanOrEqual(best - 1e-9);
      }
    });
  });
});

describe('fitIsotonic', () => {
  it('pools violators and ties into steps, smoothed by one row at the base rate', () => {
    // There is a tie at 2. The value 3 violates 2's rate of one half, so 2, 2 and 3 form a step with rate one third.
    const fit = fitIsotonic(Float64Array.from([1, 2, 2, 3, 4]), [0, 0, 1, 0, 1], null);
    const base = 2 / 5;
    expect(fit.margins).toEqual([1, 7 / 3, 4]);
    [base / 2, (1 + base) / 4, (1 + base) / 2].forEach((value, i) => {
      expect(fit.logOdds[i]).toBeCloseTo(logit(value), 12);
    });
    expect(applyIsotonic(fit, 4)).toBeCloseTo(fit.logOdds[2], 12);
    expect(applyIsotonic(fit, 5 / 3)).toBeCloseTo((fit.logOdds[0] + fit.logOdds[1]) / 2, 12);
    expect(applyIsotonic(fit, 14)).toBeCloseTo(fit.logOdds[2] + 10 * fit.tailSlope, 12);
  });

  it('counts a row of weight 2 as two rows', () => {
    const margins = Float64Array.from([1, 2, 3, 4]);
    const weighted = fitIsotonic(margins, [0, 1, 0, 1], Float64Array.from([1, 2, 1, 1]));
    const repeated = fitIsotonic(Float64Array.from([1, 2, 2, 3, 4]), [0, 1, 1, 0, 1], null);
    expect(weighted.margins).toEqual(repeated.margins);
    expect(weighted.logOdds).toEqual(repeated.logOdds);
  });

  it('ascends strictly from knot to knot whatever the labels', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.boolean()), { minLength: 4, maxLength: 60 }),
        (rows) => {
          const labels = rows.map(([, y]) => (y ? 1 : 0));
          fc.pre(new Set(labels).size === 2);
          const { margins, logOdds, tailSlope } = fitIsotonic(
            Float64Array.from(rows, ([m]) => m),
            labels,
            null,
          );
          expect(tailSlope).toBeGreaterThan(0);
          for (let i = 1; i < margins.length; i++) {
            expect(margins[i]).toBeGreaterThan(margins[i - 1]);
            expect(logOdds[i]).toBeGreaterThan(logOdds[i - 1]);
          }
        },
      ),
    );
  });
});

describe('fitCalibrator', () => {
  it('takes the slope more from rows of more emphasis, and the level from all alike', () => {
    for (const rows of [150, 3_000]) {
      // Margins of the later half tell twice as much, and say yes more often.
      const earlier = simulate(rows, 0, (margin) => 0.5 * margin - 1, 21);
      const later = simulate(rows, 0, (margin) => margin + 0.5, 22);
      const margins = Float64Array.from([...earlier.margins, ...later.margins]);
      const labels = Float64Array.from([...earlier.labels, ...later.labels]);
      const slopeAt = (calibrator: Calibrator) => {
        const [low, high] = [-1, 1].map((margin) => logit(applyCalibrator(calibrator, margin)));
        return (high - low) / 2;
      };
      const weights = null;
      const alike = fitCalibrator({ margins, labels, weights });
      const emphasis = margins.map((_, i) => (i < rows ? 1 : 8));
      const emphasised = fitCalibrator({ margins, labels, weights, emphasis });
      expect(emphasised.kind).toBe(rows === 150 ? 'platt' : 'beta');
      expect(slopeAt(emphasised)).toBeGreaterThan(slopeAt(alike) + 0.05);
      const mean = margins.reduce((sum, margin) => sum + applyCalibrator(emphasised, margin), 0) / margins.length;
      expect(mean).toBeCloseTo(labels.reduce((a, b) => a + b) / labels.length, 2);
      // Emphasis of all rows alike is none.
      const even = fitCalibrator({ margins, labels, weights, emphasis: margins.map(() => 5) });
      for (const margin of [-3, -1, 0, 2])
        expect(applyCalibrator(even, margin)).toBeCloseTo(applyCalibrator(alike, margin), 3);
    }
  });

  it('chooses by the rows of the rarer class that count', () => {
    const sample = (positives: number, rows = 4000) => ({
      margins: Float64Array.from({ length: rows }, (_, i) => Math.sin(i)),
      labels: Float64Array.from({ length: rows }, (_, i) => (i < positives ? 1 : 0)),
    });
    const kindOf = (positives: number, weights: Float64Array | null = null) => {
      const { margins, labels } = sample(positives);
      return fitCalibrator({ margins, labels, weights }).kind;
    };
    expect([kindOf(0), kindOf(199), kindOf(200), kindOf(999), kindOf(1000), kindOf(3100)]).toEqual([
      'platt',
      'platt',
      'beta',
      'beta',
      'beta',
      'beta',
    ]);
    expect(
      kindOf(
        200,
        Float64Array.from({ length: 4000 }, (_, i) => (i === 0 ? 0 : 1)),
      ),
    ).toBe('platt');
  });

  it('has steps where those of the past foretold later rows better, beyond chance', () => {
    const kindOf = (truth: (m: number) => number, rows = 8000) => {
      const [past, later, all] = [rows, rows, 2 * rows].map((size, k) => ({
        ...simulate(size, 0, truth, size + k),
        weights: null,
      }));
      return fitCalibrator(all, [{ past, later }]).kind;
    };
    const stairs = (m: number) => (m < -1 ? -3 : m < 1 ? 0 : 3);
    expect(kindOf(stairs)).toBe('isotonic');
    // Hardly told by the margins, or as a line tells it.
    expect(kindOf((m) => 0.2 * m)).toBe('beta');
    expect(kindOf((m) => 0.7 * m)).toBe('beta');
    // Too few to judge by.
    expect(kindOf(stairs, 1500)).toBe('beta');
  });

  it('calibrates margins that are off, on rows not used to fit', () => {
    const truth = (m: number) => 0.6 * m - 1 + 0.3 * Math.sin(m);
    for (const [rows, base] of [
      [40_000, 0],
      [3000, -1],
      [600, -2],
    ]) {
      const fit = simulate(rows, base, truth, rows);
      const later = simulate(100_000, base, truth, rows + 1);
      const calibrator = fitCalibrator({ ...fit, weights: null });
      const before = reliability(later.labels, later.margins.map(sigmoid), { bins: 15, binning: 'equal_count' });
      const p = later.margins.map((margin) => applyCalibrator(calibrator, margin));
      const after = reliability(later.labels, p, { bins: 15, binning: 'equal_count' });
      expect(after.expectedCalibrationError).toBeLessThan(rows === 600 ? 0.05 : 0.02);
      expect(after.expectedCalibrationError).toBeLessThan(before.expectedCalibrationError / 2);
      expect(Math.abs(calibrationLine(later.labels, p).slope - 1)).toBeLessThan(rows === 600 ? 0.5 : 0.15);
    }
  });

  const many = simulate(4000, 0, (m) => 0.7 * m, 1);
  const calibrators: Calibrator[] = [
    [1000, 0],
    [200, -1],
  ].map(([rows, base]) => {
    const { margins, labels } = simulate(rows, base, (m) => 0.7 * m, rows);
    return fitCalibrator({ margins, labels, weights: null });
  });
  calibrators.unshift(fitIsotonic(many.margins, many.labels, null));

  it('gives probabilities that rise strictly with the margin and stay in bounds', () => {
    expect(calibrators.map(({ kind }) => kind)).toEqual(['isotonic', 'beta', 'platt']);
    const margin = fc.double({ min: -60, max: 60, noNaN: true });
    fc.assert(
      fc.property(margin, fc.double({ min: 1e-4, max: 10, noNaN: true }), (m, gap) => {
        for (const calibrator of calibrators) {
          const low = applyCalibrator(calibrator, m);
          const high = applyCalibrator(calibrator, m + gap);
          expect(low).toBeLessThan(high);
          expect(low).toBeGreaterThanOrEqual(probabilityMin);
          expect(high).toBeLessThanOrEqual(probabilityMax);
        }
      }),
      { numRuns: 2000 },
    );
    for (const calibrator of calibrators) {
      expect(applyCalibrator(calibrator, Infinity)).toBeCloseTo(probabilityMax, 12);
      expect(applyCalibrator(calibrator, -Infinity)).toBeCloseTo(probabilityMin, 12);
    }
  });

  it('survives JSON unchanged', () => {
    for (const calibrator of calibrators) {
      const thawed: Calibrator = JSON.parse(JSON.stringify(calibrator));
      for (let m = -8; m < 8; m += 0.37) expect(applyCalibrator(thawed, m)).toBe(applyCalibrator(calibrator, m));
    }
  });
});

describe('boundMargin', () => {
  it('leaves ordinary log-odds alone and never passes the bound', () => {
    expect([boundMargin(8.9), boundMargin(-3)]).toEqual([8.9, -3]);
    expect(sigmoid(boundMargin(-1e6))).toBeGreaterThanOrEqual(probabilityMin * (1 - 1e-12));
    expect(boundMargin(1e6)).toBeGreaterThan(boundMargin(1e5));
  });
});
