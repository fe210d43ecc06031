import { expect, test } from 'vitest';
import { inputChanges } from './input-changes.ts';

const input = (name: string, more: object = {}) => ({ name, type: 'string' as const, required: false, ...more });
const told = (...asked: Parameters<typeof inputChanges>) => inputChanges(...asked).map(({ message }) => message);

test('what callers could send or leave out, and no longer can, is a change', () => {
  expect(told([input('a'), input('b')], [input('b')])).toEqual(['a is no longer taken']);
  expect(told([input('a')], [input('b', { required: true })])).toEqual(['a is no longer taken', 'b is required now']);
  expect(told([input('a')], [input('a', { required: true, nullable: true })])).toEqual(['a is required now']);
  expect(told([input('a', { required: true, nullable: true })], [input('a', { required: true })])).toEqual([
    'a is required now, and may not be null',
  ]);
  expect(told([input('a')], [input('a', { type: 'integer' })])).toEqual(['a was string and is integer now']);
});

test('numbers and days that were taken, and no longer are, are a change', () => {
  const income = (range: object) => [input('income', { type: 'number', ...range })];
  expect(told(income({}), income({ minimum: 0 }))).toEqual(['income must be at least 0 now']);
  expect(told(income({ minimum: 0, maximum: 9 }), income({ minimum: 1, maximum: 9 }))).toEqual([
    'income must be at least 1 now',
  ]);
  expect(told(income({ maximum: 9 }), income({ minimum: -1, maximum: 8 }))).toEqual(['income must be at least -1 now']);
  expect(told(income({ maximum: 9 }), income({ maximum: 8 }))).toEqual(['income must be at most 8 now']);
  expect(inputChanges(income({}), income({ maximum: 8 }))).toMatchObject([{ name: 'income', change: 'range' }]);
  const day = (dates_row?: 'past' | 'any') => [input('day', { type: 'date', ...(dates_row && { dates_row }) })];
  for (const before of ['any', undefined] as const)
    expect(told(day(before), day('past'))).toEqual(['day may not lie in the future now']);
});

test('what takes all that was taken before is none', () => {
  expect(told([], [input('a')])).toEqual([]);
  expect(told([input('a', { required: true })], [input('a', { required: true, nullable: true })])).toEqual([]);
  expect(told([input('a', { required: true })], [input('a')])).toEqual([]);
  const ranged = [input('a', { type: 'number', minimum: 0, maximum: 9 })];
  expect(told(ranged, ranged)).toEqual([]);
  expect(told(ranged, [input('a', { type: 'number', minimum: -1, maximum: 10 })])).toEqual([]);
  expect(told(ranged, [input('a', { type: 'number' })])).toEqual([]);
  expect(told([], ranged)).toEqual([]);
  expect(told([input('a', { type: 'date', dates_row: 'past' })], [input('a', { type: 'date' })])).toEqual([]);
  for (const [from, to] of [
    ['integer', 'number'],
    ['date', 'timestamp'],
    ['number', 'string'],
  ])
    expect(told([input('a', { type: from })], [input('a', { type: to })])).toEqual([]);
});
