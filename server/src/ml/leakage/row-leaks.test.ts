import { expect, test } from 'vitest';
import { at, day, draws, sampleContract, sampleTables } from '../../../tests/samples.ts';
import { parseTask } from '../tasks/parse-task.ts';
import { resolveTask } from '../tasks/resolve.ts';
import { findRowLeaks } from './row-leaks.ts';
import { tellRowLeaks } from './tell.ts';

const contract = sampleContract([
  { name: 'customer', key: 'customer_id', columns: { customer_id: 'string' } },
  {
    ...{ name: 'invoice', key: 'invoice_id', time: 'issued', references: { customer_id: 'customer' } },
    columns: {
      invoice_id: 'string',
      customer_id: 'string',
      issued: 'date',
      due: { type: 'date', planned: true },
      paid: 'date',
      risk: 'number',
      was_late: 'integer',
      state: 'string',
      note: 'string',
      settled: { type: 'string', knownFrom: 'paid' },
    },
  },
]);
const start = at('2022-01-01');
const query = 'PREDICT exists(invoice OVERDUE 10d (due, paid)) WITHIN 60d FOR customer AS credit';

/** Invoices that are late the likelier the higher their risk, which was known in time. */
function made(rows = 600) {
  const draw = draws(3);
  const invoice = Array.from({ length: rows }, (_, i) => {
    const risk = draw.next();
    const isLate = draw.next() < 0.5 * risk;
    const issued = start + i * day;
    return {
      ...{ invoice_id: `i${i}`, customer_id: `c${i % 20}`, issued, due: issued + 30 * day, risk },
      paid: isLate ? null : issued + 30 * day,
      was_late: Number(isLate),
      state: isLate ? 'in arrears' : draw.pick(['settled', 'settled', 'closed']),
      settled: isLate ? null : 'yes',
      note: `note ${i}`,
    };
  });
  const customer = Array.from({ length: 20 }, (_, c) => ({ customer_id: `c${c}` }));
  return sampleTables(contract, { customer, invoice });
}

const taskOf = (lines = '') => {
  const text = lines === '' ? query : `query: ${query}\n${lines}`;
  return resolveTask(parseTask(text, 'late', 'definition'), contract, 'late');
};
const found = (lines = '', tables = made(), until = start + 600 * day) =>
  findRowLeaks(taskOf(lines), tables, until).map((leak) => leak.at);

test('columns that tell what becomes of an invoice, and stand in it from its own day on, are found', () => {
  expect(found()).toEqual(['invoice.was_late', 'invoice.state']);
  expect(found('hide: [invoice.state]')).toEqual(['invoice.was_late']);
  expect(found('', made(), start + 90 * day), 'of few whose term is over').toEqual([]);
});

test('what is known from a later day on, what was known in time, and what the question itself reads are none', () => {
  const leaks = findRowLeaks(taskOf(), made(), start + 600 * day);
  expect(leaks.map((leak) => leak.at).filter((name) => /settled|risk|paid|due|note/.test(name))).toEqual([]);
  const lines = "WHERE was_late = 1 AND state != 'x'";
  const asked = query.replace('(due, paid)', `(due, paid) ${lines}`);
  const task = resolveTask(parseTask(asked, 'late', 'definition'), contract, 'late');
  expect(findRowLeaks(task, made(), start + 600 * day)).toEqual([]);
});

test('nothing is learned where one is certain, until the task hides it or trusts it', () => {
  const tell = (lines: string) => tellRowLeaks(findRowLeaks(taskOf(lines), made(), start + 600 * day), taskOf(lines));
  expect(() => tell('')).toThrow('invoice.was_late, invoice.state tell the label for certain: nothing was learned');
  // Read of earlier rows, as an outcome is, it would be read of open ones.
  expect(() => tell('')).toThrow(/^(?!.*outcome:).*\(hide: \[invoice\.was_late, invoice\.state\] in the task\)/);
  expect(tell('trust: [invoice.was_late]\nhide: [invoice.state]')).toEqual([]);
});
