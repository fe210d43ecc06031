import { endOfDay, wallClock } from './time-zone.ts';

export type BucketSize = 'hour' | 'day';

const hourMs = 60 * 60 * 1000;

/**
 * Cuts the time from `from` to before `to` (milliseconds) at the whole hours or the midnights of a zone's clocks.
 * Returns where each piece begins; the first begins at `from`, and each ends where the next begins, the last at `to`.
 */
export function bucketsOf(timeZone: string, size: BucketSize, from: number, to: number): number[] {
  const starts: number[] = [];
  for (let at = from; at < to; at = nextStart(timeZone, size, at)) starts.push(at);
  return starts;
}

function nextStart(timeZone: string, size: BucketSize, at: number): number {
  const wall = wallClock(timeZone, at);
  // Clocks of zones change at whole or half hours, so that an hour that is cut by a change ends at the next whole one.
  if (size === 'hour') return at + hourMs - (((wall % hourMs) + hourMs) % hourMs);
  return endOfDay(timeZone, new Date(wall).toISOString().slice(0, 10)) + 1;
}
