import { RateLimitError, TimeoutError } from './errors.ts';
import { delayAfter } from './http/retry.ts';
import { sleep } from './http/sleep.ts';
import type { RequestOptions } from './signatures.ts';

/** How long work is waited for. */
export type WaitOptions = Omit<RequestOptions, 'timeoutMs' | 'maxRetries'> & {
  /** Milliseconds after which waiting ends, and the work goes on: a day by default. */
  readonly withinMs?: number;
};

/** Work that takes a while: its status says how far it is. */
type Work = { readonly status: string };
/** Work that has ended, one way or the other. */
export type Ended<T extends Work> = T & { readonly status: Exclude<T['status'], UnderWay> };
type UnderWay = 'queued' | 'running';

/** The most that the service lets an answer wait. */
const waitSeconds = 60;
const withinMsByDefault = 24 * 60 * 60 * 1000;
const firstPauseMs = 500;
const pauseMsMax = 5_000;
/** What answers sooner than this has not waited. */
const heldMsMin = 1_000;

/**
 * Waits by `ask`, whose answer the service holds back until the work ends, of a few at a time: whoever waits for more
 * is answered at once now and then. Throws TimeoutError after `withinMs`, and LastroError where asking fails for good,
 * or twenty times in a row.
 */
export async function waitByAnswer<T extends Work>(
  ask: (query: { readonly wait: number }, options: RequestOptions) => Promise<T>,
  { withinMs = withinMsByDefault, ...options }: WaitOptions = {},
): Promise<Ended<T>> {
  const until = Date.now() + withinMs;
  let known: T | null = null;
  let heldMax = waitSeconds;
  for (let failures = 0, pauseMs = firstPauseMs; ; ) {
    const begun = Date.now();
    let delayMs: number | null;
    try {
      const wait = Math.max(0, Math.min(heldMax, Math.ceil((until - begun) / 1000)));
      known = await ask({ wait }, { ...options, maxRetries: 0 });
      if (hasEnded(known)) return known;
      failures = 0;
      heldMax = waitSeconds;
      const isHeld = Date.now() - begun >= heldMsMin;
      delayMs = isHeld ? 0 : pauseMs;
      pauseMs = isHeld ? firstPauseMs : Math.min(pauseMsMax, pauseMs * 1.5);
    } catch (error) {
      delayMs = delayAfter(error, failures++);
      if (delayMs === null) throw error;
      if (error instanceof RateLimitError) heldMax = 0;
    }
    const leftMs = until - Date.now();
    if (leftMs <= 0)
      throw new TimeoutError({ detail: `it is still ${known?.status ?? 'unanswered'} after ${withinMs} ms` });
    if (delayMs > 0) await sleep(Math.min(delayMs, leftMs), options.signal);
  }
}

/** Waits as `waitByAnswer` does, of what answers at once: every half a second at first and every five in the end. */
export function waitByAsking<T extends Work>(
  ask: (options: RequestOptions) => Promise<T>,
  options: WaitOptions = {},
): Promise<Ended<T>> {
  return waitByAnswer((_, asked) => ask(asked), options);
}

export function hasEnded<T extends Work>(work: T): work is Ended<T> {
  return work.status !== 'queued' && work.status !== 'running';
}
