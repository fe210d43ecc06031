// Reads days, moments and times of day as ISO 8601 writes them, and what other forms share with it.
import { wallClockUs } from '../time-zone.ts';

const zero = 48;
const nine = 57;
export const dayUs = 86_400_000_000;

export function readDate(bytes: Buffer, start: number, end: number): number {
  const day = readDay(bytes, start, end);
  if (end - start <= 10 || Number.isNaN(day)) return end - start === 10 ? day : Number.NaN;
  const time = readClock(bytes, start + 10, end);
  return time !== null && time.us === 0 ? day : Number.NaN;
}

/** `zone`: an instant, which has an offset, is what the clocks of this zone show then; without it those of UTC. */
export function readTimestamp(bytes: Buffer, start: number, end: number, zone?: string): number {
  const day = readDay(bytes, start, end);
  if (end - start <= 10 || Number.isNaN(day)) return end - start === 10 ? day : Number.NaN;
  const time = readClock(bytes, start + 10, end);
  return time === null ? Number.NaN : onClocks(day, time, zone);
}

function readDay(bytes: Buffer, start: number, end: number): number {
  if (end - start < 10 || bytes[start + 4] !== 45 || bytes[start + 7] !== 45) return Number.NaN;
  const year = twoDigits(bytes, start) * 100 + twoDigits(bytes, start + 2);
  const month = twoDigits(bytes, start + 5);
  const day = twoDigits(bytes, start + 8);
  return startOfDay(year, month, day);
}

/** The first microsecond of a day; NaN where there is no such day. */
export function startOfDay(year: number, month: number, day: number): number {
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysOfMonth(year, month))) return Number.NaN;
  return daysFromCivil(year, month, day) * dayUs;
}

function daysOfMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** A time of day, and the offset from UTC that is written with it; null where none is. */
type Clock = { readonly us: number; readonly offsetUs: number | null };

/** The moment of a time of day on a day, as `readTimestamp` says. */
export function onClocks(day: number, { us, offsetUs }: Clock, zone: string | undefined): number {
  if (offsetUs === null) return day + us;
  return zone === undefined ? day + us - offsetUs : wallClockUs(zone, day + us - offsetUs);
}

/** Reads the part of a timestamp after its day: a separator, a time and an optional offset; null when it is none. */
export function readClock(bytes: Buffer, start: number, end: number): Clock | null {
  const separator = bytes[start];
  if (separator !== 84 && separator !== 116 && separator !== 32) return null;
  const time = readTimeOfDay(bytes, start + 1, end);
  if (Number.isNaN(time.us)) return null;
  let at = time.end;
  if (at === end) return { us: time.us, offsetUs: null };
  if (bytes[at] === 32) at++;
  if ((bytes[at] === 90 || bytes[at] === 122) && at + 1 === end) return { us: time.us, offsetUs: 0 };
  if (bytes[at] !== 43 && bytes[at] !== 45) return null;
  const hours = twoDigits(bytes, at + 1);
  const rest = end - at - 3;
  const minutesAt = rest === 3 && bytes[at + 3] === 58 ? at + 4 : at + 3;
  const minutes = rest === 0 ? 0 : rest === minutesAt - at - 1 ? twoDigits(bytes, minutesAt) : Number.NaN;
  if (!(hours <= 18 && minutes <= 59)) return null;
  const offsetUs = (hours * 60 + minutes) * 60_000_000;
  return { us: time.us, offsetUs: bytes[at] === 45 ? -offsetUs : offsetUs };
}

/** Reads HH:MM[:SS[.f]] and returns where it ended; `us` is NaN when there is no time. */
export function readTimeOfDay(bytes: Buffer, start: number, end: number): { us: number; end: number } {
  const none = { us: Number.NaN, end: start };
  if (end - start < 5 || bytes[start + 2] !== 58) return none;
  const hours = twoDigits(bytes, start);
  const minutes = twoDigits(bytes, start + 3);
  let seconds = 0;
  let fractionUs = 0;
  let at = start + 5;
  if (at + 3 <= end && bytes[at] === 58) {
    seconds = twoDigits(bytes, at + 1);
    at += 3;
    if (at + 1 < end && bytes[at] === 46) {
      let unit = 100_000;
      for (at++; at < end && bytes[at] >= zero && bytes[at] <= nine; at++) {
        fractionUs += Math.floor(unit) * (bytes[at] - zero);
        unit /= 10;
      }
    }
  }
  if (!(hours <= 23 && minutes <= 59 && seconds <= 59)) return none;
  return { us: ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + fractionUs, end: at };
}

export function twoDigits(bytes: Buffer, at: number): number {
  const tens = bytes[at] - zero;
  const ones = bytes[at + 1] - zero;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/**
 * Days from 1970-01-01 to a day of the proleptic Gregorian calendar (Howard Hinnant, "chrono-compatible low-level date
 * algorithms").
 */
function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}
