import { expect, test } from 'vitest';
import { readNumber, writeNumber } from './locale-number.ts';

test('numbers are read as people of a language write them', () => {
  expect(readNumber('1.234,5', 'pt-BR')).toBe(1234.5);
  expect(readNumber('R$ 12.345,60', 'pt-BR')).toBe(12345.6);
  expect(readNumber('1,234.5', 'en')).toBe(1234.5);
  expect(readNumber('−0,5', 'pt-BR')).toBe(-0.5);
  expect(readNumber(',5', 'pt-BR')).toBe(0.5);
  expect(readNumber('1e3', 'en')).toBe(1000);
});

test('what could be meant otherwise is no number', () => {
  for (const text of ['1.5', '1.23', '12 %', '', '.', '1,2,3', '12.34.567'])
    expect(readNumber(text, 'pt-BR')).toBe(null);
  expect(readNumber('1,5', 'en')).toBe(null);
});

test.each(['pt-BR', 'en'] as const)('what is written in %s is read as the same number', (language) => {
  for (const value of [0, -1234.5, 0.000001, 9007199254740991, 12.3456789])
    expect(readNumber(writeNumber(value, language, false), language)).toBe(value);
  expect(readNumber(writeNumber(12345.6, language, true), language)).toBe(12345.6);
});
