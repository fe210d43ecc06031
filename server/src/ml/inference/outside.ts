import type { Anchors } from '../features/state.ts';
import { isThere } from '../graph/as-of/rows.ts';
import type { Tables } from '../graph/tables.ts';
import { openOutside } from '../tasks/population.ts';
import { writeCondition } from '../tasks/write-query.ts';
import type { Version } from '../version/version.ts';

/**
 * Prepares to write, per row, the parts of the condition on whom the question is about that it does not meet; null
 * where it meets them all, is not in the data by then, or nothing can be said.
 */
export function openOutsideTexts({ task, fresh }: Version, tables: Tables): (anchors: Anchors) => (string | null)[] {
  const open = openOutside(task, tables, fresh);
  return ({ table, rows, at, readableUntil }) => {
    const unmetAt = open(table);
    return Array.from(rows, (row, r) => {
      if (!unmetAt || !(fresh || isThere(table, row, readableUntil[r]))) return null;
      const unmet = unmetAt(row, at[r]);
      if (unmet.length === 0) return null;
      return writeCondition(unmet.length === 1 ? unmet[0] : { kind: 'and', of: unmet });
    });
  };
}
