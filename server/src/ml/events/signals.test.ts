import { expect, test } from 'vitest';
import { at, sampleContract, sampleTables } from '../../../tests/samples.ts';
import { evaluate } from '../features/evaluate.ts';
import type { Feature } from '../features/feature.ts';
import { openGraph } from '../features/graph.ts';
import { computeSignal, type Signal } from './signals.ts';

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
  // Counting ties row by row would take time quadratic in their number.
  const many = 400_000;
  expect(standings(many)).toEqual([1, (many - 2) / 2 / (many - 1), (many - 2) / 2 / (many - 1)]);
});

test('a column whose name has a dot is not the column of that name of what its row refers to', () => {
  const contract = sampleContract([
    { name: 'shop', key: 'shop_id', columns: { shop_id: 'integer' } },
    {
      name: 'client',
      key: 'client_id',
      columns: { client_id: 'integer', size: 'number', shop: 'integer' },
      references: { shop: 'shop' },
    },
    {
      name: 'order',
      time: 'day',
      references: { shop: 'shop', client: 'client', 'client.shop': 'shop' },
      columns: { shop: 'integer', client: 'integer', 'client.shop': 'integer', day: 'date', 'client.size': 'number' },
    },
  ]);
  const tables = sampleTables(contract, {
    shop: [{ shop_id: 1 }, { shop_id: 2 }],
    client: [{ client_id: 7, size: 100, shop: 2 }],
    order: [{ shop: 1, client: 7, 'client.shop': 1, day: at('2024-01-01'), 'client.size': 3 }],
  });
  const mean = (via: readonly string[], signal: Signal): Feature => ({
    focus: { kind: 'root' },
    read: { kind: 'number', events: { table: 'order', via }, signal, span: { all: true }, aggregate: 'mean' },
  });
  const own: Signal = { kind: 'column', path: [], column: 'client.size' };
  const met: Signal = { kind: 'column', path: ['client'], column: 'size' };
  const features = [
    mean(['shop'], own),
    mean(['shop'], met),
    mean(['client.shop'], own),
    mean(['client', 'shop'], own),
  ];
  const rows = Int32Array.of(0, 1);
  const moment = new Float64Array(2).fill(at('2024-02-01'));
  const asked = { table: tables.get('shop')!, fresh: false, rows, own: rows.map(() => -1), ownTable: 'shop' };
  const { values } = evaluate(openGraph(tables), features, { ...asked, at: moment, readableUntil: moment });
  const none = Number.NaN;
  expect(Array.from(values)).toEqual([3, none, 100, none, 3, none, none, 3]);
});
