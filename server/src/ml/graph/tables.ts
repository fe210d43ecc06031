import type { Column, TextColumn } from '../../lib/files/column.ts';
import type { TableContract } from '../contract/contract.ts';

/** All tables of one data set in memory, with every reference resolved to row numbers. */
export type Tables = ReadonlyMap<string, Table>;

export type KeyValue = string | number;

/**
 * `rowOf`: rows by number, where the table's own `rowOf` takes names (`withIdentifiers`); `nameOf`: whose number it is,
 * null for one that was erased, where the dictionary is open.
 */
export type KeyNumbers = {
  readonly columns: ReadonlySet<string>;
  readonly rowOf?: KeyLookup;
  readonly nameOf?: (number: number) => string | null;
};

export type KeyLookup = { get(key: KeyValue): number | undefined };

/** A text column whose values are found without making strings of its dictionary, which has `size` entries. */
export type IndexedText = TextColumn & { readonly size: number; codeOf(text: string): number | undefined };

export type Table = {
  readonly contract: TableContract;
  readonly name: string;
  readonly rows: number;
  readonly columns: ReadonlyMap<string, Column>;
  /**
   * Row number of each key value, for tables with a key of one column: text keys as strings, integer keys as numbers.
   * Rows that repeat a key keep the first; in a table with versions it stands for the entity, and `versions` lists the
   * rest.
   */
  readonly rowOf: KeyLookup;
  /** Per reference column: row number in the referenced table, or -1. */
  readonly references: ReadonlyMap<string, ResolvedReference>;
  /**
   * The moment each row became readable, microseconds: its event time, or the last microsecond of its day where only
   * the day is known. NaN where the time is missing. Absent for tables without time.
   */
  readonly time?: Float64Array;
  /** For tables whose rows are re-sent changed. */
  readonly versions?: Versions;
  /** For tables with columns that hold numbers of a dictionary in place of the keys and references of the contract. */
  readonly numbers?: KeyNumbers;
  /** The values of a category column, not rows of the customer. */
  readonly values?: true;
};

/** `values`: the column is a category and leads to the table of its values. */
export type ResolvedReference = { readonly table: string; readonly rows: Int32Array; readonly values?: true };

/**
 * Row versions: row r is readable from `from[r]` until just before `until[r]` (Infinity for the newest), microseconds.
 * A version whose moment nothing tells is never readable: `from` is Infinity.
 * `rows.subarray(offsets[e], offsets[e + 1])` are the versions of the entity whose first row is e, oldest first.
 */
export type Versions = {
  readonly from: Float64Array;
  readonly until: Float64Array;
  readonly offsets: Int32Array;
  readonly rows: Int32Array;
};

/** Whether only the day of a table's rows is known. */
export function isByDay({ contract, references }: Table, tables: Tables, hasClock = false): boolean {
  const { time } = contract;
  if (!time) return false;
  if ('column' in time) return contract.columns.find(({ name }) => name === time.column)?.type === 'date' && !hasClock;
  const parent = references.get(time.reference);
  if (!parent) return false;
  const table = tables.get(parent.table)!;
  const { time: from } = table.contract;
  return isByDay(table, tables, from && 'column' in from && from.clock !== undefined);
}
