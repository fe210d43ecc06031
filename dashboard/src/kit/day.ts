/** Whether a text, as of an address, is a day of the calendar: `2026-03-02`. */
export function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  // Browsers take the 30th of February for a day of March.
  const at = Date.parse(value);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(value);
}

const daysIn = new Map<string, Intl.DateTimeFormat>();

/** The day of the calendar on which a moment falls in a time zone. */
export function dayIn(timeZone: string, moment: string): string {
  let days = daysIn.get(timeZone);
  // Swedish writes days as ISO 8601 does.
  if (!days) daysIn.set(timeZone, (days = new Intl.DateTimeFormat('sv-SE', { timeZone })));
  return days.format(new Date(moment));
}

/** The first moment of a day by the clock of the browser. */
export const startOfDay = (day: string): string => new Date(`${day}T00:00:00`).toISOString();

/** The end of a day by the clock of the browser: the first moment of the next, which spans of the API leave out. */
export function endOfDay(day: string): string {
  const at = new Date(`${day}T00:00:00`);
  at.setDate(at.getDate() + 1);
  return at.toISOString();
}
