import type { Column, Numbers } from '../../../lib/files/column.ts';
import type { ColumnContract } from '../../contract/contract.ts';
import { findNumbers } from '../../contract/measures.ts';
import { identifierShape } from '../../contract/names.ts';
import { isUnreadDate } from '../../contract/times.ts';
import { wordsOf } from '../../events/words.ts';
import { rowsAsOf } from '../../graph/as-of/rows.ts';
import { changesUndated, isFilledLater, isKnown, knownDates, knownMoments } from '../../graph/as-of/values.ts';
import type { Table } from '../../graph/tables.ts';

/** How a column may be used as a model input, decided from the contract and the rows known at the training cut. */
export type ColumnUse =
  | { readonly kind: 'number' }
  /** Text that contains numbers. `values`: the frequent texts that do not, most frequent first. */
  | { readonly kind: 'measure'; readonly values: readonly string[] }
  | { readonly kind: 'date' }
  | {
      readonly kind: 'category';
      /** Those that get inputs of their own, most frequent first. */
      readonly values: readonly string[];
      /** All that may be told apart, most frequent first. */
      readonly told: readonly string[];
      /** Whether the values are phrases, too many to give each an input. */
      readonly isWordy: boolean;
    }
  | { readonly kind: 'text' }
  | { readonly kind: 'none'; readonly why: string };

/** Reason why a text column is not a category. */
export const differentValues = 'a different value on nearly every row';

const identifyingFormats = new Set(['cpf', 'cnpj', 'email', 'phone', 'url', 'uuid', 'identifier']);
/** Text with more distinct values than this share of its rows identifies the row, and is not a category. */
const categoryDistinctShareMax = 0.5;
const categoryValuesMax = 2_000;
/** Values of a category that get inputs of their own. */
const vocabularyMax = 8;
const vocabularyRowsMin = 5;
/** Values of a category that are told apart at most, and the rows of each at least. */
const toldMax = 500;
const toldRowsMin = 2;
/** Text of which this share is dates in an unsupported form is neither a category nor read by words. */
const datesShareMin = 0.95;
/** Text of at least this average length, in characters or in words, is read word by word. */
const wordyCharacters = 40;
const wordyWords = 2.5;
/** Texts sampled to count their words. */
const wordySamples = 1_000;
/** Categories with at least this many values are also read word by word. */
const wordyValuesMin = 50;
/**
 * A column of an undated table with a larger share missing than this may have been filled in later, for rows that
 * mattered later.
 */
const undatedMissingMax = 0.5;

/**
 * Decides the use of one column. Only rows and values readable at `cut` (microseconds) are considered. `hidden`:
 * columns of this table that the task forbids.
 */
export function columnUse(table: Table, contract: ColumnContract, cut: number, hidden: ReadonlySet<string>): ColumnUse {
  const { name } = contract;
  const column = table.columns.get(name);
  const none = (why: string): ColumnUse => ({ kind: 'none', why });
  if (!column) return none('absent');
  if (hidden.has(name)) return none('hidden by the task');
  if (table.contract.key.includes(name)) return none('identifier');
  const reference = table.references.get(name);
  // A task may ignore what a column refers to; it leads nowhere then, and is no category either.
  const isReference = table.contract.references.some((one) => one.column === name);
  if (isReference || (reference && !reference.values)) return none('reference');
  if (contract.format !== undefined && identifyingFormats.has(contract.format)) return none('identifier');
  if (contract.pii && contract.type === 'string') return none('personal');
  if (name === table.contract.knownAt) return none('bookkeeping');
  if (
    table.contract.time &&
    'column' in table.contract.time &&
    (table.contract.time.column === name || table.contract.time.clock === name)
  ) {
    return none('event time');
  }
  if (changesUndated(table, contract)) return none('changes later and no version is kept');
  const seen = rowsAsOf(table, cut);
  const known = column.kind === 'time' ? knownDates(table, name) : knownMoments(table, name);
  const filled = seen.filter((row) => isFilled(column, row) && isKnown(known, row, cut));
  if (filled.length === 0) return none('empty');
  if (!table.time && !isFilledLater(table, name) && filled.length < seen.length * (1 - undatedMissingMax)) {
    return none('mostly empty and undated: it may have been filled in later');
  }
  if (contract.type === 'time') return none('time of day');
  if (column.kind === 'time') return { kind: 'date' };
  if (column.kind === 'number') {
    return contract.type === 'integer' && isRunningNumber(column.values, filled)
      ? none('running number')
      : { kind: 'number' };
  }
  return textUse(column, filled, contract);
}

function isFilled(column: Column, row: number): boolean {
  return column.kind === 'text' ? column.codes[row] >= 0 : !Number.isNaN(column.values[row]);
}

/**
 * Whether integers are all distinct and nearly dense. Such numbers are given out in turn, and tell only when a row was
 * created.
 */
function isRunningNumber(values: Numbers, rows: Int32Array): boolean {
  if (rows.length < 50) return false;
  const distinct = new Set<number>();
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    distinct.add(values[row]);
    min = Math.min(min, values[row]);
    max = Math.max(max, values[row]);
  }
  return distinct.size === rows.length && max - min + 1 < 3 * rows.length;
}

function textUse(column: Column & { kind: 'text' }, rows: Int32Array, contract: ColumnContract): ColumnUse {
  const counts = new Map<number, number>();
  let length = 0;
  for (const row of rows) {
    const code = column.codes[row];
    counts.set(code, (counts.get(code) ?? 0) + 1);
    length += column.dictionary[code].length;
  }
  const mayBePlain = contract.pattern === undefined && identifierShape(contract.name) === 0;
  const numbers = contract.format === undefined ? findNumbers(column, counts, mayBePlain) : null;
  if (numbers) return { kind: 'measure', values: frequent(numbers.others.map(({ text, rows }) => [text, rows])) };
  const dates = [...counts].reduce(
    (sum, [code, count]) => sum + (isUnreadDate(column.dictionary[code]) ? count : 0),
    0,
  );
  if (dates >= rows.length * datesShareMin)
    return { kind: 'none', why: 'dates in a column of texts: give it the type date in the contract, and its form' };
  const wordy =
    contract.format === 'text' || length / rows.length > wordyCharacters || meanWords(column, rows) >= wordyWords;
  const isMany = counts.size > categoryValuesMax;
  if (isMany || counts.size > categoryDistinctShareMax * rows.length) {
    const why = isMany ? `more than ${categoryValuesMax} different texts` : differentValues;
    return wordy ? { kind: 'text' } : { kind: 'none', why };
  }
  const texts = [...counts].map(([code, count]) => [column.dictionary[code], count] as const);
  const values = frequent(texts);
  const told = frequent(texts, toldRowsMin, toldMax);
  return { kind: 'category', values, told, isWordy: wordy && counts.size >= wordyValuesMin };
}

/** Values of at least so many rows, most frequent first. Without more said, those that get inputs of their own. */
function frequent(
  counts: readonly (readonly [value: string, rows: number])[],
  rowsMin = vocabularyRowsMin,
  most = vocabularyMax,
): string[] {
  return counts
    .filter(([, rows]) => rows >= rowsMin)
    .sort(([a, aRows], [b, bRows]) => bRows - aRows || (a < b ? -1 : 1))
    .slice(0, most)
    .map(([value]) => value);
}

function meanWords({ codes, dictionary }: Column & { kind: 'text' }, rows: Int32Array): number {
  const step = Math.ceil(rows.length / wordySamples);
  const sample = rows.filter((_, k) => k % step === 0);
  return sample.reduce((sum, row) => sum + wordsOf(dictionary[codes[row]]).length, 0) / sample.length;
}
