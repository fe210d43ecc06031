import type { ColumnContract, TableContract } from '../contract/contract.ts';
import { keyValue } from './keys.ts';
import type { Table } from './tables.ts';

/**
 * A row's key as the customer writes it; null where it is missing or erased, and in tables whose key is not one column.
 */
export function keyTextOf({ contract, columns, numbers }: Table, row: number): string | null {
  if (contract.key.length !== 1) return null;
  const [name] = contract.key;
  const value = keyValue(columns.get(name)!, row);
  if (value === null) return null;
  return numbers?.columns.has(name) ? (numbers.nameOf?.(Number(value)) ?? null) : String(value);
}

/** Whether the key of a table says who a person is. */
export function hasPersonalKey({ contract }: { readonly contract: TableContract }): boolean {
  const column = contract.columns.find(({ name }) => name === contract.key[0]);
  return column !== undefined && isPersonal(column);
}

/** Whether the values of a column say who a person is. */
export function isPersonal({ pii, format }: ColumnContract): boolean {
  return pii || format === 'cpf' || format === 'email' || format === 'phone';
}
