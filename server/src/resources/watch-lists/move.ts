import type { MoveThreshold } from '../../schema/json.ts';
import type { Cause } from './watch-list.ts';

/** A score, and its band or class where it has one. */
export type Score = { readonly score: number; readonly band: string | null };

/**
 * Whether a score has moved from the one that was told last. Without a threshold, who is in another band or class has.
 */
export function hasMoved(threshold: MoveThreshold | null, told: Score, now: Score): boolean {
  if (threshold === null) return told.band !== now.band;
  const difference = Math.abs(now.score - told.score);
  if ('difference' in threshold) return difference >= threshold.difference;
  return difference > 0 && difference >= threshold.share * Math.abs(told.score);
}

/** What a rescoring was made by and over. */
export type Made = { readonly versionId: string; readonly snapshotId: string };

/**
 * Why scores may be otherwise than at the rescoring before: the version before all, as what it says of the same data is
 * no move of an entity; then the data. With both the same, only the moment is another.
 */
export function causeOf(before: Made, now: Made): Cause {
  if (before.versionId !== now.versionId) return 'version';
  return before.snapshotId !== now.snapshotId ? 'data' : 'time';
}
