import type { ContractColumn, ContractTable } from '../data/contract.ts';

/**
 * Of what a training was refused for (`table.column`, or a table), what the contract `now` has mended since the one
 * `before` that it read: it is gone, not kept, or known only later or from another day on.
 */
export function followedOf(
  names: readonly string[],
  before: readonly ContractTable[],
  now: readonly ContractTable[],
): readonly string[] {
  return names.filter((at) => {
    const [was, is] = [before, now].map((tables) => find(tables, at));
    if (was === undefined) return false;
    if (is === undefined) return true;
    if (is === null || was === null) return false;
    return is.isMutable || is.isPersonal || (is.knownFrom !== null && is.knownFrom !== was.knownFrom);
  });
}

/** The column of a name; null for a table; undefined where there is neither. Names may have dots. */
function find(tables: readonly ContractTable[], at: string): ContractColumn | null | undefined {
  if (tables.some(({ name }) => name === at)) return null;
  for (const { name, columns } of tables) {
    const column = columns.find((one) => `${name}.${one.name}` === at);
    if (column) return column;
  }
  return undefined;
}
