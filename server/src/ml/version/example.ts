import { bareDocument, cnpjFrom, cpfFrom, isCnpj, isCpf } from '../../lib/brazil-documents.ts';
import type { Column, LogicalType, TextColumn } from '../../lib/files/column.ts';
import type { ColumnContract } from '../contract/contract.ts';
import { readText } from '../contract/profile.ts';
import { quantiles } from '../contract/times.ts';

/** A value as in a JSON body: times are texts. */
export type ExampleValue = string | number | boolean;

/** Rows whose values examples may be made from, and their columns. */
export type ExampleRows = { readonly columns: ReadonlyMap<string, Column>; readonly rows: Int32Array };

/** A median or a common text is shown only from at least this many rows: of fewer it may be personal. */
const rowsMin = 20;
/** Share of the rows that must have a text for it to count as a category, rather than a name or free text. */
const commonShareMin = 0.01;
const digitsKept = 3;
/** Integers smaller than this keep all digits: years, days, counts. */
const plainMax = 10_000;
const hourUs = 3_600_000_000;

/**
 * An example value of a column, for forms and documents: the first allowed value, or the rounded median, or a text that
 * many rows have. The same rows give the same example. With `isMadeUp` (keys and references), and for columns that the
 * contract marks personal, nothing is taken from the values. `type`: the type the column is read with, if not that of
 * the contract.
 */
export function exampleOf(
  column: ColumnContract,
  given: ExampleRows | null,
  isMadeUp: boolean,
  type: LogicalType = column.type,
): ExampleValue {
  const isPlain = !isMadeUp && !column.pii && column.graphKey !== true && column.format !== 'identifier';
  const values = given?.columns.get(column.name);
  const fallback = madeUp(column, type, isPlain, () => (values ? firstText(values, given!.rows) : ''));
  if (!isPlain) return fallback;
  const [first] = column.enum ?? [];
  if (first !== undefined) {
    if (type === 'string') return first;
    const value = readText(type, first);
    if (!Number.isNaN(value)) return shown(type, value) ?? fallback;
  }
  if (type === 'boolean') return true;
  if (values === undefined || (values.kind === 'text') !== (type === 'string')) return fallback;
  if (values.kind === 'text') return commonText(values, given!.rows, column) ?? fallback;
  const filled = Float64Array.from(given!.rows, (row) => values.values[row]).filter((value) => !Number.isNaN(value));
  if (filled.length < rowsMin) return fallback;
  const [median] = quantiles(filled, [0.5]);
  return shown(type, within(column, rounded(type, median!))) ?? fallback;
}

/** The most frequent text, if enough rows have it to be a category; null otherwise. */
function commonText(column: TextColumn, rows: Int32Array, { format }: ColumnContract): string | null {
  if (format !== undefined) return null;
  const counts = new Map<number, number>();
  let filled = 0;
  for (const row of rows) {
    const code = column.codes[row];
    if (code < 0) continue;
    filled++;
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  let best = -1;
  for (const [code, count] of counts) if (best < 0 || count > counts.get(best)!) best = code;
  const isCommon = best >= 0 && counts.get(best)! >= Math.max(rowsMin, filled * commonShareMin);
  return isCommon ? column.dictionary[best] : null;
}

/** The first non-missing text, which shows how texts of the column are written. */
function firstText(column: Column, rows: Int32Array): string {
  if (column.kind !== 'text') return '';
  const row = rows.find((other) => column.codes[other] >= 0);
  return row === undefined ? '' : column.dictionary[column.codes[row]];
}

function rounded(type: LogicalType, value: number): number {
  switch (type) {
    case 'integer':
      return Math.abs(value) < plainMax ? Math.round(value) : Math.round(Number(value.toPrecision(digitsKept)));
    case 'date':
      return value - (((value % (24 * hourUs)) + 24 * hourUs) % (24 * hourUs));
    case 'timestamp':
    case 'time':
      return value - (((value % hourUs) + hourUs) % hourUs);
    default:
      return Number(value.toPrecision(digitsKept));
  }
}

function within({ minimum, maximum }: ColumnContract, value: number): number {
  return Math.min(Math.max(value, minimum ?? value), maximum ?? Number.POSITIVE_INFINITY);
}

/** The last moment of the year 9999. */
const lastUs = 253_402_300_799_999_000;

/** A value as in JSON; null for a moment before the year 0 or after the year 9999. */
function shown(type: LogicalType, value: number): ExampleValue | null {
  if (type === 'boolean') return value === 1;
  if (type === 'number' || type === 'integer') return value;
  const text = Math.abs(value) > lastUs ? '' : new Date(value / 1000).toISOString();
  if (!/^\d{4}-/.test(text)) return null;
  if (type === 'date') return text.slice(0, 10);
  return type === 'time' ? text.slice(11, 19) : text.slice(0, 19);
}

/** A made-up value of the right form. Its check digits are valid; its phone number is not in use. */
function madeUp(column: ColumnContract, type: LogicalType, isPlain: boolean, form: () => string): ExampleValue {
  switch (type) {
    case 'string':
      return madeUpText(column, isPlain ? 'text' : 'id-1', form);
    case 'integer':
    case 'number':
      return within(column, column.format === 'phone' ? 12_025_550_100 : 1);
    case 'boolean':
      return true;
    case 'date':
      return isPlain ? '2024-12-31' : '1990-01-31';
    case 'timestamp':
      return isPlain ? '2024-12-31T18:00:00Z' : '1990-01-31T18:00:00Z';
    case 'time':
      return '18:00:00';
  }
}

function madeUpText({ format }: ColumnContract, word: string, form: () => string): string {
  switch (format) {
    case 'cpf':
      return spelled(madeUpCpf, form);
    case 'cnpj':
      return spelled(madeUpCnpj, form);
    case 'email':
      return 'name@example.com';
    case 'phone':
      return '+1 202 555 0100';
    case 'url':
      return 'https://example.com/';
    case 'uuid':
      return '00000000-0000-4000-8000-000000000001';
    case 'text':
      return 'some words';
    default:
      // A key may be a document though the contract does not say so: people and companies in one column.
      return isCnpj(form()) ? spelled(madeUpCnpj, form) : isCpf(form()) ? spelled(madeUpCpf, form) : word;
  }
}

const madeUpCpf = cpfFrom(123_456_789);
const madeUpCnpj = cnpjFrom('11222333');

/** A document number, with punctuation if the column's values have it. */
function spelled(document: string, form: () => string): string {
  return /[./-]/.test(form()) ? document : bareDocument(document);
}
