import { expect, test } from 'vitest';
import { commaOf, plainDecimal } from './decimal-comma.ts';
import { valueOfText } from './values.ts';

test.each([
  ['144,47', 144.47],
  ['1.234,56', 1234.56],
  ['-1.234.567,8', -1_234_567.8],
  ['1.234', 1234],
  [' 12 ', 12],
  [',5', 0.5],
  ['1,5E+3', 1500],
  ['144.47', Number.NaN],
  ['1.23,4', Number.NaN],
  ['12.34.567', Number.NaN],
  ['1,2,3', Number.NaN],
  ['1,', Number.NaN],
  ['', Number.NaN],
  ['R$ 1,50', Number.NaN],
])('reads "%s" with a decimal comma', (text, value) => {
  expect(valueOfText('number', text, 'decimal_comma')).toBe(value);
  expect(plainDecimal(text) === null).toBe(Number.isNaN(value));
});

test('is an integer where it has no fraction', () => {
  expect(['1.234', '3,0', '3,5'].map((text) => valueOfText('integer', text, 'decimal_comma'))).toEqual([
    ...[1234, 3, Number.NaN],
  ]);
});

test.each([
  ['0,123', 'decimal'],
  ['12,50', 'decimal'],
  ['1.234,567', 'decimal'],
  ['1,234', 'either'],
  ['1,234,567', null],
  ['1.5', null],
])('the comma of "%s" is %s', (text, comma) => expect(commaOf(text)).toBe(comma));
