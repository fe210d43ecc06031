import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import type { Context } from '../access/context.ts';
import { openPlaces, type Places } from './places.ts';
import type { Call } from './route.ts';

/** Most seconds that an answer waits for work to end: a connection that is silent for longer is closed. */
export const waitSecondsMax = 60;
/** An answer that waits holds a connection of the caller, and asks the database twice a second. */
export const waitsOpenMax = { perKey: 16, perWorkspace: 64 };
const pollMs = 500;

export const waitQuery = {
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: waitSecondsMax,
      description: 'Seconds that the answer may wait for the end; it comes at once when that is reached.',
    }),
  ),
};

/** Opens the places of the requests that wait for the end of work, of whatever kind. */
export function openWaits(): Places {
  return openPlaces('requests that wait', waitsOpenMax);
}

type Waiting = Pick<Call<never, never, never>, 'exchange' | 'ensure'> & { readonly seconds: number };

/**
 * Waits until something is over, the time is, or the server closes. Throws Failure 'rate_limited' for a caller with too
 * many such requests, and what `ensure` throws where the right has ended.
 */
export async function waitUntil(
  places: Places,
  ctx: Context,
  { exchange, ensure, seconds }: Waiting,
  isOver: () => Promise<boolean>,
): Promise<void> {
  if (seconds === 0 || (await isOver())) return;
  const leave = places.take(ctx);
  const closed = new AbortController();
  exchange.onClose(() => closed.abort());
  try {
    const until = performance.now() + seconds * 1000;
    do await sleep(pollMs, undefined, { signal: closed.signal }).catch(() => {});
    while (performance.now() < until && !closed.signal.aborted && !(await isOver()));
  } finally {
    leave();
  }
  await ensure();
}
