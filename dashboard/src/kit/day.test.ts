import { expect, test } from 'vitest';
import { dayIn, endOfDay, isDay, startOfDay } from './day.ts';

test.each([
  ['America/Sao_Paulo', '2026-03-05T03:00:00.000Z', '2026-03-05'],
  ['America/Sao_Paulo', '2026-03-05T02:59:59.999Z', '2026-03-04'],
  ['America/Manaus', '2026-03-05T03:00:00.000Z', '2026-03-04'],
  ['Pacific/Auckland', '2026-12-31T11:00:00.000Z', '2027-01-01'],
])('in %s, %s falls on %s', (timeZone, moment, day) => {
  expect(dayIn(timeZone, moment)).toBe(day);
});

test('a day of the calendar is one that there is', () => {
  expect(['2026-02-28', '2024-02-29'].every(isDay)).toBe(true);
  for (const other of ['2026-02-30', '2026-13-01', '2026-2-1', '2026-02-28T00:00', '', 20260228, undefined])
    expect(isDay(other), String(other)).toBe(false);
});

test('a day ends where the next one starts', () => {
  expect(endOfDay('2026-02-28')).toBe(startOfDay('2026-03-01'));
  expect(endOfDay('2026-12-31')).toBe(startOfDay('2027-01-01'));
});
