import { idsFrom } from '../../lib/crypto/ids.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** A day of UTC (YYYY-MM-DD), and the bounds of the ids of its predictions, from the first to before the other. */
export type LogDay = { readonly day: string; readonly first: string; readonly until: string };

/** The days that a span of moments (milliseconds, the end not included) touches, in order. */
export function daysWithin(fromMs: number, untilMs: number): LogDay[] {
  const days: LogDay[] = [];
  for (let ms = Math.floor(fromMs / dayMs) * dayMs; ms < untilMs; ms += dayMs)
    days.push({ day: dayOf(ms), first: idsFrom('prd', ms), until: idsFrom('prd', ms + dayMs) });
  return days;
}

/** The day of UTC of a moment in milliseconds. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The day of UTC of a prediction, by the moment in its id. */
export function dayOfId(id: string): string {
  return dayOf(Number.parseInt(id.slice('prd_'.length, 'prd_'.length + 12), 16));
}
