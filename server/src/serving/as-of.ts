import { refuse } from '../errors.ts';
import { dayAt, endOfDay, isDay, wallClock } from '../lib/time-zone.ts';

const shownLengthMax = 100;

/**
 * The instant (milliseconds) as of which a reference date asks: the last millisecond of that day in the workspace's
 * zone, or `now` if the day is today, since the rest of today is not known yet. Without a date, `now`. `pointer`: where
 * it stands in the request. Throws Failure 'invalid_input', 'reference_date_in_future'.
 */
export function momentOf(referenceDate: unknown, timeZone: string, now: number, pointer = '/reference_date'): number {
  if (referenceDate === undefined || referenceDate === null) return now;
  const today = dayAt(timeZone, now);
  if (typeof referenceDate !== 'string' || !isDay(referenceDate)) {
    const message = `must be a day such as ${today}, not ${JSON.stringify(referenceDate).slice(0, shownLengthMax)}`;
    throw refuse('invalid_input', `reference_date ${message}`, { problems: [{ at: pointer, message }] });
  }
  const end = endOfDay(timeZone, referenceDate);
  if (referenceDate > today)
    throw refuse('reference_date_in_future', `reference_date ${referenceDate} lies in the future; today is ${today}`, {
      problems: [{ at: pointer, message: `lies in the future; today is ${today}` }],
    });
  return Math.min(end, now);
}

/** The last microsecond of an instant in wall-clock time of the zone: data dated up to it may be read. */
export function readableUntil(timeZone: string, instantMs: number): number {
  return wallClock(timeZone, instantMs) * 1000 + 999;
}
