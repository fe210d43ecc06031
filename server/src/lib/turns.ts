import { Failure } from './failure.ts';

/**
 * Runs `work` when it is its owner's turn. Throws what `work` throws; Failure 'unavailable' when the turn does not come
 * in time; the reason of `signal` when it is aborted before the turn.
 */
export type Turns = <R>(owner: string, work: () => Promise<R>, signal?: AbortSignal) => Promise<R>;

/**
 * Limits work that takes much memory for a short while: at most `most` run at once, and one per owner. The others wait
 * for their turn, at most `waitMs`. `what` names the work in the message of those that time out.
 */
export function openTurns(what: string, most: number, waitMs: number): Turns {
  const busy = new Set<string>();
  const waiting: { readonly owner: string; readonly begin: () => void }[] = [];

  /** Starts waiting work in order of arrival, but passes over owners that are busy. */
  const admit = (): void => {
    while (busy.size < most) {
      const next = waiting.findIndex(({ owner }) => !busy.has(owner));
      if (next < 0) return;
      const [{ owner, begin }] = waiting.splice(next, 1);
      busy.add(owner);
      begin();
    }
  };

  const turnOf = (owner: string, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const begin = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', drop);
        resolve();
      };
      const entry = { owner, begin };
      const leave = (): void => void waiting.splice(waiting.indexOf(entry), 1);
      const drop = (): void => {
        clearTimeout(timer);
        leave();
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', drop, { once: true });
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', drop);
        leave();
        reject(new Failure('unavailable', `too many ${what} are made at once; try again shortly`));
      }, waitMs);
      waiting.push(entry);
      admit();
    });

  return async (owner, work, signal) => {
    await turnOf(owner, signal);
    try {
      return await work();
    } finally {
      busy.delete(owner);
      admit();
    }
  };
}
