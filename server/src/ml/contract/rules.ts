import type { Column, LogicalType } from '../../lib/files/column.ts';
import { fits, trimBlanks } from '../../lib/files/values.ts';
import type { ColumnContract } from './contract.ts';
import type { DeviationLog, DeviationRule } from './deviation.ts';
import { isOfFormat } from './formats.ts';
import { compilePattern } from './pattern.ts';
import { isAbsentWord, readText, typeOfTexts } from './profile.ts';

/** The check of one column: its contract and rule, and the counts so far. */
export type ColumnCheck = {
  readonly contract: ColumnContract;
  readonly rule: (text: string, value: number) => Broken | null;
  filled: number;
  misfits: number;
  /** For each other type, the number of misfits that would read as it. */
  readonly readsAs: Map<LogicalType, number>;
  /** The values that break no rule but that they are not listed, one more than `newValuesMax` at most. */
  readonly unlisted: Set<string>;
};

type Broken = { readonly rule: DeviationRule; readonly expected: string };

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
  const allowed = contract.enum && new Set(contract.enum.map((value) => plainText(contract.type, value)));
  const pattern = contract.pattern === undefined ? null : compilePattern(contract.pattern, contract.name);
  const { type, minimum, maximum, format } = contract;
  const isDated = type === 'date' || type === 'timestamp';
  const rule = (text: string, value: number): Broken | null => {
    if (minimum !== undefined && value < minimum)
      return { rule: 'below_minimum', expected: `at least ${minimum} is expected` };
    if (maximum !== undefined && value > maximum)
      return { rule: 'above_maximum', expected: `at most ${maximum} is expected` };
    if (pattern !== null && !pattern.test(text))
      return { rule: 'wrong_pattern', expected: `does not match ${contract.pattern}` };
    if (format !== undefined && !isOfFormat(format, text))
      return { rule: 'wrong_format', expected: `is no valid ${format}` };
    if (isDated && value < earliest) return { rule: 'before_1900', expected: 'the date lies before 1900' };
    if (isDated && now !== null && value > now && !contract.planned)
      return { rule: 'in_future', expected: 'the date lies in the future and the column is not planned' };
    if (allowed && !allowed.has(text))
      return {
        rule: 'not_allowed',
        expected: `the contract allows ${contract.enum!.slice(0, 8).join(', ')}${contract.enum!.length > 8 ? ', …' : ''}; if these are right, add them to the column's validValues in a new contract`,
      };
    return null;
  };
  return { contract, rule, filled: 0, misfits: 0, readsAs: new Map(), unlisted: new Set() };
}

/**
 * Gives the key values of another table, in plain form (`readKeys`); null when they are unknown: references to it are
 * then not checked.
 */
export type KeysOf = (table: string) => Promise<ReadonlySet<string> | null>;

/** A value in the form in which keys and references are compared: integers in their plain form. */
export function plainText(type: LogicalType, text: string): string {
  if (type !== 'integer' && type !== 'number') return text;
  const value = readText(type, text);
  return Number.isNaN(value) ? text : String(value);
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
    column.kind === 'text' ? column.dictionary.map((text) => evaluate(check, text, readOf(contract.type, text))) : null;
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
        evaluate(check, showValue(column.kind, value), isRelated && fits(contract.type, value) ? value : Number.NaN);
      if (known === undefined) byValue.set(value, verdict);
    }
    check.filled++;
    if (verdict.type !== null) {
      check.misfits++;
      for (const type of verdict.type) check.readsAs.set(type, (check.readsAs.get(type) ?? 0) + 1);
      const hint = isAbsentWord(verdict.shown)
        ? ': list it in missingValues of the contract if it says that there is none'
        : '';
      log.add('wrong_type', contract.name, row, verdict.shown, `is no ${contract.type}${formOf(contract.type)}${hint}`);
      return null;
    }
    if (verdict.broken?.rule === 'not_allowed' && check.unlisted.size <= newValuesMax)
      check.unlisted.add(verdict.plain);
    if (verdict.broken !== null)
      log.add(verdict.broken.rule, contract.name, row, verdict.shown, verdict.broken.expected);
    return verdict.plain;
  });
}

type Verdict = {
  readonly plain: string;
  readonly shown: string;
  /** The types that a misfit would read as; null for a value of the contract's type. */
  readonly type: readonly LogicalType[] | null;
  readonly broken: Broken | null;
};

function evaluate(check: ColumnCheck, text: string, value: number): Verdict {
  const type = check.contract.type;
  if (Number.isNaN(value)) {
    const types = otherTypes.filter((other) => !Number.isNaN(readText(other, text)));
    return { plain: text, shown: text, type: types, broken: null };
  }
  const plain = type === 'integer' || type === 'number' ? String(value) : text;
  return { plain, shown: text, type: null, broken: check.rule(plain, value) };
}

function readOf(type: LogicalType, text: string): number {
  return type === 'string' ? 0 : readText(type, text);
}

function showValue(kind: 'number' | 'time', value: number): string {
  if (kind === 'number' || Math.abs(value) > 8.64e18) return String(value);
  return new Date(value / 1000).toISOString();
}

const widerType: Partial<Record<LogicalType, LogicalType>> = { integer: 'number', date: 'timestamp' };
const changedShareMin = 0.05;
const replacedShareMin = 0.5;
const consistentShareMin = 0.99;

/**
 * The type a column has changed to: a wider type that fits all misfits, or another type when most values are of it.
 * Null when the misfits are single bad rows.
 */
export function changedType(check: ColumnCheck): LogicalType | null {
  const { misfits, filled, contract } = check;
  if (misfits === 0 || misfits < filled * changedShareMin) return null;
  const takes = (type: LogicalType): boolean => (check.readsAs.get(type) ?? 0) >= misfits * consistentShareMin;
  const wider = widerType[contract.type];
  if (wider !== undefined && takes(wider)) return wider;
  if (misfits < filled * replacedShareMin) return null;
  if (misfits < filled * consistentShareMin) return 'string';
  return otherTypes.find((type) => type !== 'boolean' && takes(type)) ?? (takes('boolean') ? 'boolean' : 'string');
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
export function joinTypes(known: LogicalType | null, column: Column, declared: LogicalType): LogicalType | null {
  let found: LogicalType = declared;
  if (column.kind === 'text') {
    const counts = new Int32Array(column.dictionary.length);
    for (const code of column.codes) if (code >= 0) counts[code]++;
    if (column.dictionary.length === 0) return known;
    found = typeOfTexts(column.dictionary, counts).type;
  }
  if (known === null || known === found) return found;
  const pair = [known, found];
  if (pair.every((type) => type === 'integer' || type === 'number')) return 'number';
  if (pair.every((type) => type === 'date' || type === 'timestamp')) return 'timestamp';
  return 'string';
}

/** How values of a type are written, for types that people write in many ways. */
export function formOf(type: LogicalType): string {
  if (type === 'number') return ' such as 1234.5';
  if (type === 'date') return ' such as 2024-01-31';
  return type === 'timestamp' ? ' such as 2024-01-31T18:30:00' : '';
}
