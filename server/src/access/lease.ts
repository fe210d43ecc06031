import { setTimeout as sleep } from 'node:timers/promises';
import { refuse } from '../errors.ts';

/**
 * For how long after it began to ask for rights an answer may rely on them; a later answer asks again. Whoever takes
 * rights away waits for longer than this (`untilLeasesEnd`) before saying that they are gone, so that no answer leaves
 * after that. Each process measures by its own clock alone. Waiting is needed because a commit can end a lock that
 * others wait for well before the process that commits hears of it.
 */
const leaseMs = 400;
/** From a check that was in time until its answer has left: one turn of an event loop with much to do. */
const leavingMs = 100;
const attemptsMax = 8;

/**
 * To be awaited after committing that rights were taken away: from then on no answer leaves that did not know of it.
 */
export function untilLeasesEnd(): Promise<void> {
  return sleep(leaseMs + leavingMs);
}

/** When rights were last asked for, in milliseconds of `performance.now`, and whether they held then. */
export type Known = { readonly askedAt: number; readonly already: boolean };

/** Whether what was asked for at that moment, in milliseconds of `performance.now`, may still be leaned on. */
export function isWithinLease(askedAt: number): boolean {
  return performance.now() - askedAt < leaseMs;
}

/**
 * Resolves once rights are known to hold and that knowledge is younger than a lease: `already`, or by `check`. Throws
 * what `check` throws; Failure 'unavailable' when each of several checks takes longer than a lease.
 */
export async function withinLease({ askedAt, already }: Known, check: () => Promise<unknown>): Promise<void> {
  if (already && isWithinLease(askedAt)) return;
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const begun = performance.now();
    await check();
    if (isWithinLease(begun)) return;
  }
  throw refuse('unavailable', 'the database answers too slowly to be sure of the rights behind the key');
}
