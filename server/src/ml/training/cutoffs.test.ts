import { expect, test } from 'vitest';
import { creditScore } from '../calibration/score.ts';
import { cutoffs } from './cutoffs.ts';

test('says what each cut-off would have accepted, and how that went', () => {
  // By the published formula: 10 % is 600, 1 % is 600 + 80 log2(11) = 877, a half is 600 - 80 log2(9) = 346.
  const table = cutoffs([1, 0, 0, 1], [0.5, 0.1, 0.01, 0.1], creditScore);
  expect(table.map(({ score }) => score)).toEqual(Array.from({ length: 21 }, (_, k) => 50 * k));
  const at = (score: number) => table.find((row) => row.score === score)!;
  expect(at(300)).toEqual({ score: 300, approval_rate: 1, expected_default: 0.71 / 4, observed_default: 0.5 });
  expect(at(350)).toMatchObject({ approval_rate: 0.75, observed_default: 1 / 3 });
  expect(at(600)).toMatchObject({ approval_rate: 0.75 });
  expect(at(650)).toEqual({ score: 650, approval_rate: 0.25, expected_default: 0.01, observed_default: 0 });
  expect(at(900)).toEqual({ score: 900, approval_rate: 0, expected_default: null, observed_default: null });
});
