import type { Rows } from '../../lib/files/column.ts';
import type { TableContract } from '../contract/contract.ts';
import { checkedFormat, isOfFormat } from '../contract/formats.ts';
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
 * The inputs, of which those alone have a format that is checked whose column has it by these tables too: a contract
 * that no longer asks for it lets other texts in.
 */
export function formattedAs(inputs: readonly Field[], tables: readonly TableContract[]): readonly Field[] {
  return inputs.map((input) => {
    const { format, source, ...rest } = input;
    const column = tables
      .find(({ name }) => name === source?.table)
      ?.columns.find(({ name }) => name === source?.column);
    return checkedFormat(format) && column?.format !== format ? { ...rest, ...(source && { source }) } : input;
  });
}

/**
 * The texts that do not have the format which their input declares, row by row. Data that break it are refused when
 * they are sent, so that no such text names anything.
 */
export function formatProblems(rows: Rows, inputs: readonly Field[]): ValueProblem[] {
  const problems: ValueProblem[] = [];
  for (const { name, format: declared } of inputs) {
    const format = checkedFormat(declared);
    const column = format && rows.columns.get(name);
    if (!format || column?.kind !== 'text') continue;
    const isWrong = column.dictionary.map((text) => !isOfFormat(format, text));
    if (!isWrong.includes(true)) continue;
    for (let row = 0; row < rows.rows; row++)
      if (isWrong[column.codes[row]]) problems.push({ row, column: name, reason: { code: 'wrong_format', format } });
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
