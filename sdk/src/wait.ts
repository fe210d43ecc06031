import { RateLimitError, TimeoutError } from './errors.ts';
import { sleep } from './http/sleep.ts';
import type { RequestOptions } from './signatures.ts';

/** How long work is waited for. */
export type WaitOptions = Omit<RequestOptions, 'timeoutMs'> & {
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
/** A quota that is used up is not waited for. */
const retryAfterMax = 60;

/**
 * Waits by `ask`, whose answer the service holds back until the work ends, of a few at a time: whoever waits for more
 * is answered at once now and then. Throws TimeoutError after `withinMs`.
 */
export function waitByAnswer<T extends Work>(
  ask: (query: { readonly wait: number }, options: RequestOptions) => Promise<T>,
  options: WaitOptions = {},
): Promise<Ended<T>> {
  const askInTurn = async (seconds: number, asked: RequestOptions): Promise<T> => {
    try {
      return await ask({ wait: seconds }, asked);
    } catch (error) {
      if (!(error instanceof RateLimitError) || (error.retryAfter ?? Number.POSITIVE_INFINITY) > retryAfterMax)
        throw error;
      await sleep(error.retryAfter! * 1000, asked.signal);
      return ask({ wait: 0 }, asked);
    }
  };
  return untilEnded(askInTurn, 0, options);
}

/** Waits by asking again and again, every half a second at first and every five in the end. */
export function waitByAsking<T extends Work>(
  ask: (options: RequestOptions) => Promise<T>,
  options: WaitOptions = {},
): Promise<Ended<T>> {
  return untilEnded((_, asked) => ask(asked), firstPauseMs, options);
}

async function untilEnded<T extends Work>(
  ask: (seconds: number, options: RequestOptions) => Promise<T>,
  firstMs: number,
  { withinMs = withinMsByDefault, ...options }: WaitOptions,
): Promise<Ended<T>> {
  const until = Date.now() + withinMs;
  for (let pauseMs = firstMs; ; pauseMs = Math.min(pauseMsMax, pauseMs * 1.5)) {
    const leftMs = until - Date.now();
    const work = await ask(Math.max(0, Math.min(waitSeconds, Math.ceil(leftMs / 1000))), options);
    if (hasEnded(work)) return work;
    if (leftMs <= pauseMs) throw new TimeoutError({ detail: `it is still ${work.status} after ${withinMs} ms` });
    if (pauseMs > 0) await sleep(pauseMs, options.signal);
  }
}

export function hasEnded<T extends Work>(work: T): work is Ended<T> {
  return work.status !== 'queued' && work.status !== 'running';
}
