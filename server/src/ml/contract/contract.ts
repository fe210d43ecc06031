import type { LogicalType } from '../../lib/files/column.ts';
import type { DateForm } from '../../lib/files/date-forms.ts';

/**
 * A compiled data contract: the tables of one customer, with their keys, references and times. The YAML form is a
 * declared subset of the Open Data Contract Standard 3.1.
 */
export type Contract = {
  readonly id: string;
  readonly version: string;
  /**
   * The zone on whose clocks instants are read: timestamps that are written with an offset, and counts of time. Without
   * it they are read on those of UTC. Timestamps without an offset are what clocks show already.
   */
  readonly timeZone?: string;
  readonly tables: readonly TableContract[];
};

export type TableContract = {
  readonly name: string;
  /** That of the contract. */
  readonly timeZone?: string;
  readonly description?: string;
  /** What people call its rows, in the plural: sentences use it in place of the name. */
  readonly businessName?: string;
  /** Columns that together identify a row; empty when none do. Only a key of one column can be referenced. */
  readonly key: readonly string[];
  readonly references: readonly Reference[];
  /** When a row happened. Absent for entities and lookups without a date. */
  readonly time?: EventTime;
  /**
   * The column with the moment at which this version of the row reached the sender's system. Rows with the same key are
   * versions of one row.
   */
  readonly knownAt?: string;
  readonly entityKind?: EntityKind;
  readonly columns: readonly ColumnContract[];
};

export type EntityKind = 'company' | 'individual' | 'asset' | 'event' | 'other';

/** `column` of this table holds values of `key` in `table`. */
export type Reference = { readonly column: string; readonly table: string; readonly key: string };

export type EventTime =
  /** Own column; `clock` is a time-of-day column that completes a date. */
  | { readonly column: string; readonly clock?: string }
  /** The event time of the row that `reference` points to, plus `offset` microseconds (negative: earlier). */
  | { readonly reference: string; readonly offset: number };

export type ColumnContract = {
  readonly name: string;
  readonly type: LogicalType;
  readonly description?: string;
  /** What people call it, of a reference whom it leads to: sentences use it in place of the name. */
  readonly businessName?: string;
  /** Must be present and not empty. */
  readonly required: boolean;
  readonly unique: boolean;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  /** A named text format: checked at ingestion; `url`, `text` and `identifier` also say how the column may be used. */
  readonly format?: ColumnFormat;
  /** Of a date or timestamp: how files, and rows to predict, may write it besides ISO 8601. */
  readonly dateForm?: DateForm;
  /** Of a number or an integer: files, and rows to predict, write it as 1.234,56 where they write it as text. */
  readonly decimalSeparator?: ',';
  readonly unit?: string;
  /** Texts that stand for no value (`?`, `NA`): read as missing. '' stands for texts of blanks only. */
  readonly missingValues?: readonly string[];
  /** Other names under which files have the column; its own name counts first. */
  readonly aliases?: readonly string[];
  /** The date column from which this column's value exists (`days_late` from `paid_at`). */
  readonly knownFrom?: string;
  /** A date that is known with the row although it lies ahead (due date, maturity). */
  readonly planned: boolean;
  /**
   * The value changes when a row is sent again. It is not readable as of an earlier day unless versions are kept or
   * `knownFrom` is given.
   */
  readonly mutable: boolean;
  readonly pii: boolean;
  /** Its values name an entity beyond this customer's tables (a tax number): the link into the shared graph. */
  readonly graphKey?: boolean;
};

export type ColumnFormat = 'cpf' | 'cnpj' | 'email' | 'phone' | 'url' | 'uuid' | 'identifier' | 'text' | 'money';

/** Number of texts that a column may list as missing, and the length of each in characters. */
export const missingTextsMax = 20;
export const missingLengthMax = 40;
/** Characters of what people call a table or a column. */
export const businessNameMax = 80;
/** Number of other names of a column. */
export const aliasesMax = 20;

export const microsecondsPerDay = 86_400_000_000;

/** The contract with a zone on whose clocks instants are read; undefined for UTC. */
export function withTimeZone({ timeZone: _, ...contract }: Contract, timeZone: string | undefined): Contract {
  const zoned = timeZone === undefined ? {} : { timeZone };
  const tables = contract.tables.map(({ timeZone: _, ...table }) => ({ ...table, ...zoned }));
  return { ...contract, ...zoned, tables };
}
