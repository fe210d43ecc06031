// The forms besides ISO 8601 in which files write days and moments.
import { wallClockUs } from '../time-zone.ts';
import { dayUs, onClocks, readClock, startOfDay, twoDigits } from './calendar.ts';

/**
 * How a column writes its days or moments where it does not as ISO 8601 does, which is read beside every form.
 *
 * The first three have '/', '.' or '-' between their parts, a day and a month of one or two digits and a year of four.
 * They and 'yyyyMMdd' may be followed by a time of day as in ISO 8601, whose hour may have one digit. 'yyyyMMdd' and
 * the last two, which count from 1970-01-01T00:00Z, are whole numbers too, in text or not; counts may have a fraction.
 */
export type DateForm = 'dd/MM/yyyy' | 'MM/dd/yyyy' | 'yyyy/MM/dd' | 'yyyyMMdd' | 'epoch_seconds' | 'epoch_milliseconds';

export const dateForms: readonly DateForm[] = [
  ...(['dd/MM/yyyy', 'MM/dd/yyyy', 'yyyy/MM/dd', 'yyyyMMdd'] as const),
  ...(['epoch_seconds', 'epoch_milliseconds'] as const),
];

type Moment = 'date' | 'timestamp';

const minus = 45;
const point = 46;
const slash = 47;
const zero = 48;
const colon = 58;
/** The years 0000 to 9999, which are those of ISO 8601: their first microsecond, and the one after their last. */
const earliestUs = -62_167_219_200_000_000;
const endUs = 253_402_300_800_000_000;

/** Whether a form is one of dates whose values may be numbers of a typed file. */
export function isOfNumbers(form: string | undefined): form is 'yyyyMMdd' | 'epoch_seconds' | 'epoch_milliseconds' {
  return form === 'yyyyMMdd' || isCount(form);
}

/** Whether a form counts time. */
export function isCount(form: string | undefined): form is 'epoch_seconds' | 'epoch_milliseconds' {
  return form === 'epoch_seconds' || form === 'epoch_milliseconds';
}

/**
 * Reads `bytes[start, end)`, without blanks around it, in a form that is no count. Microseconds as in `column.ts`; NaN:
 * it is not of the form, there is no such day, or a date has a time of day other than midnight.
 */
export function readInForm(
  form: Exclude<DateForm, 'epoch_seconds' | 'epoch_milliseconds'>,
  type: Moment,
  bytes: Buffer,
  start: number,
  end: number,
  zone?: string,
): number {
  if (form === 'yyyyMMdd') return readDigits(type, bytes, start, end, zone);
  const isYearFirst = form === 'yyyy/MM/dd';
  const first = digitsEnd(bytes, start, end, isYearFirst ? 4 : 2);
  const separator = bytes[first];
  const isSeparated = separator === slash || separator === point || separator === minus;
  if (first === start || first >= end || !isSeparated) return Number.NaN;
  const second = digitsEnd(bytes, first + 1, end, 2);
  if (second === first + 1 || second >= end || bytes[second] !== separator) return Number.NaN;
  const third = digitsEnd(bytes, second + 1, end, isYearFirst ? 2 : 4);
  const yearDigits = isYearFirst ? first - start : third - second - 1;
  if (third === second + 1 || yearDigits !== 4) return Number.NaN;
  const [a, b, c] = [
    numberIn(bytes, start, first),
    numberIn(bytes, first + 1, second),
    numberIn(bytes, second + 1, third),
  ];
  const day = isYearFirst ? startOfDay(a, b, c) : form === 'dd/MM/yyyy' ? startOfDay(c, b, a) : startOfDay(c, a, b);
  return withClock(type, day, bytes, third, end, zone);
}

/**
 * The moment that a number means in a form; NaN where it means none, or a date is meant and it is not midnight. Counts
 * of time are instants: timestamps are what the clocks of `zone` show then, without it those of UTC.
 */
export function momentOfNumber(form: DateForm, type: Moment, value: number, zone?: string): number {
  if (form === 'yyyyMMdd') {
    if (!Number.isInteger(value) || value < 10_000_000 || value > 99_991_231) return Number.NaN;
    return startOfDay(Math.floor(value / 10_000), Math.floor(value / 100) % 100, value % 100);
  }
  if (!isCount(form)) return Number.NaN;
  // Added to 0, -0 is 0.
  const us = Math.round(value * (form === 'epoch_seconds' ? 1_000_000 : 1_000)) + 0;
  if (!(us >= earliestUs && us < endUs)) return Number.NaN;
  if (type === 'date') return us % dayUs === 0 ? us : Number.NaN;
  return zone === undefined ? us : wallClockUs(zone, us);
}

/** How a day, or a moment of it, is written in a form. */
export const formExamples: Readonly<Record<DateForm, Readonly<Record<Moment, string>>>> = {
  'dd/MM/yyyy': { date: '31/12/2024', timestamp: '31/12/2024 18:30:00' },
  'MM/dd/yyyy': { date: '12/31/2024', timestamp: '12/31/2024 18:30:00' },
  'yyyy/MM/dd': { date: '2024/12/31', timestamp: '2024/12/31 18:30:00' },
  yyyyMMdd: { date: '20241231', timestamp: '20241231 18:30:00' },
  epoch_seconds: { date: '1735603200', timestamp: '1735669800' },
  epoch_milliseconds: { date: '1735603200000', timestamp: '1735669800000' },
};

function readDigits(type: Moment, bytes: Buffer, start: number, end: number, zone: string | undefined): number {
  const at = start + 8;
  if (digitsEnd(bytes, start, end, 8) !== at) return Number.NaN;
  const year = twoDigits(bytes, start) * 100 + twoDigits(bytes, start + 2);
  const day = startOfDay(year, twoDigits(bytes, start + 4), twoDigits(bytes, start + 6));
  // Tools that turn whole numbers with gaps into floats write 20241231.0.
  if (at < end && bytes[at] === point) return isZeros(bytes, at + 1, end) ? day : Number.NaN;
  return withClock(type, day, bytes, at, end, zone);
}

function isZeros(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] !== zero) return false;
  return true;
}

/** "T0" and the longest clock with an hour of one digit: 9:05:30.123456789 -03:00. */
const padded = Buffer.alloc(64);

/** The moment of a day with the time of day written at `at`, if any. */
function withClock(
  type: Moment,
  day: number,
  bytes: Buffer,
  at: number,
  end: number,
  zone: string | undefined,
): number {
  if (at === end || Number.isNaN(day)) return day;
  const isShort = at + 2 < end && bytes[at + 2] === colon && end - at < padded.length;
  if (isShort) {
    padded[0] = bytes[at];
    padded[1] = zero;
    bytes.copy(padded, 2, at + 1, end);
  }
  const clock = isShort ? readClock(padded, 0, end - at + 1) : readClock(bytes, at, end);
  if (clock === null) return Number.NaN;
  if (type === 'date') return clock.us === 0 ? day : Number.NaN;
  return onClocks(day, clock, zone);
}

/** Where a run of at most `most` digits ends. */
function digitsEnd(bytes: Buffer, start: number, end: number, most: number): number {
  const last = Math.min(end, start + most);
  let at = start;
  while (at < last && bytes[at] >= zero && bytes[at] <= zero + 9) at++;
  return at;
}

function numberIn(bytes: Buffer, start: number, end: number): number {
  let number = 0;
  for (let at = start; at < end; at++) number = number * 10 + bytes[at] - zero;
  return number;
}
