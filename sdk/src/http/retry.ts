import { LastroError } from '../errors.ts';

const firstDelayMs = 500;
const delayMsMax = 8_000;
/** The longest that the service may make a request wait; beyond it the caller decides. */
const retryAfterMsMax = 60_000;

/** Failures in a row of what goes on for long, with up to 8 s between them: a deployment takes less. */
export const failuresMax = 20;

/** Would be the same again, whatever their status says. */
const lasting: readonly string[] = ['quota_exceeded', 'object_damaged', 'insufficient_storage'];

/**
 * Milliseconds until a failed request is sent again; null where it would fail again, or might have its effect twice.
 * `Retry-After` is honoured up to a minute; without it the delay doubles from half a second to 8 s, of which `random`
 * (0 to 1) takes up to a quarter, so that many callers do not come at once.
 */
export function delayBefore(
  error: Pick<LastroError, 'status' | 'code' | 'retryAfter'>,
  isRepeatable: boolean,
  retries: number,
  random: number,
): number | null {
  if (!isPassing(error, isRepeatable)) return null;
  if (error.retryAfter !== null) {
    const delayMs = error.retryAfter * 1000;
    return delayMs <= retryAfterMsMax ? delayMs : null;
  }
  return Math.min(delayMsMax, firstDelayMs * 2 ** retries) * (1 - random / 4);
}

/** Milliseconds until what goes on for long, and changes nothing, goes on after a failure; null where it ends by it. */
export function delayAfter(error: unknown, failures: number): number | null {
  if (failures >= failuresMax || !(error instanceof LastroError)) return null;
  return delayBefore(error, true, failures, Math.random());
}

function isPassing({ status, code }: Pick<LastroError, 'status' | 'code'>, isRepeatable: boolean): boolean {
  if (code !== null && lasting.includes(code)) return false;
  // Neither has reached what would act on it.
  if (status === 408 || status === 429) return true;
  // No conflict (409) passes by itself: docs/api-errors.md.
  return isRepeatable && (status === null || status >= 500) && status !== 501;
}
