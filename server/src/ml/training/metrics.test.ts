import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accuracy,
  auroc,
  aurocStandardError,
  averagePrecision,
  bootstrapDifference,
  brier,
  cutoffTable,
  evaluateMetric,
  f1,
  kolmogorovSmirnov,
  logLoss,
  mae,
  metricNames,
  multiclassAccuracy,
  multiclassLogLoss,
  multiclassMacroF1,
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
    // One tied group of four, two positive: precision one half at recall one.
    expect(averagePrecision([0, 1, 1, 0], [1, 1, 1, 1])).toBe(0.5);
  });

  it('measures the largest gap between the classes', () => {
    expect(kolmogorovSmirnov([0, 0, 1, 1], [1, 2, 3, 4])).toBe(1);
    expect(kolmogorovSmirnov([0, 1, 0, 1], [1, 2, 3, 4])).toBe(0.5);
    expect(kolmogorovSmirnov([0, 1], [5, 5])).toBe(0);
    expect(kolmogorovSmirnov([1, 1], [5, 6])).toBeNaN();
  });

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

describe('cutoffTable', () => {
  it('counts who is approved and what they default', () => {
    const table = cutoffTable([400, 600, 800, 900], [0.4, 0.1, 0.02, 0.01], [1, 1, 0, 0], [0, 600, 1000]);
    expect(table[0]).toEqual({
      score: 0,
      approved: 4,
      approvalRate: 1,
      expectedDefault: 0.53 / 4,
      observedDefault: 0.5,
    });
    expect(table[1].approvalRate).toBe(0.75);
    expect(table[1].expectedDefault).toBeCloseTo(0.13 / 3, 12);
    expect(table[1].observedDefault).toBeCloseTo(1 / 3, 12);
    expect(table[2].approved).toBe(0);
    expect(table[2].expectedDefault).toBeNaN();
    expect(cutoffTable([1], [0.5], null, [0])[0].observedDefault).toBeNaN();
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
