import type { ContractTable } from '../data/contract.ts';

type Told = Pick<ContractTable, 'name' | 'entityKind'> & {
  readonly columns: readonly Pick<ContractTable['columns'][number], 'isKey' | 'references'>[];
};

/**
 * The tables of entities, as the service searches them where none is named: those with a key of one column that have a
 * kind, or that others refer to. Events and other things, which are seldom looked for by a key, come last.
 */
export function entityTables(tables: readonly Told[]): readonly string[] {
  const all = tables.flatMap(({ columns }) => columns.flatMap(({ references }) => references));
  const referred = new Set(all.map(({ table }) => table));
  const found = tables.filter(
    ({ name, entityKind, columns }) =>
      columns.filter(({ isKey }) => isKey).length === 1 && (entityKind !== null || referred.has(name)),
  );
  const isSeldom = ({ entityKind }: Told) => Number(entityKind === 'event' || entityKind === 'other');
  return found.toSorted((one, other) => isSeldom(one) - isSeldom(other)).map(({ name }) => name);
}

const personalFormats = ['cpf', 'email', 'phone'];

/** Whether the key of a table says who a person is: the service then lists no keys, and finds those typed in full. */
export function hasPersonalKey({
  columns,
}: {
  readonly columns: readonly Pick<ContractTable['columns'][number], 'isKey' | 'isPersonal' | 'format'>[];
}): boolean {
  return columns.some(
    ({ isKey, isPersonal, format }) => isKey && (isPersonal || personalFormats.includes(format ?? '')),
  );
}

/** The table that is searched at first: that of whom was looked at last, or one whose keys are listed, or the first. */
export function firstSearched(
  tables: readonly string[],
  unlisted: readonly string[],
  last: string | undefined,
): string | undefined {
  return tables.find((name) => name === last) ?? tables.find((name) => !unlisted.includes(name)) ?? tables[0];
}
