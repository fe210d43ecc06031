// Writes columns to Parquet, CSV and JSONL files, piece by piece, in memory that does not grow with the file.
import { randomUUID } from 'node:crypto';
import { assert } from '../failure.ts';
import type { CsvOptions } from './csv-dialect.ts';
import { openParquet } from './write-parquet.ts';
import { openText } from './write-text.ts';
import type { WriteColumn, Writer } from './writer.ts';

/**
 * Opens a file for writing. On closing, it replaces any file of that name.
 *
 * CSV follows RFC 4180 with LF line ends; a missing value is empty and an empty text is `""`. Numbers are the shortest
 * text that reads back the same, dates YYYY-MM-DD, timestamps YYYY-MM-DDTHH:MM:SS[.ffffff]Z (local ones without Z),
 * times HH:MM:SS[.ffffff], booleans true and false. `formulas`: whether texts and names that a spreadsheet would run
 * are escaped. `dialect`: in `excel_semicolon` fields have semicolons between them, numbers decimal commas, and the
 * file begins with a byte order mark. JSONL writes every key, null when missing. Parquet has row groups of 98,304 rows
 * (fewer beyond 85 columns), zstd compression, and the matching types (timestamps in UTC or local, microseconds).
 * Infinite numbers, and fractions in an integer or a boolean column, are bugs of the caller and make `write` throw.
 */
export async function openWriter(
  path: string,
  format: 'parquet' | 'csv' | 'jsonl',
  columns: readonly WriteColumn[],
  csv: CsvOptions = {},
): Promise<Writer> {
  assert(columns.length > 0, 'a file has at least one column');
  const partial = `${path}.${randomUUID()}.partial`;
  return format === 'parquet'
    ? await openParquet(path, partial, columns)
    : await openText(path, partial, format, columns, csv);
}
