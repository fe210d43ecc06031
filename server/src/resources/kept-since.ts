/** How many days what customers made is kept; 0 for ever. */
export type RetentionDays = {
  /** Of predictions that were answered at once. */
  readonly predictions: number;
  /** Of batches from their end on, with their results. */
  readonly batches: number;
  /** Of events, and their places in the feeds of workspaces. */
  readonly events: number;
};

const dayMs = 24 * 60 * 60 * 1000;

/**
 * The moment before which nothing is kept that is kept for `days` days: the start of a day of UTC, so that what expires
 * goes once a day. Null where all is kept.
 */
export function keptSince(days: number, nowMs = Date.now()): Date | null {
  return days === 0 ? null : new Date((Math.floor(nowMs / dayMs) - days) * dayMs);
}
