import { assert } from '../../lib/failure.ts';
import type { Rows } from '../../lib/files/column.ts';
import { wallClock } from '../../lib/time-zone.ts';
import type { AskedMoments } from '../../ml/inference/anchors.ts';
import { dayInput } from '../../ml/version/schema.ts';
import { momentOf, readableUntil } from '../as-of.ts';
import type { Refuse } from './problem.ts';

/** Of which moments rows may ask. */
export type Clock = {
  readonly timeZone: string;
  /** Instant (milliseconds) at which the rows were asked about: none may ask about a later one. */
  readonly now: number;
  /** What is asked about where a row names no day. */
  readonly usual: Moment;
};

/** A moment asked about, and until when is read for it: microseconds on the clock of the data. */
type Moment = { readonly asOf: number; readonly dataUntil: number };

/** What is asked about at an instant (milliseconds): nothing later is read. */
export function momentAt(timeZone: string, instantMs: number): Moment {
  const until = readableUntil(timeZone, instantMs);
  return { asOf: until, dataUntil: until };
}

/** In place of a target: the row has no answer. */
export const refused = -1;

const usPerDay = 86_400_000_000;
const daysKeptMax = 100_000;
const firstDay = Date.parse('0001-01-01') * 1000;

/** Prepares to find the moments of rows; those that ask about none that may be are `refused` among the targets. */
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
      if (day > today)
        refuse(row, dayInput, 'reference_date_in_future', 'lies in the future of the batch', dayText(day));
      else refuse(row, dayInput, 'invalid_input', 'lies before the year 1');
    });
    return { asOf, dataUntil };
  };
}

/** A day (microseconds) as YYYY-MM-DD. */
function dayText(day: number): string {
  return new Date(day / 1000).toISOString().split('T', 1)[0];
}

/** The moments of some of the rows, by their places. */
export function pickMoments({ asOf, dataUntil }: AskedMoments, places: readonly number[]): AskedMoments {
  const pick = (values: number | Float64Array) =>
    typeof values === 'number' ? values : Float64Array.from(places, (place) => values[place]);
  return { asOf: pick(asOf), dataUntil: pick(dataUntil) };
}
