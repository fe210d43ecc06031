import { expect, test } from 'vitest';
import { type Delivery, lookAgainMs } from './webhook.ts';

const now = Date.parse('2026-03-05T12:00:00Z');
const delivery = (status: Delivery['status'], inMs: number | null) => ({
  status,
  next_attempt_at: inMs === null ? null : new Date(now + inMs).toISOString(),
});

test('deliveries are looked at again when the next of them is attempted', () => {
  expect(lookAgainMs([delivery('queued', 40_000), delivery('queued', 15_000)], now)).toBe(15_000);
  expect(lookAgainMs([delivery('queued', 2 * 60 * 60_000)], now)).toBe(60_000);
});

test('what is being sent, or is due, is looked at soon', () => {
  for (const due of [delivery('running', null), delivery('queued', -5_000), delivery('queued', 10)])
    expect(lookAgainMs([delivery('queued', 40_000), due], now)).toBe(1_000);
});

test('what has ended is not looked at again', () => {
  expect(lookAgainMs([delivery('succeeded', null), delivery('failed', null), delivery('skipped', null)], now)).toBe(
    false,
  );
  expect(lookAgainMs([], now)).toBe(false);
});
