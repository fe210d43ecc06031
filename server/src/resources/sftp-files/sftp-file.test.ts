/** The names in batch/out of what comes of a file. */
import { expect, test } from 'vitest';
import { rejectsName, resultName } from './sftp-file.ts';

test('results are named after their file', () => {
  expect(resultName('portfolio.csv', 'csv')).toBe('portfolio.result.csv');
  expect(rejectsName('portfolio.csv')).toBe('portfolio.rejects.csv');
  expect(resultName('portfolio.parquet', 'parquet')).toBe('portfolio.result.parquet');
  expect(rejectsName('portfolio.parquet')).toBe('portfolio.parquet.rejects.csv');
});

test('no two files have results of one name', () => {
  const endings = ['.csv', '.CSV', '.parquet', '.Parquet', '.result', '.rejects'];
  const stems = ['', 'a', ...endings.map((ending) => `a${ending}`)];
  const names = stems.flatMap((stem) => endings.flatMap((one) => endings.map((other) => `${stem}${one}${other}`)));
  const taken = [...new Set([...names, ...names.map((name) => name.replace(/^a/, ''))])].filter((name) =>
    /\.(csv|parquet)$/i.test(name),
  );
  const made = taken.flatMap((name) => [resultName(name, /csv$/i.test(name) ? 'csv' : 'parquet'), rejectsName(name)]);
  expect(new Set(made).size).toBe(2 * taken.length);
});
