import type { Column, LogicalType } from '../../lib/files/column.ts';
import { type ColumnRequest, readChunks } from '../../lib/files/read.ts';
import { trimBlanks } from '../../lib/files/values.ts';
import type { ColumnContract, TableContract } from './contract.ts';
import { DeviationLog, type DeviationValues } from './deviation.ts';
import { readText } from './profile.ts';
import { checkChunk, type KeysOf, plainText, prepareColumn } from './rules.ts';

/** Values of a table's columns, row by row, in the form of `plainText`; null where there is none. */
export type Values = ReadonlyMap<string, readonly (string | null)[]>;

/**
 * Reads the first rows of a file, as they are compared; null where it has none. `shown`: the text that a value stands
 * for.
 */
export async function readValues(
  path: string,
  columns: readonly ColumnContract[],
  shown: (column: ColumnContract, text: string) => string | null = plainText,
): Promise<Values | null> {
  const requests = columns.map(({ name, missingValues }): ColumnRequest => {
    return { name, type: 'string', ...(missingValues && { missing: missingValues }) };
  });
  for await (const { rows } of readChunks(path, requests, { rowsPerChunk: comparedRowsMax })) {
    const texts = columns.map((contract): [string, (string | null)[]] => {
      const column = rows.columns.get(contract.name);
      if (column?.kind !== 'text') return [contract.name, []];
      const values = column.dictionary.map((text) => shown(contract, text));
      return [contract.name, Array.from(column.codes, (code) => (code < 0 ? null : values[code]))];
    });
    return new Map(texts);
  }
  return null;
}

/** A column of the contract that a file has under another name. */
export type Rename = {
  readonly column: ColumnContract;
  readonly name: string;
  /** What shows it, in words, and as a code with what they name. */
  readonly reason: string;
  readonly because: DeviationValues;
};

/** The first rows of a file, and rows of earlier ones, that are compared. */
export const comparedRowsMax = 20_000;
/** With more columns on either side, the file is another table rather than one with other names. */
const columnsMax = 20;
const rowsMin = 20;
const likeShareMin = 0.95;
/** Up to so many different values are compared by how often each comes, more by whether they came before. */
const frequentMax = 50;
/** Largest total variation distance of the frequencies of two columns with the same values. */
const variationMax = 0.1;
/** The 1 % point of Kolmogorov and Smirnov's statistic, times √(nm / (n + m)). */
const smirnovAt1Percent = 1.63;
const numbersMin = 200;

/**
 * Finds columns that a file has under other names than the contract, by their values: `missing` are columns of the
 * contract that the file lacks, `unknown` those of the file that the contract lacks.
 */
export class RenameSearch {
  private readonly table: TableContract;
  private readonly missing: readonly ColumnContract[];
  /** By name in the file, then by name in the contract: the values as the contract would read them. */
  private readonly read = new Map<string, Map<string, (string | null)[]>>();
  private readonly unfit = new Set<string>();
  private readonly keys: (string | null)[] = [];
  private rows = 0;

  constructor(table: TableContract, missing: readonly ColumnContract[], unknown: readonly string[]) {
    this.table = table;
    const isSearched = missing.length <= columnsMax && unknown.length <= columnsMax;
    this.missing = isSearched ? missing : [];
    for (const name of unknown) this.read.set(name, new Map(this.missing.map((column) => [column.name, []])));
  }

  /** Adds rows of the file. `known`: their values under the contract, by its names. */
  add(columns: ReadonlyMap<string, Column>, typeOf: (name: string) => LogicalType, known: Values, rows: Float64Array) {
    if (this.missing.length === 0 || this.rows >= comparedRowsMax) return;
    this.rows += rows.length;
    this.keys.push(...this.keysOf(known, rows.length));
    for (const [name, byColumn] of this.read) {
      const column = columns.get(name);
      if (column === undefined) continue;
      for (const contract of this.missing) {
        const { name, type, dateForm, decimalSeparator } = contract;
        const written = { ...(dateForm && { dateForm }), ...(decimalSeparator && { decimalSeparator }) };
        const check = prepareColumn({ ...free, name, type, ...written }, null);
        const own = without(column, contract.missingValues ?? []);
        const values = checkChunk(check, own, typeOf(name), rows, new DeviationLog());
        if (check.misfits > check.filled * (1 - likeShareMin)) this.unfit.add(JSON.stringify([name, contract.name]));
        byColumn.get(contract.name)!.push(...values);
      }
    }
  }

  /**
   * The renames that values show, each column in one at most: where several columns could be one, none is. `earlier`:
   * rows that the table has already, or null.
   */
  async find(earlier: Values | null, keysOf: KeysOf | undefined): Promise<Rename[]> {
    const found: (Rename & { readonly strength: number })[] = [];
    for (const column of this.missing) {
      for (const [name, byColumn] of this.read) {
        if (this.unfit.has(JSON.stringify([name, column.name]))) continue;
        const evidence = await this.weigh(column, byColumn.get(column.name)!, earlier, keysOf);
        if (evidence !== null) found.push({ column, name, ...evidence });
      }
    }
    const best = (rivals: readonly { readonly strength: number }[]) => Math.max(...rivals.map((one) => one.strength));
    return found.filter((one) => {
      const rivals = found.filter((other) => other !== one && (other.column === one.column || other.name === one.name));
      return rivals.length === 0 || one.strength > best(rivals);
    });
  }

  /** The key of each row as one text; null where a part is missing, or the key is not there. */
  private keysOf(values: Values, rows: number): (string | null)[] {
    const { key, columns } = this.table;
    const parts = key.map((name) =>
      comparable(columns.find((column) => column.name === name)!, values.get(name) ?? []),
    );
    return Array.from({ length: rows }, (_, row) => {
      const texts = parts.map((part) => part[row] ?? null);
      return texts.length === 0 || texts.includes(null) ? null : JSON.stringify(texts);
    });
  }

  private async weigh(column: ColumnContract, read: Texts, earlier: Values | null, keysOf: KeysOf | undefined) {
    const values = comparable(column, read);
    const filled = values.filter((value) => value !== null);
    if (filled.length < rowsMin || new Set(filled).size < 2) return null;
    const before = comparable(column, earlier?.get(column.name) ?? []);
    const keysBefore = this.keysOf(earlier ?? new Map(), before.length);
    const same = compareRows({ keys: this.keys, values }, { keys: keysBefore, values: before });
    if (same !== null) return same.isEqual ? { strength: 3, ...same.told } : null;
    for (const { table } of this.table.references.filter((reference) => reference.column === column.name)) {
      const keys = await keysOf?.(table);
      if (!keys) continue;
      const hits = filled.filter((value) => keys.has(value)).length;
      if (hits < filled.length * likeShareMin) return null;
      const share = percent(hits, filled.length);
      const because = { by: 'keys', percent: share, table };
      return { strength: 2, reason: `${share} % of its values are keys of ${table}`, because };
    }
    const alike = compareValues(column, values, before);
    return alike === null ? null : { strength: 1, reason: alikeWords[alike], because: { by: alike } };
  }
}

type Texts = readonly (string | null)[];
type Keyed = { readonly keys: Texts; readonly values: Texts };

const free = { required: false, unique: false, planned: false, mutable: false, pii: false };

/** The column in which some texts are missing values. */
function without(column: Column, texts: readonly string[]): Column {
  if (column.kind !== 'text' || texts.length === 0) return column;
  const isMissing = column.dictionary.map((text) => texts.includes(trimBlanks(text)));
  return { ...column, codes: column.codes.map((code) => (code >= 0 && isMissing[code] ? -1 : code)) };
}

/** Dates as one text whatever way they were written. */
function comparable({ type, dateForm }: ColumnContract, values: Texts): Texts {
  if (type !== 'date' && type !== 'timestamp') return values;
  return values.map((text) => (text === null ? null : String(readText(type, text, dateForm))));
}

/** Compares rows that both have; null where those are too few, or all have one value. */
function compareRows(now: Keyed, before: Keyed) {
  const known = new Map(before.keys.map((key, row) => [key, before.values[row]]));
  known.delete(null);
  let common = 0;
  let equal = 0;
  const seen = new Set<string | null>();
  now.keys.forEach((key, row) => {
    const earlier = key === null ? undefined : known.get(key);
    if (earlier === undefined) return;
    common++;
    if (earlier === now.values[row]) equal++;
    seen.add(earlier);
  });
  if (common < rowsMin || seen.size < 2) return null;
  return {
    isEqual: equal >= common * likeShareMin,
    told: {
      reason: `equal in ${percent(equal, common)} % of ${common} known rows`,
      because: { by: 'rows', percent: percent(equal, common), rows: common },
    },
  };
}

const alikeWords = {
  frequencies: 'its values come as often',
  spread: 'its values are spread alike',
  values: 'it has the same values',
} as const;

/** Whether two samples look drawn from one column; says by what, or null. */
function compareValues(column: ColumnContract, now: Texts, before: Texts): keyof typeof alikeWords | null {
  const [counts, earlier] = [countTexts(now), countTexts(before)];
  if (earlier.total < rowsMin || Math.abs(counts.total / now.length - earlier.total / before.length) > 0.05)
    return null;
  if (Math.max(counts.byText.size, earlier.byText.size) <= frequentMax) {
    const distance = variation(counts, earlier);
    return distance <= variationMax && earlier.byText.size > 1 ? 'frequencies' : null;
  }
  if (column.type === 'integer' || column.type === 'number') {
    if (Math.min(counts.total, earlier.total) < numbersMin) return null;
    const limit = smirnovAt1Percent * Math.sqrt((counts.total + earlier.total) / (counts.total * earlier.total));
    return smirnov(numbersOf(now), numbersOf(before)) <= limit ? 'spread' : null;
  }
  const among = (of: Counts, others: Counts) =>
    [...of.byText].reduce((sum, [text, count]) => sum + (others.byText.has(text) ? count : 0), 0) / of.total;
  return Math.min(among(counts, earlier), among(earlier, counts)) >= likeShareMin ? 'values' : null;
}

type Counts = { readonly byText: ReadonlyMap<string, number>; readonly total: number };

function countTexts(values: Texts): Counts {
  const byText = new Map<string, number>();
  let total = 0;
  for (const value of values) {
    if (value === null) continue;
    byText.set(value, (byText.get(value) ?? 0) + 1);
    total++;
  }
  return { byText, total };
}

/** Total variation distance: half the sum of the differences of shares, 0 to 1. */
function variation(a: Counts, b: Counts): number {
  const texts = new Set([...a.byText.keys(), ...b.byText.keys()]);
  const share = ({ byText, total }: Counts, text: string) => (byText.get(text) ?? 0) / total;
  return [...texts].reduce((sum, text) => sum + Math.abs(share(a, text) - share(b, text)), 0) / 2;
}

function numbersOf(values: Texts): Float64Array {
  return Float64Array.from(
    values.filter((value) => value !== null),
    Number,
  ).sort();
}

/** The statistic of Kolmogorov and Smirnov for two sorted samples: the largest distance of their distributions. */
function smirnov(a: Float64Array, b: Float64Array): number {
  let largest = 0;
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const value = Math.min(a[i], b[j]);
    while (i < a.length && a[i] === value) i++;
    while (j < b.length && b[j] === value) j++;
    largest = Math.max(largest, Math.abs(i / a.length - j / b.length));
  }
  return largest;
}

function percent(part: number, whole: number): number {
  return Math.floor((part / whole) * 100);
}
