import type { Column } from './table.tsx';

/** How CSV is written, by the names of the service: as most programs read it, or as Excel does in Portuguese. */
export type CsvDialect = 'standard' | 'excel_semicolon';

type Value = string | number | null | undefined;

/** Writes rows as CSV, in the columns that have a text. Texts that a spreadsheet would run are made plain texts. */
export function csvOf<T>(columns: readonly Column<T>[], rows: Iterable<T>, dialect: CsvDialect): string {
  const written = columns.filter(({ text }) => text);
  return csvText(
    written.map(({ key }) => key),
    Array.from(rows, (row) => written.map(({ text }) => text!(row))),
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
