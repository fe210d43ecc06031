import { expect, test } from 'vitest';
import { at, day, sampleContract, sampleTables } from '../../../../tests/samples.ts';
import { type ColumnUse, columnUse } from './column-use.ts';
import { openDatePairs } from './date-pairs.ts';

const cut = at('2024-01-01');

test('days are counted from the row to what is planned, and from what is planned to what happened', () => {
  expect(pairsOf((i) => ({ due: 30 + (i % 7), paid: 28 + (i % 13), stamped: i % 2 }))).toEqual([
    { from: 'issued', column: 'due' },
    { from: 'due', column: 'paid' },
    { from: 'due', column: 'stamped' },
    { from: 'issued', column: 'paid' },
    { from: 'stamped', column: 'paid' },
  ]);
});

test('what nearly never varies is no pair, but the few that miss a plan are', () => {
  const pairs = pairsOf((i) => ({ due: 30, paid: i % 50 === 0 ? 60 : 30, stamped: 0 }));
  expect(pairs).toContainEqual({ from: 'due', column: 'paid' });
  expect(pairs).not.toContainEqual({ from: 'issued', column: 'due' });
  expect(pairs).not.toContainEqual({ from: 'issued', column: 'paid' });
  expect(pairs).not.toContainEqual({ from: 'issued', column: 'stamped' });
});

test('what is dated after the cut decides nothing', () => {
  const known = pairsOf((i) => ({ due: 30, paid: 30, stamped: i % 5 }));
  const later = pairsOf((i) => ({ due: 30, paid: i % 2 ? 30 : 10_000 + i, stamped: i % 5 }));
  expect(later).toEqual(known);
});

test('no date that the task hides is read, be it that of the rows', () => {
  const daysOf = (i: number) => ({ due: 30 + (i % 7), paid: 28 + (i % 13), stamped: i % 5 });
  const without = (hidden: string) => pairsOf(daysOf, new Set([hidden])).map(({ from, column }) => [from, column]);
  expect(without('issued').flat()).not.toContain('issued');
  expect(without('paid').flat()).not.toContain('paid');
});

/** The pairs of bills whose dates are so many days after the day they were issued. */
function pairsOf(
  daysOf: (i: number) => { due: number; paid: number; stamped: number },
  hidden: ReadonlySet<string> = new Set(),
) {
  const contract = sampleContract([
    {
      name: 'bill',
      key: 'id',
      time: 'issued',
      columns: {
        ...{ id: 'integer', issued: 'date', paid: 'date', stamped: 'date', birth: { type: 'date', pii: true } },
        due: { type: 'date', planned: true },
      },
    },
  ]);
  const bill = Array.from({ length: 400 }, (_, id) => {
    const issued = at('2022-01-01') + id * day;
    const { due, paid, stamped } = daysOf(id);
    return {
      ...{ id, issued, due: issued + due * day, paid: issued + paid * day, stamped: issued + stamped * day },
      birth: issued - id * day,
    };
  });
  const table = sampleTables(contract, { bill }).get('bill')!;
  const uses = new Map<string, ColumnUse>(
    table.contract.columns.map((column) => [column.name, columnUse(table, column, cut, hidden)]),
  );
  return openDatePairs(new Map([['bill', uses]]), cut)(table);
}
