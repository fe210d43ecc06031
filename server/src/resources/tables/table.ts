import { Type } from 'typebox';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';

const types = ['string', 'integer', 'number', 'boolean', 'date', 'timestamp', 'time'];

const example = {
  table: 'orders',
  snapshot_id: 'snp_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  contract_id: 'con_0199f3a8c4d27b1e9c55d0a1b2c3d4e6',
  rows: 48_210,
  columns: [
    { name: 'order_id', type: 'string', is_key: true, references: null },
    { name: 'customer_id', type: 'string', is_key: false, references: 'customers' },
    { name: 'placed_at', type: 'timestamp', is_key: false, references: null },
    { name: 'amount', type: 'number', is_key: false, references: null },
  ],
  personal_columns: ['email'],
  data: [{ order_id: 'O-1', customer_id: '11222333000181', placed_at: '2025-03-14T09:26:53', amount: 129.9 }],
  next_cursor: null,
  has_more: false,
};

/** A page of the rows of a table. */
export const tableRowsSchema = answerOf('TableRows', example, {
  table: Type.String(),
  snapshot_id: Type.String({ description: 'The state of the data that they are of: the same on all pages.' }),
  contract_id: Type.String({ description: 'The contract under which the data are.' }),
  rows: Type.Integer({ description: 'How many rows the table has, those that name somebody erased counted too.' }),
  columns: Type.Array(
    objectOf('TableColumn', {
      name: Type.String(),
      type: Type.String({ enum: types }),
      is_key: Type.Boolean({ description: 'Whether it is the key of the table, or a part of it.' }),
      references: nullable(Type.String({ description: 'The table whose rows it leads to.' })),
    }),
    { description: 'In the order of the contract.' },
  ),
  personal_columns: Type.Array(Type.String(), {
    description:
      'Columns that are never told: those marked pii, of which most are not even kept, CPFs, e-mails and phone numbers, and references to rows whose key is one of these.',
  }),
  data: Type.Array(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]), {
      title: 'TableRow',
      description: 'The values by column; null where there is none.',
    }),
  ),
  next_cursor: nullable(Type.String()),
  has_more: Type.Boolean(),
});
