import { describe, expect, test } from 'vitest';
import { profileColumn, typeOfTexts } from './profile.ts';

function typeOf(...texts: string[]): string {
  const dictionary = [...new Set(texts)];
  const counts = Int32Array.from(dictionary, (value) => texts.filter((text) => text === value).length);
  return typeOfTexts(dictionary, counts).type;
}

const many = (row: (i: number) => string): string[] => Array.from({ length: 400 }, (_, i) => row(i));

describe('the type of a text column', () => {
  test.each([
    ['integer', ['1', '-2', '30', '4.0']],
    ['number', ['1', '2.5', '1e3']],
    ['string', ['007', '123']],
    ['number', ['0.5', '0']],
    ['integer', ['0', '1']],
    ['boolean', ['t', 'f']],
    ['boolean', ['True', 'False']],
    ['date', ['2020-02-29', '2020-03-01 00:00:00']],
    ['timestamp', ['2020-02-29', '2020-03-01 10:00:00']],
    ['string', ['2021-02-29', '2020-03-01']],
    ['time', ['10:00', '23:59:59.5']],
    ['string', ['1:34:50.6', '10:00']],
    ['number', ['1.234,5', '2']],
    ['string', ['1,234', '2']],
    ['string', ['1', 'a']],
  ])('is %s for %j', (type, texts) => {
    expect(typeOf(...texts)).toBe(type);
  });

  test('is text where numbers would lose digits of whole ones, which are then codes', () => {
    expect(typeOf('1234567890123456789', '1234567890123456790', '17')).toBe('string');
    expect(typeOf(...many((i) => (i % 9 ? String(9007199254740993n + 3n * BigInt(i)) : 'NULL')))).toBe('string');
    // Amounts: no digit is lost, or they are not whole numbers.
    expect(typeOf('1000000000000000000', '2500000000000000000')).toBe('number');
    expect(typeOf('9007199254740993', '0.5')).toBe('number');
  });

  test('is the wider one when a few values need it', () => {
    expect(typeOf(...many((i) => (i === 7 ? '2.5' : String(i))))).toBe('number');
    expect(typeOf(...many((i) => (i === 7 ? '2020-01-01 10:00:00' : '2020-01-01')))).toBe('timestamp');
  });

  test('bears single slips and words for absence, but not codes that come back', () => {
    expect(typeOf(...many((i) => (i === 7 ? 'oops' : i % 3 ? String(i) : 'NULL')))).toBe('integer');
    expect(typeOf(...many((i) => (i < 4 ? 'E' : String(i))))).toBe('string');
  });

  test('of a typed file is kept, but for days in timestamps and whole numbers', () => {
    const day = 86_400_000_000;
    const times = { kind: 'time' as const, values: Float64Array.of(day, Number.NaN, 3 * day) };
    expect(profileColumn('at', 0, times, 'timestamp')).toMatchObject({ type: 'date', filled: 2, distinct: 2 });
    const numbers = { kind: 'number' as const, values: Float64Array.of(1, 2, 2) };
    expect(profileColumn('n', 0, numbers, 'number')).toMatchObject({ type: 'integer', texts: ['1', '2'] });
  });
});
