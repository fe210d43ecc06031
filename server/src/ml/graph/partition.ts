import type { Contract, TableContract } from '../contract/contract.ts';

/**
 * How tables fall apart by the rows of one of them, the root: each row of a partitioned table belongs to one row of the
 * root. `references`: of each partitioned table the references by which its rows belong there, all to the same row; the
 * root has none. A table stands after those that it refers to. The other tables are shared: rows of any partition may
 * refer to theirs.
 */
export type Partition = { readonly root: string; readonly references: ReadonlyMap<string, readonly string[]> };

/**
 * The partition of the tables by the rows of `root`. Null where there is none: where tables refer to one another in a
 * circle, or rows that hang on the root are sent again, as their references may change.
 */
export function partitionBy({ tables }: Contract, root: string): Partition | null {
  const hanging = new Set([root]);
  const isHanging = (table: TableContract) => table.references.some(({ table: to }) => hanging.has(to));
  for (let size = 0; size < hanging.size; ) {
    size = hanging.size;
    for (const table of tables) if (isHanging(table)) hanging.add(table.name);
  }
  const references = new Map<string, readonly string[]>();
  const open = tables.filter(({ name }) => hanging.has(name));
  while (open.length > 0) {
    const next = open.findIndex((table) =>
      table.references.every(({ table: to }) => !hanging.has(to) || references.has(to)),
    );
    if (next < 0) return null;
    const [table] = open.splice(next, 1);
    if (table.name !== root && table.knownAt) return null;
    const leading = table.references.filter(({ table: to }) => hanging.has(to));
    references.set(
      table.name,
      leading.map(({ column }) => column),
    );
  }
  return { root, references };
}

/** With fewer rows than this, a sample of what refers to them would be of too few kinds. */
const rootRowsMin = 10_000;

/**
 * The partition that the rows of `entity` are sampled by: by the farthest table that they lead to and that has rows
 * enough, as the customers of loans, so that what is known of a customer stays whole. Null where there is none.
 * `rowsOf`: about how many rows a table has. `below`: the tables that led here.
 */
export function partitionFor(
  contract: Contract,
  entity: string,
  rowsOf: (table: string) => number,
  below: readonly string[] = [],
): Partition | null {
  const partition = partitionBy(contract, entity);
  const seen = [...below, entity];
  const { references = [] } = contract.tables.find(({ name }) => name === entity) ?? {};
  const parents = references
    .map(({ table }) => table)
    .filter((table) => !seen.includes(table) && rowsOf(table) >= rootRowsMin)
    .sort((a, b) => rowsOf(b) - rowsOf(a));
  for (const parent of parents) {
    const farther = partitionFor(contract, parent, rowsOf, seen);
    if (farther?.references.has(entity)) return farther;
  }
  return partition;
}
