import { Failure } from './failure.ts';

/** Rules of zones change rarely within an hour of the hour: an offset is looked up once per quarter of an hour. */
const quarterMs = 15 * 60 * 1000;
const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number>();
const offsetsKeptMax = 100_000;
/** Clocks are set back by this at most. */
const shiftMaxMs = 3 * 60 * 60 * 1000;
/**
 * Earlier ones have the offset of this one: no zone had rules by then, and formats tell years before 1 and 1000
 * otherwise.
 */
const firstRulesMs = Date.UTC(1000, 0, 1);

/**
 * What clocks of a zone show at an instant (milliseconds since 1970 in UTC), as milliseconds since 1970-01-01T00:00 on
 * that clock.
 */
export function wallClock(timeZone: string, instantMs: number): number {
  return instantMs + offsetAt(timeZone, instantMs);
}

/** Whether a text is a day of the calendar as YYYY-MM-DD; the first year is 0001. */
export function isDay(text: string): boolean {
  const start = /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(start) && new Date(start).toISOString().slice(0, 10) === text;
}

/**
 * The last millisecond of a day on the clocks of a zone, as an instant. Throws Failure 'invalid' for what is no day.
 */
export function endOfDay(timeZone: string, day: string): number {
  if (!isDay(day)) throw new Failure('invalid', `must be a day such as 2026-01-31, not ${JSON.stringify(day)}`);
  const start = Date.parse(`${day}T00:00:00Z`);
  const last = start + 24 * 60 * 60 * 1000 - 1;
  // Where summer time ends at midnight the clock shows the last hour twice.
  return instantOf(timeZone, last);
}

function offsetAt(timeZone: string, instantMs: number): number {
  const quarter = Math.floor(Math.max(instantMs, firstRulesMs) / quarterMs);
  const key = `${timeZone} ${quarter}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    offset = readOffset(timeZone, quarter * quarterMs);
    if (offsets.size >= offsetsKeptMax) offsets.clear();
    offsets.set(key, offset);
  }
  return offset;
}

function readOffset(timeZone: string, instantMs: number): number {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timeZone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(instantMs).map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second) - instantMs;
}

/** The instant (milliseconds) at which clocks of a zone show `wallMs`; of two such instants the later. */
export function instantOf(timeZone: string, wallMs: number): number {
  const guess = wallMs - offsetAt(timeZone, wallMs);
  // The offset in force then, which the first guess may miss by the change itself.
  const instant = wallMs - offsetAt(timeZone, guess);
  const again = wallMs - offsetAt(timeZone, instant + shiftMaxMs);
  return again > instant && wallClock(timeZone, again) === wallMs ? again : instant;
}

/** Moments (microseconds) on the clocks of a zone as instants, to the millisecond. */
export function instantsOf(timeZone: string, wallUs: Float64Array): Float64Array {
  let last = Number.NaN;
  let instant = Number.NaN;
  return wallUs.map((us) => {
    if (us !== last) {
      last = us;
      instant = instantOf(timeZone, Math.floor(us / 1000)) * 1000;
    }
    return instant;
  });
}
