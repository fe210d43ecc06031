// Converts text to values: one rule per logical type, the same for CSV, JSONL and text columns of Parquet.
import { dayUs, readDate, readTimeOfDay, readTimestamp } from './calendar.ts';
import type { LogicalType } from './column.ts';
import { type DateForm, formExamples, isCount, isOfNumbers, momentOfNumber, readInForm } from './date-forms.ts';
import { plainDecimal } from './decimal-comma.ts';
import { type NotOfType, type RowReason, type ToldReason, tellRowReason } from './row-reasons.ts';

/** How a column writes its values where it does not as `readValue` has it. */
export type ValueForm = DateForm | 'decimal_comma' | ZonedForm;

/** The form of timestamps of which those that are instants are what the clocks of a zone show then. */
export type ZonedForm = { readonly form?: DateForm; readonly zone: string };

const zero = 48;
const nine = 57;
/** Any integer of at most this many digits is exact in float64. */
const exactDigitsMax = 15;
/**
 * 10^22 is the largest power of ten that is exact in float64. So a mantissa and a power of ten need a single rounding,
 * which gives the nearest float64 (Clinger 1990).
 */
const powersOfTen = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/**
 * Reads `bytes[start, end)` as a value of `type`, which is not 'string'; blanks around it are ignored.
 * A boolean is 1 or 0, times are microseconds as in `column.ts`. NaN: the text is not of the type.
 *
 * number: digits with '.' as the decimal sign and an optional exponent; no thousands separator, NaN or infinity.
 * integer: a number without a fraction ("3.0" is one) within ±(2^53 - 1).
 * boolean: true, false, t, f, yes, no, 1, 0 in any case.
 * date: YYYY-MM-DD, or a timestamp whose written time of day is midnight; the offset does not move the day.
 * timestamp: YYYY-MM-DD, or that and [T or blank]HH:MM[:SS[.f]][Z|±HH[:MM]]; UTC when no offset is written.
 * time: HH:MM[:SS[.f]]. Digits beyond microseconds are dropped.
 *
 * `form`, of a date or timestamp: what does not read as above may be written in it; 'decimal_comma', of a number or an
 * integer: it is written so and not as above, since `1.234` would be another number. With a zone, a timestamp with an
 * offset is what the clocks of the zone show then.
 */
export function readValue(type: LogicalType, bytes: Buffer, start: number, end: number, form?: ValueForm): number {
  while (start < end && isBlank(bytes[start])) start++;
  while (end > start && isBlank(bytes[end - 1])) end--;
  switch (type) {
    case 'number':
      return form === 'decimal_comma' ? readDecimalComma(bytes, start, end) : readNumber(bytes, start, end);
    case 'integer': {
      const value = form === 'decimal_comma' ? readDecimalComma(bytes, start, end) : readNumber(bytes, start, end);
      return Number.isSafeInteger(value) ? value : Number.NaN;
    }
    case 'boolean':
      return readBoolean(bytes, start, end);
    case 'date':
    case 'timestamp': {
      const zone = zoneOf(form);
      const value = type === 'date' ? readDate(bytes, start, end) : readTimestamp(bytes, start, end, zone);
      const dated = dateFormIn(form);
      if (dated === undefined || !Number.isNaN(value)) return value;
      return isCount(dated)
        ? momentOfNumber(dated, type, readNumber(bytes, start, end), zone)
        : readInForm(dated, type, bytes, start, end, zone);
    }
    case 'time': {
      const time = readTimeOfDay(bytes, start, end);
      return time.end === end ? time.us : Number.NaN;
    }
    case 'string':
      throw new Error('a text needs no reading');
  }
}

/** The zone on whose clocks instants are read; undefined for UTC. */
export function zoneOf(form: ValueForm | undefined): string | undefined {
  return typeof form === 'object' ? form.zone : undefined;
}

/** The form of dates and timestamps besides ISO 8601, if any. */
export function dateFormIn(form: ValueForm | undefined): DateForm | undefined {
  if (typeof form === 'object') return form.form;
  return form === 'decimal_comma' ? undefined : form;
}

function readDecimalComma(bytes: Buffer, start: number, end: number): number {
  const plain = end - start > numberLengthMax ? null : plainDecimal(bytes.toString('latin1', start, end));
  return plain === null ? Number.NaN : valueOfText('number', plain);
}

let scratch = Buffer.alloc(1024);

/** Reads a text as `readValue` reads bytes. */
export function valueOfText(type: LogicalType, text: string, form?: ValueForm): number {
  // One UTF-16 unit is at most three bytes of UTF-8.
  if (text.length * 3 > scratch.length) scratch = Buffer.alloc(text.length * 6);
  return readValue(type, scratch, 0, scratch.write(text, 0), form);
}

/** Reads a number of a typed file or of JSON as a moment, in a form of numbers; NaN for any other type or form. */
export function momentOf(type: LogicalType, value: number, form: ValueForm | undefined): number {
  const isMoment = type === 'date' || type === 'timestamp';
  const dated = dateFormIn(form);
  return isMoment && isOfNumbers(dated) ? momentOfNumber(dated, type, value, zoneOf(form)) : Number.NaN;
}

/** Whether a number is a valid value of `type`. An invalid one is treated like a text that does not convert. */
export function fits(type: LogicalType, value: number): boolean {
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'boolean') return value === 0 || value === 1;
  if (type === 'date') return Number.isFinite(value) && value % dayUs === 0;
  return Number.isFinite(value);
}

const isoExamples = { date: '2024-12-31', timestamp: '2024-12-31T18:30:00Z' } as const;

/** What a value of a type looks like, for those who may not see the value; `form` as in `readValue`. */
export function expectedOf(type: LogicalType, form?: ValueForm): RowReason {
  return { code: 'expected_type', type, examples: examplesOf(type, form) };
}

/** How a value of a type is written; none where it needs no example. */
function examplesOf(type: LogicalType, form?: ValueForm): readonly string[] {
  if (form === 'decimal_comma' && (type === 'number' || type === 'integer'))
    return [type === 'number' ? '1.234,56' : '1.234'];
  const dated = dateFormIn(form);
  if (dated === undefined || (type !== 'date' && type !== 'timestamp')) return plainExamples[type] ?? [];
  return [formExamples[dated][type], isoExamples[type]];
}

const plainExamples: Readonly<Partial<Record<LogicalType, readonly string[]>>> = {
  date: ['2024-01-31'],
  timestamp: ['2024-01-31T18:30:00Z'],
  time: ['18:30:00'],
};

/** Characters of a text that is looked at as a badly written number: no number is longer. */
const numberLengthMax = 64;

/** The reason, for a reject, why `found` is not of `type`. */
export function mismatch(
  type: LogicalType,
  found: string,
  form?: ValueForm,
  foundAs: NotOfType['foundAs'] = 'text',
): ToldReason {
  const told = { type, examples: examplesOf(type, form), found: shorten(found), foundAs };
  return tellRowReason({ code: 'not_of_type', ...told, hint: hintOf(type, found, form) });
}

function hintOf(type: LogicalType, found: string, form: ValueForm | undefined): NotOfType['hint'] {
  // The expressions below try every split of a run of blanks.
  if (found.length > numberLengthMax) return null;
  if (type === 'integer' && Math.abs(valueOfText('number', found)) > Number.MAX_SAFE_INTEGER) return 'too_large';
  const isNumeric = type === 'number' || type === 'integer';
  if (form === undefined && isNumeric && /^\s*[+-]?[\d.\s]*\d,\d+\s*$/.test(found)) return 'decimal_point';
  const isMoment = form !== undefined && !Number.isNaN(valueOfText('timestamp', found, form));
  return type === 'date' && (isMoment || /^\s*\d{4}-\d\d-\d\d[T ]/.test(found)) ? 'not_midnight' : null;
}

/** The start of a text, at most 80 characters, to be shown to people. */
export function shorten(text: string): string {
  return text.length <= 80 ? startOf(text, 80) : `${startOf(text, 77)}...`;
}

/**
 * The first `most` characters at most, with no surrogate pair cut in half and with ␀ for NUL: text that any database
 * takes.
 */
export function startOf(text: string, most: number): string {
  const last = text.charCodeAt(most - 1);
  const isCut = text.length > most && last >= 0xd800 && last < 0xdc00;
  return text.slice(0, isCut ? most - 1 : most).replaceAll('\0', '\u2400');
}

function readNumber(bytes: Buffer, start: number, end: number): number {
  let at = start;
  const sign = bytes[at];
  if (at < end && (sign === 45 || sign === 43)) at++;
  let mantissa = 0;
  let significant = 0;
  let digits = 0;
  let fraction = 0;
  let point = false;
  for (; at < end; at++) {
    const byte = bytes[at];
    if (byte >= zero && byte <= nine) {
      digits++;
      if (significant > 0 || byte !== zero) significant++;
      if (significant <= exactDigitsMax) mantissa = mantissa * 10 + (byte - zero);
      if (point) fraction++;
    } else if (byte === 46 && !point) {
      point = true;
    } else {
      break;
    }
  }
  if (digits === 0) return Number.NaN;
  let exponent = 0;
  if (at < end) {
    if ((bytes[at] | 32) !== 101) return Number.NaN;
    at++;
    const exponentSign = bytes[at];
    if (at < end && (exponentSign === 45 || exponentSign === 43)) at++;
    if (at === end) return Number.NaN;
    for (; at < end; at++) {
      const byte = bytes[at];
      if (byte < zero || byte > nine) return Number.NaN;
      exponent = Math.min(exponent * 10 + (byte - zero), 100_000);
    }
    if (exponentSign === 45) exponent = -exponent;
  }
  exponent -= fraction;
  if (significant <= exactDigitsMax && exponent >= -22 && exponent <= 22) {
    const value = exponent < 0 ? mantissa / powersOfTen[-exponent] : mantissa * powersOfTen[exponent];
    return sign === 45 ? -value : value;
  }
  const value = Number(bytes.toString('latin1', start, end));
  return Number.isFinite(value) ? value : Number.NaN;
}

const booleans = new Map([
  ['true', 1],
  ['t', 1],
  ['yes', 1],
  ['1', 1],
  ['false', 0],
  ['f', 0],
  ['no', 0],
  ['0', 0],
]);

function readBoolean(bytes: Buffer, start: number, end: number): number {
  if (end - start === 1) {
    if (bytes[start] === zero) return 0;
    if (bytes[start] === zero + 1) return 1;
  }
  if (end - start > 5) return Number.NaN;
  return booleans.get(bytes.toString('latin1', start, end).toLowerCase()) ?? Number.NaN;
}

/** A text without the blanks around it that `readValue` ignores. */
export function trimBlanks(text: string): string {
  // Not an expression, which would look at a run of blanks within the text from each of its blanks.
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Whether a byte, or a UTF-16 unit, is white space within a line. */
export function isBlank(byte: number): boolean {
  return byte === 32 || byte === 9;
}
