import type { Table } from '../ml/graph/tables.ts';
import { firstAbove } from '../ml/statistics/ranks.ts';

/**
 * `days`: the days with an event, ascending, counted from 1970-01-01 in wall-clock time. `readableFrom`: for each day,
 * the first moment (microseconds) at which one of its events can be read. `silenceMax`: the most days from one of them
 * to the next, among the newest `silentDaysMax`.
 */
export type EventDays = {
  readonly days: Int32Array;
  readonly readableFrom: Float64Array;
  readonly silenceMax: number;
};

/** What was silent long ago, when the data began, is no measure. */
const silentDaysMax = 1_000;

const usPerDay = 24 * 60 * 60 * 1_000_000;

/** Whether data of an age (`dataAge`) were never silent for so long: then they were rather not sent. */
export function isStale({ silenceMax }: EventDays, age: number | null): age is number {
  return age !== null && silenceMax > 0 && age > silenceMax;
}

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
  const newest = days.subarray(-silentDaysMax);
  const silenceMax = newest.subarray(1).reduce((most, day, k) => Math.max(most, day - newest[k]), 0);
  return { days, readableFrom: Float64Array.from(days, (day) => readable.get(day)!), silenceMax };
}

/**
 * The age of the data at a moment (microseconds): whole days from the newest event that could be read then, and is not
 * after `dataUntil`, to the moment; null when no event could be read.
 */
export function dataAge({ days, readableFrom }: EventDays, moment: number, dataUntil = moment): number | null {
  const until = Math.min(moment, dataUntil);
  let end = firstAbove(days, Math.floor(until / usPerDay));
  // Skips days whose events became readable only later: seldom more than a few.
  while (end > 0 && readableFrom[end - 1] > until) end--;
  return end === 0 ? null : Math.floor(moment / usPerDay) - days[end - 1];
}

/** The day of a moment (microseconds), as ISO 8601 writes it. */
export function dayOf(moment: number): string {
  return new Date(moment / 1000).toISOString().slice(0, 10);
}
