import type { RowProblem } from '../../../serving/rows/problem.ts';

/** Why a row has no answer, as the list of errors tells it. */
export type RowError = Pick<RowProblem, 'row' | 'column' | 'code' | 'message'>;

/** Tells what stood in the place of a row that could not be read. */
export function rowError({ row, column, code, message, value }: RowProblem): RowError {
  const isShown = column === null && value !== null;
  return { row, column, code, message: isShown ? `${message}: ${JSON.stringify(value)}` : message };
}
