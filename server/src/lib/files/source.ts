// What every format's reader is given and gives.
import type { ColumnRequest, RejectLog, TableBuilder } from './table.ts';

export type SourceContext = {
  readonly requests: readonly ColumnRequest[];
  readonly table: TableBuilder;
  readonly rejects: Pick<RejectLog, 'add'>;
  /** The file's name in rejects and messages. */
  readonly file: string;
  /** Rows the table may hold: the reader yields before it would hold more, and the caller then takes them. */
  readonly rowsMax: number;
  /** Names, as the file writes them, of the requested columns it has; by requested name. */
  readonly names: ReadonlyMap<string, string>;
};

/** Yields each time the table is full, and returns at the end of the file with the last rows still in the table. */
export type Source = AsyncGenerator<void, void>;

export const missingReason = 'the value is missing and the column is required';
