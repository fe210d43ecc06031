/** Files with dates in other forms than ISO 8601, and numbers with a decimal comma, held against contracts with and without the form. */
import { expect, test } from 'vitest';
import { save, saveParquet } from '../../../tests/support/samples/lib-files.ts';
import type { DateForm } from '../../lib/files/date-forms.ts';
import { checkFile, readKeys } from './check.ts';
import type { ColumnContract, Contract, TableContract } from './contract.ts';
import { diffContracts } from './diff.ts';

const plain = { required: false, unique: false, planned: false, mutable: false, pii: false };
const now = Date.UTC(2024, 5, 1) * 1000;

function visitsWith(day: Partial<ColumnContract>): TableContract {
  return {
    ...{ name: 'visits', key: ['id'], references: [], time: { column: 'day' } },
    columns: [
      { ...plain, name: 'id', type: 'integer', required: true, unique: true },
      { ...plain, name: 'day', type: 'date', ...day },
    ],
  };
}

const contractOf = (...tables: TableContract[]): Contract => ({ id: 'c', version: '1.0.0', tables });

async function check(day: Partial<ColumnContract>, cells: readonly string[], header = 'id,day') {
  const table = visitsWith(day);
  const path = save('csv', `${header}\n${cells.map((cell, i) => `${i + 1},${cell}`).join('\n')}\n`);
  return checkFile(path, table, contractOf(table), { now, name: 'visits.csv' });
}

const two = (value: number): string => String(value).padStart(2, '0');
const dayFirst = Array.from({ length: 60 }, (_, i) => `${two(1 + (i % 28))}/0${1 + (i % 9)}/2023`);
const iso = dayFirst.map((text) => text.split('/').reverse().join('-'));

test('a file in the form of the contract keeps it, and its faults are told with the form', async () => {
  expect((await check({ dateForm: 'dd/MM/yyyy' }, [...dayFirst, ...iso])).deviations).toEqual([]);
  const faults = await check({ dateForm: 'dd/MM/yyyy' }, [...dayFirst, '31/02/2023', '01/07/2024', '31/12/1899']);
  expect(faults.deviations.map(({ rule, message, samples }) => [rule, message, samples[0].row])).toEqual([
    ['wrong_type', 'day: 1 row: is not a date such as 31/12/2024 or 2024-01-31', 61],
    ['in_future', 'day: 1 row: the date lies in the future and the column is not planned', 62],
    ['before_1900', 'day: 1 row: the date lies before 1900', 63],
  ]);
  expect(faults.proposal).toBeNull();
});

test('numbers of Parquet keep the forms of numbers', async () => {
  const path = await saveParquet('select i as id, if(i = 30, 20230229, 20240200 + i) as day from range(1, 31) t(i)');
  const table = visitsWith({ dateForm: 'yyyyMMdd' });
  const report = await checkFile(path, table, contractOf(table), { now });
  expect(report.deviations).toMatchObject([
    { rule: 'wrong_type', count: 1, samples: [{ row: 30, value: '20230229' }] },
  ]);
});

test.each<[string, DateForm | undefined, readonly string[], DateForm, ColumnContract['type']]>([
  ['another form than ISO 8601', undefined, dayFirst, 'dd/MM/yyyy', 'date'],
  ['two forms, ISO 8601 among them', undefined, [...iso, ...dayFirst.slice(0, 20)], 'dd/MM/yyyy', 'date'],
  ['times of day in another form', undefined, dayFirst.map((text) => `${text} 10:30`), 'dd/MM/yyyy', 'timestamp'],
  ['whole numbers', undefined, iso.map((text) => text.replaceAll('-', '')), 'yyyyMMdd', 'date'],
  [
    ...(['the month first, by a contract with the day first', 'dd/MM/yyyy'] as const),
    ...([Array.from({ length: 60 }, (_, i) => `0${1 + (i % 9)}/${13 + (i % 15)}/2023`), 'MM/dd/yyyy', 'date'] as const),
  ],
])('a file with %s is told with a contract that has the form', async (_, form, cells, found, type) => {
  const report = await check(form === undefined ? {} : { dateForm: form }, cells);
  expect(report.deviations).toMatchObject([{ kind: 'structure', rule: 'changed_type', column: 'day' }]);
  const is = form === undefined ? 'date' : `date (${form})`;
  expect(report.deviations[0].message).toContain(`day: is ${is} in the contract and reads as ${type} (${found}) in`);
  const { contract, changes } = report.proposal!;
  expect(contract.tables[0].columns[1]).toMatchObject({ type, dateForm: found });
  expect(changes.map(({ path, breaking }) => [path, breaking])).toContainEqual([
    'visits.day.dateForm',
    form !== undefined,
  ]);
  const path = save('csv', `id,day\n${cells.map((cell, i) => `${i + 1},${cell}`).join('\n')}\n`);
  expect((await checkFile(path, contract.tables[0], contract, { now })).deviations).toEqual([]);
});

test('dates without an order become a text, and a new column of dates gets its form', async () => {
  const mixed = await check({}, [...dayFirst, ...dayFirst.map((text) => text.replace(/^(..).(..)/, '$2/$1'))]);
  expect(mixed.deviations).toMatchObject([{ rule: 'changed_type', message: expect.stringMatching(/reads as string/) }]);
  expect(mixed.proposal, 'it dates the rows').toBeNull();
  const digits = iso.map((text) => text.replaceAll('-', ''));
  const cells = iso.map((text, i) => `${text},${dayFirst[i]},${digits[i]},${digits[i]}`);
  const more = await check({}, cells, 'id,day,paid_on,sent_on,amount');
  expect(more.proposal?.contract.tables[0].columns.slice(2)).toMatchObject([
    { name: 'paid_on', type: 'date', dateForm: 'dd/MM/yyyy' },
    { name: 'sent_on', type: 'date', dateForm: 'yyyyMMdd' },
    { name: 'amount', type: 'integer' },
  ]);
});

test('keys that are dates are compared as the days that they are', async () => {
  const days: TableContract = {
    ...{ name: 'days', key: ['day'], references: [] },
    columns: [{ ...plain, name: 'day', type: 'date', dateForm: 'dd/MM/yyyy', required: true, unique: true }],
  };
  const keys = await readKeys([save('csv', 'day\n31/12/2023\n1/1/2024\n2024-01-02\n')], days);
  expect([...keys]).toEqual(['2023-12-31', '2024-01-01', '2024-01-02']);
  const twice = save('csv', 'day\n31/12/2023\n2023-12-31\n');
  expect((await checkFile(twice, days, contractOf(days), { now })).deviations).toMatchObject([
    { rule: 'duplicate_key' },
  ]);
});

test('a form that was added breaks nothing, and one that is gone or another does', () => {
  const changes = (before?: DateForm, after?: DateForm) =>
    diffContracts(
      contractOf(visitsWith(before ? { dateForm: before } : {})),
      contractOf(visitsWith(after ? { dateForm: after } : {})),
    ).map(({ path, kind, breaking }) => `${kind} ${path} ${breaking}`);
  expect(changes(undefined, 'dd/MM/yyyy')).toEqual(['added visits.day.dateForm false']);
  expect(changes('dd/MM/yyyy')).toEqual(['removed visits.day.dateForm true']);
  expect(changes('dd/MM/yyyy', 'MM/dd/yyyy')).toEqual(['changed visits.day.dateForm true']);
});

const points = Array.from({ length: 60 }, (_, i) => `${i},5`);

test('numbers with a decimal comma are one of the contract, or are asked about where a file has none with a point', async () => {
  const day = { type: 'number', decimalSeparator: ',' } as const;
  const checkOf = async (column: Partial<ColumnContract>, cells: readonly string[]) => {
    const { time: _, ...table } = visitsWith(column);
    const path = save('csv', `id;day\n${cells.map((cell, i) => `${i + 1};${cell}`).join('\n')}\n`);
    const report = await checkFile(path, table, contractOf(table), { now, name: 'visits.csv' });
    return {
      messages: report.deviations.map(({ message }) => message),
      proposed: report.proposal?.contract.tables[0].columns[1],
    };
  };
  expect(await checkOf(day, [...points, '1.234,56', '7'])).toEqual({ messages: [], proposed: undefined });
  expect((await checkOf(day, [...points, '1.5'])).messages).toEqual(['day: 1 row: is not a number such as 1.234,5']);
  const asked = await checkOf({ type: 'number' }, [...points, '7']);
  expect(asked.messages).toEqual([expect.stringContaining('reads as number (decimal_comma) in the file')]);
  expect(asked.proposed).toMatchObject({ type: 'number', decimalSeparator: ',' });
  // Points show that the commas are faults.
  expect(
    (await checkOf({ type: 'number' }, [...points.slice(0, 5), ...points.map((text) => text.replace(',', '.'))]))
      .proposed,
  ).toBeUndefined();
  const back = await checkOf(
    day,
    points.map((text) => text.replace(',', '.')),
  );
  expect(back.proposed).toMatchObject({ type: 'number' });
  expect(back.proposed).not.toHaveProperty('decimalSeparator');
});
