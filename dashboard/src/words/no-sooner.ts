const minuteMs = 60_000;

/** The whole minute until which something may last, the next one at the least: an estimate is not to promise less. */
export const noSooner = (eta: string, now = Date.now()): Date =>
  new Date(now + minuteMs * Math.max(1, Math.ceil((Date.parse(eta) - now) / minuteMs)));
