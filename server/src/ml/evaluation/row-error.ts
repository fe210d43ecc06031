import type { InputReason } from '../version/input-reasons.ts';

/** A row of the file that could not be read. The message says what was expected, and shows no value of the row. */
export type RowError = {
  readonly row: number;
  readonly column: string | null;
  readonly message: string;
  /** The message as a code with values; none of the few that have no code. */
  readonly because?: InputReason;
};
