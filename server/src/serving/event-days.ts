import type { Table } from '../ml/graph/tables.ts';
import { firstAbove } from '../ml/statistics/ranks.ts';

/**
 * Days with an event, ascending, since 1970 on the clock of the data; of each, since when (microseconds) one of it can
 * be read.
 */
export type EventDays = { readonly days: Int32Array; readonly readableFrom: Float64Array };

const usPerDay = 24 * 60 * 60 * 1_000_000;

export function eventDaysOf(tables: Iterable<Pick<Table, 'time' | 'versions'>>): EventDays {
  const readable = new Map<number, number>();
  for (const { time, versions } of tables) {
    if (!time) continue;
    for (let row = 0; row < time.length; row++) {
      const day = Math.floor(time[row] / usPerDay);
      const from = versions ? Math.max(versions.from[row], time[row]) : time[row];
      if (from < (readable.get(day) ?? Number.POSITIVE_INFINITY)) readable.set(day, from);
    }
  }
  const days = Int32Array.from(readable.keys()).sort();
  return { days, readableFrom: Float64Array.from(days, (day) => readable.get(day)!) };
}

/** Days from the newest event that could be read at a moment (microseconds) to it; null where there was none. */
export function dataAge({ days, readableFrom }: EventDays, moment: number): number | null {
  const today = Math.floor(moment / usPerDay);
  let end = firstAbove(days, today);
  // What came late is passed over: seldom more than a few days.
  while (end > 0 && readableFrom[end - 1] > moment) end--;
  return end === 0 ? null : today - days[end - 1];
}
