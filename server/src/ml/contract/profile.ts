import type { Column, LogicalType, Numbers } from '../../lib/files/column.ts';
import type { DateForm } from '../../lib/files/date-forms.ts';
import { commaOf } from '../../lib/files/decimal-comma.ts';
import { readValue, startOf, trimBlanks, type ValueForm } from '../../lib/files/values.ts';
import { missingLengthMax, missingTextsMax } from './contract.ts';
import type { Reason } from './reasons.ts';

/**
 * A column as inference sees it: its distinct values, encoded, and statistics of them. Numbers and times from typed
 * files are encoded too, so that every rule handles one form.
 */
export type Profile = {
  readonly name: string;
  readonly position: number;
  readonly type: LogicalType;
  readonly typeDoubt: Reason | null;
  /** Of dates and timestamps that are not all written as ISO 8601 says; null for any other column. */
  readonly written: WrittenDates | null;
  /** Of numbers: whether they are written with a decimal comma. */
  readonly isComma: boolean;
  /**
   * Texts that stand for a missing value, in a column whose other values have another type. They count as missing here.
   */
  readonly missing: readonly MissingText[];
  readonly rows: number;
  /** Rows with a value. */
  readonly filled: number;
  /** Distinct values. */
  readonly distinct: number;
  /** For each row an index into `texts`, -1 when missing. */
  readonly codes: Int32Array;
  /**
   * Distinct values as text. Whole numbers are in plain form (`12` for `12.0`), so that columns can be compared by
   * them.
   */
  readonly texts: readonly string[];
  /** Distinct values as numbers or microseconds, NaN for one that is not of the column's type; null for text. */
  readonly numbers: Float64Array | null;
  /** Number of rows of each distinct value. */
  readonly counts: Int32Array;
  readonly minimum: number;
  readonly maximum: number;
};

/**
 * How the dates of a column are written. `decided`: of forms in which day and month may change places, the rows that
 * show which comes first; 0 where none does.
 */
export type WrittenDates = {
  readonly form: DateForm;
  readonly decided: number;
  /** Whether the order is that of other columns, since no row of this one shows it. */
  readonly isAsOthers?: true;
};

/**
 * A text as in the file but without blanks around it, its number of rows, and whether it is a usual word for a missing
 * value.
 */
export type MissingText = { readonly text: string; readonly rows: number; readonly isWord: boolean };

export type TableProfile = {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly Profile[];
  /** The number of each row in the file; null for the rows of several files. */
  readonly rowNumbers: Float64Array | null;
};

/** Types that a text may be read as, the narrower first: every integer is also a number, every date a timestamp. */
const readable: readonly LogicalType[] = ['integer', 'number', 'date', 'timestamp', 'time', 'boolean'];
/** At most this share of rows may not read as the type of the others. */
const misfitShareMax = 0.01;
/** The same where the others are dates in a form of their own. */
const dateMisfitShareMax = 0.05;
/** A value that does not read as the type of the others and occurs this often is a code, not a typing error. */
const misfitRepeatsMin = 3;
const valueLengthMax = 64;
const exampleLength = 30;
const absentWords = new Set([
  '',
  '0000-00-00',
  '0000-00-00 00:00:00',
  '00/00/0000',
  '0000/00/00',
  'null',
  'none',
  'na',
  'n/a',
  'nan',
  'nil',
  '-',
  '--',
  '?',
  '\\n',
  '.',
  'undefined',
]);

/** Whether a text is a usual way for programs and people to write a missing value. */
export function isAbsentWord(text: string): boolean {
  return absentWords.has(text.trim().toLowerCase());
}

/** Encodes a column and finds its type. `declared`: the type given by a typed file; null to infer it from texts. */
export function profileColumn(name: string, position: number, column: Column, declared: LogicalType | null): Profile {
  if (column.kind === 'text') return profileText(name, position, column.codes, column.dictionary, declared);
  const type = declared ?? (column.kind === 'time' ? 'timestamp' : 'number');
  const { codes, numbers } = codeNumbers(column.values);
  const texts = Array.from(numbers, String);
  const isDays = type === 'timestamp' && numbers.length > 0 && numbers.every((value) => value % 86_400_000_000 === 0);
  const isWhole = type === 'number' && numbers.length > 0 && numbers.every(Number.isSafeInteger);
  const narrowed = isDays ? 'date' : isWhole ? 'integer' : type;
  const base = { name, position, typeDoubt: null, written: null, isComma: false, missing: [] };
  return finish({ ...base, type: narrowed, codes, texts, numbers });
}

function profileText(
  name: string,
  position: number,
  codes: Int32Array,
  dictionary: readonly string[],
  declared: LogicalType | null,
): Profile {
  const base = { name, position, written: null, isComma: false, missing: [] };
  if (declared !== null) return finishText({ ...base, type: declared, typeDoubt: null, codes, texts: dictionary });
  const counts = countCodes(codes, dictionary.length);
  const found = typeOfTexts(dictionary, counts);
  const { type, written, isComma } = found;
  const part = { ...base, type, written, isComma, typeDoubt: found.doubt, codes, texts: dictionary };
  const missing = type === 'string' ? [] : findMissing(type, dictionary, counts, formOf(found));
  if (missing.length === 0) return finishText(part);
  const kept = withoutTexts(codes, dictionary, missing);
  const rest = typeOfTexts(kept.texts, countCodes(kept.codes, kept.texts.length));
  const typeDoubt = rest.doubt === null && missing.every(({ isWord }) => isWord) ? null : found.doubt;
  // Without the missing texts, misfits may be too large a share of the fewer values left.
  if (rest.type === 'string') return finishText(part);
  return finishText({ ...base, missing, ...rest, typeDoubt, ...kept });
}

/** Makes the profile of a text column of known type. */
function finishText(part: Omit<CountedColumn, 'numbers'>): Profile {
  const { type, codes, texts: dictionary } = part;
  if (type === 'string') return finish({ ...part, numbers: null });
  const numbers = Float64Array.from(dictionary, (text) => readText(type, text, formOf(part)));
  if (type !== 'integer' || dictionary.every(isPlainInteger)) return finish({ ...part, numbers });
  // Texts that write the same integer become one value, so that keys and references compare by value.
  const codeOf = new Map<string, number>();
  const texts: string[] = [];
  const merged: number[] = [];
  const recoded = new Int32Array(dictionary.length);
  for (const [i, text] of dictionary.entries()) {
    const value = numbers[i];
    const plain = Number.isNaN(value) ? text : String(value);
    let code = codeOf.get(plain);
    if (code === undefined) {
      code = texts.length;
      codeOf.set(plain, code);
      texts.push(plain);
      merged.push(value);
    }
    recoded[i] = code;
  }
  const plainCodes = codes.map((code) => (code < 0 ? -1 : recoded[code]));
  return finish({ ...part, codes: plainCodes, texts, numbers: Float64Array.from(merged) });
}

/**
 * The texts that stand for a missing value in a column of `type`: words for it, and the only other text that does not
 * read as the type, unless that has a digit and so may be a value in another form.
 */
function findMissing(
  type: LogicalType,
  texts: readonly string[],
  counts: Int32Array,
  form: ValueForm | undefined,
): MissingText[] {
  const words = new Map<string, MissingText>();
  const others: MissingText[] = [];
  for (const [code, raw] of texts.entries()) {
    if (!Number.isNaN(readText(type, raw, form))) continue;
    const isWord = isAbsentWord(raw);
    const text = trimBlanks(raw);
    const found = { text, rows: counts[code] + (words.get(text)?.rows ?? 0), isWord };
    if (isWord) words.set(text, found);
    else others.push(found);
  }
  const alone = others.length === 1 && !/\d/.test(others[0].text) ? others : [];
  const missing = [...words.values(), ...alone].filter(({ text }) => canBeListed(text));
  return missing.length <= missingTextsMax ? missing.sort((a, b) => b.rows - a.rows) : [];
}

/** Whether a contract may list a text as missing. '' stands for texts of only blanks. */
export function canBeListed(text: string): boolean {
  return text.length <= missingLengthMax && text.trim() === text;
}

/** Sets the rows of the `missing` texts to missing (-1). */
function withoutTexts(
  codes: Int32Array,
  dictionary: readonly string[],
  missing: readonly MissingText[],
): { codes: Int32Array; texts: string[] } {
  const gone = new Set(missing.map(({ text }) => text));
  const texts: string[] = [];
  const recoded = Int32Array.from(dictionary, (text) => (gone.has(trimBlanks(text)) ? -1 : texts.push(text) - 1));
  return { codes: codes.map((code) => (code < 0 ? -1 : recoded[code])), texts };
}

/** Whether a text is an integer in the form that `String(number)` gives. */
function isPlainInteger(text: string): boolean {
  for (let at = text.charCodeAt(0) === 45 ? 1 : 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 48 || code > 57) return false;
  }
  return !hasLeadingZero(text);
}

const scratch = Buffer.alloc(valueLengthMax * 3);

/** Reads a text as a value of `type`; NaN when it is none. `form` as `readValue` takes it. */
export function readText(type: LogicalType, text: string, form?: ValueForm): number {
  if (text.length > valueLengthMax) return Number.NaN;
  return readValue(type, scratch, 0, scratch.write(text, 'utf8'), form);
}

export type TypeFound = {
  readonly type: LogicalType;
  readonly doubt: Reason | null;
  readonly written: WrittenDates | null;
  readonly isComma: boolean;
};

function formOf({ written, isComma }: Pick<TypeFound, 'written' | 'isComma'>): ValueForm | undefined {
  return isComma ? 'decimal_comma' : written?.form;
}

/** The type that most values read as; on ties the narrower one; 'string' when too many values do not. */
export function typeOfTexts(texts: readonly string[], counts: Int32Array): TypeFound {
  const filled = counts.reduce((sum, count) => sum + count, 0);
  const asText = (doubt: Reason | null): TypeFound => ({ type: 'string', doubt, written: null, isComma: false });
  if (filled === 0) return asText({ code: 'empty_column' });
  if (texts.some(hasLeadingZero)) {
    const isCode = texts.every((text) => /^\d+$/.test(text));
    if (isCode) return asText({ code: 'leading_zeros' });
  }
  if (texts.every((text) => isWholeNumber(text) || isAbsentWord(text)) && texts.some(losesDigits))
    return asText({ code: 'long_numbers' });
  let best: Fit | null = null;
  for (const type of readable) {
    const misfits = countMisfits(type, texts, counts, filled);
    if (misfits === null) continue;
    if (best === null || misfits.rows < best.misfits.rows) best = { type, misfits, written: null, isComma: false };
    if (misfits.rows + misfits.absent + misfits.commas === 0) break;
  }
  if (best === null || best.misfits.rows > 0) {
    const dated = fitOfDates(texts, counts, filled);
    if (dated !== null && (best === null || dated.misfits.rows < best.misfits.rows)) best = dated;
  }
  if (best === null || best.misfits.rows > 0) {
    const misfits = fitOfCommas(texts, counts, filled);
    if (misfits !== null && (best === null || misfits.rows < best.misfits.rows))
      best = { type: 'number', misfits, written: null, isComma: true };
  }
  if (best === null) return asText(null);
  const { repeated, example } = best.misfits;
  const others = best.misfits.rows + best.misfits.absent + best.misfits.commas;
  if (repeated >= misfitRepeatsMin) {
    return asText({ code: 'repeated_misfit', type: best.type, example });
  }
  const doubt: Reason | null = others === 0 ? null : { code: 'misfits', others, filled, example };
  return { type: best.type, doubt, written: best.written, isComma: best.isComma };
}

/** A type that most values read as, and those that do not. */
type Fit = Omit<TypeFound, 'doubt'> & { readonly misfits: Misfits };

/** What a date is written with in a form, or begins with: reading all texts of a column costs more than a glance. */
const looksDated = /^\s*(?:\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}|\d{8})(?!\d)/;

/**
 * The form in which most values are dates, or ISO 8601 beside it; null where there is none, or where some have the day
 * first and some the month.
 */
function fitOfDates(texts: readonly string[], counts: Int32Array, filled: number): Fit | null {
  const rowsOf = (isIt: (text: string) => boolean): number =>
    texts.reduce((sum, text, code) => sum + (isIt(text) ? counts[code] : 0), 0);
  // Nine in ten rows may have words for a missing value.
  if (rowsOf((text) => looksDated.test(text)) < filled * 0.1) return null;
  const written = orderOf(texts, counts, filled);
  const forms: WrittenDates[] = [
    ...(written === null ? [] : [written]),
    { form: 'yyyy/MM/dd', decided: filled },
    { form: 'yyyyMMdd', decided: filled },
  ];
  let best: Fit | null = null;
  for (const written of forms)
    for (const type of ['date', 'timestamp'] as const) {
      const misfits = countMisfits(type, texts, counts, filled, written.form);
      if (misfits === null || (best !== null && misfits.rows >= best.misfits.rows)) continue;
      const isOwn = (text: string) =>
        Number.isNaN(readText(type, text)) && !Number.isNaN(readText(type, text, written.form));
      if (texts.some(isOwn)) best = { type, misfits, written, isComma: false };
    }
  return best;
}

/** At least this share of rows must show that a comma is the decimal sign, and does not set off thousands. */
const commaShareMin = 0.1;

/** The values that are no numbers with a decimal comma; null where too many are none, or few show what commas are. */
function fitOfCommas(texts: readonly string[], counts: Int32Array, filled: number): Misfits | null {
  const rows = { decimal: 0, either: 0 };
  for (const [code, text] of texts.entries()) {
    const comma = text.length > valueLengthMax ? null : commaOf(text);
    if (comma !== null) rows[comma] += counts[code];
  }
  if (rows.decimal < filled * commaShareMin || rows.decimal < rows.either) return null;
  return countMisfits('number', texts, counts, filled, 'decimal_comma');
}

/** The order of day and month in the dates of a column, the day first where none tells; null where they contradict. */
function orderOf(texts: readonly string[], counts: Int32Array, filled: number): WrittenDates | null {
  let [day, month] = [0, 0];
  for (const [code, text] of texts.entries()) {
    const isDay = !Number.isNaN(readText('timestamp', text, 'dd/MM/yyyy'));
    const isMonth = !Number.isNaN(readText('timestamp', text, 'MM/dd/yyyy'));
    if (isDay && !isMonth) day += counts[code];
    if (isMonth && !isDay) month += counts[code];
  }
  if (Math.min(day, month) > filled * misfitShareMax) return null;
  return month > day ? { form: 'MM/dd/yyyy', decided: month } : { form: 'dd/MM/yyyy', decided: day };
}

function isWholeNumber(text: string): boolean {
  return /^\s*-?\d+\s*$/.test(text);
}

/** Whether an integer loses digits when it is read as a number. */
function losesDigits(text: string): boolean {
  if (text.length <= 15 || !isWholeNumber(text)) return false;
  const value = Number(text);
  return !Number.isFinite(value) || BigInt(text) !== BigInt(value);
}

/** Values that do not read as a type: wrong ones, words for a missing value, and numbers with a decimal comma. */
type Misfits = { rows: number; absent: number; commas: number; repeated: number; example: string };

/** Counts the values that do not read as `type`; null when the column cannot have that type. */
function countMisfits(
  type: LogicalType,
  texts: readonly string[],
  counts: Int32Array,
  filled: number,
  form?: ValueForm,
): Misfits | null {
  const shareMax = form === undefined || form === 'decimal_comma' ? misfitShareMax : dateMisfitShareMax;
  const isNumeric = type === 'integer' || type === 'number';
  if (type === 'boolean' && texts.every((text) => /^[01]$/.test(text.trim()))) return null;
  const hasPoints = type === 'number' && form === undefined && hasMostlyPoints(texts, counts);
  const found: Misfits = { rows: 0, absent: 0, commas: 0, repeated: 0, example: '' };
  for (const [code, text] of texts.entries()) {
    if (isNumeric && hasLeadingZero(text)) return null;
    if (!Number.isNaN(readText(type, text, form))) continue;
    const count = counts[code];
    if (isAbsentWord(text)) {
      found.absent += count;
      found.example ||= startOf(text, exampleLength);
      continue;
    }
    if (hasPoints && hasDecimalComma(text)) {
      found.commas += count;
      found.example ||= startOf(text, exampleLength);
      continue;
    }
    found.rows += count;
    if (found.rows > filled * shareMax) return null;
    if (count > found.repeated) {
      found.repeated = count;
      found.example = startOf(text, exampleLength);
    }
  }
  return found.absent + found.rows >= filled * 0.9 ? null : found;
}

/** Whether more values of a column have a decimal point than a comma, which is then a fault of its row. */
function hasMostlyPoints(texts: readonly string[], counts: Int32Array): boolean {
  let balance = 0;
  for (const [code, text] of texts.entries())
    if (hasDecimalComma(text)) balance -= counts[code];
    else if (text.includes('.') && !Number.isNaN(readText('number', text))) balance += counts[code];
  return balance > 0;
}

/** Whether a text is a number with a decimal comma, and not one whose comma may set off its thousands. */
function hasDecimalComma(text: string): boolean {
  return text.length <= valueLengthMax && commaOf(text) === 'decimal';
}

function hasLeadingZero(text: string): boolean {
  const at = text.charCodeAt(0) === 45 ? 1 : 0;
  return (
    text.length > at + 1 && text.charCodeAt(at) === 48 && text.charCodeAt(at + 1) >= 48 && text.charCodeAt(at + 1) <= 57
  );
}

function codeNumbers(values: Numbers): { codes: Int32Array; numbers: Float64Array } {
  const codeOf = new Map<number, number>();
  const codes = new Int32Array(values.length).fill(-1);
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (Number.isNaN(value)) continue;
    let code = codeOf.get(value);
    if (code === undefined) codeOf.set(value, (code = codeOf.size));
    codes[row] = code;
  }
  return { codes, numbers: Float64Array.from(codeOf.keys()) };
}

function countCodes(codes: Int32Array, size: number): Int32Array {
  const counts = new Int32Array(size);
  for (let row = 0; row < codes.length; row++) if (codes[row] >= 0) counts[codes[row]]++;
  return counts;
}

type CountedColumn = Pick<
  Profile,
  'name' | 'position' | 'type' | 'typeDoubt' | 'written' | 'isComma' | 'missing' | 'codes' | 'texts' | 'numbers'
>;

function finish(part: CountedColumn): Profile {
  const counts = countCodes(part.codes, part.texts.length);
  let filled = 0;
  for (const count of counts) filled += count;
  let minimum = Number.POSITIVE_INFINITY;
  let maximum = Number.NEGATIVE_INFINITY;
  for (const value of part.numbers ?? []) {
    if (value < minimum) minimum = value;
    if (value > maximum) maximum = value;
  }
  return { ...part, rows: part.codes.length, filled, distinct: part.texts.length, counts, minimum, maximum };
}

/** The column as dates that are written in a form; values that are none become NaN. */
export function asDates(profile: Profile, type: 'date' | 'timestamp', written: WrittenDates): Profile {
  const numbers = Float64Array.from(profile.texts, (text) => readText(type, text, written.form));
  return finish({ ...profile, type, written, numbers });
}

/** The values of a column by row: numbers or microseconds, NaN when missing or not of the type. */
export function valuesOf(profile: Profile): Float64Array {
  const values = new Float64Array(profile.rows).fill(Number.NaN);
  if (profile.numbers === null) return values;
  for (let row = 0; row < values.length; row++) {
    const code = profile.codes[row];
    if (code >= 0) values[row] = profile.numbers[code];
  }
  return values;
}

/** Whether a column identifies the rows of its table: never empty and never repeated. */
export function isUnique(column: Profile): boolean {
  return column.rows > 0 && column.filled === column.rows && column.distinct === column.rows;
}
