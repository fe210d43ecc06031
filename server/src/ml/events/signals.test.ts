import { expect, test } from 'vitest';
import { at, sampleContract, sampleTables } from '../../../tests/samples.ts';
import { computeSignal } from './signals.ts';

test('standing among very many siblings of one value is told as among few', () => {
  const contract = sampleContract([
    { name: 'bill', key: 'bill_id', columns: { bill_id: 'integer' } },
    {
      name: 'line',
      time: 'day',
      references: { bill_id: 'bill' },
      columns: { bill_id: 'integer', day: 'date', amount: 'number' },
    },
  ]);
  const standings = (lines: number) => {
    const line = Array.from({ length: lines }, (_, i) => ({
      bill_id: 1,
      day: at('2024-01-01'),
      amount: i === 0 ? 9 : 5,
    }));
    const tables = sampleTables(contract, { bill: [{ bill_id: 1 }], line });
    const rank = { kind: 'rank', within: 'bill_id', column: 'amount', as: 'percentile' } as const;
    const found = computeSignal(tables, tables.get('line')!, rank);
    return found.kind === 'number' ? [found.values[0], found.values[1], found.values[lines - 1]] : [];
  };
  expect(standings(5)).toEqual([1, 1.5 / 4, 1.5 / 4]);
  // Were ties counted row by row this took the square of their number.
  const many = 400_000;
  expect(standings(many)).toEqual([1, (many - 2) / 2 / (many - 1), (many - 2) / 2 / (many - 1)]);
});
