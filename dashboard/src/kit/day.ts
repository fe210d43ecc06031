/** Whether a text, as of an address, is a day of the calendar: `2026-03-02`. */
export function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  // Browsers take the 30th of February for a day of March.
  const at = Date.parse(value);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(value);
}

const clocksIn = new Map<string | undefined, Intl.DateTimeFormat>();

/** What the clocks of a time zone, or the browser's, show at a moment: `2026-03-02T08:30:00`. */
export function clockIn(timeZone: string | undefined, moment: string | number): string {
  let clock = clocksIn.get(timeZone);
  if (!clock)
    clocksIn.set(
      timeZone,
      // Swedish writes days as ISO 8601 does.
      (clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })),
    );
  return clock.format(new Date(moment)).replace(' ', 'T');
}

/** The day of the calendar on which a moment falls in a time zone. */
export const dayIn = (timeZone: string | undefined, moment: string | number): string =>
  clockIn(timeZone, moment).slice(0, 10);

const dayMs = 24 * 60 * 60_000;

/** The day so many days before another one. */
export const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * dayMs).toISOString().slice(0, 10);

/**
 * The moment at which the clocks of a time zone, or the browser's, show a time, with seconds or without. Of one that they
 * show twice the first, and of one that they skip that at which they do; null of what is no time.
 */
export function momentIn(timeZone: string | undefined, time: string): string | null {
  const wall = Date.parse(`${time}Z`);
  if (Number.isNaN(wall)) return null;
  // Clocks are put forward or back at most once in two days.
  const shown = [wall - dayMs, wall + dayMs].map((at) => wall - (Date.parse(`${clockIn(timeZone, at)}Z`) - at));
  const exact = shown.filter((at) => Date.parse(`${clockIn(timeZone, at)}Z`) === wall);
  return new Date(exact.length > 0 ? Math.min(...exact) : Math.max(...shown)).toISOString();
}

/** The first moment of a day in a time zone, or by the clock of the browser. */
export const startOfDay = (day: string, timeZone: string | undefined): string => momentIn(timeZone, `${day}T00:00:00`)!;

/** The end of a day in a time zone: the first moment of the next, which spans of the API leave out. */
export const endOfDay = (day: string, timeZone: string | undefined): string => startOfDay(dayBefore(day, -1), timeZone);
