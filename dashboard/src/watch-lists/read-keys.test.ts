import { expect, test } from 'vitest';
import { readKeys } from './read-keys.ts';

test('keys are read off lines and columns, each once', () => {
  expect(readKeys('a\n b \r\nc,d;a\te\n\n')).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(readKeys('"11.222.333/0001-81"\n11222333000181')).toEqual(['11.222.333/0001-81', '11222333000181']);
  expect(readKeys(' \n,')).toEqual([]);
});
