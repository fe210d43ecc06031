// The interface of the readers of all formats.
import type { Reject } from './rejects.ts';
import { tellRowReason } from './row-reasons.ts';
import type { ColumnRequest, TableBuilder } from './table.ts';

export type SourceContext = {
  readonly requests: readonly ColumnRequest[];
  readonly table: TableBuilder;
  readonly rejects: {
    add(reject: Reject): void;
    /** Whether there are so many that the caller should take them before more are added. */
    isFull(): boolean;
  };
  /** The file's name in rejects and messages. */
  readonly file: string;
  /** Most rows of the table: the reader yields before it would exceed them, and the caller then takes the rows. */
  readonly rowsMax: number;
  /** Most bytes of different texts in the table, exceeded by one row at most: the reader then yields as for rows. */
  readonly textBytesMax: number;
  /** The rows to read, all by default; the first row counts as 0. Only for Parquet. */
  readonly range?: RowRange;
  /**
   * Whether numbers that the file holds as float32 stay float32. The table must be empty then, and takes no other file.
   */
  readonly takesFloats?: boolean;
  /** The requested columns that the file has: the file's name of each by its requested name. */
  readonly names: ReadonlyMap<string, string>;
};

export type RowRange = { readonly first: number; readonly count: number };

/**
 * Yields each time the table or the rejects are full, and returns at the end of the file with the last rows still in
 * the table.
 */
export type Source = AsyncGenerator<void, void>;

/** Whether the table takes no more rows before the caller has taken those it has. */
export function isFull({ table, rowsMax, textBytesMax }: SourceContext): boolean {
  return table.rows >= rowsMax || (table.textBytes >= textBytesMax && table.rows > 0);
}

export const missing = tellRowReason({ code: 'missing' });
export const missingReason = missing.reason;
