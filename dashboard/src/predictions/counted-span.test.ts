import { expect, test } from 'vitest';
import { countedSpan } from './counted-span.ts';

const now = Date.parse('2026-07-31T12:00:00.000Z');

test('without days the last thirty are counted, up to now', () => {
  expect(countedSpan({}, now)).toEqual({ from: '2026-07-01T12:00:00.000Z' });
});

test('with a last day alone, the thirty before it are counted', () => {
  const to = '2025-01-31T02:59:59.999Z';
  expect(countedSpan({ to }, now)).toEqual({ from: '2025-01-01T02:59:59.999Z', to });
  const ahead = '2026-09-30T02:59:59.999Z';
  expect(countedSpan({ to: ahead }, now)).toEqual({ from: '2026-07-01T12:00:00.000Z', to: ahead });
});

test('of more than a year, the last year is counted', () => {
  const days = { from: '2026-03-01T03:00:00.000Z', to: '2026-03-31T02:59:59.999Z' };
  expect(countedSpan(days, now)).toEqual(days);
  expect(countedSpan({ from: '2020-01-01T03:00:00.000Z' }, now)).toEqual({ from: '2025-07-31T12:00:00.000Z' });
});
