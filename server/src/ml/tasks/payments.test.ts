/** Payments that are rows of their own make the labels that a column of what is owed makes. */
import { describe, expect, test } from 'vitest';
import { at, type Data, day, draws, sampleContract, sampleTables } from '../../../tests/samples.ts';
import { layOutExamples } from './layout.ts';
import { parseTask } from './parse-task.ts';

const contract = sampleContract([
  { name: 'customer', key: 'customer_id', time: 'joined', columns: { customer_id: 'string', joined: 'date' } },
  {
    name: 'loan',
    key: 'loan_id',
    time: 'opened',
    references: { customer_id: 'customer' },
    columns: { loan_id: 'string', customer_id: 'string', opened: 'date' },
  },
  {
    name: 'invoice',
    key: 'invoice_id',
    time: 'issued',
    references: { customer_id: 'customer', loan_id: 'loan' },
    columns: {
      ...{ invoice_id: 'string', customer_id: 'string', loan_id: 'string', issued: 'date' },
      ...{ due: 'date', amount: 'number', paid: 'date', first_paid: 'date' },
    },
  },
  {
    name: 'payment',
    key: 'payment_id',
    time: 'day',
    references: { invoice_id: 'invoice', moved_from: 'invoice' },
    columns: { payment_id: 'string', invoice_id: 'string', moved_from: 'string', day: 'date', amount: 'number' },
  },
  /** Its rows set the end of the data. */
  { name: 'visit', time: 'came', columns: { came: 'date' } },
]);

const start = at('2021-01-01');

/** Invoices that are paid in one to three parts, or in part, or not at all; the columns say when as the rows do. */
function makeData(seed: number): Data {
  const draw = draws(seed);
  const payments: Record<string, string | number | null>[] = [];
  const invoices = Array.from({ length: 200 }, (_, i) => {
    const issued = start + draw.between(0, 300) * day;
    const parts = draw.between(0, 3);
    const isWhole = draw.next() < 0.8;
    // Two payments may come on one day.
    const days = Array.from({ length: parts }, () => issued + draw.between(1, 80) * day).sort((a, b) => a - b);
    days.forEach((paidOn, k) => {
      const isLast = k === parts - 1;
      payments.push({
        ...{ payment_id: `${i}-${k}`, invoice_id: `i${i}`, moved_from: null, day: paidOn },
        amount: 100 / parts - (isLast && !isWhole ? 1 : 0),
      });
    });
    return {
      ...{ invoice_id: `i${i}`, customer_id: `c${draw.between(0, 11)}`, loan_id: `l${i % 100}`, issued },
      ...{ due: issued + 30 * day, amount: 100 },
      paid: parts > 0 && isWhole ? days.at(-1)! : null,
      first_paid: days[0] ?? null,
    };
  });
  return {
    customer: Array.from({ length: 12 }, (_, c) => ({ customer_id: `c${c}`, joined: start })),
    loan: Array.from({ length: 100 }, (_, l) => ({ loan_id: `l${l}`, customer_id: `c${l % 12}`, opened: start })),
    invoice: invoices,
    // In no order at all.
    payment: payments
      .map((one) => ({ one, by: draw.next() }))
      .sort((a, b) => a.by - b.by)
      .map(({ one }) => one),
    visit: [{ came: start + 380 * day }],
  } as Data;
}

function laidOut(query: string, data: Data) {
  const { examples, warnings } = layOutExamples(parseTask(query, 'task', 'definition'), sampleTables(contract, data));
  return {
    warnings,
    sets: examples.map(({ rows, at: moments, labels }) => ({ rows: [...rows], at: [...moments], labels: [...labels] })),
  };
}

describe('what is overdue by a table of payments is what it is by a column', () => {
  const windows = 'WITHIN 30d, 60d FOR customer';
  const rule = 'delinquency(loan, charge_off 15 days by month 10, ';
  test.each([
    [
      'paid in parts',
      `exists(invoice VIA customer_id OVERDUE 10d (due, payment.day, amount, payment.amount VIA invoice_id)) ${windows}`,
      `exists(invoice VIA customer_id OVERDUE 10d (due, paid)) ${windows}`,
    ],
    [
      'the first payment',
      `count(invoice VIA customer_id OVERDUE 0d (due, payment.day VIA invoice_id)) ${windows}`,
      `count(invoice VIA customer_id OVERDUE 0d (due, first_paid)) ${windows}`,
    ],
    [
      'of a loan',
      `${rule}invoice(due, payment.day, amount, payment.amount VIA invoice_id) VIA loan_id)`,
      `${rule}invoice(due, paid) VIA loan_id)`,
    ],
  ])('%s', (_, byRows, byColumn) => {
    for (const seed of [1, 2, 3]) {
      const data = makeData(seed);
      const [rows, column] = [byRows, byColumn].map((query) => laidOut(`PREDICT ${query}`, data).sets);
      expect(rows).toEqual(column);
      expect(new Set(column![0]!.labels).size).toBeGreaterThan(1);
      // Were payments not read, the labels would differ.
      const [none] = laidOut(`PREDICT ${byRows}`, { ...data, payment: [] }).sets;
      expect(none!.labels).not.toEqual(rows![0]!.labels);
    }
  });
});

test('a payment sent again counts once, as it was last; an invoice sent again is paid by those of its key', () => {
  const versions = sampleContract([
    { name: 'customer', key: 'customer_id', time: 'joined', columns: { customer_id: 'string', joined: 'date' } },
    {
      ...{ name: 'invoice', key: 'invoice_id', time: 'issued', history: 'versions', knownAt: 'sent' },
      references: { customer_id: 'customer' },
      columns: {
        ...{ invoice_id: 'string', customer_id: 'string', issued: 'date', sent: 'date', due: 'date', amount: 'number' },
      },
    },
    {
      ...{ name: 'payment', key: 'payment_id', time: 'day', history: 'versions', knownAt: 'sent' },
      references: { invoice_id: 'invoice' },
      columns: { payment_id: 'string', invoice_id: 'string', day: 'date', sent: 'date', amount: 'number' },
    },
    { name: 'visit', time: 'came', columns: { came: 'date' } },
  ]);
  const invoice = (sent: string, amount: number) => ({
    ...{ invoice_id: 'i', customer_id: 'c', issued: at('2021-01-01'), sent: at(sent), due: at('2021-02-01'), amount },
  });
  const payment = (sent: string, amount: number) => ({
    ...{ payment_id: 'p', invoice_id: 'i', day: at('2021-01-20'), sent: at(sent), amount },
  });
  const labelOf = (invoices: object[], payments: object[]) => {
    const tables = sampleTables(versions, {
      customer: [{ customer_id: 'c', joined: at('2021-01-01') }],
      invoice: invoices,
      payment: payments,
      visit: [{ came: at('2021-06-01') }],
    } as unknown as Data);
    const query =
      'PREDICT exists(invoice OVERDUE 10d (due, payment.day, amount, payment.amount)) WITHIN 60d FOR customer EVERY 60d FROM 2021-01-10 UNTIL 2021-01-10';
    return layOutExamples(parseTask(query, 'task', 'definition'), tables).examples[0]!.labels[0];
  };
  const sent = [invoice('2021-01-01', 100)];
  expect(labelOf(sent, [payment('2021-01-20', 100)])).toBe(0);
  expect(labelOf(sent, [payment('2021-01-20', 60), payment('2021-01-21', 60)])).toBe(1);
  expect(labelOf(sent, [payment('2021-01-20', 60), payment('2021-01-21', 100)])).toBe(0);
  expect(labelOf([...sent, invoice('2021-01-05', 80)], [payment('2021-01-20', 80)])).toBe(0);
  expect(labelOf([...sent, invoice('2021-01-05', 120)], [payment('2021-01-20', 100)])).toBe(1);
});

test('where payments end long before the data do, so do the windows: what was not sent is not unpaid', () => {
  const query =
    'PREDICT exists(invoice VIA customer_id OVERDUE 10d (due, payment.day VIA invoice_id)) WITHIN 30d FOR customer';
  const { warnings, sets } = laidOut(query, { ...makeData(1), visit: [{ came: start + 700 * day }] });
  expect(warnings).toMatchObject([{ code: 'silent_table', table: 'payment' }]);
  expect(Math.max(...sets[0]!.at)).toBeLessThan(start + 380 * day);
});

test.each([
  [
    'a due date of another table',
    'exists(payment OVERDUE 10d (invoice.due, day))',
    'column 44: the day it is due is read of payment, whose rows are asked about; where it stands in invoice, ask about invoice: exists(invoice OVERDUE 30d (due, payment.paid))',
  ],
  [
    'amounts of two tables',
    'exists(invoice OVERDUE 10d (due, payment.day, amount, amount))',
    'expected the amount paid, a column of payment: payment.…, found amount',
  ],
  ['no day of payment', 'exists(invoice OVERDUE 10d (due))', 'expected , and the day it was paid, found )'],
  [
    'an amount without the other',
    'exists(invoice OVERDUE 10d (due, paid, amount))',
    'expected , and the amount paid, found )',
  ],
  [
    'two ways to what is due',
    'exists(invoice VIA customer_id OVERDUE 10d (due, payment.day))',
    'payment leads to invoice in 2 ways; choose one with VIA invoice_id or VIA moved_from',
  ],
  [
    'payments that lead elsewhere',
    'exists(invoice OVERDUE 10d (due, visit.came))',
    'no reference leads from visit to invoice',
  ],
  ['no date', 'exists(invoice OVERDUE 10d (due, payment.amount))', 'payment.amount must be a date, and is a number'],
])('%s is refused', (_, rows, message) => {
  expect(() => laidOut(`PREDICT ${rows} WITHIN 30d FOR customer`, makeData(1))).toThrow(message);
});
