import { expect, test } from 'vitest';
import { sampleChecked, sampleFigures } from '../../tests/sample-figures.ts';
import type { Format } from '../words/format.ts';
import type { Checked, Figures } from './figures.ts';
import { adviseOnChances, betterSooner, sayChances } from './say-chances.ts';
import type { verdictWords } from './verdict-words.ts';

/** As much of a format, and of the words, as chances ask for. */
const format = {
  ...{ integer: String, number: String },
  percent: (share: number) => `${Math.round(100 * share)}%`,
} as unknown as Format;
const shown =
  (place: string) =>
  (...[share, rows, said, came]: readonly string[]) =>
    `${place}: ${share} (${rows}) ${said} → ${came}`;
const w = {
  chances: { bold: () => 'bold', right: () => 'right' },
  ...{
    checked: () => '',
    checkedAll: () => '',
    checkedNewest: () => '',
    slope: (slope: string) => `slope ${slope}`,
    unknown: (few: string) => `unknown: ${few}`,
    noneLeft: (least: string) => `fewer than ${least} were left`,
  },
  few: { came: (few: string, rows: string, least: string) => `${few} came of ${rows}, not ${least}` },
  shown: { most: shown('most'), least: shown('least'), between: shown('between') },
  goBy: { band: 'band', order: 'order' },
  advice: { bold: 'more months', unknown: 'wait' },
  shorter: (when: string) => `right ${when}`,
} as unknown as (typeof verdictWords)['en'];

const checked: Checked = {
  ...{ ...sampleChecked, slope: 0.8 },
  bins: [
    { rows: 1_800, said: 0.14, came: 0.148 },
    { rows: 200, said: 0.24, came: 0.17 },
  ],
};
const bold: Figures = { ...sampleFigures, name: 'pd_90d', checked, isOfScore: true };
const right: Figures = { ...bold, name: 'pd_30d', checked: { ...checked, slope: 1 }, isOfScore: false };

const nameOf = (output: string) => `in ${output}`;

test('chances that are off are shown by their cases, with what to do', () => {
  expect(sayChances(bold, w, format)).toEqual({
    said: 'bold',
    shown: 'most: 10% (200) 24% → 17%',
    slope: 'slope 0.8',
  });
  expect(adviseOnChances(bold, [bold], w, nameOf)).toBe('band more months');
  expect(adviseOnChances(bold, [right, bold], w, nameOf)).toBe('band more months right in pd_30d');
  expect(adviseOnChances({ ...bold, name: 'pd_15d' }, [right], w, nameOf), 'not a longer time').toBe(
    'band more months',
  );
  expect(adviseOnChances({ ...right, checked: null }, [], w, nameOf)).toBe('order wait');
});

test('of chances that cannot be checked it is said which cases are few', () => {
  expect(sayChances({ ...bold, checked: { ...checked, rows: 3_849, came: 43 / 3_849 } }, w, format)?.said).toBe(
    'unknown: 43 came of 3849, not 100',
  );
  expect(sayChances({ ...bold, checked: null }, w, format)?.said).toBe('fewer than 100 were left');
});

test('chances that are right need no advice, and numbers have none', () => {
  expect(sayChances(right, w, format)?.shown).toBeNull();
  expect(adviseOnChances(right, [bold], w, nameOf)).toBeNull();
  expect(sayChances({ ...bold, others: { mae: 2 }, checked: null }, w, format)).toBeNull();
});

test('of the times ahead before one the furthest that is surely better than a rule is named', () => {
  const of = (name: string, low: number): Figures => ({
    ...{ ...bold, name },
    naive: { gain: { over: 'constant', value: low + 0.1, low, high: low + 0.2 } } as Figures['naive'],
  });
  const figures = [of('pd_30d', 0.1), of('pd_90d', 0.1), of('pd_180d', -0.1), of('pd_365d', 0.1)];
  expect(betterSooner('pd_365d', figures)?.name).toBe('pd_90d');
  expect(betterSooner('pd_30d', figures)).toBeUndefined();
  expect(betterSooner('spent', figures)).toBeUndefined();
});
