import { assert } from '../../lib/failure.ts';
import type { Rows } from '../../lib/files/column.ts';
import { wallClock } from '../../lib/time-zone.ts';
import type { AskedMoments } from '../../ml/inference/anchors.ts';
import { dayInput } from '../../ml/version/schema.ts';
import { momentOf, readableUntil } from '../as-of.ts';
import type { Refuse } from './problem.ts';

/** Which moments the rows of a file may ask about. */
export type Clock = {
  readonly timeZone: string;
  /** The instant (milliseconds) at which the request for the rows was made. No row may ask about a later one. */
  readonly now: number;
  /** The moment of rows that name no reference date. */
  readonly usual: Moment;
};

/** The moment as of which to predict, and the end of the data read for it: microseconds in wall-clock time. */
type Moment = { readonly asOf: number; readonly dataUntil: number };

/** The last microsecond of the day that it is at an instant (milliseconds), in wall-clock time of the zone. */
export function endOfToday(timeZone: string, now: number): number {
  return (Math.floor((wallClock(timeZone, now) * 1000) / usPerDay) + 1) * usPerDay - 1;
}

/** The moment for an instant (milliseconds): predicts as of it, and reads nothing later. */
export function momentAt(timeZone: string, instantMs: number): Moment {
  const until = readableUntil(timeZone, instantMs);
  return { asOf: until, dataUntil: until };
}

const usPerDay = 86_400_000_000;

/** Stands in place of a target's position: the row has no answer. */
export const refused = -1;

const daysKeptMax = 100_000;
const firstDay = Date.parse('0001-01-01') * 1000;

/**
 * Returns a function that finds the moment of each row from its reference date. It refuses rows whose date lies in the
 * future or before the year 1, and marks them `refused` in `target`.
 */
export function openMoments({ timeZone, now, usual }: Clock) {
  const today = Math.floor((wallClock(timeZone, now) * 1000) / usPerDay) * usPerDay;
  const known = new Map<number, number>();
  const momentOfDay = (day: number): number => {
    let moment = known.get(day);
    if (moment === undefined) {
      moment = readableUntil(timeZone, momentOf(dayText(day), timeZone, now));
      if (known.size >= daysKeptMax) known.clear();
      known.set(day, moment);
    }
    return moment;
  };
  return (rows: Rows, target: Int32Array, refuse: Refuse): AskedMoments => {
    const days = rows.columns.get(dayInput);
    if (days === undefined) return usual;
    assert(days.kind === 'time', 'reference dates are times');
    const asOf = new Float64Array(rows.rows).fill(usual.asOf);
    const dataUntil = new Float64Array(rows.rows).fill(usual.dataUntil);
    days.values.forEach((day, row) => {
      if (Number.isNaN(day) || target[row] === refused) return;
      if (day >= firstDay && day <= today) {
        asOf[row] = dataUntil[row] = momentOfDay(day);
        return;
      }
      target[row] = refused;
      if (day > today) refuse(row, dayInput, 'reference_date_in_future', { code: 'day_ahead' }, dayText(day));
      else refuse(row, dayInput, 'invalid_input', { code: 'before_year_1' });
    });
    return { asOf, dataUntil };
  };
}

/** A day (microseconds) as YYYY-MM-DD. */
function dayText(day: number): string {
  return new Date(day / 1000).toISOString().split('T', 1)[0];
}

/** The moments of the rows at `places`. */
export function pickMoments({ asOf, dataUntil }: AskedMoments, places: readonly number[]): AskedMoments {
  const pick = (values: number | Float64Array) =>
    typeof values === 'number' ? values : Float64Array.from(places, (place) => values[place]);
  return { asOf: pick(asOf), dataUntil: pick(dataUntil) };
}
