import { createHash } from 'node:crypto';

/** Latest that a receiver may ask to be tried again. */
export const retryAfterMaxMs = 24 * 60 * 60_000;
/** How far a delay lies from the schedule at most, as a share of it. */
export const jitterShare = 0.2;

/**
 * How long to wait before the next attempt of a delivery that has failed so often, in milliseconds; null when the
 * schedule has no further one. A receiver that asks to be tried later is; it cannot ask for sooner than the schedule.
 * The jitter follows from the delivery, so that those of one outage do not come back at one moment.
 */
export function retryDelayMs(
  schedule: readonly number[],
  { deliveryId, failures, retryAfterMs }: { deliveryId: string; failures: number; retryAfterMs: number | null },
): number | null {
  const planned = schedule[failures];
  if (planned === undefined) return null;
  const delay = planned * (1 + jitterShare * (2 * drawn(`${deliveryId} ${failures}`) - 1));
  return Math.round(Math.max(delay, Math.min(retryAfterMs ?? 0, retryAfterMaxMs)));
}

/**
 * Reads Retry-After: seconds, or a date (RFC 9110 §10.2.3) against `nowMs`. Null for what is neither, or lies in the
 * past.
 */
export function readRetryAfter(text: string | null, nowMs: number): number | null {
  if (text === null) return null;
  const value = text.trim();
  if (/^\d{1,10}$/.test(value)) return Number(value) * 1_000;
  // A date has a day in letters: Date.parse would also take numbers and signs for one.
  const at = /^[A-Za-z]{3,9},? /.test(value) ? Date.parse(value) : Number.NaN;
  return at > nowMs ? at - nowMs : null;
}

/** A number from 0 to 1, the same for the same text. */
function drawn(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;
}
