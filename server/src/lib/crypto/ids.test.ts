import { expect, test } from 'vitest';
import { makeIdSource, newId } from './ids.ts';

test('an id is its prefix and a UUIDv7 with the time in front', () => {
  const before = Date.now();
  const id = newId('bat');
  expect(id).toMatch(/^bat_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
  const timeMs = Number.parseInt(id.slice(4, 16), 16);
  expect(timeMs).toBeGreaterThanOrEqual(before);
  expect(timeMs).toBeLessThanOrEqual(Date.now() + 1000);
});

test('ids of one process grow, also within a millisecond and when the clock goes back', () => {
  const start = 1_700_000_000_000;
  const moments = [start, start + 5, start + 5, start - 60_000];
  let calls = 0;
  const next = makeIdSource(() => moments[Math.min(calls++, moments.length - 1)]);
  const ids = Array.from({ length: 20_000 }, () => next('x'));
  expect(ids).toEqual([...ids].sort());
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => /^x_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/.test(id))).toBe(true);
});
