import { expect, test } from 'vitest';
import { everyMonth } from './every-month.ts';

test('a month without labels stands between those that have some', () => {
  const rates = [
    { month: '2025-12', rows: 4, mean: 0.5 },
    { month: '2026-02', rows: 2, mean: 1 },
  ];
  expect(everyMonth(rates)).toEqual([rates[0], { month: '2026-01', rows: 0, mean: null }, rates[1]]);
  expect(everyMonth([])).toEqual([]);
});
