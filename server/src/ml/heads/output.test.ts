import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Objective } from '../statistics/objective.ts';
import { outputOf } from './output.ts';

const objectiveOf = (classes: number): Objective => ({
  kind: 'multiclass',
  metric: 'multiclass_log_loss',
  classes: Array.from({ length: classes }, (_, c) => `class ${c}`),
});
const unscaled = { calibrator: null, range: [0, 0] as const };

test('probabilities of classes are told to nine decimals, add up to 1 and keep their order', () => {
  const margin = fc.oneof(fc.double({ min: -40, max: 40, noNaN: true }), fc.constantFrom(0, 1e-10, 3));
  fc.assert(
    fc.property(fc.array(margin, { minLength: 2, maxLength: 50 }), (margins) => {
      const told = outputOf(objectiveOf(margins.length), unscaled, Float64Array.from([...margins, ...margins]));
      const most = Math.max(...margins);
      const total = margins.reduce((sum, one) => sum + Math.exp(one - most), 0);
      const exact = margins.map((one) => Math.exp(one - most) / total);
      for (const from of [0, margins.length]) {
        const row = told.subarray(from, from + margins.length);
        expect(Math.abs(row.reduce((sum, one) => sum + one) - 1)).toBeLessThan(1e-12);
        for (const [c, one] of row.entries()) {
          expect(one).toBe(Number(one.toFixed(9)));
          expect(Math.abs(one - exact[c])).toBeLessThan(1.001e-9);
          for (const [d, other] of row.entries()) if (exact[c] > exact[d] + 1e-15) expect(one >= other).toBe(true);
        }
      }
    }),
  );
});

test('of equal classes the first has what is left over', () => {
  expect(Array.from(outputOf(objectiveOf(3), unscaled, Float64Array.of(1, 1, 1)))).toEqual([
    0.333333334, 0.333333333, 0.333333333,
  ]);
});
