import type { RowProblem } from '../../../serving/rows/problem.ts';
import type { ListedRow } from '../../../serving/rows/row-warnings.ts';

/** Why a row has no prediction, as the list of errors shows it. */
export type RowError = Pick<RowProblem, 'row' | 'column' | 'code' | 'message' | 'because'>;

/** What is written down of a row: why it has no prediction, or a warning of the one that it has. */
export type RowNote = RowError | ListedRow;

/** Adds to the message the raw text of a row that could not be parsed. */
export function rowError({ row, column, code, message, because, value }: RowProblem): RowError {
  const isShown = column === null && value !== null;
  return {
    ...{ row, column, code, message: isShown ? `${message}: ${JSON.stringify(value)}` : message },
    ...(because && { because }),
  };
}
