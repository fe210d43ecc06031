import { expect, test } from 'vitest';
import { at, day, sampleContract, sampleTables } from '../../../tests/samples.ts';
import { evaluate } from './evaluate.ts';
import type { Feature } from './feature.ts';
import { openGraph } from './graph.ts';

test('the slope of the same events has the same bits whenever it is asked, and is zero where nothing changes', () => {
  const contract = sampleContract([
    { name: 'customer', key: 'id', columns: { id: 'integer' } },
    {
      name: 'payment',
      time: 'paid',
      references: { customer: 'customer' },
      columns: { customer: 'integer', paid: 'timestamp', late: 'number', fee: 'number' },
    },
  ]);
  const late = [4, 0, 7, 7, 0, 4];
  const days = [0, 31.3, 59.7, 90.1, 118.5, 149.8];
  const tables = sampleTables(contract, {
    customer: [{ id: 1 }],
    payment: late.map((value, k) => ({ customer: 1, paid: at('2026-01-05') + days[k] * day, late: value, fee: 0.1 })),
  });
  const slopes = ['late', 'fee'].map(
    (column): Feature => ({
      focus: { kind: 'root' },
      read: {
        kind: 'number',
        events: { table: 'payment', via: ['customer'] },
        signal: { kind: 'column', path: [], column },
        span: { last: 10 },
        aggregate: 'slope',
      },
    }),
  );
  const asked = 200;
  const moments = Float64Array.from({ length: asked }, (_, k) => at('2026-11-22') + k * 7_001_003);
  const { values } = evaluate(openGraph(tables), slopes, {
    table: tables.get('customer')!,
    fresh: false,
    rows: new Int32Array(asked),
    own: new Int32Array(asked).fill(-1),
    ownTable: 'customer',
    at: moments,
    readableUntil: moments,
  });
  expect(new Set(values.subarray(0, asked)).size).toBe(1);
  expect(new Set(values.subarray(asked))).toEqual(new Set([0]));
});
