import { expect, test } from 'vitest';
import type { OutputField } from '../predictions/answer-fields.ts';
import type { Format } from '../words/format.ts';
import { sayCell } from './say-cell.ts';

/** As much of a format as numbers of results ask for. */
const format = {
  language: 'en',
  percent: (share: number) => `${Math.round(1000 * share) / 10}%`,
  number: (value: number) => String(Math.round(100 * value) / 100),
  integer: (value: number) => String(Math.round(value)),
  money: (value: number) => `R$ ${value}`,
} as Format;

const field = (name: string, more: object) => [name, { name, type: 'number', ...more } as OutputField] as const;
const declared = new Map([
  field('prediction', { minimum: 0, maximum: 1 }),
  field('prediction_30d', { unit: 'BRL' }),
  field('score', { type: 'integer' }),
]);

test.each([
  ['pd_30d', '0.034182', '3.4%'],
  ['pd_30d', '0,034182', '3.4%'],
  ['pd_30d', 0.034182, '3.4%'],
  ['probability_gold', '1e-3', '0.1%'],
  ['prediction', '0.25', '25%'],
  ['prediction_30d', '1200.5', 'R$ 1200.5'],
  ['score', '812', '812'],
  ['data_coverage_share', '0.9', '90%'],
  // All inputs may be known where the share of what has a value is small: no word says so of both.
  ['data_coverage', 'full', 'all known'],
])('%s %s is said as %s', (name, value, said) => {
  expect(sayCell(name, value, declared, format)).toBe(said);
});

test.each([
  ['pd_30d', ''],
  ['pd_30d', null],
  ['customer_id', '0.5'],
  ['key_factors', '["a","b"]'],
  ['interval', ''],
  ['interval', '{"pd_30d":7}'],
  ['interval', '{"pd_30d"'],
  ['row', 12],
])('%s %s stands as it was written', (name, value) => {
  expect(sayCell(name, value, declared, format)).toBeNull();
});

test('without what the version declares, a chance is known by its name', () => {
  expect(sayCell('pd_90d', '0.5', undefined, format)).toBe('50%');
  expect(sayCell('prediction', '0.5', undefined, format)).toBeNull();
});

test('bounds are said as their fields are, of CSV and of JSON', () => {
  const bounds = { score: { lower: 790, upper: 830 }, pd_30d: { lower: 0.01, upper: 0.05 } };
  const said = 'score 790 – 830 · pd_30d 1% – 5%';
  expect(sayCell('interval', JSON.stringify(bounds), declared, format)).toBe(said);
  expect(sayCell('interval', bounds, declared, format)).toBe(said);
});
