import { expect, test } from 'vitest';
import { sampleContract, sampleTables } from '../../../tests/samples.ts';
import { accept, fileOf, loans } from '../../../tests/support/samples/lake.ts';
import { keptContract } from './layout.ts';
import { describeTables } from './report.ts';

test('a report counts distinct values one by one as long as they are few', async () => {
  const rows = Array.from({ length: 5000 }, (_, row) => `${row},C${row % 500},2024-01-05,1,true`);
  const { report } = await accept(null, [fileOf('loan', 'append', [loans[0], ...rows])]);
  const distinct = Object.fromEntries(report.tables[0].columns.map((column) => [column.name, column.distinct]));
  expect(distinct).toMatchObject({ customer_id: 500, granted: 1 });
  expect(Math.abs(distinct.loan_id - 5000)).toBeLessThan(250);
});

test('the report counts what came by month, column and value', async () => {
  const { report } = await accept(null, [fileOf('loan', 'append', loans)]);
  expect(report.tables).toEqual([
    {
      table: 'loan',
      rows: 3,
      from: '2024-01-05T00:00:00.000',
      until: '2024-02-06T00:00:00.000',
      columns: [
        {
          name: 'loan_id',
          type: 'integer',
          present: 1,
          distinct: 3,
          distinct_is_estimate: false,
          minimum: 1,
          maximum: 3,
        },
        {
          name: 'customer_id',
          type: 'string',
          present: 1,
          distinct: 2,
          distinct_is_estimate: false,
          minimum: null,
          maximum: null,
        },
        {
          name: 'granted',
          type: 'date',
          present: 1,
          distinct: 3,
          distinct_is_estimate: false,
          minimum: '2024-01-05',
          maximum: '2024-02-06',
        },
        {
          name: 'amount',
          type: 'number',
          present: 2 / 3,
          distinct: 2,
          distinct_is_estimate: false,
          minimum: -0.25,
          maximum: 10.5,
        },
        {
          name: 'paid',
          type: 'boolean',
          present: 2 / 3,
          distinct: 2,
          distinct_is_estimate: false,
          minimum: 0,
          maximum: 1,
        },
      ],
      dropped: [],
      months: [
        { month: '2024-01', rows: 1 },
        { month: '2024-02', rows: 2 },
      ],
    },
  ]);
});

test('what the tables do not keep of personal data is said beside what they hold', () => {
  const { tables, ...rest } = sampleContract([
    { name: 'person', key: 'id', columns: { id: 'integer', phone: 'string' } },
  ]);
  const columns = tables[0].columns.map((column) => ({ ...column, pii: true }));
  const contract = { ...rest, tables: [{ ...tables[0], columns }] };
  const kept = sampleTables(keptContract(contract), { person: [{ id: 1 }, { id: 2 }] });
  const [report] = describeTables(kept, contract);
  expect(report.columns.map(({ name }) => name)).toEqual(['id']);
  expect(report.dropped).toEqual([{ column: 'phone', reason: 'personal' }]);
});

test('the number of distinct values is estimated within a few percent', async () => {
  const rows = Array.from({ length: 30_000 }, (_, i) => `${i},${i % 20_000},2024-01-01,${(i % 15_000) / 7},`);
  const { report } = await accept(null, [fileOf('loan', 'append', [loans[0], ...rows])]);
  const distinct = new Map(report.tables[0].columns.map((column) => [column.name, column.distinct]));
  for (const [name, exact] of [
    ['loan_id', 30_000],
    ['customer_id', 20_000],
    ['amount', 15_000],
  ] as const)
    expect(Math.abs(distinct.get(name)! / exact - 1)).toBeLessThan(0.06);
});
