import { expect, test } from 'vitest';
import type { ContractTable } from './contract.ts';
import { unnamedKinds } from './unnamed-kinds.ts';

const table = (name: string, entityKind: string | null, keys: number, refersTo: readonly string[] = []) =>
  ({
    name,
    entityKind,
    columns: [
      ...Array.from({ length: keys }, (_, at) => ({ name: `key_${at}`, isKey: true, references: [] })),
      ...refersTo.map((to) => ({ name: to, isKey: false, references: [{ table: to, column: 'key_0' }] })),
    ],
  }) as unknown as ContractTable;

test('a table lacks a kind where others refer to its one key, and nothing says what its rows are', () => {
  const tables = [
    table('branches', null, 1),
    table('customers', 'individual', 1),
    table('pairs', null, 2),
    table('notes', null, 1),
    table('orders', null, 1, ['branches', 'customers', 'pairs']),
  ];
  expect([...unnamedKinds(tables)]).toEqual(['branches']);
});
