/** The names in batch/out of what comes of a file. */
import { expect, test } from 'vitest';
import { logName, logSource, rejectsName, rejectsSource, resultName, resultSource } from './sftp-file.ts';

test('results are named after their file', () => {
  expect(resultName('portfolio.csv', 'csv')).toBe('portfolio.result.csv');
  expect(rejectsName('portfolio.csv')).toBe('portfolio.rejects.csv');
  expect(resultName('portfolio.parquet', 'parquet')).toBe('portfolio.result.parquet');
  expect(rejectsName('portfolio.parquet')).toBe('portfolio.parquet.rejects.csv');
});

const endings = ['.csv', '.CSV', '.parquet', '.Parquet', '.result', '.rejects'];
const stems = ['', 'a', ...endings.map((ending) => `a${ending}`)];
const names = stems.flatMap((stem) => endings.flatMap((one) => endings.map((other) => `${stem}${one}${other}`)));
const taken = [...new Set([...names, ...names.map((name) => name.replace(/^a/, ''))])].filter((name) =>
  /\.(csv|parquet)$/i.test(name),
);
const formatOf = (name: string) => (/csv$/i.test(name) ? 'csv' : 'parquet');

test('no two files have results of one name', () => {
  const made = taken.flatMap((name) => [resultName(name, formatOf(name)), rejectsName(name)]);
  expect(new Set(made).size).toBe(2 * taken.length);
});

test('what comes of a file names it, and no other', () => {
  const long = `${'é'.repeat(125)}z.csv`;
  for (const name of [...taken, long]) {
    const sources = [
      resultSource(resultName(name, formatOf(name))),
      rejectsSource(rejectsName(name)),
      logSource(logName(name)),
    ];
    for (const source of sources) {
      expect(source!.isOf(name)).toBe(true);
      if (name === long) expect(source).toMatchObject({ digest: expect.stringMatching(/^[0-9a-f]{8}$/) });
      else expect(source!.names.filter(source!.isOf)).toEqual([name]);
      expect(Buffer.byteLength(long)).toBeGreaterThanOrEqual(source!.bytesMin);
    }
  }
  for (const source of [resultSource, rejectsSource, logSource]) expect(source('portfolio.csv')).toBeUndefined();
});
