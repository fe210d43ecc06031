import { expect, test } from 'vitest';
import { day, type Row, sampleContract, sampleTables } from '../../../tests/samples.ts';
import { anchorsOf, readableUntilAt } from '../features/anchors.ts';
import { evaluate } from '../features/evaluate.ts';
import type { Feature } from '../features/feature.ts';
import { openGraph } from '../features/graph.ts';
import { layOutExamples } from '../tasks/layout.ts';
import { parseTask } from '../tasks/parse-task.ts';
import { linkedSince, rowAsOf } from './as-of/rows.ts';

const contract = sampleContract([
  { name: 'customer', key: 'customer_id', columns: { customer_id: 'integer' } },
  {
    name: 'loan',
    key: 'loan_id',
    time: 'granted',
    knownAt: 'sent',
    references: { customer_id: 'customer' },
    columns: {
      loan_id: 'integer',
      customer_id: 'integer',
      granted: 'timestamp',
      sent: 'timestamp',
      amount: 'number',
      due: { type: 'date', planned: true },
      paid: 'date',
    },
  },
]);

function tablesOf(loans: readonly Row[]) {
  return sampleTables(contract, { customer: [{ customer_id: 1 }], loan: loans });
}

const loan = { loan_id: 1, customer_id: 1, granted: 10 * day, due: 20 * day, paid: null };
const newest = { ...loan, sent: 50 * day, amount: 3 };
const first = { ...loan, sent: null, amount: 1 };
const second = { ...loan, sent: 30 * day, amount: 2 };

test('of each key the version last sent is read, wherever it stands in the file', () => {
  const loans = tablesOf([newest, second, first]).get('loan')!;
  const amount = (readableUntil: number) => {
    const row = rowAsOf(loans, 0, readableUntil);
    return row < 0 ? null : loans.columns.get('amount')!.kind === 'number' && [3, 2, 1][row];
  };
  expect([9, 10, 29, 30, 49, 50, 99].map((moment) => amount(moment * day))).toEqual([null, 1, 1, 2, 2, 3, 3]);
  expect(linkedSince(loans, 0)).toBe(10 * day);
});

test('a version that nothing dates is never read, and hides none of the others', () => {
  const undated = { ...loan, granted: null, sent: null, amount: 9 };
  const tables = tablesOf([first, undated, second]);
  const loans = tables.get('loan')!;
  expect(rowAsOf(loans, 0, 15 * day)).toBe(0);
  expect(rowAsOf(loans, 0, 1000 * day)).toBe(2);
  const count: Feature = {
    focus: { kind: 'root' },
    read: { kind: 'count', events: { table: 'loan', via: ['customer_id'] }, span: { all: true } },
  };
  const anchors = {
    table: tables.get('customer')!,
    fresh: false,
    rows: Int32Array.of(0, 0),
    own: Int32Array.of(-1, -1),
    ownTable: 'customer',
    at: Float64Array.of(15 * day, 1000 * day),
    readableUntil: Float64Array.of(15 * day, 1000 * day),
  };
  expect(Array.from(evaluate(openGraph(tables), [count], anchors).values)).toEqual([1, 1]);
});

test('a new row is learned from as it first came, though later versions stand before it in the file', () => {
  const tables = tablesOf([newest, second, first]);
  const task = parseTask('entity: loan\nkey: loan_id\ntime: date\nlabel: bad\nkind: binary\n', 'bad', 'task.yaml');
  const at = Float64Array.of(10 * day);
  const examples = { rows: Int32Array.of(0), at, labels: Float64Array.of(1), closes: at };
  const anchors = anchorsOf(task, tables, examples, true, readableUntilAt(task, Number.POSITIVE_INFINITY));
  const amount: Feature = { focus: { kind: 'root' }, read: { kind: 'attribute', column: 'amount' } };
  expect(Array.from(evaluate(openGraph(tables), [amount], anchors).values)).toEqual([1]);
});

test('a label laid out from versions counts each row once, as it was sent last', () => {
  const other = { ...loan, loan_id: 2, granted: 70 * day, due: 80 * day, paid: null, sent: null, amount: 1 };
  const task = (target: string) =>
    parseTask(
      `entity: customer\nkey: customer_id\nkind: regression\ntarget: {table: loan, reference: customer_id, ${target}, horizons: [60d]}\nanchors: {every: 100d, from: 1970-01-12, until: 1970-01-12}\n`,
      'debt',
      'task.yaml',
    );
  const labels = (target: string, loans: readonly Row[]) =>
    Array.from(layOutExamples(task(target), tablesOf([...loans, { ...other, granted: 300 * day }])).examples[0].labels);
  const overdue = 'overdue: {due: due, paid: paid, days: 5}, aggregate: count';
  const paidInTime = { ...second, paid: 21 * day };
  expect(labels(overdue, [first])).toEqual([1]);
  expect(labels(overdue, [first, second, newest])).toEqual([1]);
  expect(labels(overdue, [first, paidInTime])).toEqual([0]);
});
