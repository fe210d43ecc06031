import { assert } from '../../../lib/failure.ts';
import type { Table, Tables } from '../tables.ts';
import { firstVersion, isThere, linkedSince } from './rows.ts';
import { isKnown, knownMoments, laterOf } from './values.ts';

/**
 * The row that a row's reference leads to, or -1: what it leads to must be there by `reach`, and that it leads there
 * must be known at `readableUntil`. A row that is not there yet is met by nobody: that it will come may be what the
 * label is about.
 */
export type FollowReference = (row: number, readableUntil: number, reach?: number) => number;

/**
 * Prepares to follow the reference `name` of `table` to `target`, for which `row` is a row, or a version of one, that
 * is itself readable.
 */
export function openReference(table: Table, name: string, target: Table): FollowReference {
  const { rows } = referenceOf(table, name);
  const known = knownMoments(table, name);
  return (row, readableUntil, reach = readableUntil) => {
    const to = rows[row];
    return to >= 0 && isKnown(known, row, readableUntil) && isThere(target, to, reach) ? to : -1;
  };
}

/** The moments since when each row's reference `name` leads to its row of `target`; undefined where all always do. */
export function linkMoments(table: Table, name: string, target: Table): Float64Array | undefined {
  const { rows } = referenceOf(table, name);
  const since = Float64Array.from(rows, (row) => (row < 0 ? Number.NEGATIVE_INFINITY : linkedSince(target, row)));
  return laterOf(
    since.some((moment) => moment !== Number.NEGATIVE_INFINITY) ? since : undefined,
    knownMoments(table, name),
  );
}

/**
 * Where a path of references leads from each row (-1 for nowhere), and since when that is known beside the row itself.
 */
export type Led = { readonly target: Table; readonly rows: Int32Array; readonly since: Float64Array | undefined };

/**
 * Follows references joined in order from every row of `table`: a link through another row is known once that row is,
 * and leads where its oldest version says; each link is known from its own date on. Whether the row at the end is there
 * is for the reader of it to ask.
 */
export function followReferences(tables: Tables, table: Table, path: readonly string[]): Led {
  let target = table;
  let rows = Int32Array.from({ length: table.rows }, (_, row) => row);
  let since: Float64Array | undefined;
  for (const [taken, step] of path.entries()) {
    const reference = referenceOf(target, step);
    const between = target;
    if (taken > 0 && (between.time || between.versions)) {
      const there = rows.map((row) => (row < 0 ? -1 : firstVersion(between, row)));
      since = laterOf(
        since,
        momentsAt(rows, (row) => linkedSince(between, row)),
      );
      rows = there;
    }
    const known = knownMoments(between, step);
    if (known)
      since = laterOf(
        since,
        momentsAt(rows, (row) => known[row]),
      );
    rows = rows.map((row) => (row < 0 ? -1 : reference.rows[row]));
    target = tables.get(reference.table)!;
  }
  return { target, rows, since };
}

function momentsAt(rows: Int32Array, momentOf: (row: number) => number): Float64Array {
  return Float64Array.from(rows, (row) => (row < 0 ? Number.NEGATIVE_INFINITY : momentOf(row)));
}

function referenceOf(table: Table, name: string) {
  const reference = table.references.get(name);
  assert(reference, `reference ${name} of ${table.name}`);
  return reference;
}
