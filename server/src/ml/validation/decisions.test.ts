import { expect, test } from 'vitest';
import { decisionsAt } from './decisions.ts';

/** A thousand less the chance in thousandths, so that cut-offs are read off by hand. */
const scoreOf = (probability: number) => Math.round(1000 * (1 - probability));
const rows = (labels: readonly number[], values: readonly number[]) => ({
  labels: Float64Array.from(labels),
  values: Float64Array.from(values),
});

test('each cut-off tells what both versions accept, what they expect of it, and what came of it', () => {
  const own = Float64Array.of(0.1, 0.2, 0.5, 0.9);
  const before = Float64Array.of(0.4, 0.2, 0.1, 0.9);
  const judged = { own: rows([0, 1, 1], [0.1, 0.2, 0.8]), before: rows([0, 1, 1], [0.1, 0.6, 0.2]) };
  const table = decisionsAt(scoreOf, { own, before }, judged);
  expect(table.map(({ score }) => score)).toEqual(Array.from({ length: 21 }, (_, k) => 50 * k));
  const at = (score: number) => table.find((one) => one.score === score)!;
  // Chances of up to .3 are accepted: by the version rows 0 and 1, by the one before rows 1 and 2.
  expect(at(700)).toEqual({
    score: 700,
    model: { approval_rate: 0.5, expected_default: expect.closeTo(0.15, 12), observed_default: 0.5 },
    compare_with: { approval_rate: 0.5, expected_default: expect.closeTo(0.15, 12), observed_default: 0.5 },
    ...{ swapped_in: 1, swapped_out: 1 },
  });
  // Of up to .5: rows 0 to 2 by both; of the judged, two and two.
  expect(at(500)).toMatchObject({
    model: { approval_rate: 0.75, expected_default: expect.closeTo(0.8 / 3, 12), observed_default: 0.5 },
    compare_with: { approval_rate: 0.75, expected_default: expect.closeTo(0.7 / 3, 12), observed_default: 0.5 },
    ...{ swapped_in: 0, swapped_out: 0 },
  });
  expect(at(1000)).toEqual({
    score: 1000,
    model: { approval_rate: 0, expected_default: null, observed_default: null },
    compare_with: { approval_rate: 0, expected_default: null, observed_default: null },
    ...{ swapped_in: 0, swapped_out: 0 },
  });
});

test('alone, and with too few judged rows, it says what it can', () => {
  const [first] = decisionsAt(scoreOf, { own: Float64Array.of(0.25, 0.75), before: null }, null);
  expect(first).toEqual({
    score: 0,
    model: { approval_rate: 1, expected_default: 0.5, observed_default: null },
    ...{ compare_with: null, swapped_in: null, swapped_out: null },
  });
});
