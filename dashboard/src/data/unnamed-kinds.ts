import type { ContractTable } from './contract.ts';

/**
 * Tables to whose rows others refer by their key, and of which nothing says what these are. Their keys are then kept as
 * they come, so that nobody's can be erased.
 */
export function unnamedKinds(tables: readonly ContractTable[]): ReadonlySet<string> {
  const referred = new Set(
    tables.flatMap(({ columns }) => columns.flatMap(({ references }) => references.map(({ table }) => table))),
  );
  const isUnnamed = ({ name, entityKind, columns }: ContractTable) =>
    entityKind === null && referred.has(name) && columns.filter(({ isKey }) => isKey).length === 1;
  return new Set(tables.filter(isUnnamed).map(({ name }) => name));
}
