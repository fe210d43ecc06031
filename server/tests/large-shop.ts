/** The shop of `shop.ts` with as many rows as a test needs to have time to interrupt what is done with them. */
import { csv, day, shopText } from './shop.ts';

export type LargeShop = {
  readonly contract: string;
  readonly customers: string;
  /** Orders of period `at`, in a file of their own. After three years periods come again, so that none lies ahead. */
  orders(at: number): string;
  readonly task: string;
  readonly labels: { readonly train: string; readonly validation: string };
};

const periods = 36;
const labelledMonths = { train: [0, 8], validation: [8, 10] } as const;

/** `ordersPerFile` orders of all customers in every period of 30 days. */
export function largeShop(customers: number, ordersPerFile: number): LargeShop {
  const labels = ([from, until]: readonly [number, number]) =>
    csv(
      'date,customer_id,returns',
      Array.from({ length: until - from }, (_, month) => 100 + 30 * (from + month)).flatMap((at) =>
        Array.from({ length: customers }, (_, c) => [day(at), `C${c}`, c % 3 === 0 || (c + at) % 11 === 0 ? 1 : 0]),
      ),
    );
  return {
    contract: shopText('contract.yaml'),
    customers: csv(
      'customer_id,segment,since',
      Array.from({ length: customers }, (_, c) => [`C${c}`, c % 2 ? 'retail' : 'trade', day(c % 5)]),
    ),
    orders: (at) =>
      csv(
        'order_id,customer_id,ordered_at,amount',
        Array.from({ length: ordersPerFile }, (_, i) => {
          const c = (i * 7919) % customers;
          const amount = (c % 3 === 0 ? 10 : 80) + ((i * 31) % 17);
          return [`O${at}-${i}`, `C${c}`, day(7 + 30 * (at % periods) + (i % 30)), amount];
        }),
      ),
    task: shopText('tasks/returns/task.yaml'),
    labels: { train: labels(labelledMonths.train), validation: labels(labelledMonths.validation) },
  };
}
