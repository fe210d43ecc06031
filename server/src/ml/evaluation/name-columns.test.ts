import { expect, test } from 'vitest';
import { nameColumns } from './name-columns.ts';

const headerOf = (columns: readonly string[], mapping: Readonly<Record<string, string>>) =>
  nameColumns('a.csv', columns, mapping).header;

test('each column has the name by which it is read, also where it has that of another one', () => {
  expect(headerOf(['Quem', 'Data Ref', 'label'], { date: 'data ref', key: 'Quem' })).toEqual(['key', 'date', 'label']);
  // Its own column of that name is something else.
  expect(headerOf(['date', 'ref_date', 'label'], { date: 'ref_date' })).toEqual(['date', 'label']);
  expect(headerOf(['date', 'ref_date', 'label'], { opened_at: 'date', date: 'ref_date' })).toEqual([
    'opened_at',
    'date',
    'label',
  ]);
  expect(headerOf(['a', 'b'], { a: 'b', b: 'a' })).toEqual(['b', 'a']);
});

test('requests are in the names of the file, and rows in those that are read', () => {
  const named = nameColumns('a.csv', ['a', 'b'], { a: 'b', b: 'a' });
  const requests = [
    { name: 'a', type: 'number' },
    { name: 'b', type: 'number', aliases: ['c'] },
  ] as const;
  expect(requests.map(named.request)).toEqual([
    { name: 'b', type: 'number' },
    { name: 'a', type: 'number' },
  ]);
  const column = (value: number) => ({ kind: 'number' as const, values: Float64Array.of(value) });
  const read = named.rows(
    {
      rows: 1,
      columns: new Map([
        ['a', column(1)],
        ['b', column(2)],
      ]),
    },
    requests,
  );
  expect(read.columns.get('a')).toEqual(column(2));
  expect([named.inFile('a'), named.asRead('A'), named.asRead('z')]).toEqual(['b', 'b', 'z']);
});

test('a column that the file lacks is refused with what it has', () => {
  expect(() => headerOf(['a'], { date: 'DATA' })).toThrow(/a\.csv lacks DATA, named in column_mapping; it has a/);
});
