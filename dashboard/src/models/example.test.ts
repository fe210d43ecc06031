import type { Lastro, Schemas } from '@lastro/sdk';
import { expect, test } from 'vitest';
import { exampleOf } from './example.ts';

test('an example names whom the data have, and dates a new row by now', async () => {
  const column = (name: string, rest: object = {}) => ({ name, logicalType: 'string', ...rest });
  const to = (table: string) => ({ relationships: [{ to: `${table}.id` }] });
  const properties = [
    column('id', { primaryKey: true }),
    column('customer', to('customer')),
    column('shop', to('shop')),
  ];
  const document = JSON.stringify({ schema: [{ name: 'order', properties }] });
  const client = {
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
    field('amount', { type: 'number', example: 12, required: false, importance: 0.2 }),
    field('reference_date', { type: 'date', example: '2024-12-31', source: undefined }),
  ] as unknown as Schemas['ModelField'][];
  const { inputs: filled, madeUp } = await exampleOf(client, { inputs, contract_id: 'con_1' }, 'Asia/Tokyo');
  expect(filled).toEqual({ customer: 7, shop: 'id-1', at: expect.any(String), amount: 12 });
  expect(Date.now() - Date.parse(`${filled.at}+09:00`)).toBeLessThan(60_000);
  expect(madeUp).toEqual(['shop']);
});
