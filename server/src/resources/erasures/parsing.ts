import { parseStoredContract } from '../../ml/contract/parse.ts';
import { keptContract } from '../../ml/lake/layout.ts';

/** A column of a table's parts in which a name itself may appear. */
export type SearchedColumn = { readonly name: string; readonly isNumber: boolean };

/**
 * The columns of each table in which a name may appear: those of text, keys and references that hold no numbers of the
 * dictionary. `numbered`: those that do, as `table.column`; null when the parts hold names as they came.
 */
export async function readSearched({
  contract: text,
  numbered,
}: {
  readonly contract: string;
  readonly numbered: readonly string[] | null;
}): Promise<ReadonlyMap<string, readonly SearchedColumn[]>> {
  const contract = parseStoredContract(text, 'the contract of the snapshot');
  const isNumbered = new Set(numbered);
  const { tables } = numbered === null ? contract : keptContract(contract);
  return new Map(
    tables.map(({ name: table, key, references, columns }) => {
      const names = new Set([...key, ...references.map(({ column }) => column)]);
      const searched = columns
        .filter(({ name, type }) => !isNumbered.has(`${table}.${name}`) && (type === 'string' || names.has(name)))
        .map(({ name, type }) => ({ name, isNumber: type !== 'string' }));
      return [table, searched];
    }),
  );
}
