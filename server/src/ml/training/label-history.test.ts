import { expect, test } from 'vitest';
import type { Examples } from '../tasks/examples.ts';
import { areLabelsTelling } from './label-history.ts';
import { questionsUntil } from './questions.ts';

const day = 86_400_000_000;
const rows = 1_000;

/** One row a day, of which the first `quiet` have the label 0, and then every tenth has 1; known `after` days later. */
function examplesWith(quiet: number, after: number): Examples {
  const at = Float64Array.from({ length: rows }, (_, i) => i * day);
  return {
    rows: Int32Array.from(at.keys()),
    at,
    labels: Float64Array.from({ length: rows }, (_, i) => Number(i >= quiet && i % 10 === 0)),
    closes: at.map((moment) => moment + after * day),
  };
}

function areTelling(examples: Examples, pool = Int32Array.from({ length: rows }, (_, i) => i)): boolean {
  return areLabelsTelling(examples, pool, questionsUntil(pool, Number.POSITIVE_INFINITY));
}

test('earlier labels tell where most rows are asked about when ten of the rarer ones are known', () => {
  // The tenth is of day 90, and known 60 days later.
  expect(areTelling(examplesWith(0, 60))).toBe(true);
  // The tenth is of day 490: from day 499 on it is known, for 501 of 1,000 rows.
  expect(areTelling(examplesWith(400, 9))).toBe(true);
  expect(areTelling(examplesWith(400, 11))).toBe(false);
  expect(areTelling(examplesWith(950, 0))).toBe(false);
});

test('labels without a moment at which they are known, and those outside of the pool, tell nothing', () => {
  const examples = examplesWith(0, 0);
  expect(areTelling({ ...examples, closes: examples.closes.fill(Number.POSITIVE_INFINITY) })).toBe(false);
  const even = Int32Array.from({ length: rows }, (_, i) => i).filter((i) => i % 10 !== 0 || i > 900);
  expect(areTelling(examplesWith(0, 0), even)).toBe(false);
});

test('numbers tell as soon as ten of them are known', () => {
  const examples = examplesWith(0, 60);
  expect(areTelling({ ...examples, labels: examples.at.map((moment) => Math.sqrt(moment)) })).toBe(true);
});
