import type { Table, Versions } from '../tables.ts';

/** The oldest version of entity row `row`; the row itself when the table keeps no versions. */
export function firstVersion({ versions }: Table, row: number): number {
  return versions ? versions.rows[versions.offsets[row]] : row;
}

/**
 * The moment from which each row, or version of a row, is readable; NaN or Infinity means never. Undefined when all
 * rows are always readable.
 */
export function rowMoments({ versions, time }: Table): Float64Array | undefined {
  return versions?.from ?? time;
}

/** The moment from which any version of entity row `row` is readable. */
export function readableSince(table: Table, row: number): number {
  if (table.versions) return table.versions.from[firstVersion(table, row)];
  return table.time ? table.time[row] : Number.NEGATIVE_INFINITY;
}

/** The moment from which a reference to entity row `row` leads to it; -Infinity (always) when the row has no date. */
export function linkedSince(table: Table, row: number): number {
  const since = readableSince(table, row);
  return Number.isFinite(since) ? since : Number.NEGATIVE_INFINITY;
}

/** Whether entity row `row` (-1: none) can be found by its key or by a reference at `readableUntil`. */
export function isThere(table: Table, row: number, readableUntil: number): boolean {
  return row >= 0 && linkedSince(table, row) <= readableUntil;
}

/** The version of entity row `row` that was readable at `readableUntil`, or -1 when none was. */
export function rowAsOf(table: Table, row: number, readableUntil: number): number {
  const { versions, time } = table;
  if (row < 0) return -1;
  if (!versions) return time && !(time[row] <= readableUntil) ? -1 : row;
  for (let k = versions.offsets[row + 1] - 1; k >= versions.offsets[row]; k--) {
    const version = versions.rows[k];
    if (versions.from[version] <= readableUntil) return version;
  }
  return -1;
}

/** Whether row `row`, which may be a version of one, is what was readable of it at `readableUntil`. */
export function isReadable({ versions, time }: Table, row: number, readableUntil: number): boolean {
  if (versions) return versions.from[row] <= readableUntil && versions.until[row] > readableUntil;
  return !time || time[row] <= readableUntil;
}

/** The rows, and versions of rows, that are readable at `readableUntil`, in table order. */
export function rowsAsOf(table: Table, readableUntil: number): Int32Array {
  const since = rowMoments(table);
  // A plain loop: `from` and `filter` take ten times as long, and proposals ask for each column.
  const rows = new Int32Array(table.rows);
  let count = 0;
  for (let row = 0; row < table.rows; row++) if (!since || since[row] <= readableUntil) rows[count++] = row;
  return rows.subarray(0, count);
}

/**
 * Calls `visit` for each version of entity row `row`, or for the row alone, with the moment from which it is linked.
 */
export function eachVersion(table: Table, row: number, visit: (version: number, since: number) => void): void {
  const { versions } = table;
  if (!versions) visit(row, linkedSince(table, row));
  else
    for (let k = versions.offsets[row]; k < versions.offsets[row + 1]; k++)
      visit(versions.rows[k], versions.from[versions.rows[k]]);
}

/** The rows in their final state: for rows that were sent again, the last version. */
export function lastVersions({ rows, versions }: Table): Int32Array {
  const all = Int32Array.from({ length: rows }, (_, row) => row);
  if (!versions) return all;
  return all.filter((row) => versions.until[row] === Number.POSITIVE_INFINITY && Number.isFinite(versions.from[row]));
}

/**
 * Finds the positions in [from, to) of `rows` whose row is the version readable at `readableUntil` and is not in
 * `except`. Writes them to `into` from index `length` on and returns the new length. This is a single loop because it
 * runs for millions of windows.
 */
export function listCurrent(
  { from: since, until }: Versions,
  rows: Int32Array,
  from: number,
  to: number,
  readableUntil: number,
  except: Int32Array,
  into: Int32Array,
  length: number,
): number {
  let end = length;
  for (let p = from; p < to; p++) {
    const row = rows[p];
    if (since[row] <= readableUntil && readableUntil < until[row] && !except.includes(row)) into[end++] = p;
  }
  return end;
}
