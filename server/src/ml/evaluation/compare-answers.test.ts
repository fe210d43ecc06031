import fc from 'fast-check';
import { expect, test } from 'vitest';
import { creditScore } from '../calibration/score.ts';
import { type AnswerKind, compareAnswers } from './compare-answers.ts';

const credit: AnswerKind = { kind: 'credit', objective: 'binary', classes: [] };
const binary: AnswerKind = { kind: 'binary', objective: 'binary', classes: [] };

test('figures by hand: bands, decisions at a score, and what came true of those swapped', () => {
  // Scores 600, 774, 600 before; 774, 600, 600 after.
  const [tenth, safe] = [0.1, 1 / (1 + 9 * 2 ** (174 / 80))];
  expect([creditScore(tenth), creditScore(safe)]).toEqual([600, 774]);
  const told = compareAnswers(
    credit,
    {
      before: Float64Array.of(tenth, safe, tenth),
      after: Float64Array.of(safe, tenth, tenth),
      labels: Float64Array.of(1, 0, Number.NaN),
    },
    { score: 700 },
  );
  expect(told.migration.groups.slice(2, 4)).toEqual(['Moderate Risk', 'Medium Risk']);
  expect(told.migration.rows[2]).toEqual([0, 0, 0, 1, 0, 0]);
  expect(told.migration.rows[3]).toEqual([0, 0, 1, 1, 0, 0]);
  expect([told.migration.moved, told.equal]).toEqual([2 / 3, 1 / 3]);
  expect(told.decisions).toEqual({
    accepted: { before: 1, after: 1 },
    expected: { before: safe, after: safe },
    swapped_in: { rows: 1, expected: { before: tenth, after: safe }, labelled: 1, observed: 1 },
    swapped_out: { rows: 1, expected: { before: safe, after: tenth }, labelled: 1, observed: 0 },
    kept_in: { rows: 0, expected: { before: 0, after: 0 }, labelled: 0, observed: null },
    kept_out: { rows: 1, expected: { before: tenth, after: tenth }, labelled: 0, observed: null },
  });
  expect(told.distribution.reduce((sum, bin) => sum + bin.before, 0)).toBe(3);
});

test('a risk is accepted up to a probability, any other from one on', () => {
  const answers = { before: Float64Array.of(0.2), after: Float64Array.of(0.4) };
  expect(compareAnswers(credit, answers, { probability: 0.3 }).decisions?.swapped_out.rows).toBe(1);
  expect(compareAnswers(binary, answers, { probability: 0.3 }).decisions?.swapped_in.rows).toBe(1);
});

test('classes are compared by the most probable', () => {
  const kind: AnswerKind = { kind: 'multiclass', objective: 'multiclass', classes: ['a', 'b'] };
  const told = compareAnswers(kind, { before: Float64Array.of(0, 1, 1), after: Float64Array.of(0, 1, 0) }, null);
  expect(told).toMatchObject({
    psi: null,
    equal: 2 / 3,
    migration: {
      by: 'class',
      rows: [
        [1, 0],
        [1, 1],
      ],
    },
  });
});

const some = fc.array(
  fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
  {
    minLength: 1,
    maxLength: 60,
  },
);

test('KS is the largest distance of the distribution functions, and bins and groups hold each row once', () => {
  fc.assert(
    fc.property(some, (pairs) => {
      const [before, after] = [0, 1].map((side) => Float64Array.from(pairs, (pair) => pair[side]));
      const told = compareAnswers(binary, { before, after }, null);
      const below = (values: Float64Array, at: number) => values.filter((value) => value <= at).length / values.length;
      const distances = [...before, ...after].map((at) => Math.abs(below(before, at) - below(after, at)));
      expect(told.ks).toBeCloseTo(Math.max(...distances), 12);
      expect(told.psi).toBeGreaterThanOrEqual(0);
      expect(told.migration.rows.flat().reduce((sum, count) => sum + count, 0)).toBe(pairs.length);
      expect(told.distribution.reduce((sum, bin) => sum + bin.after, 0)).toBe(pairs.length);
    }),
  );
});

test('the same answers differ in nothing', () => {
  fc.assert(
    fc.property(some, (pairs) => {
      const values = Float64Array.from(pairs, ([value]) => value);
      const told = compareAnswers(binary, { before: values, after: values }, { probability: 0.5 });
      expect(told).toMatchObject({ psi: 0, ks: 0, equal: 1, mean_change: 0, migration: { moved: 0 } });
      expect(told.decisions).toMatchObject({ swapped_in: { rows: 0 }, swapped_out: { rows: 0 } });
    }),
  );
});
