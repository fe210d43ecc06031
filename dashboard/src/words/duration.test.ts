import { expect, test } from 'vitest';
import { sayDuration } from './duration.ts';

const { format } = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const said = (milliseconds: number) => sayDuration(milliseconds, format);
const minute = 60_000;
const hour = 60 * minute;

test('a length of time is rounded to its unit, and never to sixty of the smaller one', () => {
  expect([0, 350.4, 999.4, 999.6].map(said)).toEqual(['0 ms', '350 ms', '999 ms', '1 s']);
  expect([4_240, 59_940, 59_970].map(said)).toEqual(['4.2 s', '59.9 s', '1 min']);
  expect([3 * minute, hour - 31_000, hour - 20_000].map(said)).toEqual(['3 min', '59 min', '1 h']);
  expect([2 * hour + 5 * minute, 2 * hour - 20_000].map(said)).toEqual(['2 h 5 min', '2 h']);
});
