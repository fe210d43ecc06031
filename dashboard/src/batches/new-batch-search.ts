import { isDay } from '../kit/day.ts';
import { isOneOf } from '../kit/one-of.ts';
import type { Batch } from './batch.ts';
import { type BatchOptions, formats, priorityMax, usualOptions } from './batch-options.ts';
import type { Input } from './column-mapping.ts';
import { isMapping, type Mapping } from './mapping.ts';

const included = ['interval', 'input_columns', 'row', 'warnings'] as const;

export type NewBatchSearch = {
  readonly model?: string;
  /** An alias or the id of a version. */
  readonly target?: string;
  /** What a batch whose rows are scored again was asked with; inputs without a column were read from none. */
  readonly columns?: Mapping;
  readonly day?: string;
  readonly format?: BatchOptions['format'];
  readonly priority?: number;
  readonly include?: readonly (typeof included)[number][];
  readonly reference?: string;
  /** The batch that had left out the rows which are scored now. */
  readonly corrects?: string;
};

/** Reads the query of the page's address; what it does not know is left out. */
export const readNewBatchSearch = ({
  model,
  target,
  columns,
  day,
  format,
  priority,
  include,
  reference,
  corrects,
}: Readonly<Record<string, unknown>>): NewBatchSearch => ({
  ...(typeof model === 'string' ? { model } : {}),
  ...(typeof target === 'string' ? { target } : {}),
  ...(isMapping(columns) ? { columns } : {}),
  ...(isDay(day) ? { day } : {}),
  ...(isOneOf(formats, format) ? { format } : {}),
  ...(Number.isInteger(priority) && Math.abs(priority as number) <= priorityMax
    ? { priority: priority as number }
    : {}),
  ...(Array.isArray(include) ? { include: included.filter((one) => include.includes(one)) } : {}),
  ...(typeof reference === 'string' ? { reference } : {}),
  ...(typeof corrects === 'string' ? { corrects } : {}),
});

/** The page on which corrected rows of a batch are scored, as the batch was asked. */
export function searchLike({
  id,
  model,
  column_mapping: columns,
  reference_date: day,
  csv_dialect: dialect,
  output_format: output,
  priority,
  include,
  reference_column: reference,
}: Batch): NewBatchSearch {
  const format = dialect === 'excel_semicolon' ? 'excel' : output;
  return {
    ...(model ? { model: model.model_id, target: model.alias ?? model.version_id } : {}),
    // By them the result says which rows the corrected ones were.
    ...{ columns, include: [...new Set([...include, 'input_columns' as const])] },
    ...(day === null ? {} : { day }),
    ...(isOneOf(formats, format) ? { format } : {}),
    ...(priority === 0 ? {} : { priority }),
    ...(reference === null ? {} : { reference }),
    corrects: id,
  };
}

/** The options that an address says; the usual ones where it says none. */
export function optionsOf({ day, format, priority, include, reference }: NewBatchSearch): BatchOptions {
  const { hasInterval, hasColumns, hasRow, hasWarnings } = usualOptions;
  return {
    format: format ?? usualOptions.format,
    day: day ?? usualOptions.day,
    priority: priority === undefined ? usualOptions.priority : String(priority),
    reference: reference ?? usualOptions.reference,
    hasInterval: include?.includes('interval') ?? hasInterval,
    hasColumns: include?.includes('input_columns') ?? hasColumns,
    hasRow: include?.includes('row') ?? hasRow,
    hasWarnings: include?.includes('warnings') ?? hasWarnings,
  };
}

/** The columns that an address says, by input: '' for inputs that were read from none of another name. */
export function chosenOf({ columns }: NewBatchSearch, inputs: readonly Input[]): Mapping {
  return columns ? Object.fromEntries(inputs.map(({ name }) => [name, columns[name] ?? ''])) : {};
}
