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
  // By 174 points up and down, and by none: bins of 20 points.
  expect(told.changes.flatMap(({ from, to, rows }) => (rows > 0 ? [[from, to, rows]] : []))).toEqual([
    [-190, -170, 1],
    [-10, 10, 1],
    [170, 190, 1],
  ]);
  expect(told.by_group).toEqual([
    {
      ...{ name: 'Moderate Risk', rows: 1, mean: { before: safe, after: tenth }, moved: 1, labelled: 1, observed: 0 },
      ...{ accepted: { before: 1, after: 0 }, swapped_in: 0, swapped_out: 1 },
    },
    {
      ...{ name: 'Medium Risk', rows: 2, mean: { before: tenth, after: (safe + tenth) / 2 }, moved: 0.5 },
      ...{ accepted: { before: 0, after: 1 }, swapped_in: 1, swapped_out: 0, labelled: 1, observed: 1 },
    },
  ]);
});

test('parts are told each by itself, and add up to all', () => {
  fc.assert(
    fc.property(some, fc.constantFrom(1, 2, 5), (pairs, count) => {
      const [before, after] = [0, 1].map((side) => Float64Array.from(pairs, (pair) => pair[side]));
      const labels = before.map((_, row) => (row % 3 === 0 ? Number.NaN : row % 2));
      const names = Array.from({ length: count }, (_, at) => `part ${at}`);
      const of = before.map((_, row) => row % count);
      const cutoff = { score: 600 };
      const told = compareAnswers(credit, { before, after, labels, parts: { names, of } }, cutoff);
      for (const { name, ...part } of told.by_part) {
        const pick = (values: Float64Array) => values.filter((_, row) => names[of[row]] === name);
        const own = compareAnswers(credit, { before: pick(before), after: pick(after), labels: pick(labels) }, cutoff);
        expect(part).toMatchObject({ rows: own.rows, mean: own.mean, moved: own.migration.moved });
        expect(part.accepted).toEqual(own.decisions!.accepted);
        expect([part.swapped_in, part.swapped_out]).toEqual([
          own.decisions!.swapped_in.rows,
          own.decisions!.swapped_out.rows,
        ]);
        expect(part.labelled).toBe(pick(labels).filter((label) => !Number.isNaN(label)).length);
      }
      for (const parts of [told.by_group, told.by_part]) {
        expect(parts.reduce((sum, { rows }) => sum + rows, 0)).toBe(pairs.length);
        expect(parts.reduce((sum, part) => sum + part.swapped_in!, 0)).toBe(told.decisions!.swapped_in.rows);
      }
    }),
  );
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
      const within = told.changes.map(({ from, to }) => pairs.filter(([b, a]) => a - b >= from && a - b < to).length);
      expect(told.changes.map(({ rows }) => rows)).toEqual(within);
      expect(within.reduce((sum, rows) => sum + rows, 0)).toBe(told.equal === 1 ? 0 : pairs.length);
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
