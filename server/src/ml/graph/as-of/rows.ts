import type { Table, Versions } from '../tables.ts';

/** The oldest version of entity row `row`: the row itself where no versions are kept. */
export function firstVersion({ versions }: Table, row: number): number {
  return versions ? versions.rows[versions.offsets[row]] : row;
}

/**
 * The moment since when each row, or version of a row, is readable: NaN or Infinity for never. Undefined where all
 * always are.
 */
export function rowMoments({ versions, time }: Table): Float64Array | undefined {
  return versions?.from ?? time;
}

/** The moment since when entity row `row` is readable in any version. */
export function readableSince(table: Table, row: number): number {
  if (table.versions) return table.versions.from[firstVersion(table, row)];
  return table.time ? table.time[row] : Number.NEGATIVE_INFINITY;
}

/** The moment since when a reference to entity row `row` leads there: always where nothing dates the row. */
export function linkedSince(table: Table, row: number): number {
  const since = readableSince(table, row);
  return Number.isFinite(since) ? since : Number.NEGATIVE_INFINITY;
}

/** Whether entity row `row` (-1: none) is there at `readableUntil`, for whoever asks by its key or refers to it. */
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

/** The rows, and versions of rows, that are readable at `readableUntil`, in their order. */
export function rowsAsOf(table: Table, readableUntil: number): Int32Array {
  const since = rowMoments(table);
  const all = Int32Array.from({ length: table.rows }, (_, row) => row);
  return since ? all.filter((row) => since[row] <= readableUntil) : all;
}

/** Visits the versions of entity row `row`, or the row alone, with the moment since when a reference leads to it. */
export function eachVersion(table: Table, row: number, visit: (version: number, since: number) => void): void {
  const { versions } = table;
  if (!versions) visit(row, linkedSince(table, row));
  else
    for (let k = versions.offsets[row]; k < versions.offsets[row + 1]; k++)
      visit(versions.rows[k], versions.from[versions.rows[k]]);
}

/** Rows that tell what happened in the end: of rows sent again the last version. */
export function lastVersions({ rows, versions }: Table): Int32Array {
  const all = Int32Array.from({ length: rows }, (_, row) => row);
  if (!versions) return all;
  return all.filter((row) => versions.until[row] === Number.POSITIVE_INFINITY && Number.isFinite(versions.from[row]));
}

/**
 * Writes to `into`, from `length` on, the positions of `rows` in [from, to) that hold the version of their row readable
 * at `readableUntil`, but for the rows in `except`. Returns the length then. One loop: it is run for each of millions
 * of windows.
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
