import type { Anchors } from '../features/state.ts';
import type { Tables } from '../graph/tables.ts';
import { openOutside } from '../tasks/population.ts';
import { writeCondition } from '../tasks/write-query.ts';
import type { Version } from '../version/version.ts';

/**
 * Prepares to write, per row, the parts of the condition on whom the question is about that it does not meet; null
 * where it meets them all, is not in the data, or nothing can be said.
 */
export function openOutsideTexts(version: Version, tables: Tables): (anchors: Anchors) => (string | null)[] {
  const { task, fresh, inputFields } = version;
  const open = openOutside(task, tables, fresh ? new Set(inputFields.map(({ name }) => name)) : null);
  return ({ table, rows, at }) => {
    const unmetAt = open?.(table);
    return Array.from(rows, (row, r) => {
      const unmet = row < 0 || !unmetAt ? [] : unmetAt(row, at[r]);
      if (unmet.length === 0) return null;
      return writeCondition(unmet.length === 1 ? unmet[0] : { kind: 'and', of: unmet });
    });
  };
}
