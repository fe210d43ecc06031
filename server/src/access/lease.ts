import { setTimeout as sleep } from 'node:timers/promises';
import { refuse } from '../errors.ts';

/**
 * How long an answer may lean on rights after it has begun to ask for them. An answer that leaves in time leaves before
 * whoever takes the rights away is told that they are gone, since they wait for longer; one that is late asks again. It needs
 * no clock but each process's own: PostgreSQL frees what waits for a commit before it tells of it, by as much as it likes.
 */
const leaseMs = 400;
/** What a check that was in time may take until its answer has left: a turn of the event loop with many of them. */
const leavingMs = 100;
const attemptsMax = 8;

/** To be awaited once rights have been taken away and that is committed: no answer that did not know of it leaves after. */
export function untilLeasesEnd(): Promise<void> {
  return sleep(leaseMs + leavingMs);
}

/** When rights were asked for, in milliseconds of `performance.now`, and whether they were there. */
export type Known = { readonly askedAt: number; readonly already: boolean };

/**
 * Resolves once the rights are known to be there within a lease: they are `already`, or `check` finds them. Throws what it
 * throws; Failure 'unavailable' where it is too slow each time.
 */
export async function withinLease({ askedAt, already }: Known, check: () => Promise<unknown>): Promise<void> {
  if (already && performance.now() - askedAt < leaseMs) return;
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const begun = performance.now();
    await check();
    if (performance.now() - begun < leaseMs) return;
  }
  throw refuse('unavailable', 'the database answers too slowly to be sure of the rights behind the key');
}
