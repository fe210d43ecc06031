import { expect, test } from 'vitest';
import { readTableSearch } from './table-search.ts';

test('an address says a key or an order, and nothing else', () => {
  expect(readTableSearch({ key: 'NF-1', begins: true, order: 'newest' })).toEqual({ key: 'NF-1', begins: true });
  expect(readTableSearch({ key: 4100, begins: 'yes' })).toEqual({ key: '4100' });
  expect(readTableSearch({ key: '', order: 'oldest' })).toEqual({ order: 'oldest' });
  expect(readTableSearch({ key: 'x'.repeat(501), order: 'random' })).toEqual({});
});
