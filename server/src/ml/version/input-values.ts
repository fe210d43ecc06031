import type { Rows } from '../../lib/files/column.ts';
import type { InputReason } from './input-reasons.ts';
import { dayInput, type Field } from './schema.ts';

/** What is wrong with the value that a row has in a column: a reason, or a sentence of those that have no code. */
export type ValueProblem = {
  readonly row: number;
  readonly column: string;
  readonly reason: InputReason | string;
};

/** What is said of a new row without the date that it stands at. */
export const undated: InputReason = { code: 'undated', input: dayInput };

type RangeProblem = Omit<ValueProblem, 'reason'> & {
  readonly reason: Extract<InputReason, { readonly code: 'out_of_range' }>;
};

/** The numbers out of the range that their input declares, row by row. */
export function rangeProblems(rows: Rows, inputs: readonly Field[]): RangeProblem[] {
  const problems: RangeProblem[] = [];
  for (const { name, minimum, maximum } of inputs) {
    if (minimum === undefined && maximum === undefined) continue;
    const column = rows.columns.get(name);
    if (column?.kind !== 'number') continue;
    const { values } = column;
    const least = minimum ?? Number.NEGATIVE_INFINITY;
    const most = maximum ?? Number.POSITIVE_INFINITY;
    for (let row = 0; row < rows.rows; row++)
      if (values[row] < least || values[row] > most)
        problems.push({
          ...{ row, column: name },
          reason: { code: 'out_of_range', minimum: minimum ?? null, maximum: maximum ?? null, found: values[row] },
        });
  }
  return problems;
}

/**
 * The new rows whose own date lies after a day, of which `dayEnd` is the last microsecond; none where rows may be dated
 * ahead.
 */
export function aheadProblems(rows: Rows, inputs: readonly Field[], dayEnd: number): ValueProblem[] {
  const problems: ValueProblem[] = [];
  for (const { name, dates_row } of inputs) {
    const column = dates_row === 'past' ? rows.columns.get(name) : undefined;
    if (column?.kind !== 'time') continue;
    const today = dayText(dayEnd);
    for (let row = 0; row < rows.rows; row++)
      if (column.values[row] > dayEnd)
        problems.push({
          row,
          column: name,
          reason: { code: 'dated_ahead', day: dayText(column.values[row]), today },
        });
  }
  return problems;
}

function dayText(moment: number): string {
  const date = new Date(moment / 1000);
  // A year that a date of JavaScript does not have.
  return Number.isNaN(date.getTime()) ? 'the date' : date.toISOString().split('T', 1)[0];
}
