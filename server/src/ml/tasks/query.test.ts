import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instalmentTable } from '../../../tests/lending.ts';
import { sampleContract } from '../../../tests/samples.ts';
import { Failure } from '../../lib/failure.ts';
import type { Condition, Threshold, Value } from './condition.ts';
import { kindOf } from './kinds.ts';
import { parseQuery } from './parse-query.ts';
import { parseTask } from './parse-task.ts';
import { resolveTask } from './resolve.ts';
import type { AnchorLayout, Delinquency, DelinquencyRule, FutureRows, Question, TaskKind } from './target.ts';
import { writeQuery } from './write-query.ts';

const day = 86_400_000_000;

// --- questions of every shape -----------------------------------------------------------------------------------------

const name = fc.oneof(
  fc.constantFrom(
    'customer',
    'loan_payment',
    'days_late',
    'ação',
    'WHERE',
    'for',
    'last',
    'first',
    'count',
    'two words',
  ),
  fc.string({ minLength: 1, maxLength: 8 }),
);
const path = fc.array(name, { minLength: 1, maxLength: 3 });
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
const whole = (least: number, most: number) => fc.integer({ min: least, max: most });
const number = fc.oneof(
  whole(-1000, 1000),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0),
);
const moment = fc.oneof(
  whole(0, 20_000).map((days) => days * day),
  whole(0, 20_000_000).map((minutes) => minutes * 60_000_000),
);
const value: fc.Arbitrary<Value> = fc.oneof(number, fc.string({ maxLength: 8 }), fc.boolean(), fc.record({ moment }));
const days = fc.oneof(
  whole(1, 400),
  whole(1, 100).map((hours) => hours / 24),
);
const comparison = fc.constantFrom(...(['=', '!=', '>', '>=', '<', '<='] as const));
const than: fc.Arbitrary<Threshold> = fc.record({ is: comparison, value: number });

/** Without fields that are undefined, as the parser leaves them out. */
const defined = <T extends object>(of: T): T =>
  Object.fromEntries(Object.entries(of).filter(([, one]) => one !== undefined)) as T;

function conditions(allowPast: boolean): fc.Arbitrary<Condition> {
  const plain: fc.Arbitrary<Condition>[] = [
    fc.record({ kind: fc.constant('compare' as const), column: name, is: comparison, value }),
    fc.record({
      kind: fc.constant('in' as const),
      column: name,
      values: fc.array(value, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('missing' as const), column: name }),
  ];
  const { tree } = fc.letrec<{ tree: Condition; node: Condition }>((tie) => ({
    node: fc.oneof(
      fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        of: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }),
      }),
      fc.record({ kind: fc.constant('not' as const), of: tie('tree') }),
    ),
    tree: fc.oneof(
      { maxDepth: 4 },
      ...plain,
      ...(allowPast
        ? [
            fc.tuple(name, maybe(path), maybe(conditions(false)), maybe(days), maybe(than)).map(
              ([table, reference, where, past, count]): Condition =>
                defined({
                  kind: 'past' as const,
                  rows: defined({ table, reference, where }),
                  days: past,
                  than: count,
                }) as Condition,
            ),
          ]
        : []),
      tie('node'),
    ),
  }));
  return tree;
}

const horizons = fc.uniqueArray(days, { minLength: 1, maxLength: 4 }).map((all) => all.toSorted((a, b) => a - b));
const overdue = fc.record({ due: name, paid: name, days: whole(0, 90) });
const futureRows: fc.Arbitrary<FutureRows> = fc
  .tuple(
    fc.oneof(
      fc.constantFrom('exists' as const, 'count' as const, 'first' as const),
      fc.record({ sum: name }),
      fc.record({ next: name }),
    ),
    fc.tuple(name, maybe(path), maybe(overdue), maybe(conditions(false)), maybe(than), horizons),
  )
  .map(([aggregate, [table, reference, late, where, compared, horizonsDays]]) => {
    const isNumber = aggregate === 'count' || (typeof aggregate === 'object' && 'sum' in aggregate);
    const isNext = typeof aggregate === 'object' && 'next' in aggregate;
    return defined({
      kind: 'rows' as const,
      table,
      reference,
      overdue: late,
      where,
      aggregate,
      than: isNumber ? compared : undefined,
      horizonsDays: isNext ? horizonsDays.slice(0, 1) : horizonsDays,
    }) as FutureRows;
  });
const rule: fc.Arbitrary<DelinquencyRule> = fc.oneof(
  fc.record({ kind: fc.constant('first_payment_default' as const), days: whole(0, 90) }),
  fc.record({ kind: fc.constant('days_past_due' as const), days: whole(1, 180), month: whole(1, 60) }),
  fc.record({
    kind: fc.constant('charge_off' as const),
    by: fc.oneof(fc.record({ column: name }), fc.record({ days: whole(1, 360) })),
    month: whole(1, 60),
  }),
);
const obligations = fc
  .tuple(name, maybe(path), name, name, maybe(fc.record({ due: name, paid: name })))
  .map(([table, reference, due, paid, amounts]) => defined({ table, reference, due, paid, amounts }));
const delinquency = fc.tuple(name, maybe(path), maybe(name), rule, maybe(obligations), maybe(horizons)).map(
  ([table, reference, opened, given, due, horizonsDays]) =>
    defined({
      kind: 'delinquency' as const,
      table,
      reference,
      opened,
      rule: given,
      obligations: due,
      horizonsDays,
    }) as Delinquency,
);
const anchors: fc.Arbitrary<AnchorLayout> = fc
  .tuple(
    maybe(
      fc.oneof(
        days.map((everyDays) => ({ everyDays })),
        fc.constant({ isOnce: true as const }),
      ),
    ),
    maybe(moment),
    maybe(moment),
  )
  .map(([spacing, one, other]) => {
    const [from, until] =
      one !== undefined && other !== undefined ? [Math.min(one, other), Math.max(one, other)] : [one, other];
    return defined({ ...spacing, from, until }) as AnchorLayout;
  });
const questions: fc.Arbitrary<Question> = fc
  .tuple(name, fc.oneof(futureRows, delinquency), maybe(conditions(true)), maybe(anchors), fc.boolean())
  .map(([entity, target, population, layout, isCredit]) => {
    const natural = kindOf(target);
    const kind: TaskKind = isCredit && natural === 'binary' && target.horizonsDays ? 'credit' : natural;
    const isObserved = target.kind === 'delinquency' && !target.horizonsDays;
    const { everyDays: _, ...rest } = layout ?? {};
    const laid = isObserved ? rest : layout;
    return defined({
      entity,
      kind,
      target,
      population,
      anchors: laid && Object.keys(laid).length > 0 ? laid : undefined,
    }) as Question;
  });

test('a question written as a query is read back as the same question, and written the same', () => {
  fc.assert(
    fc.property(questions, (question) => {
      const text = writeQuery(question);
      expect(parseQuery(text, 'query')).toEqual(question);
      expect(writeQuery(parseQuery(text, 'query'))).toBe(text);
    }),
    { numRuns: 500 },
  );
});

test('a query is one question however it is spelt', () => {
  const canonical = writeQuery(
    parseQuery(
      `predict EXISTS ( loan_payment where loan_payment.days_late > 30 and (kind in ('a','b') or "paid" is not null) )
         for customer where segment = retail
         within 365d, 30d, 90 days every 4w from 2020-01-01 until 2021-01-01 as Credit`,
      'query',
    ),
  );
  expect(canonical).toBe(
    "PREDICT exists(loan_payment WHERE days_late > 30 AND (kind IN ('a', 'b') OR paid IS NOT NULL)) WITHIN 30d, 90d, 365d FOR customer WHERE segment = 'retail' EVERY 28d FROM 2020-01-01 UNTIL 2021-01-01 AS credit",
  );
});

test('YAML and a query make one task', () => {
  const yaml = `entity: customer
kind: credit
metric: log_loss
target:
  table: instalment
  reference: loan_id.customer_id
  overdue: {due: due, paid: paid, days: 30}
  where: "amount > 3"
  horizons: [90d, 30d]
population: exists(loan) AND segment != 'staff'
anchors: {every: 30d, from: 2020-01-01, until: 2021-01-01}
`;
  const query = `query: >
  PREDICT exists(instalment VIA loan_id.customer_id OVERDUE 30d (due, paid) WHERE amount > 3) WITHIN 30d, 90d
  FOR customer WHERE exists(loan) AND segment != 'staff' EVERY 30d FROM 2020-01-01 UNTIL 2021-01-01 AS credit
metric: log_loss
`;
  expect(parseTask(query, 'late', 'task.yaml')).toEqual(parseTask(yaml, 'late', 'task.yaml'));
});

// --- what is wrong is said where it is --------------------------------------------------------------------------------

describe('a query that cannot be read is refused at its place:', () => {
  test.each<[string, string, string]>([
    [
      'no verb',
      'PREDICT orders',
      'column 9: expected exists, NOT exists, count, sum, first, next or delinquency, found orders',
    ],
    ['an open bracket', 'PREDICT exists(orders', 'column 22: expected VIA, OVERDUE, WHERE or ), found the end'],
    ['an open quote', "PREDICT exists(o WHERE a = 'x) WITHIN 3d FOR c", "column 28: a closing ' is missing"],
    [
      'a condition without a value',
      'PREDICT exists(o WHERE a >) WITHIN 3d FOR c',
      'column 27: expected a number, a text in single quotes',
    ],
    [
      'a condition cut short',
      'PREDICT exists(o WHERE a > 1 b) WITHIN 3d FOR c',
      'column 30: expected AND, OR or ), found b',
    ],
    [
      'a text in double quotes',
      'PREDICT exists(o WHERE a = "x") WITHIN 3d FOR c',
      "column 28: expected a value; a text stands in single quotes: 'x'",
    ],
    [
      'another table in a condition',
      'PREDICT exists(o WHERE p.a = 1) WITHIN 3d FOR c',
      'column 25: expected a column of o',
    ],
    ['no window', 'PREDICT exists(o) FOR c', 'column 24: expected WITHIN and the days to look ahead'],
    ['no entity', 'PREDICT exists(o) WITHIN 3d', 'column 28: expected FOR and the table to predict for'],
    [
      'a window of nothing',
      'PREDICT exists(o) WITHIN 0d FOR c',
      'column 26: expected days to look ahead, such as 30d above zero, found 0d',
    ],
    [
      'a window beyond all dates',
      'PREDICT exists(o) WITHIN 99999999999999d FOR c',
      'column 26: expected at most 36500 days, found 99999999999999d',
    ],
    [
      'a look back beyond all dates',
      'PREDICT exists(o) WITHIN 3d FOR c WHERE exists(o IN LAST 36501 days)',
      'column 58: expected at most 36500 days, found 36501',
    ],
    [
      'something overdue beyond all dates',
      'PREDICT exists(o OVERDUE 99999999d (a, b)) WITHIN 3d FOR c',
      'column 26: expected at most 36500 days, found 99999999d',
    ],
    ['a window twice', 'PREDICT exists(o) WITHIN 3d, 3d FOR c', 'column 26: the horizon 3d is given twice'],
    ['a clause twice', 'PREDICT exists(o) WITHIN 3d FOR c FOR d', 'column 35: FOR is given twice'],
    [
      'a day that is none',
      'PREDICT exists(o) WITHIN 3d FOR c FROM 2020-13-01',
      'column 40: expected a day such as 2024-01-31, found 2020-13-01',
    ],
    [
      'a day that its month does not have',
      'PREDICT exists(o) WITHIN 3d FOR c FROM 2023-02-29',
      'column 40: expected a day such as 2024-01-31, found 2023-02-29',
    ],
    [
      'anchors turned round',
      'PREDICT exists(o) WITHIN 3d FOR c FROM 2020-02-01 UNTIL 2020-01-01',
      'column 51: UNTIL lies before FROM',
    ],
    ['two layouts', 'PREDICT exists(o) WITHIN 3d FOR c EVERY 3d ONCE', 'column 44: EVERY and ONCE exclude each other'],
    [
      'another kind',
      'PREDICT count(o) WITHIN 3d FOR c AS binary',
      'column 34: what is predicted makes a regression task, not a binary one; compare it, as in count(…) > 0',
    ],
    [
      'several next categories',
      'PREDICT next(o.a) WITHIN 3d, 9d FOR c',
      'the next category is predicted within one horizon',
    ],
    ['a sum of rows', 'PREDICT sum(o) WITHIN 3d FOR c', 'column 14: expected ., found )'],
    [
      'a keyword for a name',
      'PREDICT exists(where) WITHIN 3d FOR c',
      'column 16: expected a table, found where; a name spelt like this stands in double quotes',
    ],
    ['a stray mark', 'PREDICT exists(o) WITHIN 3d FOR c; DROP', 'column 34: ; cannot be read'],
    [
      'days of no unit',
      'PREDICT exists(o) WITHIN 90x FOR c',
      'column 26: 90x cannot be read: expected a number, a day, or a number of days such as 90d',
    ],
    ['a delinquency without a rule', 'PREDICT delinquency(loan)', 'column 25: expected ,, found )'],
    [
      'a month too few',
      'PREDICT delinquency(loan, 30 days at month 0)',
      'column 44: expected a whole number of months from 1 to 600, found 0',
    ],
    [
      'a charge-off of nothing',
      'PREDICT delinquency(loan, charge_off)',
      'column 37: expected (column) with the day of the charge-off',
    ],
    [
      'a charge-off without end',
      'PREDICT delinquency(loan, charge_off(off))',
      'expected by month, as in charge_off(…) by month 24, or WITHIN',
    ],
    [
      'credit without horizons',
      'PREDICT delinquency(loan, 30 days at month 6) AS credit',
      'expected WITHIN, such as WITHIN 90d, 365d',
    ],
  ])('%s', (_, text, message) => {
    expect(() => parseQuery(text, 'definition')).toThrow(Failure);
    expect(() => parseQuery(text, 'definition')).toThrow(message);
  });

  test('deep nesting', () => {
    const text = `PREDICT exists(o WHERE ${'('.repeat(9_000)}a = 1${')'.repeat(9_000)}) WITHIN 3d FOR c`;
    expect(() => parseQuery(text, 'definition')).toThrow('conditions nest deeper than 50');
    expect(() => parseQuery(text.replaceAll('(', 'NOT ('), 'definition')).toThrow(Failure);
  });
});

// --- what the contract adds -------------------------------------------------------------------------------------------

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
