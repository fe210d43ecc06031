import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sigmoid } from '../statistics/logistic.ts';
import { seedRandom } from '../statistics/random.ts';
import { applyVennAbers, fitVennAbers, probabilityInterval, type VennAbers } from './venn-abers.ts';

/**
 * The isotonic fit at `margin` by its max–min formula: max over u ≤ margin of min over v ≥ margin of the mean in [u,
 * v].
 */
function isotonicAt(margins: readonly number[], labels: readonly number[], margin: number): number {
  let most = -Infinity;
  for (const u of margins) {
    if (u > margin) continue;
    let least = Infinity;
    for (const v of margins) {
      if (v < margin) continue;
      const inside = labels.filter((_, i) => margins[i] >= u && margins[i] <= v);
      least = Math.min(least, inside.reduce((a, b) => a + b) / inside.length);
    }
    most = Math.max(most, least);
  }
  return most;
}

describe('fitVennAbers', () => {
  it('equals two isotonic fits from scratch, at, between and beyond the calibration margins', () => {
    const row = fc.tuple(fc.integer({ min: -4, max: 4 }), fc.integer({ min: 0, max: 1 }));
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 25 }), (rows) => {
        const margins = rows.map((r) => r[0]);
        const labels = rows.map((r) => r[1]);
        const predictor = fitVennAbers(Float64Array.from(margins), labels);
        for (let margin = -5; margin <= 5; margin += 0.5) {
          const { p0, p1 } = applyVennAbers(predictor, margin);
          expect(p0).toBeCloseTo(isotonicAt([...margins, margin], [...labels, 0], margin), 10);
          expect(p1).toBeCloseTo(isotonicAt([...margins, margin], [...labels, 1], margin), 10);
          expect(p0).toBeLessThanOrEqual(p1 + 1e-12);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('brackets the truth ever more tightly as rows are added, and survives JSON', () => {
    const random = seedRandom(4);
    const sample = (rows: number) => {
      const margins = Float64Array.from({ length: rows }, () => 6 * random() - 3);
      return fitVennAbers(
        margins,
        margins.map((margin) => (random() < sigmoid(margin) ? 1 : 0)),
      );
    };
    const width = (predictor: VennAbers) => {
      let total = 0;
      for (let m = -2; m <= 2; m += 0.1) {
        const { p0, p1 } = applyVennAbers(predictor, m);
        expect(Math.abs((p0 + p1) / 2 - sigmoid(m))).toBeLessThan(0.25);
        total += p1 - p0;
      }
      return total;
    };
    const large = sample(50_000);
    expect(width(large)).toBeLessThan(width(sample(500)) / 3);
    expect(applyVennAbers(JSON.parse(JSON.stringify(large)), 0.3)).toEqual(applyVennAbers(large, 0.3));
  });
});

describe('probabilityInterval', () => {
  it('stays in bounds and holds the probability shown', () => {
    const predictor = fitVennAbers(Float64Array.from([0, 1]), [0, 1]);
    expect(probabilityInterval(predictor, -5, 0.2)).toEqual([0.0001, 0.5]);
    expect(probabilityInterval(predictor, -5, 0.7)).toEqual([0.0001, 0.7]);
    expect(probabilityInterval(predictor, 9, 0.4)).toEqual([0.4, 0.9999]);
  });
});
