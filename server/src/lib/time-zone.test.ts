import { expect, test } from 'vitest';
import { endOfDay, instantOf, isDay, isTimeZone, wallClock } from './time-zone.ts';

test('a day of the first years ends on that day, before and after the zones had rules', () => {
  const ends = ['0001-01-01', '0099-12-31', '1066-10-14'].map((day) =>
    new Date(wallClock('America/Sao_Paulo', endOfDay('America/Sao_Paulo', day))).toISOString(),
  );
  expect(ends).toEqual(['0001-01-01T23:59:59.999Z', '0099-12-31T23:59:59.999Z', '1066-10-14T23:59:59.999Z']);
});

test('there is no year 0, and no 30 February', () => {
  const days = ['0001-01-01', '0000-06-15', '2024-02-29', '2023-02-29', '2024-2-9'];
  expect(days.filter(isDay)).toEqual(['0001-01-01', '2024-02-29']);
});

test('a day that summer time ends on at midnight has its last hour twice, and ends with the second', () => {
  const endIn = (zone: string, day: string) => new Date(endOfDay(zone, day)).toISOString();
  expect(endIn('America/Sao_Paulo', '2019-02-15')).toBe('2019-02-16T01:59:59.999Z');
  expect(endIn('America/Sao_Paulo', '2019-02-16')).toBe('2019-02-17T02:59:59.999Z');
  expect(endIn('America/Sao_Paulo', '2019-02-17')).toBe('2019-02-18T02:59:59.999Z');
  // Summer time began at midnight: the next day starts at 01:00.
  expect(endIn('America/Sao_Paulo', '2018-11-03')).toBe('2018-11-04T02:59:59.999Z');
  expect(endIn('America/New_York', '2025-11-01')).toBe('2025-11-02T03:59:59.999Z');
  expect(endIn('America/New_York', '2025-11-02')).toBe('2025-11-03T04:59:59.999Z');
  expect(endIn('Asia/Beirut', '2024-10-26')).toBe('2024-10-26T21:59:59.999Z');
  expect(endIn('Asia/Kathmandu', '2024-06-01')).toBe('2024-06-01T18:14:59.999Z');
});

test('a time zone is named as any browser names it', () => {
  const zones = ['America/Sao_Paulo', 'UTC', 'Asia/Kolkata', 'Asia/Calcutta', 'America/Argentina/Buenos_Aires'];
  expect(zones.filter((zone) => !isTimeZone(zone))).toEqual([]);
  expect(Intl.supportedValuesOf('timeZone').filter((zone) => !isTimeZone(zone))).toEqual([]);
  const others = ['', 'Sao_Paulo', '+03:00', 'America/Nowhere', 'BRT', "UTC'; --", 'America/Sao_Paulo ', '/etc/passwd'];
  expect(others.filter(isTimeZone)).toEqual([]);
});

test('a day ends one millisecond before the next shows on the clock, whatever the zone', () => {
  const some = Intl.supportedValuesOf('timeZone').filter((_, k) => k % 40 === 0);
  for (const zone of ['America/Sao_Paulo', 'Asia/Beirut', 'Pacific/Apia', ...some])
    for (let day = Date.UTC(2010, 0, 1); day < Date.UTC(2012, 0, 1); day += 24 * 60 * 60 * 1000) {
      const name = new Date(day).toISOString().slice(0, 10);
      const shows = (instant: number) => new Date(wallClock(zone, instant)).toISOString().slice(0, 10);
      const end = endOfDay(zone, name);
      expect(shows(end + 1) > name, `${zone} ${name}`).toBe(true);
      // Samoa skipped 30 December 2011.
      if (name !== '2011-12-30') expect(shows(end), zone).toBe(name);
    }
});

test('what clocks show twice is the later instant, so that the end of a day is told as it was asked about', () => {
  const instant = (zone: string, shown: string) => new Date(instantOf(zone, Date.parse(shown))).toISOString();
  expect(instant('Europe/Berlin', '2026-10-25T02:30:00Z')).toBe('2026-10-25T01:30:00.000Z');
  expect(instant('America/New_York', '2026-11-01T01:30:00Z')).toBe('2026-11-01T06:30:00.000Z');
  expect(instant('Asia/Kathmandu', '2026-11-01T01:30:00Z')).toBe('2026-10-31T19:45:00.000Z');
  for (const [zone, day] of [
    ['America/Sao_Paulo', '2019-02-16'],
    ['Asia/Beirut', '2024-10-26'],
  ] as const)
    expect(instantOf(zone, wallClock(zone, endOfDay(zone, day)))).toBe(endOfDay(zone, day));
});
