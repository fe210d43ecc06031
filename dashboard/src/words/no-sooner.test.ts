import { expect, test } from 'vitest';
import { noSooner } from './no-sooner.ts';

test('a time left is rounded up to whole minutes, and is one at the least', () => {
  const now = Date.parse('2026-01-31T12:00:00Z');
  const minutesOf = (seconds: number) =>
    (noSooner(new Date(now + 1000 * seconds).toISOString(), now).getTime() - now) / 60_000;
  expect([-5, 20, 60, 61, 119, 600].map(minutesOf)).toEqual([1, 1, 1, 2, 2, 10]);
});
