import { expect, test } from 'vitest';
import type { ContractTable } from './contract.ts';
import { isNamed, isRead, readersOf, touchedBy } from './touched.ts';

const table = (name: string, ...columns: string[]) =>
  ({ name, columns: columns.map((one) => ({ name: one })) }) as unknown as ContractTable;
const tables = [table('orders', 'id', 'paid', 'paid.at'), table('order', 'paid'), table('people', 'id')];
const of = (...paths: string[]) =>
  touchedBy(
    paths.map((path) => ({ path })),
    tables,
  );

test('a change touches the column, or the table, that its path names, and no other', () => {
  expect(of('orders.paid.mutable')).toEqual([{ table: 'orders', column: 'paid' }]);
  expect(of('people')).toEqual([{ table: 'people', column: null }]);
  expect(of('people.key', 'order.paid')).toEqual([
    { table: 'order', column: 'paid' },
    { table: 'people', column: null },
  ]);
  // What is new, or of no table, nobody reads by its name.
  expect(of('orders.channel', 'timeZone')).toEqual([]);
});

test('a model reads it by values or on its way; a task by naming both the table and the column', () => {
  const feature = (columns: readonly string[], path: readonly string[] = []) => [{ table: 'orders', columns, path }];
  const [paid, people] = [of('orders.paid.mutable'), of('people.entityKind')];
  expect(isRead(feature(['orders.paid']), paid)).toBe(true);
  expect(isRead(feature([], ['orders.paid']), paid)).toBe(true);
  expect(isRead(feature(['order.paid']), paid)).toBe(false);
  expect(isRead(feature(['orders.paid']), people)).toBe(false);
  expect(isNamed('PREDICT exists(orders WHERE paid = true) WITHIN 30d FOR people', paid)).toBe(true);
  expect(isNamed('PREDICT exists(orders WHERE unpaid = true) WITHIN 30d FOR people', paid)).toBe(false);
  expect(isNamed('PREDICT exists(order WHERE paid = true) WITHIN 30d FOR people', paid)).toBe(false);
  expect(isNamed('PREDICT exists(orders) WITHIN 30d FOR people', people)).toBe(true);
});

test('of a model whose features are not all known nobody says that it does not read what changes', () => {
  const reads = [{ table: 'orders', columns: ['orders.paid'], path: [] }];
  const models = [
    { name: 'a', features: reads, isWhole: false },
    { name: 'b', features: [], isWhole: true },
    { name: 'c', features: [], isWhole: false },
  ];
  expect(readersOf(models, of('orders.paid.mutable'))).toEqual({ reading: ['a'], untold: ['c'] });
});
