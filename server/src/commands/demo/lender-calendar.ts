const millisecondsPerDay = 86_400_000;

/** Returns the days since 1970-01-01 of a `YYYY-MM-DD` date, or null when there is no such day. */
export function dayOf(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const day = Date.parse(`${text}T00:00:00Z`) / millisecondsPerDay;
  return Number.isNaN(day) || textOf(day) !== text ? null : day;
}

const texts = new Map<number, string>();

/** Returns the day as `YYYY-MM-DD`. Texts are cached, because a few thousand days are written millions of times. */
export function textOf(day: number): string {
  let text = texts.get(day);
  if (text === undefined) texts.set(day, (text = new Date(day * millisecondsPerDay).toISOString().slice(0, 10)));
  return text;
}

/** Returns the months since January 1970. */
export function monthOf(day: number): number {
  const date = new Date(day * millisecondsPerDay);
  return date.getUTCFullYear() * 12 + date.getUTCMonth() - 1970 * 12;
}

/** Returns the first day of a month, counted from January 1970. */
export function firstDayOf(month: number): number {
  return Date.UTC(1970, month, 1) / millisecondsPerDay;
}

/** Returns the same day of the month `months` later, or the last day of that month if it is shorter. */
export function addMonths(day: number, months: number): number {
  const month = monthOf(day);
  const dayOfMonth = day - firstDayOf(month);
  return Math.min(firstDayOf(month + months) + dayOfMonth, firstDayOf(month + months + 1) - 1);
}
