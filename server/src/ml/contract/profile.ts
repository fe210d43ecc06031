import type { Column, LogicalType, Numbers } from '../../lib/files/column.ts';
import { readValue, startOf, trimBlanks } from '../../lib/files/values.ts';
import { missingLengthMax, missingTextsMax } from './contract.ts';

/**
 * A column as inference sees it: its distinct values, coded, and what they say. Numbers and times read from typed files
 * are coded too, so that every rule has one form to look at.
 */
export type Profile = {
  readonly name: string;
  readonly position: number;
  readonly type: LogicalType;
  readonly typeDoubt: string | null;
  /** Texts that stand for no value, in a column whose other values are of another type; they count as missing here. */
  readonly missing: readonly MissingText[];
  readonly rows: number;
  /** Rows with a value. */
  readonly filled: number;
  /** Distinct values. */
  readonly distinct: number;
  /** Per row an index into `texts`, -1 where missing. */
  readonly codes: Int32Array;
  /** Distinct values as text; whole numbers in their plain form (`12` for `12.0`), so that columns compare by them. */
  readonly texts: readonly string[];
  /** Distinct values as numbers or microseconds, NaN where one does not read as the type; null for text. */
  readonly numbers: Float64Array | null;
  /** Rows per distinct value. */
  readonly counts: Int32Array;
  readonly minimum: number;
  readonly maximum: number;
};

/** A text as it stands in the file but for blanks around, its rows, and whether it is a usual word for absence. */
export type MissingText = { readonly text: string; readonly rows: number; readonly isWord: boolean };

export type TableProfile = { readonly name: string; readonly rows: number; readonly columns: readonly Profile[] };

/** Types a text may be read as, the narrower first: every whole number is also a number, every date a timestamp. */
const readable: readonly LogicalType[] = ['integer', 'number', 'date', 'timestamp', 'time', 'boolean'];
/** Share of rows that may fail to read as a type that the rest reads as. */
const misfitShareMax = 0.01;
/** A value that does not read as the type of the rest, and comes back, is a code and no slip. */
const misfitRepeatsMin = 3;
const valueLengthMax = 64;
const exampleLength = 30;
const absentWords = new Set([
  '',
  '0000-00-00',
  '0000-00-00 00:00:00',
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

/** Whether a text is one by which programs and people say that there is no value. */
export function isAbsentWord(text: string): boolean {
  return absentWords.has(text.trim().toLowerCase());
}

/** Codes a column and finds its type. `declared` is the type a typed file gives; null to find it from texts. */
export function profileColumn(name: string, position: number, column: Column, declared: LogicalType | null): Profile {
  if (column.kind === 'text') return profileText(name, position, column.codes, column.dictionary, declared);
  const type = declared ?? (column.kind === 'time' ? 'timestamp' : 'number');
  const { codes, numbers } = codeNumbers(column.values);
  const texts = Array.from(numbers, String);
  const isDays = type === 'timestamp' && numbers.length > 0 && numbers.every((value) => value % 86_400_000_000 === 0);
  const isWhole = type === 'number' && numbers.length > 0 && numbers.every(Number.isSafeInteger);
  const narrowed = isDays ? 'date' : isWhole ? 'integer' : type;
  return finish({ name, position, type: narrowed, typeDoubt: null, missing: [], codes, texts, numbers });
}

function profileText(
  name: string,
  position: number,
  codes: Int32Array,
  dictionary: readonly string[],
  declared: LogicalType | null,
): Profile {
  const base = { name, position, missing: [] };
  if (declared !== null) return finishText({ ...base, type: declared, typeDoubt: null, codes, texts: dictionary });
  const counts = countCodes(codes, dictionary.length);
  const found = typeOfTexts(dictionary, counts);
  const part = { ...base, type: found.type, typeDoubt: found.doubt, codes, texts: dictionary };
  const missing = found.type === 'string' ? [] : findMissing(found.type, dictionary, counts);
  if (missing.length === 0) return finishText(part);
  const kept = withoutTexts(codes, dictionary, missing);
  const rest = typeOfTexts(kept.texts, countCodes(kept.codes, kept.texts.length));
  const typeDoubt = rest.doubt === null && missing.every(({ isWord }) => isWord) ? null : found.doubt;
  // Slips that few values bear may be too many for the fewer that are left.
  return finishText(rest.type === 'string' ? part : { ...base, missing, type: rest.type, typeDoubt, ...kept });
}

/** A column of texts whose type is known. */
function finishText(part: Omit<CountedColumn, 'numbers'>): Profile {
  const { type, codes, texts: dictionary } = part;
  if (type === 'string') return finish({ ...part, numbers: null });
  const numbers = Float64Array.from(dictionary, (text) => readText(type, text));
  if (type !== 'integer' || dictionary.every(isPlainInteger)) return finish({ ...part, numbers });
  // Texts that mean the same whole number become one value, so that keys and references compare by it.
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
 * The texts that stand for no value in a column of `type`: words for absence, and the only other text that does not
 * read as the type, where it has no digit that could be a value in another form.
 */
function findMissing(type: LogicalType, texts: readonly string[], counts: Int32Array): MissingText[] {
  const words = new Map<string, MissingText>();
  const others: MissingText[] = [];
  for (const [code, raw] of texts.entries()) {
    if (!Number.isNaN(readText(type, raw))) continue;
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

/** Whether a contract may list a text as missing; '' is a text of blanks only. */
export function canBeListed(text: string): boolean {
  return text.length <= missingLengthMax && text.trim() === text;
}

/** A column without the rows of some texts. */
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

/** Digits as `String(number)` writes them. */
function isPlainInteger(text: string): boolean {
  for (let at = text.charCodeAt(0) === 45 ? 1 : 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 48 || code > 57) return false;
  }
  return !hasLeadingZero(text);
}

const scratch = Buffer.alloc(valueLengthMax * 3);

/** A text as a value of `type`, NaN when it is none. */
export function readText(type: LogicalType, text: string): number {
  if (text.length > valueLengthMax) return Number.NaN;
  return readValue(type, scratch, 0, scratch.write(text, 'utf8'));
}

/** The type that the most values read as, the narrower one where two do alike; text when too many do not. */
export function typeOfTexts(texts: readonly string[], counts: Int32Array): { type: LogicalType; doubt: string | null } {
  const filled = counts.reduce((sum, count) => sum + count, 0);
  if (filled === 0) return { type: 'string', doubt: 'the column is empty' };
  if (texts.some(hasLeadingZero)) {
    const isCode = texts.every((text) => /^\d+$/.test(text));
    if (isCode) return { type: 'string', doubt: 'digits with leading zeros: codes, not numbers' };
  }
  if (texts.every((text) => isWholeNumber(text) || isAbsentWord(text)) && texts.some(losesDigits))
    return { type: 'string', doubt: 'whole numbers of more digits than numbers keep: codes, not numbers' };
  let best: { type: LogicalType; misfits: Misfits } | null = null;
  for (const type of readable) {
    const misfits = countMisfits(type, texts, counts, filled);
    if (misfits === null) continue;
    if (best === null || misfits.rows < best.misfits.rows) best = { type, misfits };
    if (misfits.rows + misfits.absent === 0) break;
  }
  if (best === null) return { type: 'string', doubt: null };
  const { rows, absent, repeated, example } = best.misfits;
  const bad = `${rows + absent} of ${filled} values`;
  if (repeated >= misfitRepeatsMin) {
    return {
      type: 'string',
      doubt: `nearly of type ${best.type}, but "${example}" comes back: codes, unless it is listed in missingValues`,
    };
  }
  const doubt = rows + absent === 0 ? null : `${bad} are not of it, such as "${example}"`;
  return { type: best.type, doubt };
}

function isWholeNumber(text: string): boolean {
  return /^\s*-?\d+\s*$/.test(text);
}

/** Whether a whole number reads as another. */
function losesDigits(text: string): boolean {
  return text.length > 15 && isWholeNumber(text) && BigInt(text) !== BigInt(Number(text));
}

/** Values that do not read as a type: wrong ones, and words for absence that the file should have left empty. */
type Misfits = { rows: number; absent: number; repeated: number; example: string };

/** Null when the type is out of the question. */
function countMisfits(type: LogicalType, texts: readonly string[], counts: Int32Array, filled: number): Misfits | null {
  const isNumeric = type === 'integer' || type === 'number';
  if (type === 'boolean' && texts.every((text) => /^[01]$/.test(text.trim()))) return null;
  const found: Misfits = { rows: 0, absent: 0, repeated: 0, example: '' };
  for (const [code, text] of texts.entries()) {
    if (isNumeric && hasLeadingZero(text)) return null;
    if (!Number.isNaN(readText(type, text))) continue;
    const count = counts[code];
    if (isAbsentWord(text)) {
      found.absent += count;
      found.example ||= startOf(text, exampleLength);
      continue;
    }
    found.rows += count;
    if (found.rows > filled * misfitShareMax) return null;
    if (count > found.repeated) {
      found.repeated = count;
      found.example = startOf(text, exampleLength);
    }
  }
  return found.absent + found.rows >= filled * 0.9 ? null : found;
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
  'name' | 'position' | 'type' | 'typeDoubt' | 'missing' | 'codes' | 'texts' | 'numbers'
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

/** Values of a column by row: numbers or microseconds, NaN where missing or not of the type. */
export function valuesOf(profile: Profile): Float64Array {
  const values = new Float64Array(profile.rows).fill(Number.NaN);
  if (profile.numbers === null) return values;
  for (let row = 0; row < values.length; row++) {
    const code = profile.codes[row];
    if (code >= 0) values[row] = profile.numbers[code];
  }
  return values;
}

/** Whether a column tells the rows of its table apart: never empty, never twice the same. */
export function isUnique(column: Profile): boolean {
  return column.rows > 0 && column.filled === column.rows && column.distinct === column.rows;
}
