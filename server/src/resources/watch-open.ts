import type { Log } from '../lib/queue/worker.ts';

/** How often running work looks whether it was interrupted. */
const lookEveryMs = 500;

/** Work that is watched for its interruption, until `end`. */
export type Watched = { readonly signal: AbortSignal; end(): void };

/**
 * Looks again and again whether work is still open. Once it is not, because it was interrupted or another worker has
 * ended it, `signal` is aborted.
 */
export function watchOpen(log: Log, isOpen: () => Promise<boolean>): Watched {
  const interrupt = new AbortController();
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      if (!(await isOpen())) interrupt.abort(new Error('it was ended meanwhile'));
    } catch (error) {
      log.warn({ err: error }, 'whether work was interrupted cannot be seen');
    }
    isLooking = false;
  };
  const timer = setInterval(look, lookEveryMs);
  return { signal: interrupt.signal, end: () => clearInterval(timer) };
}
