/** Whether a text, as of an address, is a day of the calendar: `2026-03-02`. */
export function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
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

/** The last moment of a day by the clock of the browser. */
export const endOfDay = (day: string): string => new Date(`${day}T23:59:59.999`).toISOString();
