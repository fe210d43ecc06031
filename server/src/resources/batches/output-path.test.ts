import { expect, test } from 'vitest';
import type { OutputFormat } from './batch.ts';
import { outputPaths, savedName } from './output-path.ts';

const paths = (...inputs: [string, OutputFormat][]) => outputPaths(inputs.map(([path, format]) => ({ path, format })));

test('results are named after their inputs, with the ending of their own format', () => {
  expect(
    paths(
      ['2026/orders.csv', 'csv'],
      ['a.csv.gz', 'csv'],
      ['b.ndjson', 'parquet'],
      ['no ending', 'csv'],
      ['v1.2', 'csv'],
    ),
  ).toEqual(['2026/orders.csv', 'a.csv', 'b.parquet', 'no ending.csv', 'v1.2.csv']);
});

test('no two results of a batch are called the same', () => {
  expect(paths(['a.csv', 'csv'], ['A.parquet', 'csv'], ['a.csv', 'csv'], ['a-2.csv', 'csv'])).toEqual([
    'a.csv',
    'A-2.csv',
    'a-3.csv',
    'a-2-2.csv',
  ]);
});

test('no result leaves the folder it is unpacked in', () => {
  const found = paths(
    ['/etc/passwd', 'csv'],
    ['../../up.csv', 'csv'],
    ['a\\..\\b.csv', 'csv'],
    ['..', 'csv'],
    ['C:\\x', 'csv'],
  );
  expect(found).toEqual(['etc/passwd.csv', 'up.csv', 'a/b.csv', 'rows.csv', 'C_/x.csv']);
});

test('a file without a result has no name', () => {
  expect(outputPaths([null, { path: 'a.csv', format: 'csv' }])).toEqual([null, 'a.csv']);
});

test('a result is saved under a name that tells it from its input', () => {
  expect(savedName('2026/orders.csv', { name: 'churn', number: 3 })).toBe('2026/orders-results-churn-v3.csv');
  expect(savedName('v1.2.parquet', undefined)).toBe('v1.2-results.parquet');
  expect(savedName('a.csv', { name: '../late/by:30', number: 1 })).toBe('a-results-late_by_30-v1.csv');
});
