import { expect, test } from 'vitest';
import { textColumn } from '../../lib/files/column.ts';
import { findKeys, resolveKeys } from './keys.ts';

const rowOf = new Map<string | number, number>([
  ['11.222.333/0001-81', 0],
  ['11444777000161', 1],
  ['529.982.247-25', 2],
  ['12345678901234', 3],
]);
const asked = [
  ...['11.222.333/0001-81', '11222333000181', '11 222 333 0001 81'],
  ...['11.444.777/0001-61', '52998224725', '529.982.247-25'],
  // Wrong check digits, no document, and another document.
  ...['11.222.333/0001-80', '12.345.678/9012-34', '04.252.011/0001-10'],
];

test('a document that somebody sends is found with its punctuation and without, and no other text is', () => {
  const column = textColumn(asked);
  expect([...findKeys(column, asked.length, rowOf)]).toEqual([0, 0, -1, 1, 2, 2, -1, -1, -1]);
  expect([...resolveKeys(column, asked.length, rowOf)]).toEqual([0, -1, -1, -1, -1, 2, -1, -1, -1]);
});

test('a key that is there as it is written is that one, whatever others are written alike', () => {
  const both = new Map<string | number, number>([
    ['11222333000181', 5],
    ['11.222.333/0001-81', 6],
  ]);
  const column = textColumn(['11.222.333/0001-81', '11222333000181']);
  expect([...findKeys(column, 2, both)]).toEqual([6, 5]);
});
