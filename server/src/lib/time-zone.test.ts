import { expect, test } from 'vitest';
import { endOfDay, isDay, wallClock } from './time-zone.ts';

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
