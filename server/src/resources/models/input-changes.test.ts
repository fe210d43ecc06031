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

test('what takes all that was taken before is none', () => {
  expect(told([], [input('a')])).toEqual([]);
  expect(told([input('a', { required: true })], [input('a', { required: true, nullable: true })])).toEqual([]);
  expect(told([input('a', { required: true })], [input('a')])).toEqual([]);
  for (const [from, to] of [
    ['integer', 'number'],
    ['date', 'timestamp'],
    ['number', 'string'],
  ])
    expect(told([input('a', { type: from })], [input('a', { type: to })])).toEqual([]);
});
