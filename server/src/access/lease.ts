import { setTimeout as sleep } from 'node:timers/promises';
import { refuse } from '../errors.ts';

/**
 * How long an answer may rely on a check of rights, counted from the start of the check; a later answer checks again.
 * Whoever revokes rights waits longer than this (`untilLeasesEnd`) before reporting that they are gone, so that no
 * answer relying on them is sent after the report. Each process measures by its own clock. The wait is needed because a
 * commit can release a lock, for which others wait, well before the committing process learns of it.
 */
const leaseMs = 400;
/** From the last check within the lease until the answer is sent: one turn of a busy event loop. */
const leavingMs = 100;
const attemptsMax = 8;

/** Must be awaited after committing a revocation of rights: once it resolves, every answer that is sent knows of it. */
export function untilLeasesEnd(): Promise<void> {
  return sleep(leaseMs + leavingMs);
}

/** When rights were last checked, in milliseconds of `performance.now`, and whether they held then. */
export type Known = { readonly askedAt: number; readonly already: boolean };

/** Whether a check of that moment, in milliseconds of `performance.now`, may still be relied on. */
export function isWithinLease(askedAt: number): boolean {
  return performance.now() - askedAt < leaseMs;
}

/**
 * Resolves once rights are known to hold by a check younger than a lease: the one begun at `askedAt` if `already`, or
 * else a new `check`. Throws what `check` throws; Failure 'unavailable' when each of several checks takes longer than a
 * lease.
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
