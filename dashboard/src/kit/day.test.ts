import { expect, test } from 'vitest';
import { dayIn } from './day.ts';

test.each([
  ['America/Sao_Paulo', '2026-03-05T03:00:00.000Z', '2026-03-05'],
  ['America/Sao_Paulo', '2026-03-05T02:59:59.999Z', '2026-03-04'],
  ['America/Manaus', '2026-03-05T03:00:00.000Z', '2026-03-04'],
  ['Pacific/Auckland', '2026-12-31T11:00:00.000Z', '2027-01-01'],
])('in %s, %s falls on %s', (timeZone, moment, day) => {
  expect(dayIn(timeZone, moment)).toBe(day);
});
