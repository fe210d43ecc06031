import { expect, test } from 'vitest';
import { namesOfPeople } from './kinds.ts';
import type { TableProfile } from './profile.ts';

/** Which columns of 500 texts seem to be names of people, by how many of them differ. */
function found(columns: Readonly<Record<string, number>>, isOfPeople: boolean): (string | null)[] {
  const told = Object.entries(columns).map(([name, distinct]) => ({ name, type: 'string', distinct, filled: 500 }));
  const table = { name: 'clientes', columns: told } as unknown as TableProfile;
  return namesOfPeople(table, isOfPeople, new Set()).map(({ column }) => column);
}

test('names of people may repeat where a column is called that of such a person, and of no other', () => {
  const few = { 'Nome do cliente': 41, nome: 41, customer_name: 41, 'Nome do plano': 41, branchName: 5 };
  expect(found(few, true)).toEqual(['Nome do cliente', 'nome', 'customer_name']);
  expect(found(few, false)).toEqual([]);
});

test('a name that differs in most rows is that of a person in a table of people, and a full name in any', () => {
  const many = { 'Nome no cartão': 450, product: 480, full_name: 450 };
  expect(found(many, true)).toEqual(['Nome no cartão', 'full_name']);
  expect(found(many, false)).toEqual(['full_name']);
});
