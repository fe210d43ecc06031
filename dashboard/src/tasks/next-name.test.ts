import { expect, test } from 'vitest';
import { nextName } from './next-name.ts';

test('the next number that is free stands behind the name, which stays short enough', () => {
  expect(nextName('late', new Set(['late']))).toBe('late-2');
  expect(nextName('late-2', new Set(['late', 'late-2', 'late-3']))).toBe('late-4');
  expect(nextName('a'.repeat(63), new Set())).toBe(`${'a'.repeat(61)}-2`);
});
