import type { Column, LogicalType, Numbers } from '../../lib/files/column.ts';
import { formExamples, isOfNumbers } from '../../lib/files/date-forms.ts';
import { commaOf } from '../../lib/files/decimal-comma.ts';
import { valueText } from '../../lib/files/value-text.ts';
import { fits, momentOf, trimBlanks } from '../../lib/files/values.ts';
import type { ColumnContract } from './contract.ts';
import { type DateReading, dateReadings, datesOfNumbers, readingsOf } from './dates.ts';
import type { DeviationLog, DeviationRule, DeviationValues } from './deviation.ts';
import { isOfFormat } from './formats.ts';
import { compilePattern } from './pattern.ts';
import { isAbsentWord, readText, typeOfTexts } from './profile.ts';
import { type Written, writtenForm } from './written.ts';

/** The check of one column: its contract and rule, and the counts so far. */
export type ColumnCheck = {
  readonly contract: ColumnContract;
  readonly rule: (text: string, value: number) => Broken | null;
  filled: number;
  misfits: number;
  /** For each other type, the number of misfits that would read as it. */
  readonly readsAs: Map<LogicalType, number>;
  /** The same of each form, of a column of dates. */
  readonly readsIn: Map<DateReading, number>;
  /** The misfits that are numbers with a decimal comma, and the numbers that have a point. */
  commas: number;
  points: number;
  /** The values that break no rule but that they are not listed, one more than `newValuesMax` at most. */
  readonly unlisted: Set<string>;
};

type Broken = { readonly rule: DeviationRule; readonly expected: string; readonly values?: DeviationValues };

const earliest = Date.UTC(1900, 0, 1) * 1000;
const otherTypes: readonly LogicalType[] = ['integer', 'number', 'boolean', 'date', 'timestamp', 'time'];

/** Groups of types in typed files: a value that fits keeps its meaning when read as another type of its group. */
const relatedTypes: readonly (readonly LogicalType[])[] = [
  ['integer', 'number', 'boolean'],
  ['date', 'timestamp'],
  ['time'],
];

/**
 * Prepares the check of one column. `now` is in microseconds; later dates are deviations unless they are planned.
 * Throws Failure 'invalid' for a pattern that cannot be used.
 */
export function prepareColumn(contract: ColumnContract, now: number | null): ColumnCheck {
  const allowed = contract.enum && new Set(contract.enum.map((value) => plainText(contract, value)));
  const pattern = contract.pattern === undefined ? null : compilePattern(contract.pattern, contract.name);
  const { type, minimum, maximum, format } = contract;
  const isDated = type === 'date' || type === 'timestamp';
  const rule = (text: string, value: number): Broken | null => {
    if (minimum !== undefined && value < minimum)
      return { rule: 'below_minimum', expected: `at least ${minimum} is expected`, values: { minimum } };
    if (maximum !== undefined && value > maximum)
      return { rule: 'above_maximum', expected: `at most ${maximum} is expected`, values: { maximum } };
    if (pattern !== null && !pattern.test(text))
      return {
        rule: 'wrong_pattern',
        expected: `does not match ${contract.pattern}`,
        values: { pattern: contract.pattern! },
      };
    if (format !== undefined && !isOfFormat(format, text))
      return { rule: 'wrong_format', expected: `is no valid ${format}`, values: { format } };
    if (isDated && value < earliest) return { rule: 'before_1900', expected: 'the date lies before 1900' };
    if (isDated && now !== null && value > now && !contract.planned)
      return { rule: 'in_future', expected: 'the date lies in the future and the column is not planned' };
    if (allowed && !allowed.has(text))
      return {
        rule: 'not_allowed',
        expected: `the contract allows ${contract.enum!.slice(0, 8).join(', ')}${contract.enum!.length > 8 ? ', …' : ''}; if these are right, add them to the column's validValues in a new contract`,
        values: { allowed: contract.enum!.slice(0, 8), isMore: contract.enum!.length > 8 },
      };
    return null;
  };
  const counts = { filled: 0, misfits: 0, commas: 0, points: 0 };
  return { contract, rule, ...counts, readsAs: new Map(), readsIn: new Map(), unlisted: new Set() };
}

/**
 * Gives the key values of another table, in plain form (`readKeys`); null when they are unknown: references to it are
 * then not checked.
 */
export type KeysOf = (table: string) => Promise<ReadonlySet<string> | null>;

/**
 * A value in the form in which keys and references are compared: integers in their plain form, and dates of a column
 * that writes them otherwise as ISO 8601 says.
 */
export function plainText({ type, dateForm }: Pick<ColumnContract, 'type' | 'dateForm'>, text: string): string {
  const isDated = dateForm !== undefined && (type === 'date' || type === 'timestamp');
  if (!isDated && type !== 'integer' && type !== 'number') return text;
  const value = readText(type, text, dateForm);
  return Number.isNaN(value) ? text : valueText(type)(value);
}

/**
 * Checks one chunk of a column. Returns the values by row in the form of `plainText`, null when missing or unreadable.
 * `declared`: the type the file itself gives the column; 'string' when values are read from text.
 */
export function checkChunk(
  check: ColumnCheck,
  column: Column,
  declared: LogicalType,
  rowNumbers: Float64Array,
  log: DeviationLog,
): (string | null)[] {
  const { contract } = check;
  const isRelated = relatedTypes.some((family) => family.includes(declared) && family.includes(contract.type));
  const verdicts =
    column.kind === 'text' ? column.dictionary.map((text) => evaluate(check, text, readOf(contract, text))) : null;
  const byValue = new Map<number, Verdict>();
  return Array.from(rowNumbers, (row, i) => {
    let verdict: Verdict;
    if (column.kind === 'text') {
      const code = column.codes[i];
      if (code < 0) return null;
      verdict = verdicts![code];
    } else {
      const value = column.values[i];
      if (Number.isNaN(value)) return null;
      const known = byValue.get(value);
      verdict =
        known ??
        evaluate(
          check,
          showValue(column.kind, value),
          isRelated && fits(contract.type, value) ? value : momentOf(contract.type, value, contract.dateForm),
        );
      if (known === undefined) byValue.set(value, verdict);
    }
    check.filled++;
    if (verdict.type !== null) {
      check.misfits++;
      for (const type of verdict.type) check.readsAs.set(type, (check.readsAs.get(type) ?? 0) + 1);
      for (const reading of verdict.readings) check.readsIn.set(reading, (check.readsIn.get(reading) ?? 0) + 1);
      if (verdict.comma === 'decimal') check.commas++;
      const isAbsent = isAbsentWord(verdict.shown);
      const hint = isAbsent ? ': list it in missingValues of the contract if it says that there is none' : '';
      const expected = `is not ${withArticle(contract.type)}${formOf(contract)}${hint}`;
      const values = { type: contract.type, forms: formsOf(contract), isAbsent };
      log.add('wrong_type', contract.name, row, verdict.shown, expected, values);
      return null;
    }
    if (verdict.shown.includes('.')) check.points++;
    if (verdict.broken?.rule === 'not_allowed' && check.unlisted.size <= newValuesMax)
      check.unlisted.add(verdict.plain);
    if (verdict.broken !== null)
      log.add(verdict.broken.rule, contract.name, row, verdict.shown, verdict.broken.expected, verdict.broken.values);
    return verdict.plain;
  });
}

type Verdict = {
  readonly plain: string;
  readonly shown: string;
  /** The types that a misfit would read as; null for a value of the contract's type. */
  readonly type: readonly LogicalType[] | null;
  /** The forms of dates that a misfit of a column of dates would read in. */
  readonly readings: readonly DateReading[];
  /** What the comma of a misfit is, of a column of numbers. */
  readonly comma: ReturnType<typeof commaOf>;
  readonly broken: Broken | null;
};

function evaluate(check: ColumnCheck, text: string, value: number): Verdict {
  const { type, dateForm } = check.contract;
  const isDated = type === 'date' || type === 'timestamp';
  if (Number.isNaN(value)) {
    const types = otherTypes.filter((other) => !Number.isNaN(readText(other, text)));
    const isNumeric = type === 'integer' || type === 'number';
    const readings = isDated ? readingsOf(text) : [];
    return { plain: text, shown: text, type: types, readings, comma: isNumeric ? commaOf(text) : null, broken: null };
  }
  const isWritten = isDated && dateForm !== undefined;
  const plain = type === 'integer' || type === 'number' || isWritten ? valueText(type)(value) : text;
  return { plain, shown: text, type: null, readings: [], comma: null, broken: check.rule(plain, value) };
}

function readOf(contract: ColumnContract, text: string): number {
  return contract.type === 'string' ? 0 : readText(contract.type, text, writtenForm(contract));
}

function showValue(kind: 'number' | 'time', value: number): string {
  if (kind === 'number' || Math.abs(value) > 8.64e18) return String(value);
  return new Date(value / 1000).toISOString();
}

const widerType: Partial<Record<LogicalType, LogicalType>> = { integer: 'number', date: 'timestamp' };
const changedShareMin = 0.05;
const replacedShareMin = 0.5;
const consistentShareMin = 0.99;

/** A type of a column, and how its values are written where that is not what the type takes. */
export type ColumnType = Pick<ColumnContract, 'type'> & Written;

/**
 * The type a column has changed to: a wider type that fits all misfits, a form that they have, or another type when
 * most values are of it. Null when the misfits are single bad rows.
 */
export function changedType(check: ColumnCheck): ColumnType | null {
  const { misfits, filled, contract } = check;
  if (misfits === 0 || misfits < filled * changedShareMin) return null;
  const areAll = (count = 0): boolean => count >= misfits * consistentShareMin;
  const takes = (type: LogicalType): boolean => areAll(check.readsAs.get(type));
  const { dateForm } = contract;
  // Whole numbers are written alike either way, and ones with points tell that commas are faults of their rows.
  if (check.points === 0 && contract.decimalSeparator === undefined && areAll(check.commas))
    return { type: 'number', decimalSeparator: ',' };
  const wider = widerType[contract.type];
  if (wider !== undefined && takes(wider))
    return { type: wider, ...(dateForm && wider === 'timestamp' && { dateForm }) };
  // ISO 8601 is read beside a form, and another form is not.
  const reading = dateReadings.find(
    (one) => areAll(check.readsIn.get(one)) && (one.type === contract.type || one.type === wider),
  );
  if (reading !== undefined && (dateForm === undefined || misfits >= filled * replacedShareMin))
    return { type: reading.type, dateForm: reading.form };
  if (misfits < filled * replacedShareMin) return null;
  if (contract.decimalSeparator !== undefined && takes('number')) return { type: 'number' };
  if (misfits < filled * consistentShareMin) return { type: 'string' };
  const other = otherTypes.find((type) => type !== 'boolean' && takes(type));
  return { type: other ?? (takes('boolean') ? 'boolean' : 'string') };
}

/** Values that a list of allowed ones may grow by at once; it never more than doubles. */
const newValuesMax = 20;

/**
 * The values by which the list of a column's allowed ones has grown, it seems: few, and neither words for a missing
 * value nor listed ones in other letters. Null when there are none, or when they look like faults of their rows.
 */
export function newValues({ contract, unlisted }: ColumnCheck): readonly string[] | null {
  const listed = contract.enum ?? [];
  if (unlisted.size === 0 || unlisted.size > Math.min(newValuesMax, listed.length)) return null;
  const known = new Set(listed.map(foldText));
  const isFault = (text: string) => isAbsentWord(text) || known.has(foldText(text));
  return [...unlisted].some(isFault) ? null : [...unlisted].sort();
}

/** A text without case, accents, and blanks around. */
function foldText(text: string): string {
  return trimBlanks(text)
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}

/** The type of a column that is not in the contract, chunk by chunk: the narrowest type that fits all chunks. */
export function joinTypes(known: ColumnType | null, found: ColumnType): ColumnType {
  if (known === null || JSON.stringify(known) === JSON.stringify(found)) return found;
  const both = [known, found];
  const isAny = (type: LogicalType): boolean => both.some((one) => one.type === type);
  if (both.every(({ type }) => type === 'date' || type === 'timestamp')) {
    const [dateForm, ...others] = new Set(both.map((one) => one.dateForm).filter((form) => form !== undefined));
    if (others.length > 0) return { type: 'string' };
    return { type: isAny('timestamp') ? 'timestamp' : 'date', ...(dateForm && { dateForm }) };
  }
  const isComma = both.some(({ decimalSeparator }) => decimalSeparator !== undefined);
  if (isComma)
    return both.every(({ type, decimalSeparator }) => decimalSeparator !== undefined || type === 'integer')
      ? { type: 'number', decimalSeparator: ',' }
      : { type: 'string' };
  // Numbers that are days in one chunk, and in another are not, are numbers.
  const areNumbers = both.every(({ type, dateForm }) =>
    dateForm ? isOfNumbers(dateForm) : type === 'integer' || type === 'number',
  );
  return { type: areNumbers ? (isAny('number') ? 'number' : 'integer') : 'string' };
}

/** The type of a column that is not in the contract, in one chunk; null where it has no value. */
export function typeOfColumn(name: string, column: Column, declared: LogicalType): ColumnType | null {
  if (column.kind === 'time') return { type: declared };
  if (column.kind === 'number') return typeOfNumbers(name, declared, column.values);
  const { dictionary, codes } = column;
  if (dictionary.length === 0) return null;
  const counts = new Int32Array(dictionary.length);
  for (const code of codes) if (code >= 0) counts[code]++;
  const { type, written, isComma } = typeOfTexts(dictionary, counts);
  if (isComma) return { type, decimalSeparator: ',' };
  if (type === 'integer' || type === 'number')
    return typeOfNumbers(
      name,
      type,
      Float64Array.from(dictionary, (text) => readText(type, text)),
    );
  return written === null ? { type } : { type, dateForm: written.form };
}

function typeOfNumbers(name: string, type: LogicalType, values: Numbers): ColumnType {
  const isWhole = type === 'integer' || type === 'number';
  const distinct = new Set(isWhole ? values : []);
  distinct.delete(Number.NaN);
  const dates = datesOfNumbers(name, [...distinct]);
  return dates === null ? { type } : { type: dates.type, dateForm: dates.form };
}

const withArticle = (type: LogicalType): string => `${type === 'integer' ? 'an' : 'a'} ${type}`;

/** Examples of how values of a type are written, for types that people write in many ways. */
export function formsOf({ type, dateForm, decimalSeparator }: ColumnType): readonly string[] {
  if (type === 'number') return [decimalSeparator === ',' ? '1.234,5' : '1234.5'];
  if (type !== 'date' && type !== 'timestamp') return [];
  const iso = type === 'date' ? '2024-01-31' : '2024-01-31T18:30:00';
  return dateForm === undefined ? [iso] : [formExamples[dateForm][type], iso];
}

/** The same as words. */
export function formOf(column: ColumnType): string {
  const forms = formsOf(column);
  return forms.length === 0 ? '' : ` such as ${forms.join(' or ')}`;
}
