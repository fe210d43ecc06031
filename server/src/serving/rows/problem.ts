import type { Reject } from '../../lib/files/rejects.ts';
import { missingReason } from '../../lib/files/source.ts';
import type { InputReason } from '../../ml/version/input-reasons.ts';

/** Why a row of a file has no answer. */
export type RowProblem = {
  /** The data row of its file, from 1. */
  readonly row: number;
  /** Null when the whole row is at fault. */
  readonly column: string | null;
  readonly code: RowProblemCode;
  readonly message: string;
  /** The message as a code with values; none of the few that have no code. */
  readonly because?: InputReason;
  /** The value in question, when the message does not show it. */
  readonly value: string | null;
};
export type RowProblemCode =
  | 'unreadable_row'
  | 'invalid_input'
  | 'missing_input'
  | 'unknown_endpoint'
  | 'reference_date_in_future';

/**
 * Called with the place of a row in its chunk and the reason why it has no answer. `value` is the value in question,
 * when the message does not show it.
 */
export type Refuse = (
  row: number,
  column: string | null,
  code: RowProblemCode,
  reason: InputReason | string,
  value?: string | null,
) => void;

/** The problem of a row that the file's reader rejected. */
export function problemOf({ row, column, reason, because, value }: Reject): RowProblem {
  const code = column === null ? 'unreadable_row' : reason === missingReason ? 'missing_input' : 'invalid_input';
  return { row, column, code, message: reason, ...(because && { because }), value };
}
