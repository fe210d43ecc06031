import { Failure } from '../failure.ts';

/** Runs `work` when fewer than the most of its holder run. */
export type Shares = <R>(holder: string, work: () => Promise<R>) => Promise<R>;

type Held = { running: number; readonly waiting: Set<() => void> };

/**
 * Limits how many each holder may run at once, so that one cannot take all there is. Those beyond wait in order, at
 * most `waitMs`; then they throw Failure 'unavailable'.
 */
export function openShares(most: number, waitMs: number): Shares {
  const holders = new Map<string, Held>();
  const turnOf = (held: Held): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        held.waiting.delete(begin);
        reject(new Failure('unavailable', 'Too much is asked for at once. Try again shortly.'));
      }, waitMs);
      held.waiting.add(begin);
    });
  return async (holder, work) => {
    const held = holders.get(holder) ?? { running: 0, waiting: new Set() };
    holders.set(holder, held);
    // Whoever ends hands its place on, so the count stays.
    if (held.running < most) held.running++;
    else await turnOf(held);
    try {
      return await work();
    } finally {
      const [next] = held.waiting;
      if (next === undefined) held.running--;
      else held.waiting.delete(next);
      next?.();
      if (held.running === 0) holders.delete(holder);
    }
  };
}
