import { expect, test } from 'vitest';
import type { ContractTable } from '../data/contract.ts';
import { followedOf } from './followed.ts';

const table = (name: string, columns: Readonly<Record<string, object>>) =>
  ({
    name,
    columns: Object.entries(columns).map(([own, more]) => ({
      ...{ name: own, isMutable: false, isPersonal: false, knownFrom: null },
      ...more,
    })),
  }) as unknown as ContractTable;

test('what a contract has said since of a column is followed, and nothing else', () => {
  const before = [
    table('orders', { late: {}, 'paid.on': {}, state: { knownFrom: 'day' }, note: {} }),
    table('fees', {}),
  ];
  const names = ['orders.late', 'orders.paid.on', 'orders.state', 'orders.note', 'fees'];
  expect(followedOf(names, before, before)).toEqual([]);
  const now = [
    table('orders', { late: { isMutable: true }, 'paid.on': { knownFrom: 'day' }, state: { knownFrom: 'day' } }),
  ];
  expect(followedOf(names, before, now)).toEqual(['orders.late', 'orders.paid.on', 'orders.note', 'fees']);
  // What the contract of the run did not have, it cannot have lost.
  expect(followedOf(['orders.gone'], before, now)).toEqual([]);
});
