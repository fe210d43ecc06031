import fc from 'fast-check';
import { expect, test } from 'vitest';
import { questions } from '../../../tests/support/samples/tasks.ts';
import { parseQuery } from './parse-query.ts';
import { parseTask } from './parse-task.ts';
import { writeQuery } from './write-query.ts';

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

test.each(['2w', '2 weeks', '2weeks', '14 days', '14 d', '14', '336h', '336 hours', '2 WEEKS'])(
  '%s are two weeks',
  (written) => {
    const text = `PREDICT exists(o) WITHIN ${written} FOR c WHERE exists(o IN LAST ${written}) EVERY ${written}`;
    expect(writeQuery(parseQuery(text, 'query'))).toBe(
      'PREDICT exists(o) WITHIN 14d FOR c WHERE exists(o IN LAST 14d) EVERY 14d',
    );
  },
);

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
