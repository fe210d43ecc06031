import { assert } from '../../../lib/failure.ts';
import type { Table, Tables } from '../tables.ts';
import { firstVersion, isThere, linkedSince } from './rows.ts';
import { isKnown, knownMoments, laterOf } from './values.ts';

/**
 * Returns the row that the reference of `row` leads to, or -1. It is -1 when the reference is not known by
 * `readableUntil`, or when the target row is not there by `reach` (by default `readableUntil`). A row that is not there
 * yet is never reached, because the label may be about whether it will come.
 */
export type FollowReference = (row: number, readableUntil: number, reach?: number) => number;

/**
 * Returns a function that follows the reference `name` from rows of `table` to rows of `target`. The rows given to it
 * must themselves be readable; they may be versions of a row.
 */
export function openReference(table: Table, name: string, target: Table): FollowReference {
  const { rows, since } = referenceOf(table, name);
  const known = knownMoments(table, name);
  return (row, readableUntil, reach = readableUntil) => {
    const to = rows[row];
    const leads = to >= 0 && isKnown(known, row, readableUntil) && isKnown(since, row, reach);
    return leads && isThere(target, to, reach) ? to : -1;
  };
}

/**
 * For each row, the moment from which its reference `name` leads to a row of `target`; undefined when all always do.
 */
export function linkMoments(table: Table, name: string, target: Table): Float64Array | undefined {
  const { rows, since: leading } = referenceOf(table, name);
  const since = Float64Array.from(rows, (row) => (row < 0 ? Number.NEGATIVE_INFINITY : linkedSince(target, row)));
  const there = since.some((moment) => moment !== Number.NEGATIVE_INFINITY) ? since : undefined;
  return laterOf(laterOf(there, leading), knownMoments(table, name));
}

/**
 * For each row, the row of `target` at the end of a path of references (-1 for none), and the moment from which the
 * path is known, apart from the moment of the row itself (`since`; undefined when always).
 */
export type Led = { readonly target: Table; readonly rows: Int32Array; readonly since: Float64Array | undefined };

/**
 * Follows the references in `path` one after the other from every row of `table`. A link through an intermediate row is
 * known once that row is readable, and is read from the row's oldest version. Each link is also known only from its own
 * `knownFrom` date on. The caller must check whether the row at the end is there.
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
    const known = laterOf(knownMoments(between, step), reference.since);
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
