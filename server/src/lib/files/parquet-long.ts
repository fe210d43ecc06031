// Long texts of Parquet: which rows have them, and in what portions these rows are read again.
import { type Batch, isValid, textCellBytes, vectorRowsMax } from '../duckdb/duckdb.ts';
import { lineBytesMax } from './bytes.ts';
import { sizeWord } from './density.ts';
import type { ReadJob } from './parquet-plan.ts';

/** Bytes of texts that DuckDB may hand over at once. It holds two such portions: one in use, and the next. */
const portionBytesMax = 64 * 1024 * 1024;
/** A text up to this length is handed over at once, however many columns there are. */
const shortTextBytes = 64;
/** A longer text waits, even when the file has one column. */
const longTextBytes = 1 << 15;

export const rowTooLong = `the row is longer than ${sizeWord(lineBytesMax)}`;

/** The bytes up to which a text is handed over at once, where rows have `texts` columns of texts. */
export function inlineBytes(texts: number): number {
  const fair = Math.floor(portionBytesMax / vectorRowsMax / Math.max(1, texts));
  return Math.min(longTextBytes, Math.max(shortTextBytes, fair));
}

/**
 * The SQL of a column in whose place a text longer than `inline` bytes is only named by its length, after a NUL: such a
 * text is at most 12 bytes long itself.
 */
export function withoutLong({ sql, bytesSql }: ReadJob, inline: number): string {
  if (bytesSql === null) return sql;
  return `case when ${bytesSql} <= ${inline} then ${sql} else chr(0) || (${bytesSql})::varchar end`;
}

const cellWords = textCellBytes / 4;

export type Measured = {
  /** Bytes of the texts of all rows. */
  readonly bytes: number;
  /** By row of the batch, the bytes of the texts that were left out; null when none were. */
  readonly long: ReadonlyMap<number, number> | null;
};

/** Measures the texts of a batch that was read with `withoutLong`. */
export function measureTexts(batch: Batch, jobs: readonly ReadJob[]): Measured {
  let bytes = 0;
  let long: Map<number, number> | null = null;
  for (const [index, { bytesSql }] of jobs.entries()) {
    if (bytesSql === null) continue;
    const { cells, validity, text } = batch.texts(index);
    const words = new Uint32Array(cells.buffer, cells.byteOffset, cells.byteLength / 4);
    const end = batch.rows * cellWords;
    for (let at = 0; at < end; at += cellWords) {
      if (validity !== null && !isValid(validity, at / cellWords)) continue;
      const length = words[at];
      bytes += length;
      // The second word begins with the first byte of the text.
      if ((words[at + 1] & 0xff) !== 0 || length < 2) continue;
      const row = at / cellWords;
      const left = Number(text(row).slice(1));
      // A text of the file may begin with NUL too; if a number follows, its row is read again for nothing.
      if (!Number.isInteger(left)) continue;
      bytes += left;
      long ??= new Map();
      long.set(row, (long.get(row) ?? 0) + left);
    }
  }
  return { bytes, long };
}

/** Rows of a batch, from `first` on, to be read again together; a row that is too long stands alone. */
export type Portion = { readonly first: number; readonly count: number; readonly isTooLong: boolean };

/** Divides `rows` rows into portions whose long texts fit in memory. */
export function portionsOf(rows: number, long: ReadonlyMap<number, number>): Portion[] {
  const portions: Portion[] = [];
  let first = 0;
  let bytes = 0;
  const close = (end: number): void => {
    if (end > first) portions.push({ first, count: end - first, isTooLong: false });
    first = end;
    bytes = 0;
  };
  for (let row = 0; row < rows; row++) {
    const own = long.get(row) ?? 0;
    if (bytes + own > portionBytesMax || own > lineBytesMax) close(row);
    bytes += own;
    if (own <= lineBytesMax) continue;
    portions.push({ first: row, count: 1, isTooLong: true });
    first = row + 1;
    bytes = 0;
  }
  close(rows);
  return portions;
}
