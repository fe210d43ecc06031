import type { ColumnContract, Contract, TableContract } from './contract.ts';

/** What a contract no longer has, or has otherwise, of what is read by an earlier one. */
export type ReadChange = {
  /** A table, or `table.column`. */
  readonly at: string;
  readonly table: string;
  readonly change: 'removed' | 'renamed' | 'retyped';
  /** The type of a column that is of another one. */
  readonly before: string | null;
  /** The new name, or type; null of what is removed. */
  readonly after: string | null;
};

/**
 * What of the tables and columns that are read, each a `table` or `table.column` of a contract, another contract takes
 * away, calls otherwise, or makes of another type; of a table that is gone, itself alone. Rows of a table that is read
 * are told apart by its key and dated by its time, so that these are read with it. A column is known to be renamed
 * where the new one has its name as an alias; a table, where a new one has the same columns.
 */
export function changedReads(before: Contract, after: Contract, reads: readonly string[]): ReadChange[] {
  const asked = new Set(reads);
  return before.tables.flatMap((table): ReadChange[] => {
    const { name, columns } = table;
    const own = columns.filter((column) => asked.has(`${name}.${column.name}`));
    if (own.length === 0 && !asked.has(name)) return [];
    const later = after.tables.find((one) => one.name === name);
    if (!later) {
      const renamed = after.tables.find((one) => isNew(one, before.tables) && hasColumnsOf(one, table));
      return [changeOf(name, table, renamed ? 'renamed' : 'removed', renamed?.name)];
    }
    const usual = new Set([...table.key, ...timesOf(table)]);
    const read = columns.filter((column) => own.includes(column) || usual.has(column.name));
    return read.flatMap((column) => columnChange(table, column, later) ?? []);
  });
}

function columnChange(table: TableContract, column: ColumnContract, later: TableContract): ReadChange | null {
  const at = `${table.name}.${column.name}`;
  const now = later.columns.find(({ name }) => name === column.name);
  if (!now) {
    const renamed = later.columns.find((one) => isNew(one, table.columns) && one.aliases?.includes(column.name));
    return changeOf(at, table, renamed ? 'renamed' : 'removed', renamed?.name);
  }
  // Every integer is a number.
  if (now.type === column.type || (column.type === 'integer' && now.type === 'number')) return null;
  return { ...changeOf(at, table, 'retyped', now.type), before: column.type };
}

function changeOf(at: string, { name }: TableContract, change: ReadChange['change'], after: string | undefined) {
  return { at, table: name, change, before: null, after: after ?? null };
}

function timesOf({ time }: TableContract): string[] {
  if (!time) return [];
  return 'column' in time ? [time.column, ...(time.clock === undefined ? [] : [time.clock])] : [time.reference];
}

type Named = { readonly name: string };

function isNew({ name }: Named, known: readonly Named[]): boolean {
  return !known.some((one) => one.name === name);
}

function hasColumnsOf(a: TableContract, b: TableContract): boolean {
  return a.columns.length === b.columns.length && a.columns.every((column) => !isNew(column, b.columns));
}
