import { Failure } from './failure.ts';

/** Zones rarely change their offset anywhere but on a quarter-hour. */
const quarterMs = 15 * 60 * 1000;
const quartersPerDay = 96;
const formats = new Map<string, Intl.DateTimeFormat>();
/** An offset in milliseconds, and the quarter-hour since 1970 from which on it holds. */
type Change = { readonly from: number; readonly offset: number };
/** By zone and year. */
const offsets = new Map<string, Map<number, Change[]>>();
const yearsKeptMax = 1_000;
/** The most by which clocks are set back. */
const shiftMaxMs = 3 * 60 * 60 * 1000;
/**
 * Instants before this one get its offset: no zone had rules by then, and `Intl` formats the years before 1000 and
 * before 1 in other ways.
 */
const firstRulesMs = Date.UTC(1000, 0, 1);
/** Parquet has moments after the last that `Intl` can tell, whose offset is then that of this one. */
const lastMs = Date.UTC(9999, 0, 1);

/**
 * The wall-clock time of a zone at an instant: what its clocks show, in milliseconds since 1970-01-01T00:00 on that
 * clock. The instant is in milliseconds since 1970 in UTC.
 */
export function wallClock(timeZone: string, instantMs: number): number {
  return instantMs + offsetAt(timeZone, instantMs);
}

/** The same in microseconds. Offsets are whole minutes since 1972; before that some are of seconds. */
export function wallClockUs(timeZone: string, instantUs: number): number {
  return instantUs + offsetAt(timeZone, Math.floor(instantUs / 1000)) * 1000;
}

/** The day on the clocks of a zone at an instant in milliseconds, as YYYY-MM-DD. */
export function dayAt(timeZone: string, instantMs: number): string {
  return new Date(wallClock(timeZone, instantMs)).toISOString().slice(0, 10);
}

/**
 * Whether a text names a time zone: UTC, or a place of the IANA database such as America/Sao_Paulo, under any of its
 * names, since browsers differ in which they say (Asia/Calcutta, Asia/Kolkata).
 */
export function isTimeZone(text: string): boolean {
  if (!/^(?:UTC|[A-Za-z]\w*\/[\w+/-]+)$/.test(text)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions();
    return timeZone === 'UTC' || Intl.supportedValuesOf('timeZone').includes(timeZone);
  } catch {
    return false;
  }
}

/** Whether a text is a calendar day as YYYY-MM-DD. The first year is 0001. */
export function isDay(text: string): boolean {
  const start = /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(start) && new Date(start).toISOString().slice(0, 10) === text;
}

/**
 * The instant (milliseconds) of the last millisecond of a day on the clocks of a zone. Throws Failure 'invalid' when
 * `day` is not a day.
 */
export function endOfDay(timeZone: string, day: string): number {
  if (!isDay(day)) throw new Failure('invalid', `must be a day such as 2026-01-31, not ${JSON.stringify(day)}`);
  const start = Date.parse(`${day}T00:00:00Z`);
  const last = start + 24 * 60 * 60 * 1000 - 1;
  // Where summer time ends at midnight, clocks show the last hour of the day twice: `instantOf` takes the later.
  return instantOf(timeZone, last);
}

/** What was looked up last: values that follow each other are often of one quarter. */
let last = { timeZone: '', quarter: Number.NaN, offset: 0 };

function offsetAt(timeZone: string, instantMs: number): number {
  const quarter = Math.floor(Math.min(Math.max(instantMs, firstRulesMs), lastMs) / quarterMs);
  if (last.quarter !== quarter || last.timeZone !== timeZone)
    last = { timeZone, quarter, offset: offsetOf(timeZone, quarter) };
  return last.offset;
}

function offsetOf(timeZone: string, quarter: number): number {
  const year = new Date(quarter * quarterMs).getUTCFullYear();
  let years = offsets.get(timeZone);
  if (!years) offsets.set(timeZone, (years = new Map()));
  let changes = years.get(year);
  if (!changes) {
    if (years.size >= yearsKeptMax) years.clear();
    years.set(year, (changes = changesOf(timeZone, year)));
  }
  return changes.findLast(({ from }) => from <= quarter)!.offset;
}

/** The offsets of a zone in a year, each from the quarter on from which it holds. No zone changes twice in a day. */
function changesOf(timeZone: string, year: number): Change[] {
  // Before the year 100 Date.UTC means another century.
  const first = new Date(0).setUTCFullYear(year, 0, 1) / quarterMs;
  const end = new Date(0).setUTCFullYear(year + 1, 0, 1) / quarterMs;
  const at = (quarter: number) => readOffset(timeZone, quarter * quarterMs);
  const changes = [{ from: first, offset: at(first) }];
  for (let day = first; day < end; day += quartersPerDay) {
    const { offset: before } = changes.at(-1)!;
    const last = Math.min(day + quartersPerDay, end - 1);
    const offset = at(last);
    if (offset === before) continue;
    let [low, high] = [day, last];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (at(middle) === before) low = middle;
      else high = middle;
    }
    changes.push({ from: high, offset });
  }
  return changes;
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

/** The instant (milliseconds) at which clocks of a zone show `wallMs`; the later one when there are two. */
export function instantOf(timeZone: string, wallMs: number): number {
  const guess = wallMs - offsetAt(timeZone, wallMs);
  // Takes the offset at the guess. The guess is off by the change when an offset changes near `wallMs`.
  const instant = wallMs - offsetAt(timeZone, guess);
  const again = wallMs - offsetAt(timeZone, instant + shiftMaxMs);
  return again > instant && wallClock(timeZone, again) === wallMs ? again : instant;
}

/** Converts wall-clock times (microseconds) of a zone to instants (microseconds), to the millisecond. */
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
