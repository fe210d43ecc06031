import { expect, test } from 'vitest';
import { isMeasured, parseMeasure } from './measures.ts';

test.each([
  ['45%', 45],
  [' -3.5 %', -3.5],
  ['$1,234.50', 1234.5],
  ['R$ 1.234,56', 1234.56],
  ['1.234.567 EUR', 1234567],
  ['-$20', -20],
  ['(1,200)', -1200],
  ['12,5', 12.5],
  ['1,200', 1200],
  ['1 200 300', 1200300],
  ['18 Years', 18 * 365.25],
  ['6 Months', 365.25 / 2],
  ['2 semanas', 14],
  ['> 65 anos', 65 * 365.25],
  ['70kg', 70],
  ['5 mg/dl', 5],
  ['.5', 0.5],
])('%s is %d', (text, value) => expect(parseMeasure(text)).toBeCloseTo(value, 9));

test.each(['', 'N/A', 'A12', '2020-01-05', '12:30', '1.2.3', '3 of 5', '10-20', '+55 11 98765-4321', 'no 5', '%'])(
  '%s is no number',
  (text) => expect(parseMeasure(text)).toBeNaN(),
);

test('a column is one of numbers when nearly all its values are, of one unit, and not mere digits', () => {
  const of = (...dictionary: string[]) =>
    isMeasured({ kind: 'text', codes: new Int32Array(0), dictionary }, dictionary.keys());
  expect(of('18 Years', '6 Months', '65 Years', '30 Days')).toBe(true);
  expect(of('5%', '7%', '9%')).toBe(true);
  expect(of('5%', '7%', 'unknown')).toBe(false);
  expect(of('70 kg', '150 lb', '80 kg')).toBe(false);
  expect(of('12A', '13B', '14C')).toBe(false);
  expect(of('001', '002', '003')).toBe(false);
  expect(of('5%', '7%')).toBe(false);
});
