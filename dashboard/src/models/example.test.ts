import type { Lastro, Schemas } from '@lastro/sdk';
import { expect, test } from 'vitest';
import { exampleOf } from './example.ts';

const dayMs = 24 * 60 * 60_000;

/** A client of a workspace with orders of customers, and what is asked of an order. */
function orders(newest: string | null) {
  const column = (name: string, rest: object = {}) => ({ name, logicalType: 'string', ...rest });
  const to = (table: string) => ({ relationships: [{ to: `${table}.id` }] });
  const properties = [
    column('id', { primaryKey: true }),
    column('due', { customProperties: [{ property: 'planned', value: true }] }),
    column('customer', to('customer')),
    column('shop', to('shop')),
  ];
  const document = JSON.stringify({ schema: [{ name: 'order', properties }] });
  const client = {
    ingestions: {
      list: async () => ({ data: [{ status: 'succeeded', report: { event_days: { newest, silence_max: 2 } } }] }),
    },
    contracts: { get: async () => ({ document }) },
    entities: {
      find: async ({ table }: { table: string }) => ({ data: table === 'customer' ? [{ table, key: '7' }] : [] }),
    },
  } as unknown as Lastro;
  const field = (name: string, rest: object) => ({
    ...{ name, type: 'string', required: true, example: 'id-1', source: { table: 'order', column: name } },
    ...rest,
  });
  const inputs = [
    field('id', { required: false }),
    field('customer', { type: 'integer', example: 1 }),
    field('shop', {}),
    field('at', { type: 'timestamp', example: '2020-01-01T00:00:00Z', dates_row: 'past' }),
    field('due', { type: 'date', example: '2020-01-31', required: false, importance: 0.1 }),
    field('paid', { type: 'date', example: '2020-03-01', required: false, importance: 0.1 }),
    field('born', { type: 'date', example: '1990-01-01', required: false, importance: 0.1 }),
    field('amount', { type: 'number', example: 12, required: false, importance: 0.2 }),
    field('reference_date', { type: 'date', example: '2024-12-31', source: undefined }),
  ] as unknown as Schemas['ModelField'][];
  return exampleOf(client, { inputs, contract_id: 'con_1' }, 'Asia/Tokyo');
}

test('an example names whom the data have, and dates a new row by now', async () => {
  const { inputs, real, madeUp, newestDay } = await orders(new Date(Date.now() - 5 * dayMs).toISOString().slice(0, 10));
  expect(inputs).toMatchObject({ customer: 7, shop: 'id-1', at: expect.any(String), amount: 12 });
  expect(Date.now() - Date.parse(`${inputs.at}+09:00`)).toBeLessThan(60_000);
  expect(Date.parse(`${inputs.due}`) - Date.parse(String(inputs.at).slice(0, 10))).toBe(30 * dayMs);
  expect([real, madeUp], 'the key of a real row is no typical value').toEqual([['customer'], ['shop']]);
  expect(newestDay).toBe(null);
  expect((await orders(null)).newestDay).toBe(null);
});

test('where the data are old an example lies at their newest day, with its other dates around it', async () => {
  const { inputs, newestDay } = await orders('2019-06-30');
  expect(newestDay).toBe('2019-06-30');
  // What is not planned is not known before it has come.
  expect(inputs).toMatchObject({
    at: '2019-06-30T12:00:00',
    due: '2019-07-30',
    paid: '2019-06-30',
    born: '1989-06-30',
  });
});
