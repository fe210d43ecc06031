import { expect, test } from 'vitest';
import { endOfWindow } from './plan.ts';

const at = (text: string): number => Date.parse(text);

test('what gathers goes out after its time, or at eight in the morning on the clocks of its reader', () => {
  const now = at('2026-03-08T05:30:00Z');
  expect(endOfWindow('15m', 'UTC', now)).toBe(at('2026-03-08T05:45:00Z'));
  expect(endOfWindow('1h', 'UTC', now)).toBe(at('2026-03-08T06:30:00Z'));
  expect(endOfWindow('daily', 'UTC', now)).toBe(at('2026-03-08T08:00:00Z'));
  expect(endOfWindow('daily', 'UTC', at('2026-03-08T08:00:00Z'))).toBe(at('2026-03-09T08:00:00Z'));
  expect(endOfWindow('daily', 'America/Sao_Paulo', now)).toBe(at('2026-03-08T11:00:00Z'));
  // Clocks go forward between now and the morning: it is at eight on the new time.
  expect(endOfWindow('daily', 'America/New_York', now)).toBe(at('2026-03-08T12:00:00Z'));
});
