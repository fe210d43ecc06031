/** Customers of whom nothing is known but what they bought: the least that an encoder learns from; test support. */

import type { Tables } from '../../../src/ml/graph/tables.ts';
import { type Row, sampleContract, sampleTables } from '../../samples.ts';

export const buyersContract = sampleContract([
  { name: 'customer', key: 'customer_id', columns: { customer_id: 'integer' } },
  {
    name: 'purchase',
    key: 'purchase_id',
    time: 'bought',
    references: { customer_id: 'customer' },
    columns: { purchase_id: 'integer', bought: 'timestamp', customer_id: 'integer', amount: 'number' },
  },
]);

/** Customers 0, 1, … and their purchases. */
export function buyersTables(customers: number, purchase: readonly Row[]): Tables {
  return sampleTables(buyersContract, {
    customer: Array.from({ length: customers }, (_, customer_id) => ({ customer_id })),
    purchase,
  });
}
