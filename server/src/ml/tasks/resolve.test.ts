import { describe, expect, test } from 'vitest';
import { instalmentTable } from '../../../tests/lending.ts';
import { sampleContract } from '../../../tests/samples.ts';
import { parseTask } from './parse-task.ts';
import { resolveTask } from './resolve.ts';
import type { Question } from './target.ts';
import { writeQuery } from './write-query.ts';

const contract = sampleContract([
  {
    name: 'customer',
    key: 'customer_id',
    time: 'joined',
    columns: { customer_id: 'string', joined: 'date', segment: 'string' },
  },
  {
    name: 'loan',
    key: 'loan_id',
    time: 'opened',
    references: { customer_id: 'customer', guarantor_id: 'customer' },
    columns: { loan_id: 'string', customer_id: 'string', guarantor_id: 'string', opened: 'date', lost: 'date' },
  },
  instalmentTable({ open: 'boolean' }),
  {
    name: 'order',
    key: 'order_id',
    time: 'placed',
    references: { customer_id: 'customer' },
    columns: {
      order_id: 'string',
      customer_id: 'string',
      placed: 'timestamp',
      shop: 'string',
      clock: 'time',
      channel: { type: 'string', enum: ['shop', 'web'] },
      size: { type: 'integer', enum: ['1', '2'] },
    },
  },
  {
    name: 'note',
    references: { customer_id: 'customer' },
    columns: { customer_id: 'string', text: 'string' },
  },
]);
const resolved = (query: string) => resolveTask(parseTask(query, 'task', 'definition'), contract, 'definition');

test('the path to the entity is found where there is one', () => {
  const task = resolved('PREDICT exists(order) WITHIN 30d FOR customer');
  expect(task.key).toBe('customer_id');
  expect(task.target?.reference).toEqual(['customer_id']);
  expect(writeQuery(task as Question)).toBe(
    'PREDICT exists("order") WITHIN 30d FOR customer VIA customer_id'.replace('"order"', 'order'),
  );
  expect(resolveTask(task, contract, 'definition')).toEqual(task);
});

test('what is due of a loan is found where one table tells', () => {
  const { target } = resolved('PREDICT delinquency(loan, 30 days at month 6)');
  expect(target).toMatchObject({
    obligations: { table: 'instalment', due: 'due', paid: 'paid', reference: ['loan_id'] },
  });
});

test('values that the contract allows are compared, and those between them in order', () => {
  const ask = (where: string) => resolved(`PREDICT exists(order WHERE ${where}) WITHIN 9d FOR customer`);
  for (const where of ["channel != 'web'", "channel IN ('shop', 'web')", 'size = 2.0', "channel > 't'", 'size < 9'])
    expect(ask(where).target).toMatchObject({ where: { column: where.split(' ')[0] } });
});

test.each([
  ['order.lost', 'loan.lost'],
  ['loan.customer_id2', 'loan.customer_id'],
  ['lost', 'loan.lost'],
])('a hidden %s is told the column that is meant', (named, meant) => {
  const task = parseTask('PREDICT exists(order) WITHIN 30d FOR customer', 'task', 'definition');
  expect(() => resolveTask({ ...task, hide: [named] }, contract, 'definition')).toThrow(`; did you mean ${meant}?`);
});

describe('what does not fit the contract is refused:', () => {
  test.each<[string, string, string]>([
    [
      'two paths',
      'exists(loan) WITHIN 9d FOR customer',
      'loan leads to customer in 2 ways; choose one with VIA customer_id or VIA guarantor_id',
    ],
    [
      'two long paths',
      'sum(instalment.amount) WITHIN 9d FOR customer',
      'choose one with VIA loan_id.customer_id or VIA loan_id.guarantor_id',
    ],
    ['no path', 'exists(customer) WITHIN 9d FOR loan', 'no reference leads from customer to loan'],
    [
      'a path elsewhere',
      'exists(instalment) WITHIN 9d FOR customer VIA loan_id',
      'loan_id leads to loan, not to customer',
    ],
    [
      'a step that is none',
      'exists(order) WITHIN 9d FOR customer VIA client',
      'client is not a reference of order, which has customer_id',
    ],
    [
      'a table that is none',
      'exists(orders) WITHIN 9d FOR customer',
      'target table orders is not in the contract, which has customer, loan, instalment, order, note',
    ],
    [
      'a column that is none',
      'exists(order WHERE store = 1) WITHIN 9d FOR customer',
      'store is not a column of order, which has order_id, customer_id, placed, shop, clock, channel, size',
    ],
    ['a text for a number', 'sum(order.shop) WITHIN 9d FOR customer', 'order.shop is not numeric but text'],
    [
      'a number for a text',
      'exists(order WHERE shop = 7) WITHIN 9d FOR customer',
      'compares order.shop with 7; it takes a text in quotes',
    ],
    [
      'a number for a day',
      'exists(order WHERE placed > 7) WITHIN 9d FOR customer',
      'it takes a day such as 2024-01-31',
    ],
    [
      'one of several values',
      "exists(order WHERE shop IN ('a', 7)) WITHIN 9d FOR customer",
      'compares order.shop with 7',
    ],
    [
      'a value that the contract does not allow',
      "exists(order WHERE channel = 'wbe') WITHIN 9d FOR customer",
      'where compares order.channel with "wbe"; the contract allows shop, web',
    ],
    [
      'another value that the contract does not allow',
      "exists(order WHERE NOT (channel NOT IN ('web', 'Shop'))) WITHIN 9d FOR customer",
      'order.channel with "Shop"; the contract allows shop, web',
    ],
    [
      'a number that the contract does not allow',
      'exists(order) WITHIN 9d FOR customer WHERE exists(order WHERE size != 3)',
      'order.size with 3; the contract allows 1, 2',
    ],
    [
      'an order of truths',
      'exists(instalment WHERE open > true) WITHIN 9d FOR loan',
      'instalment.open is true or false: compare it with = or !=',
    ],
    ['a time of day', 'exists(order WHERE clock > 7) WITHIN 9d FOR customer', 'times of day cannot be compared'],
    [
      'a day for a category',
      'next(order.placed) WITHIN 9d FOR customer',
      'next takes a category, and order.placed is a timestamp',
    ],
    [
      'a past by two paths',
      'exists(order) WITHIN 9d FOR customer WHERE exists(loan)',
      'loan leads to customer in 2 ways',
    ],
    [
      'a past without a date',
      'exists(order) WITHIN 9d FOR customer WHERE exists(note IN LAST 9d)',
      'IN LAST needs dated rows, and table note has no event time',
    ],
    [
      'a population by no column',
      'exists(order) WITHIN 9d FOR customer WHERE size > 3',
      'size is not a column of customer',
    ],
    [
      'a delinquency of others',
      'delinquency(loan, 30 days at month 6) FOR customer',
      'a delinquency without WITHIN is asked of loan itself',
    ],
    [
      'nothing due',
      'delinquency(order, 30 days at month 6)',
      'which table holds what is due of order is not clear: it needs a planned date and a date of payment',
    ],
    [
      'a charge-off on no day',
      'delinquency(loan, charge_off(loan_id) by month 9)',
      'loan.loan_id must be a date, and is text',
    ],
  ])('%s', (_, query, message) => {
    expect(() => resolved(`PREDICT ${query}`)).toThrow(message);
  });
});
