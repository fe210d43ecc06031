import { clockIn } from './day.ts';
import type { Column } from './table.tsx';

/** How CSV is written, by the names of the service: as most programs read it, or as Excel does in Portuguese. */
export type CsvDialect = 'standard' | 'excel_semicolon';

type Value = string | number | null | undefined;

/**
 * Writes rows as CSV, in the columns that have a text, by the names of the API in every form: a column is called the same
 * wherever it is met. Texts that a spreadsheet would run are made plain texts. What Excel reads has the words of the
 * page in its cells, and moments on its clock: that of `timeZone`, or of this machine.
 */
export function csvOf<T>(
  columns: readonly Column<T>[],
  rows: Iterable<T>,
  dialect: CsvDialect,
  timeZone: string | undefined,
): string {
  const written = columns.filter(({ text }) => text);
  const isSheet = dialect === 'excel_semicolon';
  return csvText(
    written.map(({ key }) => key),
    Array.from(rows, (row) =>
      written.map(({ text, sheetText }) => (isSheet ? onClock((sheetText ?? text!)(row), timeZone) : text!(row))),
    ),
    dialect,
  );
}

/** The same of values. */
export function csvText(head: readonly string[], rows: readonly (readonly Value[])[], dialect: CsvDialect): string {
  const delimiter = dialect === 'standard' ? ',' : ';';
  return [head, ...rows]
    .map((values) => `${values.map((value) => cellOf(value, dialect, delimiter)).join(delimiter)}\r\n`)
    .join('');
}

/** A moment as Excel takes it in Portuguese; anything else as it is. */
function onClock(value: Value, timeZone: string | undefined): Value {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)) return value;
  const [day, time] = clockIn(timeZone, value).split('T');
  return `${day.split('-').reverse().join('/')} ${time}`;
}

function cellOf(value: Value, dialect: CsvDialect, delimiter: string): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return dialect === 'standard' ? String(value) : String(value).replace('.', ',');
  const plain = withoutFormula(value);
  return plain.includes(delimiter) || /["\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** A text that a spreadsheet does not run. Plain numbers, such as -5, run nothing. */
export function withoutFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^[+-][\d.,]+%?$/.test(text) ? `'${text}` : text;
}
