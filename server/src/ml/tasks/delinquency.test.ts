/** Every label here is computed by hand. The tables say how. */
import { describe, expect, test } from 'vitest';
import { instalmentTable, loanTable } from '../../../tests/lending.ts';
import { at, type Row, sampleContract, sampleTables } from '../../../tests/samples.ts';
import { labelAnchors, layOutExamples } from './layout.ts';
import { parseTask } from './parse-task.ts';

const contract = sampleContract([
  { name: 'customer', key: 'customer_id', time: 'joined', columns: { customer_id: 'string', joined: 'date' } },
  loanTable({ charged_off: 'date' }),
  instalmentTable({ paid_amount: { type: 'number', knownFrom: 'paid' } }),
  /** Its rows set the end of the data. */
  { name: 'visit', time: 'came', columns: { came: 'date' } },
]);

const date = (text: string | null) => (text === null ? null : at(text));

type Loan = { readonly loan: string; readonly opened: string; readonly chargedOff?: string; readonly of?: string };
/** `[due, paid]`, `[due, paid, amount due, amount paid]`. */
type Due = readonly [due: string, paid: string | null, amount?: number, paidAmount?: number];

/** Tables of loans with their obligations. The data end at `until`. */
function tablesOf(loans: readonly (Loan & { readonly dues: readonly Due[] })[], until: string) {
  return sampleTables(contract, {
    customer: [...new Set(loans.map(({ of = 'c' }) => of))].map((customer_id) => ({
      customer_id,
      joined: at('2019-01-01'),
    })),
    loan: loans.map(({ loan, opened, chargedOff = null, of = 'c' }) => ({
      loan_id: loan,
      customer_id: of,
      opened: at(opened),
      charged_off: date(chargedOff),
    })),
    instalment: loans.flatMap(({ loan, dues }) =>
      dues.map(
        ([due, paid, amount = 100, paidAmount = amount], k): Row => ({
          instalment_id: `${loan}-${k}`,
          loan_id: loan,
          due: at(due),
          paid: date(paid),
          amount,
          paid_amount: paid === null ? null : paidAmount,
        }),
      ),
    ),
    visit: [{ came: at(until) }],
  });
}

/** Label, anchor and moment of closing of each loan that is labelled. */
function labelled(query: string, tables: ReturnType<typeof tablesOf>) {
  const { examples } = layOutExamples(parseTask(query, 'task', 'definition'), tables);
  const [{ rows, at: anchors, labels, closes }] = examples as [(typeof examples)[number]];
  const names = tables.get('loan')!.columns.get('loan_id') as { codes: Int32Array; dictionary: readonly string[] };
  const text = (moment: number) => new Date(Math.ceil(moment / 1000)).toISOString().slice(0, 10);
  return Object.fromEntries(
    Array.from(rows, (row, i) => [
      names.dictionary[names.codes[row]],
      // When a day counts to its end, the label closes at the start of the next day.
      { label: labels[i], asked: text(anchors[i]), closes: text(closes[i]) },
    ]),
  );
}

describe('a first payment default', () => {
  const tables = tablesOf(
    [
      // Due 10 February, paid on day 29: no default, whatever happens to the next payment.
      {
        loan: 'late but paid',
        opened: '2020-01-10',
        dues: [
          ['2020-02-10', '2020-03-10'],
          ['2020-03-10', null],
        ],
      },
      // 10 February + 30 days is 11 March in a leap year: paid on day 30, still no default.
      { loan: 'on the last day', opened: '2020-01-10', dues: [['2020-02-10', '2020-03-11']] },
      // Paid one day after that.
      { loan: 'a day too late', opened: '2020-01-10', dues: [['2020-02-10', '2020-03-12']] },
      {
        loan: 'never paid',
        opened: '2020-01-10',
        dues: [
          ['2020-02-10', null],
          ['2020-03-10', '2020-03-10'],
        ],
      },
      // The first payment is made, the second is not: that is a delinquency of another kind.
      {
        loan: 'second unpaid',
        opened: '2020-01-10',
        dues: [
          ['2020-02-10', '2020-02-10'],
          ['2020-03-10', null],
        ],
      },
      // The first due payment is second in the file.
      {
        loan: 'out of order',
        opened: '2020-01-10',
        dues: [
          ['2020-03-10', '2020-03-10'],
          ['2020-02-10', null],
        ],
      },
      { loan: 'nothing due', opened: '2020-01-10', dues: [] },
      // Its 30 days end on 31 May, the last day of the data. Those of the next loan end a day later.
      { loan: 'just closed', opened: '2020-04-10', dues: [['2020-05-01', null]] },
      { loan: 'not yet closed', opened: '2020-04-10', dues: [['2020-05-02', null]] },
    ],
    '2020-05-31',
  );

  test('is labelled on the day it is decided, and asked about on the day the loan opens', () => {
    const found = labelled('PREDICT delinquency(loan, first_payment_default)', tables);
    const of = (label: number) => ({ label, asked: '2020-01-10', closes: '2020-03-12' });
    expect(found).toEqual({
      'late but paid': of(0),
      'on the last day': of(0),
      'a day too late': of(1),
      'never paid': of(1),
      'second unpaid': of(0),
      'out of order': of(1),
      'just closed': { label: 1, asked: '2020-04-10', closes: '2020-06-01' },
    });
  });

  test('may be declared after other days', () => {
    const found = labelled('PREDICT delinquency(loan, first_payment_default 31 days)', tables);
    expect(found['a day too late']).toEqual({ label: 0, asked: '2020-01-10', closes: '2020-03-13' });
    expect(found).not.toHaveProperty('just closed');
  });
});

describe('days past due at a month on book', () => {
  // Opened on 15 January: month 6 is 15 July. A payment 30 days past due then was due on 15 June or before.
  const tables = tablesOf(
    [
      {
        loan: 'all paid',
        opened: '2020-01-15',
        dues: [
          ['2020-02-15', '2020-02-15'],
          ['2020-06-15', '2020-06-20'],
        ],
      },
      // Due 15 June: exactly 30 days past due on 15 July.
      {
        loan: 'exactly 30 days',
        opened: '2020-01-15',
        dues: [
          ['2020-02-15', '2020-02-15'],
          ['2020-06-15', null],
        ],
      },
      { loan: '29 days', opened: '2020-01-15', dues: [['2020-06-16', null]] },
      // 100 days past due in May, but all paid by July: not delinquent at month 6.
      {
        loan: 'cured',
        opened: '2020-01-15',
        dues: [
          ['2020-02-15', '2020-05-25'],
          ['2020-06-10', '2020-06-10'],
        ],
      },
      // Paid on the very day, which is in time; and a day later, which is too late.
      { loan: 'paid that day', opened: '2020-01-15', dues: [['2020-03-15', '2020-07-15']] },
      { loan: 'paid the day after', opened: '2020-01-15', dues: [['2020-03-15', '2020-07-16']] },
      { loan: 'repaid early', opened: '2020-01-15', dues: [['2020-02-15', '2020-02-01']] },
      // Nothing is due by 15 July, so the loan has no label.
      { loan: 'grace', opened: '2020-01-15', dues: [['2020-12-15', null]] },
      // When a month is too short, its last day counts: 31 August + 6 months is 28 February 2021.
      { loan: 'end of month', opened: '2020-08-31', dues: [['2021-01-29', null]] },
      // Month 6 is 1 March 2021, a day after the end of the data.
      { loan: 'not yet closed', opened: '2020-09-01', dues: [['2020-10-01', null]] },
    ],
    '2021-02-28',
  );

  test('>= 30 at month 6', () => {
    const of = (label: number) => ({ label, asked: '2020-01-15', closes: '2020-07-16' });
    expect(labelled('PREDICT delinquency(loan, 30 days at month 6)', tables)).toEqual({
      'all paid': of(0),
      'exactly 30 days': of(1),
      '29 days': of(0),
      cured: of(0),
      'paid that day': of(0),
      'paid the day after': of(1),
      'repaid early': of(0),
      'end of month': { label: 1, asked: '2020-08-31', closes: '2021-03-01' },
    });
  });

  test('>= 60 at month 12 is unlabelled before month 12 has come', () => {
    // Month 12 of the loans opened on 15 January 2020 is 15 January 2021: 60 days past due means due by 16 November
    // 2020.
    const found = labelled('PREDICT delinquency(loan, days_past_due >= 60 at month on book 12)', tables);
    const of = (label: number) => ({ label, asked: '2020-01-15', closes: '2021-01-16' });
    expect(found).toEqual({
      'all paid': of(0),
      'exactly 30 days': of(1),
      '29 days': of(1),
      cured: of(0),
      'paid that day': of(0),
      'paid the day after': of(0),
      'repaid early': of(0),
      // Due on 15 December, 31 days before.
      grace: of(0),
    });
  });

  test('counts what was paid only in part as unpaid, where amounts are named', () => {
    const partly = tablesOf(
      [
        { loan: 'whole', opened: '2020-01-15', dues: [['2020-02-15', '2020-02-15', 100, 100]] },
        { loan: 'half', opened: '2020-01-15', dues: [['2020-02-15', '2020-02-15', 100, 50]] },
        { loan: 'rounded', opened: '2020-01-15', dues: [['2020-02-15', '2020-02-15', 33.335, 33.33]] },
      ],
      '2021-01-01',
    );
    const labels = (obligations: string) =>
      Object.values(labelled(`PREDICT delinquency(loan, 30 days at month 6${obligations})`, partly)).map(
        (one) => one.label,
      );
    expect(labels('')).toEqual([0, 0, 0]);
    expect(labels(', instalment(due, paid, amount, paid_amount)')).toEqual([0, 1, 0]);
  });
});

describe('a charge-off', () => {
  const tables = tablesOf(
    [
      { loan: 'never', opened: '2020-01-31', dues: [['2020-02-29', '2020-02-29']] },
      { loan: 'in time', opened: '2020-01-31', chargedOff: '2020-12-01', dues: [['2020-02-29', null]] },
      // Month 12 is 31 January 2021: that day still counts.
      { loan: 'on the day', opened: '2020-01-31', chargedOff: '2021-01-31', dues: [['2020-07-01', null]] },
      { loan: 'later', opened: '2020-01-31', chargedOff: '2021-02-01', dues: [['2020-10-01', null]] },
      // Charged off before its 12 months are over: if it were labelled, only bad loans would be, so none is.
      { loan: 'not yet closed', opened: '2020-03-15', chargedOff: '2020-12-01', dues: [['2020-04-15', null]] },
    ],
    '2021-03-01',
  );

  test('by its date, within months on book', () => {
    const of = (label: number) => ({ label, asked: '2020-01-31', closes: '2021-02-01' });
    expect(labelled('PREDICT delinquency(loan, charge_off(charged_off) by month 12)', tables)).toEqual({
      never: of(0),
      'in time': of(1),
      'on the day': of(1),
      later: of(0),
    });
  });

  test('or after days past due', () => {
    // 180 days past due: 27 August for 29 February, 28 December 2020 for 1 July, 30 March 2021 for 1 October.
    const found = labelled('PREDICT delinquency(loan, charge_off 180 days by month 12)', tables);
    expect(Object.values(found).map((one) => one.label)).toEqual([0, 1, 1, 0]);
    const early = labelled('PREDICT delinquency(loan, charge_off 180 days by month 10)', tables);
    // Month 10 is 30 November 2020. For the loan of 15 March it is 15 January 2021, and that loan was 180 days past due
    // in October.
    expect(Object.values(early).map((one) => one.label)).toEqual([0, 1, 0, 0, 1]);
  });
});

describe('a loan that is asked about after its opening', () => {
  const tables = tablesOf(
    [
      { loan: 'in time', opened: '2020-01-31', chargedOff: '2020-12-01', dues: [['2020-02-29', null]] },
      { loan: 'later', opened: '2020-01-31', chargedOff: '2021-02-01', dues: [['2020-03-15', '2020-03-15']] },
    ],
    '2021-03-01',
  );
  /** Labels of both loans as of the start of a day. */
  const labelsAt = (rule: string, asked: string) => {
    const task = parseTask(`PREDICT delinquency(loan, ${rule})`, 'task', 'definition');
    const anchors = { rows: Int32Array.of(0, 1), at: Float64Array.of(at(asked), at(asked)) };
    return [...labelAnchors(task, tables, anchors).examples[0].labels];
  };

  test.each([
    // Month 3 is 30 April: what happened is decided at the end of that day.
    ['30 days at month 3', '2020-04-30', [1, 0], '2020-05-01'],
    // The first payment was due on 29 February: 30 days later is 30 March, for the other loan 14 April.
    ['first_payment_default 30 days', '2020-03-30', [1, 0], '2020-05-01'],
    ['charge_off(charged_off) by month 12', '2020-12-01', [1, 0], '2021-02-01'],
  ])('%s: has a label as long as it is not known', (rule, last, labels, known) => {
    expect(labelsAt(rule, '2020-01-31')).toEqual(labels);
    expect(labelsAt(rule, last)).toEqual(labels);
    expect(labelsAt(rule, known)).toEqual([Number.NaN, Number.NaN]);
  });

  test('has none once it is charged off, and another may still be', () => {
    expect(labelsAt('charge_off(charged_off) by month 12', '2020-12-02')).toEqual([Number.NaN, 0]);
    // 180 days after 29 February are 27 August.
    expect(labelsAt('charge_off 180 days by month 12', '2020-08-27')).toEqual([1, 0]);
    expect(labelsAt('charge_off 180 days by month 12', '2020-08-28')).toEqual([Number.NaN, 0]);
  });
});

describe('a delinquency of customers, within days', () => {
  const tables = tablesOf(
    [
      // 30 days past due from the end of 15 July 2020 on (due 15 June).
      { loan: 'bad', of: 'a', opened: '2020-05-15', dues: [['2020-06-15', null]] },
      { loan: 'good', of: 'a', opened: '2020-01-15', dues: [['2020-02-15', '2020-02-15']] },
      { loan: 'also good', of: 'b', opened: '2020-01-15', dues: [['2020-02-15', '2020-02-15']] },
      // Its first payment is 30 days late on 9 September.
      { loan: 'of late', of: 'b', opened: '2020-07-10', dues: [['2020-08-10', null]] },
    ],
    '2020-12-31',
  );
  const labels = (rule: string, anchors: string) => {
    const query = `PREDICT delinquency(loan, ${rule}) WITHIN 5d, 30d, 90d FOR customer WHERE exists(loan) ${anchors}`;
    return layOutExamples(parseTask(query, 'task', 'definition'), tables).examples.map((one) => [...one.labels]);
  };

  test('happens at the moment it is known, not when it fell due', () => {
    // At the start of 15 July it has not happened yet. On 16 July it has, and is no longer in the future.
    expect(labels('first_payment_default', 'EVERY 1d FROM 2020-07-15 UNTIL 2020-07-16')).toEqual([
      [1, 0, 0, 0],
      [1, 0, 0, 0],
      [1, 1, 0, 1],
    ]);
  });

  test('of a month on book happens on that month', () => {
    // Month 6 of `bad` is 15 November 2020; that of `of late` is 10 January 2021, after the end of the data.
    expect(labels('30 days at month 6', 'EVERY 1d FROM 2020-11-13 UNTIL 2020-11-13')).toEqual([
      [1, 0],
      [1, 0],
      [Number.NaN, Number.NaN],
    ]);
  });

  test('windows that are not closed are not labelled', () => {
    const [, month] = labels('first_payment_default', 'EVERY 1d FROM 2020-12-01 UNTIL 2020-12-05');
    // 2 December + 30 days is the start of 1 January: the data end a microsecond before.
    expect(month).toEqual([0, 0, ...Array(8).fill(Number.NaN)]);
  });
});

test('YAML declares the same', () => {
  const yaml = `entity: loan
delinquency:
  rule: days_past_due >= 30 at month on book 6
  obligations: {table: instalment, reference: loan_id, due: due, paid: paid, amount: amount, paid_amount: paid_amount}
`;
  const query = 'PREDICT delinquency(loan, 30 days at month 6, instalment(due, paid, amount, paid_amount) VIA loan_id)';
  expect(parseTask(yaml, 'task', 'task.yaml')).toEqual(parseTask(query, 'task', 'definition'));
  const horizons = `entity: customer
kind: credit
delinquency: {table: loan, reference: customer_id, opened: opened, rule: charge_off(charged_off), horizons: [365d, 30d]}
`;
  const credit =
    'PREDICT delinquency(loan(opened), charge_off(charged_off)) WITHIN 30d, 365d FOR customer WHERE exists(loan VIA customer_id) VIA customer_id AS credit';
  expect(parseTask(horizons, 'task', 'task.yaml')).toEqual(parseTask(credit, 'task', 'definition'));
});

test.each<[string, string]>([
  [
    'entity: loan\ndelinquency: {obligations: {table: instalment, due: due, paid: paid}}\n',
    'line 2, delinquency.rule: is missing',
  ],
  [
    'entity: loan\ndelinquency:\n  rule: often late\n',
    'line 3, delinquency.rule: column 1: expected first_payment_default, days such as',
  ],
  [
    'entity: loan\ndelinquency:\n  rule: 30 days at month 6\n  obligations: {table: instalment, due: due, paid: paid, amount: amount}\n',
    'line 4, delinquency.obligations: amount and paid_amount go together',
  ],
  [
    'entity: loan\nkind: credit\ndelinquency: {rule: 30 days at month 6}\n',
    'line 3, delinquency: credit gives probabilities for horizons',
  ],
])('what is wrong with a declaration is said where it is (%#)', (yaml, message) => {
  expect(() => parseTask(yaml, 'task', 'task.yaml')).toThrow(message);
});

test('a payment that comes later changes no label that was closed', () => {
  const dues = (paid: string | null): Due[] => [['2020-02-15', paid]];
  const query = 'PREDICT delinquency(loan, 30 days at month 6)';
  const open = labelled(query, tablesOf([{ loan: 'l', opened: '2020-01-15', dues: dues(null) }], '2020-07-15'));
  expect(open).toEqual({ l: { label: 1, asked: '2020-01-15', closes: '2020-07-16' } });
  expect(
    labelled(query, tablesOf([{ loan: 'l', opened: '2020-01-15', dues: dues('2020-07-16') }], '2020-12-31')),
  ).toEqual(open);
});
