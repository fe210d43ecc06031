import type { Column, TextColumn } from '../../lib/files/column.ts';
import type { PackedTexts } from '../../lib/files/texts.ts';
import type { TableContract } from '../contract/contract.ts';

/** All tables of one data set in memory, with every reference resolved to row numbers. */
export type Tables = ReadonlyMap<string, Table>;

export type KeyValue = string | number;

/**
 * The columns that hold dictionary numbers. `rowOf` finds rows by number when the table's own `rowOf` takes identifiers
 * (`withIdentifiers`). `nameOf`, present when the dictionary is open, returns the identifier of a number, or null when
 * it was erased.
 */
export type KeyNumbers = {
  readonly columns: ReadonlySet<string>;
  readonly rowOf?: KeyLookup;
  readonly nameOf?: (number: number) => string | null;
};

export type KeyLookup = { get(key: KeyValue): number | undefined };

/** A text column that finds values without making strings of its dictionary. The dictionary has `size` entries. */
export type IndexedText = TextColumn & {
  readonly size: number;
  codeOf(text: string): number | undefined;
  /** The dictionary as UTF-8, with the hash table by which texts are found. */
  readonly packed: PackedTexts & { readonly slots: Int32Array };
};

export type Table = {
  readonly contract: TableContract;
  readonly name: string;
  readonly rows: number;
  readonly columns: ReadonlyMap<string, Column>;
  /**
   * Row number of each key value, for tables with a key of one column: text keys as strings, integer keys as numbers. A
   * repeated key maps to its first row. In a table with versions that row stands for the entity, and `versions` lists
   * the other rows.
   */
  readonly rowOf: KeyLookup;
  /** Per reference column: row number in the referenced table, or -1. */
  readonly references: ReadonlyMap<string, ResolvedReference>;
  /**
   * The moment each row became readable, microseconds: its event time, or the last microsecond of its day where only
   * the day is known. NaN where the time is missing. Absent for tables without time.
   */
  readonly time?: Float64Array;
  /** For tables whose rows are sent again when they change. */
  readonly versions?: Versions;
  /** For tables with columns that hold dictionary numbers in place of keys and references. */
  readonly numbers?: KeyNumbers;
  /** Set where only a sample of the rows was read: a key that is not there may be that of another. */
  readonly isSample?: boolean;
  /** Set on a table of the values of a category column (see `withValueTables`): its rows are not the customer's. */
  readonly values?: true;
};

/**
 * `values`: the column is a category, and the reference leads to the table of its values. `since`: the moment from
 * which each row's reference leads anywhere, where that is not told by the row that it leads to.
 */
export type ResolvedReference = {
  readonly table: string;
  readonly rows: Int32Array;
  readonly values?: true;
  readonly since?: Float64Array | undefined;
};

/**
 * Row versions: row r is readable from `from[r]` until just before `until[r]` (Infinity for the newest), microseconds.
 * A version without a known moment is never readable: its `from` is Infinity. `rows.subarray(offsets[e], offsets[e +
 * 1])` are the versions of the entity whose first row is e, oldest first.
 */
export type Versions = {
  readonly from: Float64Array;
  readonly until: Float64Array;
  readonly offsets: Int32Array;
  readonly rows: Int32Array;
};

/** Whether the times of a table's rows are known only to the day. */
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
