import { expect, test } from 'vitest';
import { clockIn, dayIn, endOfDay, isDay, momentIn, startOfDay } from './day.ts';

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
  for (const timeZone of [undefined, 'America/Sao_Paulo', 'Pacific/Auckland']) {
    expect(endOfDay('2026-02-28', timeZone)).toBe(startOfDay('2026-03-01', timeZone));
    expect(endOfDay('2026-12-31', timeZone)).toBe(startOfDay('2027-01-01', timeZone));
  }
});

test.each([
  ['America/Sao_Paulo', '2026-03-05T08:30', '2026-03-05T11:30:00.000Z'],
  ['Pacific/Auckland', '2027-01-01T00:00:00', '2026-12-31T11:00:00.000Z'],
  // Put back from 2 to 1: shown twice. Put forward from 2 to 3: never shown.
  ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00.000Z'],
  ['America/New_York', '2026-03-08T02:30', '2026-03-08T07:30:00.000Z'],
  // A day that began at one, since its midnight was skipped.
  ['America/Sao_Paulo', '2018-11-04T00:00:00', '2018-11-04T03:00:00.000Z'],
])('in %s, clocks show %s at %s', (timeZone, time, moment) => {
  expect(momentIn(timeZone, time)).toBe(moment);
});

test('what clocks show leads back to the moment, and what is no time to none', () => {
  expect(clockIn('America/Sao_Paulo', '2026-03-05T11:30:07Z')).toBe('2026-03-05T08:30:07');
  expect(momentIn('America/Sao_Paulo', '')).toBeNull();
});
