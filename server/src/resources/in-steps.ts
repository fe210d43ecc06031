import { setTimeout as sleep } from 'node:timers/promises';

/** How long nothing is removed after each step, so that requests have the disk. */
const pauseMs = 100;

/**
 * Removes what is to go in steps of at most `most`, until a step finds fewer or `signal` stops it. `remove` says how
 * many it removed. Returns how many there were.
 */
export async function removeInSteps(
  most: number,
  signal: AbortSignal | undefined,
  remove: () => Promise<number>,
): Promise<number> {
  let removed = 0;
  for (let count = most; count === most && !signal?.aborted; removed += count) {
    count = await remove();
    if (count === most) await sleep(pauseMs);
  }
  return removed;
}
