import type { Column } from '../../lib/files/column.ts';
import type { TableContract } from '../contract/contract.ts';

/** All tables of one data set in memory, with every reference resolved to row numbers. */
export type Tables = ReadonlyMap<string, Table>;

export type Table = {
  readonly contract: TableContract;
  readonly name: string;
  readonly rows: number;
  readonly columns: ReadonlyMap<string, Column>;
  /** Row number of each key value, for tables with a key of one column. Rows that repeat a key keep the first. */
  readonly rowOf: ReadonlyMap<string, number>;
  /** Per reference column: row number in the referenced table, or -1. */
  readonly references: ReadonlyMap<string, { readonly table: string; readonly rows: Int32Array }>;
  /**
   * The moment each row became readable, microseconds: its event time, or the last microsecond of its day where only the
   * day is known. NaN where the time is missing. Absent for tables without time.
   */
  readonly time?: Float64Array;
};
