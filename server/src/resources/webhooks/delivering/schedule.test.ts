import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newId } from '../../../lib/crypto/ids.ts';
import { readRetryAfter, retryDelayMs } from './schedule.ts';

const schedule = [0, 5_000, 30_000, 120_000];

test('E10: a delay lies within a fifth of the schedule, and deliveries of one outage do not come back together', () => {
  for (const [failures, planned] of schedule.entries()) {
    const delays = Array.from(
      { length: 500 },
      () => retryDelayMs(schedule, { deliveryId: newId('whd'), failures, retryAfterMs: null })!,
    );
    for (const delay of delays) expect(Math.abs(delay - planned)).toBeLessThanOrEqual(planned / 5 + 1);
    if (planned > 0) expect(new Set(delays).size).toBeGreaterThan(400);
  }
  expect(retryDelayMs(schedule, { deliveryId: 'whd_1', failures: schedule.length, retryAfterMs: null })).toBeNull();
});

test('a receiver may ask for later than the schedule, for a day at most, and not for sooner', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e12 }), (retryAfterMs) => {
      const delay = retryDelayMs(schedule, { deliveryId: 'whd_1', failures: 2, retryAfterMs })!;
      const planned = retryDelayMs(schedule, { deliveryId: 'whd_1', failures: 2, retryAfterMs: null })!;
      expect(delay).toBe(Math.max(planned, Math.min(retryAfterMs, 24 * 3_600_000)));
    }),
    { seed: 1 },
  );
});

test('Retry-After is seconds or a date, and anything else is nothing', () => {
  const now = Date.parse('2026-03-02T12:00:00Z');
  expect(readRetryAfter('120', now)).toBe(120_000);
  expect(readRetryAfter('Mon, 02 Mar 2026 12:00:05 GMT', now)).toBe(5_000);
  for (const text of [null, '', '-1', '1.5', '1e3', 'soon', '0x10', 'Mon, 02 Mar 2026 11:59:59 GMT', '9'.repeat(40)])
    expect(readRetryAfter(text, now), String(text)).toBeNull();
});
