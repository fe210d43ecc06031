import { expect, test } from 'vitest';
import type { Head } from '../uploads/head-of-file.ts';
import { dayColumns } from './day-columns.ts';

const input = { type: 'date' } as Parameters<typeof dayColumns>[2];
const found = (values: readonly string[]) => {
  const head = { columns: ['Data de análise'], rows: values.map((value) => [value]) } as unknown as Head;
  return dayColumns([head], head.columns, input, { isFormFound: true, until: '2026-11-28' });
};
const days = Array.from({ length: 39 }, (_, at) => `${String(1 + (at % 28)).padStart(2, '0')}/06/2026`);

test('a column of days is found where one of them is none, and not where many are none', () => {
  expect(found(days)).toEqual(['Data de análise']);
  expect(found([...days, '31/02/2026'])).toEqual(['Data de análise']);
  expect(found([...days.slice(0, 20), ...Array(5).fill('a definir')])).toEqual([]);
  expect(found(['31/02/2026', 'sem data'])).toEqual([]);
});
