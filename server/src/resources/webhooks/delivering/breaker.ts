/** How it went with an address lately. Times are in milliseconds of the database's clock. */
export type Lane = {
  readonly failuresInRow: number;
  readonly failingSinceMs: number | null;
  readonly lastFailedMs: number | null;
  /** Set while nothing is sent there but one delivery at a time, after this moment. */
  readonly pausedUntilMs: number | null;
  readonly probes: number;
};

export type LaneFailures = {
  readonly count: number;
  /** One of them was of the delivery by which a paused address was tried. */
  readonly isProbe: boolean;
  /** Attempts of the last minutes. */
  readonly recent: { readonly attempts: number; readonly failed: number };
};

const dayMs = 24 * 60 * 60_000;
/** So many failures in a row pause an address; and so large a share of as many attempts as are enough to tell. */
export const failuresInRowMax = 10;
export const recentMinutes = 5;
const recentAttemptsMin = 10;
const recentFailedShareMax = 0.8;
/** The pause before the first time that an address is tried again; it doubles up to the longest. */
export const probeFirstMs = 30_000;
export const probeLongestMs = 15 * 60_000;
/** An address at which nothing arrived for so long is disabled. Failures further apart than this begin anew. */
export const failingDaysMax = 5;

/** What becomes of a lane after attempts that failed, and whether its webhook is to be disabled. */
export function afterFailures(lane: Lane, { count, isProbe, recent }: LaneFailures, nowMs: number) {
  const isAnew = lane.lastFailedMs === null || nowMs - lane.lastFailedMs > failingDaysMax * dayMs;
  const failingSinceMs = isAnew ? nowMs : (lane.failingSinceMs ?? nowMs);
  const failuresInRow = lane.failuresInRow + count;
  const isBad =
    failuresInRow >= failuresInRowMax ||
    (recent.attempts >= recentAttemptsMin && recent.failed / recent.attempts > recentFailedShareMax);
  const next: Lane = {
    ...{ failuresInRow, failingSinceMs, lastFailedMs: nowMs },
    ...pauseOf(lane, { isProbe, isBad, nowMs }),
  };
  return { lane: next, isToDisable: nowMs - failingSinceMs >= failingDaysMax * dayMs };
}

function pauseOf(
  { pausedUntilMs, probes }: Lane,
  { isProbe, isBad, nowMs }: { isProbe: boolean; isBad: boolean; nowMs: number },
): Pick<Lane, 'pausedUntilMs' | 'probes'> {
  // Attempts that were under way when it was paused say nothing new.
  if (pausedUntilMs !== null && !isProbe) return { pausedUntilMs, probes };
  if (pausedUntilMs === null && !isBad) return { pausedUntilMs: null, probes: 0 };
  const made = pausedUntilMs === null ? 0 : probes + 1;
  return { pausedUntilMs: nowMs + Math.min(probeLongestMs, probeFirstMs * 2 ** Math.min(made, 10)), probes: made };
}
