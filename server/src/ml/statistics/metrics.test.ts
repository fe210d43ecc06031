import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accuracy,
  auroc,
  averagePrecision,
  brier,
  evaluateMetric,
  f1,
  kolmogorovSmirnov,
  logLoss,
  mae,
  metricNames,
  multiclassAccuracy,
  multiclassLogLoss,
  multiclassMacroF1,
  prepareMetric,
  r2,
  rmse,
} from './metrics.ts';

const labelled = fc.array(
  fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: -3, max: 3 }), fc.integer({ min: 1, max: 3 })),
  {
    minLength: 2,
    maxLength: 30,
  },
);

describe('auroc', () => {
  it('gives scikit-learn’s documented example', () => {
    expect(auroc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])).toBe(0.75);
  });

  it('equals the count over all pairs, ties half, rows weighted', () => {
    fc.assert(
      fc.property(labelled, (rows) => {
        let won = 0;
        let pairs = 0;
        for (const [y, s, w] of rows) {
          for (const [other, t, v] of rows) {
            if (y !== 1 || other !== 0) continue;
            pairs += w * v;
            won += w * v * (s > t ? 1 : s === t ? 0.5 : 0);
          }
        }
        const value = auroc(
          rows.map((r) => r[0]),
          rows.map((r) => r[1]),
          rows.map((r) => r[2]),
        );
        if (pairs === 0) expect(value).toBeNaN();
        else expect(value).toBeCloseTo(won / pairs, 12);
      }),
    );
  });

  it('does not depend on the order of rows nor on a monotone change of scores', () => {
    fc.assert(
      fc.property(labelled, (rows) => {
        const forward = auroc(
          rows.map((r) => r[0]),
          rows.map((r) => r[1]),
        );
        const reversed = [...rows].reverse();
        expect(
          auroc(
            reversed.map((r) => r[0]),
            reversed.map((r) => Math.exp(r[1])),
          ),
        ).toEqual(forward);
      }),
    );
  });
});

describe('ranking metrics', () => {
  it('averages precision as scikit-learn does in its documented example', () => {
    expect(averagePrecision([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])).toBeCloseTo(0.8333333333333333, 12);
    // One group of four ties, two of them positive: precision one half at recall one.
    expect(averagePrecision([0, 1, 1, 0], [1, 1, 1, 1])).toBe(0.5);
  });

  it('measures the largest gap between the classes', () => {
    expect(kolmogorovSmirnov([0, 0, 1, 1], [1, 2, 3, 4])).toBe(1);
    expect(kolmogorovSmirnov([0, 1, 0, 1], [1, 2, 3, 4])).toBe(0.5);
    expect(kolmogorovSmirnov([0, 1], [5, 5])).toBe(0);
    expect(kolmogorovSmirnov([1, 1], [5, 6])).toBeNaN();
  });
});

describe('probability metrics', () => {
  it('match hand computations', () => {
    expect(logLoss([1, 0], [0.8, 0.4])).toBeCloseTo(-(Math.log(0.8) + Math.log(0.6)) / 2, 12);
    expect(logLoss([1], [0])).toBeCloseTo(-Math.log(1e-15), 6);
    expect(brier([1, 0], [0.8, 0.4])).toBeCloseTo((0.04 + 0.16) / 2, 12);
    expect(accuracy([1, 0, 1, 0], [0.5, 0.4, 0.2, 0.9])).toBe(0.5);
    expect(f1([1, 0, 1, 0, 1], [0.9, 0.9, 0.1, 0.1, 0.8])).toBeCloseTo(4 / 6, 12);
    expect(f1([0, 0], [0, 0])).toBe(0);
  });
});

describe('regression metrics', () => {
  it('match scikit-learn’s documented examples', () => {
    expect(mae([3, -0.5, 2, 7], [2.5, 0, 2, 8])).toBe(0.5);
    expect(rmse([3, -0.5, 2, 7], [2.5, 0, 2, 8])).toBeCloseTo(Math.sqrt(0.375), 12);
    expect(r2([3, -0.5, 2, 7], [2.5, 0, 2, 8])).toBeCloseTo(0.9486081370449679, 12);
    expect(r2([1, 1], [1, 2])).toBeNaN();
  });
});

describe('multiclass metrics', () => {
  const labels = [0, 1, 2, 0, 1, 2];
  const predicted = [0, 2, 1, 0, 0, 1];
  const probabilities = predicted.flatMap((c) => [0, 1, 2].map((k) => (k === c ? 0.8 : 0.1)));

  it('match scikit-learn’s documented example', () => {
    expect(multiclassMacroF1(labels, probabilities)).toBeCloseTo(0.26666666666666666, 12);
    expect(multiclassAccuracy(labels, probabilities)).toBeCloseTo(1 / 3, 12);
    expect(multiclassLogLoss(labels, probabilities)).toBeCloseTo(-(2 * Math.log(0.8) + 4 * Math.log(0.1)) / 6, 12);
  });

  it('refuse predictions that are not rows × classes', () => {
    expect(() => multiclassAccuracy([0, 1], [1, 0, 1])).toThrow('rows × classes');
  });
});

describe('evaluateMetric', () => {
  it('knows every name and its direction', () => {
    for (const name of metricNames) expect(evaluateMetric(name, [0, 1], [0.2, 0.7]).value).not.toBeUndefined();
    expect(evaluateMetric('mae', [1], [3])).toEqual({ value: 2, higherIsBetter: false });
    expect(evaluateMetric('auroc', [0, 1], [0, 1])).toEqual({ value: 1, higherIsBetter: true });
  });
});

describe('weights', () => {
  it('count a row as so many rows, in every metric', () => {
    const random = fc.array(
      fc.record({
        label: fc.integer({ min: 0, max: 1 }),
        prediction: fc.integer({ min: 0, max: 8 }).map((n) => n / 8),
        weight: fc.integer({ min: 0, max: 3 }),
      }),
      { minLength: 1, maxLength: 20 },
    );
    fc.assert(
      fc.property(random, (rows) => {
        const repeated = rows.flatMap((row) => Array.from({ length: row.weight }, () => row));
        for (const name of metricNames) {
          // Of two classes: the prediction is the probability of class 1.
          const values = (of: typeof rows) =>
            name.startsWith('multiclass')
              ? of.flatMap(({ prediction }) => [1 - prediction, prediction])
              : of.map(({ prediction }) => prediction);
          const labels = (of: typeof rows) => of.map(({ label }) => label);
          const weights = rows.map(({ weight }) => weight);
          const weighted = evaluateMetric(name, labels(rows), values(rows), weights).value;
          const prepared = prepareMetric(name, labels(rows), values(rows))(weights);
          if (!Number.isNaN(weighted)) expect(prepared, name).toBeCloseTo(weighted, 12);
          if (repeated.length === 0) continue;
          const { value } = evaluateMetric(name, labels(repeated), values(repeated));
          if (Number.isNaN(value)) expect(weighted, name).toBeNaN();
          else expect(weighted, name).toBeCloseTo(value, 9);
        }
      }),
    );
  });
});
