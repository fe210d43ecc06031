import type { Reject } from '../../../lib/files/column.ts';
import { missingReason } from '../../../lib/files/source.ts';

/** Why a row has no answer. `row` counts data rows of its file from 1; `column` is null where the whole row is at fault. */
export type RowError = {
  readonly row: number;
  readonly column: string | null;
  readonly code: RowErrorCode;
  readonly message: string;
};
export type RowErrorCode =
  | 'unreadable_row'
  | 'invalid_input'
  | 'missing_input'
  | 'unknown_endpoint'
  | 'reference_date_in_future';

/** Told why the row at this place of a chunk has no answer. */
export type Refuse = (row: number, column: string | null, code: RowErrorCode, message: string) => void;

/** What a reader rejected. */
export function tellReject({ row, column, reason, value }: Reject): RowError {
  if (column === null) {
    const shown = value === null ? '' : `: ${JSON.stringify(value)}`;
    return { row, column, code: 'unreadable_row', message: `${reason}${shown}` };
  }
  return { row, column, code: reason === missingReason ? 'missing_input' : 'invalid_input', message: reason };
}
