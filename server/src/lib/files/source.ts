// What every format's reader is given and gives.
import type { Reject } from './column.ts';
import type { ColumnRequest, TableBuilder } from './table.ts';

export type SourceContext = {
  readonly requests: readonly ColumnRequest[];
  readonly table: TableBuilder;
  readonly rejects: {
    add(reject: Reject): void;
    /** Whether so many wait that they should be taken before more are added. */
    isFull(): boolean;
  };
  /** The file's name in rejects and messages. */
  readonly file: string;
  /** Rows the table may hold: the reader yields before it would hold more, and the caller then takes them. */
  readonly rowsMax: number;
  /** The rows wanted, where not all are: the first counts from 0. Only Parquet is read from within. */
  readonly range?: RowRange;
  /**
   * Whether numbers that the file holds as float32 are handed over so; the table is empty then, and takes no other
   * file.
   */
  readonly takesFloats?: boolean;
  /** Names, as the file writes them, of the requested columns it has; by requested name. */
  readonly names: ReadonlyMap<string, string>;
};

export type RowRange = { readonly first: number; readonly count: number };

/**
 * Yields each time the table or the rejects are full, and returns at the end of the file with the last rows still in
 * the table.
 */
export type Source = AsyncGenerator<void, void>;

export const missingReason = 'the value is missing and the column is required';
