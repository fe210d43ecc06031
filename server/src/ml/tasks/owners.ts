import { followReferences, type Led } from '../graph/as-of/references.ts';
import type { Table, Tables } from '../graph/tables.ts';

/**
 * The row that each row leads to by following the references in `path` (-1 for none), and the moment from which that is
 * known, apart from the row's own. With an empty path each row leads to itself.
 */
export function ownersOf(tables: Tables, table: Table, path: readonly string[]): Omit<Led, 'target'> {
  const led = followReferences(tables, table, path);
  // An entity sent again is identified by its first row, as in references.
  if (path.length === 0 && table.versions) {
    const { offsets, rows: ordered } = table.versions;
    for (let entity = 0; entity < table.rows; entity++)
      for (let k = offsets[entity]; k < offsets[entity + 1]; k++) led.rows[ordered[k]] = entity;
  }
  return led;
}

/** The rows that stand for an entity: for rows sent again, the one that references lead to. */
export function entityRows({ rows, versions }: Table): Int32Array {
  const all = Int32Array.from({ length: rows }, (_, row) => row);
  return versions ? all.filter((row) => versions.offsets[row + 1] > versions.offsets[row]) : all;
}

/**
 * Groups rows by the entity that owns them (-1: none), each group sorted by `compare`. The rows of entity e are
 * order[offsets[e]] … order[offsets[e + 1] - 1].
 */
export function groupRows(
  owners: Int32Array,
  entities: number,
  compare: (a: number, b: number) => number,
): { offsets: Int32Array; order: Int32Array } {
  const offsets = new Int32Array(entities + 1);
  for (const owner of owners) if (owner >= 0) offsets[owner + 1]++;
  for (let entity = 0; entity < entities; entity++) offsets[entity + 1] += offsets[entity];
  const next = offsets.slice(0, entities);
  const order = new Int32Array(offsets[entities]);
  for (let row = 0; row < owners.length; row++) if (owners[row] >= 0) order[next[owners[row]]++] = row;
  for (let entity = 0; entity < entities; entity++) order.subarray(offsets[entity], offsets[entity + 1]).sort(compare);
  return { offsets, order };
}
