import { describe, expect, test } from 'vitest';
import { seedRandom } from '../statistics/random.ts';
import { findNumbers, parseMeasure } from './measures.ts';

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

/** Runs `findNumbers` on a column with one text per row. */
function find(texts: readonly string[], mayBePlain = true) {
  const rowsOf = new Map<string, number>();
  for (const text of texts) rowsOf.set(text, (rowsOf.get(text) ?? 0) + 1);
  return findNumbers({ dictionary: [...rowsOf.keys()] }, [...rowsOf.values()].entries(), mayBePlain);
}

test('a column is one of numbers when nearly all its values are, of one unit, and not mere digits', () => {
  const of = (...texts: string[]) => find(texts) !== null;
  expect(of('18 Years', '6 Months', '65 Years', '30 Days')).toBe(true);
  expect(of('5%', '7%', '9%')).toBe(true);
  expect(of('5%', '7%', 'unknown')).toBe(false);
  expect(of('70 kg', '150 lb', '80 kg')).toBe(false);
  expect(of('12A', '13B', '14C')).toBe(false);
  expect(of('001', '002', '003')).toBe(false);
  expect(of('5%', '7%')).toBe(false);
});

describe('numbers with some texts between them', () => {
  const size = 2_000;
  const random = seedRandom(7);
  const below = (bound: number) => Math.floor(random() * bound);
  /** Roughly normal: mean 0, deviation 1. */
  const bell = () => Array.from({ length: 12 }, random).reduce((sum, value) => sum + value, -6);
  const draw = (one: (i: number) => number | string) => Array.from({ length: size }, (_, i) => String(one(i)));
  /** Replaces the last `share` of a column's rows. */
  const mixed = (texts: readonly string[], share: number, other: (i: number, text: string) => string) =>
    texts.map((text, i) => (i >= size * (1 - share) ? other(i, text) : text));
  const decimals = draw(() => (50 + 10 * bell()).toFixed(2));
  const counts = draw(() => Math.round(40 * bell() ** 2));

  test('are numbers where they have decimals', () => {
    expect(find(mixed(decimals, 0.02, () => 'POS'))).toEqual({
      isMarked: false,
      others: [{ text: 'POS', rows: 40 }],
    });
    expect(find(mixed(decimals, 0.02, (_, text) => `>${text}`))).toEqual({ isMarked: false, others: [] });
    expect(find(mixed(decimals, 0.12, (i, text) => (i % 2 ? 'n/d' : `H ${text}`)))).not.toBeNull();
  });

  test('are numbers where all have one length, and few are low', () => {
    const saturations = draw(() => Math.max(72, 99.9 - 2 * Math.abs(bell()) ** 1.5).toFixed(1));
    expect(find(mixed(saturations, 0.02, () => 'error'))).not.toBeNull();
  });

  test('are numbers where they are years, whatever stands between them', () => {
    const years = draw(() => 1940 + below(60));
    expect(find(mixed(years, 0.02, (i) => `${i % 28}-Mar`))).not.toBeNull();
    const postalCodes = draw(() => 1000 + below(8000));
    expect(find(mixed(postalCodes, 0.02, (i) => `${i % 28}-Mar`))).toBeNull();
  });

  test('are numbers where they are whole and thin out upwards, as amounts do', () => {
    expect(find(mixed(counts, 0.05, () => 'unknown'))?.others).toEqual([{ text: 'unknown', rows: 100 }]);
    expect(find(mixed(counts, 0.15, () => 'unknown'))).toBeNull();
  });

  test('count by their rows: many different texts may be few', () => {
    const few = Array.from({ length: 40 }, (_, i) => Array.from({ length: 100 }, () => `${i}.5`)).flat();
    const notes = Array.from({ length: 50 }, (_, i) => `see note ${'x'.repeat(i + 1)}`);
    expect(find([...few, ...notes])).not.toBeNull();
  });

  test.each<[string, readonly string[]]>([
    ['digits alone', counts],
    ['decimals alone', decimals],
    ['too many texts', mixed(decimals, 0.3, () => 'POS')],
    ['products', mixed(counts, 0.06, (i) => `${i % 70}A`)],
  ])('are codes, or not to be told: %s', (_, texts) => expect(find(texts)).toBeNull());

  test.each<[string, (i: number) => number | string, number, (i: number) => string]>([
    ['leading zeros', (i) => String((i * 37) % 99_000).padStart(5, '0'), 0.02, () => 'abroad'],
    ['postal codes of one length', () => 10_000 + below(80_000), 0.02, () => 'abroad'],
    ['postal codes that lost their zeros', () => 1_000 + below(98_000), 0.02, () => 'abroad'],
    ['ICD-9', (i) => (i % 3 ? 1 + below(998) : `${250 + (i % 40)}.0${i % 10}`), 0.05, (i) => `V${i % 90}`],
    ['ICD-9 with gaps', () => (1 + below(998) + below(10) / 10).toFixed(1), 0.1, (i) => (i % 4 ? '?' : `V${i % 90}`)],
    ['ICD-9 of three digits', () => 100 + below(899), 0.01, () => '?'],
    ['numbers of shops', () => 1 + below(300), 0.02, () => 'HQ'],
    ['accounts', () => 1 + below(4_000_000), 0.03, () => 'closed'],
    ['few sizes', (i) => 36 + (i % 12) / 2, 0.1, () => 'XL'],
    ['points that may separate thousands', () => `${1 + below(99)}.${100 + below(900)}`, 0.02, () => 'n/d'],
  ])('are codes, or not to be told, with others between them: %s', (_, one, share, other) =>
    expect(find(mixed(draw(one), share, other))).toBeNull(),
  );

  test('are codes where the column says so', () => {
    const texts = mixed(decimals, 0.02, () => 'POS');
    expect(find(texts, false)).toBeNull();
    expect(
      find(
        draw((i) => `${i % 90}%`),
        false,
      ),
    ).not.toBeNull();
  });
});
