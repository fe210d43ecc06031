import type { Column } from './table.tsx';

/** How CSV is written, by the names of the service: as most programs read it, or as Excel does in Portuguese. */
export type CsvDialect = 'standard' | 'excel_semicolon';

type Value = string | number | null | undefined;

/**
 * Writes rows as CSV, in the columns that have a text. Texts that a spreadsheet would run are made plain texts. What
 * Excel reads has the heads and words of the page, and moments on the clock of this machine.
 */
export function csvOf<T>(columns: readonly Column<T>[], rows: Iterable<T>, dialect: CsvDialect): string {
  const written = columns.filter(({ text }) => text);
  const isSheet = dialect === 'excel_semicolon';
  return csvText(
    written.map(({ key, head }) => (isSheet && typeof head === 'string' ? head : key)),
    Array.from(rows, (row) =>
      written.map(({ text, sheetText }) => (isSheet ? onClock((sheetText ?? text!)(row)) : text!(row))),
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
function onClock(value: Value): Value {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)) return value;
  const at = new Date(value);
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${two(at.getDate())}/${two(at.getMonth() + 1)}/${at.getFullYear()}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

function cellOf(value: Value, dialect: CsvDialect, delimiter: string): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return dialect === 'standard' ? String(value) : String(value).replace('.', ',');
  const plain = withoutFormula(value);
  return plain.includes(delimiter) || /["\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** A text that a spreadsheet does not run. */
export function withoutFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
