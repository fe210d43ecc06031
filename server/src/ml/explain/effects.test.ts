import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyCalibrator, type Calibrator, fitCalibrator } from '../calibration/calibrate.ts';
import { fitIsotonic } from '../calibration/isotonic.ts';
import { exactCreditScore } from '../calibration/score.ts';
import { seedRandom } from '../statistics/random.ts';
import { takeApart } from './effects.ts';

const random = seedRandom(5);
const margins = Float64Array.from({ length: 6_000 }, () => 6 * random() - 4);
const labels = margins.map((margin) => (random() < 1 / (1 + Math.exp(-Math.round(margin))) ? 1 : 0));
/** Calibrators of every sort; the isotonic one has steps. */
const calibrators: Calibrator[] = [
  fitIsotonic(margins, labels, null),
  ...[1_500, 100].map((rows) =>
    fitCalibrator({ margins: margins.slice(0, rows), labels: labels.slice(0, rows), weights: null }),
  ),
];
const percentages = calibrators.map((calibrator) => (margin: number) => 100 * applyCalibrator(calibrator, margin));
const score = (margin: number) => exactCreditScore(applyCalibrator(calibrators[0], margin));
const clamped = (margin: number) => Math.min(40, Math.expm1(Math.max(0, margin)));

const contributionsOf = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 1, maxLength: 8 });
const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

function effectsOf(of: (margin: number) => number, expected: number, contributions: readonly number[]) {
  const raises = sum(contributions.filter((c) => c > 0));
  const lowers = sum(contributions.filter((c) => c < 0));
  const apart = takeApart(of, expected, raises, lowers);
  return { ...apart, effects: contributions.map((c) => c * (c > 0 ? apart.perRaising : apart.perLowering)) };
}

/**
 * The same by walking from the expected margin to the row's, once with all that raises first and once with all that
 * lowers first: each small step belongs to the contributions that make it, in proportion.
 */
function walk(of: (margin: number) => number, expected: number, contributions: readonly number[]): number[] {
  const effects = contributions.map(() => 0);
  for (const first of [1, -1]) {
    let at = expected;
    for (const sign of [first, -first]) {
      const side = sum(contributions.filter((c) => Math.sign(c) === sign));
      for (let step = 0; step < 40; step++) {
        const moved = of(at + side / 40) - of(at);
        at += side / 40;
        contributions.forEach((c, i) => {
          if (Math.sign(c) === sign) effects[i] += ((c / side) * moved) / 2;
        });
      }
    }
  }
  return effects;
}

test('effects are those of a walk from the usual answer, and add up to the difference', () => {
  expect(calibrators.map(({ kind }) => kind)).toEqual(['isotonic', 'beta', 'platt']);
  fc.assert(
    fc.property(
      fc.constantFrom(...percentages, score, clamped),
      fc.double({ min: -3, max: 3, noNaN: true }),
      contributionsOf,
      (of, expected, contributions) => {
        const { effects, usual, answer } = effectsOf(of, expected, contributions);
        walk(of, expected, contributions).forEach((effect, i) => {
          expect(effects[i]).toBeCloseTo(effect, 6);
        });
        expect(usual).toBe(of(expected));
        expect(usual + sum(effects)).toBeCloseTo(of(expected + sum(contributions)), 6);
        expect(answer).toBeCloseTo(of(expected + sum(contributions)), 6);
      },
    ),
  );
});

test('an effect has the direction of its contribution, against it on a score, and no more size than its side can have', () => {
  fc.assert(
    fc.property(fc.double({ min: -3, max: 3, noNaN: true }), contributionsOf, (expected, contributions) => {
      for (const of of percentages) {
        const { effects } = effectsOf(of, expected, contributions);
        contributions.forEach((c, i) => {
          expect(effects[i] * Math.sign(c)).toBeGreaterThanOrEqual(0);
        });
        for (const sign of [1, -1])
          expect(Math.abs(sum(effects.filter((e) => Math.sign(e) === sign)))).toBeLessThan(100);
      }
      const { effects } = effectsOf(score, expected, contributions);
      contributions.forEach((c, i) => {
        expect(effects[i] * Math.sign(c)).toBeLessThanOrEqual(0);
      });
    }),
  );
});

test('where the answer follows the margin in a straight line, effects are the contributions', () => {
  const { effects } = effectsOf((margin) => 5 - 2 * margin, 1, [0.5, -2, 3]);
  expect(effects).toEqual([-1, 4, -6]);
});

test('strong factors against each other keep effects that a probability can have', () => {
  // A straight line through this row would give the slope of 50 % to 12 log-odds: 300 percentage points.
  const { effects } = effectsOf((margin) => 100 / (1 + Math.exp(-margin)), 0, [12, -12]);
  expect(effects[0]).toBeCloseTo(50, 2);
  expect(effects[1]).toBeCloseTo(-50, 2);
});
