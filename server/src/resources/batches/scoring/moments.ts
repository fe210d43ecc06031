import { assert } from '../../../lib/failure.ts';
import type { Rows } from '../../../lib/files/column.ts';
import { wallClock } from '../../../lib/time-zone.ts';
import { momentOf, readableUntil } from '../../../serving/as-of.ts';
import type { Refuse } from './row-error.ts';
import { refused } from './targets.ts';

/** Of which moments rows may ask. */
export type Clock = {
  readonly timeZone: string;
  /** Instant (milliseconds) at which the batch was accepted: no row may ask about a later one. */
  readonly now: number;
  /** Instant (milliseconds) asked about where a row names no day. */
  readonly asOf: number;
};

/** The moments that rows ask about, microseconds on the clock of the data: one for all, or one each. */
export type Moments = number | Float64Array;

export const dayColumn = 'reference_date';
const usPerDay = 86_400_000_000;
const daysKeptMax = 100_000;
const firstDay = Date.parse('0001-01-01') * 1000;

/** Prepares to find the moments of rows; those that ask about none that may be are `refused` among the targets. */
export function openMoments({ timeZone, now, asOf }: Clock) {
  const usual = readableUntil(timeZone, asOf);
  const today = Math.floor((wallClock(timeZone, now) * 1000) / usPerDay) * usPerDay;
  const known = new Map<number, number>();
  const momentOfDay = (day: number): number => {
    let moment = known.get(day);
    if (moment === undefined) {
      const text = new Date(day / 1000).toISOString().split('T', 1)[0];
      moment = readableUntil(timeZone, momentOf(text, timeZone, now));
      if (known.size >= daysKeptMax) known.clear();
      known.set(day, moment);
    }
    return moment;
  };
  return (rows: Rows, target: Int32Array, refuse: Refuse): Moments => {
    const days = rows.columns.get(dayColumn);
    if (days === undefined) return usual;
    assert(days.kind === 'time', 'reference dates are times');
    return days.values.map((day, row) => {
      if (Number.isNaN(day) || target[row] === refused) return usual;
      if (day >= firstDay && day <= today) return momentOfDay(day);
      target[row] = refused;
      if (day > today) refuse(row, dayColumn, 'reference_date_in_future', 'lies in the future of the batch');
      else refuse(row, dayColumn, 'invalid_input', 'lies before the year 1');
      return usual;
    });
  };
}
