import { expect, test } from 'vitest';
import { changedReads } from './changed-reads.ts';
import type { ColumnContract, Contract, TableContract } from './contract.ts';

const column = (name: string, type: ColumnContract['type'] = 'number', more: Partial<ColumnContract> = {}) => ({
  ...{ name, type, required: false, unique: false, planned: false, mutable: false, pii: false },
  ...more,
});
const orders: TableContract = {
  ...{ name: 'orders', key: ['id'], references: [], time: { column: 'at' } },
  columns: [column('id', 'string'), column('at', 'date'), column('amount', 'integer'), column('note', 'string')],
};
const contract = (...tables: TableContract[]): Contract => ({ id: 'c', version: '1', tables });
const before = contract(orders, { ...orders, name: 'returns' });
const having = (columns: ColumnContract[], table = orders) =>
  contract({ ...table, columns }, { ...orders, name: 'returns' });
const without = (name: string) => orders.columns.filter((one) => one.name !== name);
const reads = ['orders', 'orders.amount'];

test('what is read and gone, renamed or of another type is told, each once, and nothing of the rest', () => {
  expect(changedReads(before, before, reads)).toEqual([]);
  expect(changedReads(before, having(without('note')), reads)).toEqual([]);
  expect(changedReads(before, contract(orders), reads), 'the other table').toEqual([]);
  const own = { at: 'orders.amount', table: 'orders', before: null };
  expect(changedReads(before, having(without('amount')), reads)).toEqual([{ ...own, change: 'removed', after: null }]);
  const renamed = [...without('amount'), column('value', 'integer', { aliases: ['amount'] })];
  expect(changedReads(before, having(renamed), reads)).toEqual([{ ...own, change: 'renamed', after: 'value' }]);
  const retyped = [...without('amount'), column('amount', 'string')];
  expect(changedReads(before, having(retyped), reads)).toEqual([
    { ...own, before: 'integer', change: 'retyped', after: 'string' },
  ]);
  expect(changedReads(before, having([...without('amount'), column('amount')]), reads), 'wider').toEqual([]);
});

test('of a table that is read, the time and the key are too, and a table that is gone is told alone', () => {
  const undated = having([...without('at'), column('at', 'string')]);
  expect(changedReads(before, undated, ['orders']).map(({ at }) => at)).toEqual(['orders.at']);
  const gone = contract({ ...orders, name: 'returns' });
  expect(changedReads(before, gone, reads)).toEqual([
    { at: 'orders', table: 'orders', change: 'removed', before: null, after: null },
  ]);
  const renamed = contract({ ...orders, name: 'sales' }, { ...orders, name: 'returns' });
  expect(changedReads(before, renamed, reads)).toMatchObject([{ at: 'orders', change: 'renamed', after: 'sales' }]);
});
