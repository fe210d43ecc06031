import type { EntityKind } from '../contract/contract.ts';
import type { KeyLookup, Table, Tables } from './tables.ts';

/** The dictionary that maps identifiers to numbers (`Identifiers` of ml/lake). */
export type NumberLookup = {
  numberOf(kind: EntityKind, identifier: string): number | undefined;
  entryOf(number: number): { readonly identifier: string } | null;
};

/**
 * Lets tables that hold dictionary numbers be looked up by the customer's own identifiers. This is cheap: call it again
 * on the same tables after the dictionary has changed.
 */
export function withIdentifiers(tables: Tables, identifiers: NumberLookup): Tables {
  return new Map([...tables].map(([name, table]): [string, Table] => [name, named(table, identifiers)]));
}

function named(table: Table, identifiers: NumberLookup): Table {
  const { contract } = table;
  if (table.numbers === undefined) return table;
  const nameOf = (number: number) => identifiers.entryOf(number)?.identifier ?? null;
  const numbers = { ...table.numbers, nameOf };
  const kind = contract.entityKind;
  if (kind === undefined || !numbers.columns.has(contract.key[0])) return { ...table, numbers };
  const byNumber = numbers.rowOf ?? table.rowOf;
  const rowOf: KeyLookup = {
    get(key) {
      const number = identifiers.numberOf(kind, String(key));
      return number === undefined ? undefined : byNumber.get(number);
    },
  };
  return { ...table, rowOf, numbers: { ...numbers, rowOf: byNumber } };
}
