import { expect, test } from 'vitest';
import { at, day, sampleContract, sampleTables } from '../../../../tests/samples.ts';
import { type ColumnUse, columnUse } from './column-use.ts';
import { openDatePairs } from './date-pairs.ts';

const cut = at('2024-01-01');

test('days are counted from what is planned, else from what mostly comes first', () => {
  expect(pairsOf((i) => ({ due: 30 + (i % 7), paid: 28 + (i % 13), stamped: i % 2 }))).toEqual([
    { from: 'due', column: 'paid' },
    { from: 'due', column: 'stamped' },
    { from: 'stamped', column: 'paid' },
  ]);
});

test('what nearly never varies is no pair, but the few that miss a plan are', () => {
  const pairs = pairsOf((i) => ({ due: 30, paid: i % 50 === 0 ? 60 : 30, stamped: 28 }));
  expect(pairs).toContainEqual({ from: 'due', column: 'paid' });
  expect(pairs).not.toContainEqual({ from: 'due', column: 'stamped' });
  expect(pairs).not.toContainEqual({ from: 'stamped', column: 'paid' });
});

test('what is dated after the cut decides nothing', () => {
  const known = pairsOf((i) => ({ due: 30, paid: 30, stamped: i % 5 }));
  const later = pairsOf((i) => ({ due: 30, paid: i % 2 ? 30 : 10_000 + i, stamped: i % 5 }));
  expect(later).toEqual(known);
});

test('no date that the task hides is read', () => {
  const pairs = pairsOf((i) => ({ due: 30 + (i % 7), paid: 28 + (i % 13), stamped: i % 5 }), new Set(['paid']));
  expect(pairs).toEqual([{ from: 'due', column: 'stamped' }]);
});

test('days that a column of the row tells already are no pair', () => {
  const daysOf = (i: number) => ({ due: 30 + (i % 7), paid: 28 + (i % 13), stamped: i % 5 });
  const isPair = (late: (dates: { due: number; paid: number }) => number) =>
    pairsOf(daysOf, new Set(), late).some(({ from, column }) => from === 'due' && column === 'paid');
  expect(isPair(({ due, paid }) => paid - due)).toBe(false);
  expect(isPair(({ due, paid }) => due - paid)).toBe(false);
  expect(isPair(({ due }) => due)).toBe(true);
});

/** The pairs of bills whose dates are so many days after the day they were issued. */
function pairsOf(
  daysOf: (i: number) => { due: number; paid: number; stamped: number },
  hidden: ReadonlySet<string> = new Set(),
  lateOf: (dates: { due: number; paid: number }) => number = () => 0,
) {
  const contract = sampleContract([
    {
      name: 'bill',
      key: 'id',
      time: 'issued',
      columns: {
        ...{ id: 'integer', issued: 'date', paid: 'date', stamped: 'date', birth: { type: 'date', pii: true } },
        due: { type: 'date', planned: true },
        late: 'number',
      },
    },
  ]);
  const bill = Array.from({ length: 400 }, (_, id) => {
    const issued = at('2022-01-01') + id * day;
    const { due, paid, stamped } = daysOf(id);
    return {
      ...{ id, issued, due: issued + due * day, paid: issued + paid * day, stamped: issued + stamped * day },
      birth: issued - id * day,
      late: lateOf({ due, paid }),
    };
  });
  const table = sampleTables(contract, { bill }).get('bill')!;
  const uses = new Map<string, ColumnUse>(
    table.contract.columns.map((column) => [column.name, columnUse(table, column, cut, hidden)]),
  );
  return openDatePairs(new Map([['bill', uses]]), cut)(table);
}
