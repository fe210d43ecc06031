import { expect, test } from 'vitest';
import { askAtMost, entityOf, readRemedies, remediesFor, withRemedies } from './remedies.ts';

test('a query becomes YAML, which has room for what is not to be read', () => {
  expect(
    withRemedies('PREDICT exists(orders WHERE note = \'a: b\') WITHIN 90d FOR "my customers"\n', {
      hide: ['orders.amount'],
      trust: ['my customers.grade'],
      outcome: ['my customers.state'],
    }),
  ).toBe(
    'query: "PREDICT exists(orders WHERE note = \'a: b\') WITHIN 90d FOR \\"my customers\\""\n' +
      'hide: [ orders.amount ]\noutcome: [ state ]\ntrust: [ my customers.grade ]\n',
  );
});

test('what a definition says already stays, with its remarks, and is named once', () => {
  const written =
    '# of the bank\nentity: loans\nkey: loan_id # its number\nhide:\n  - loans.state\n  - loans.end\noutcome: late\n';
  expect(withRemedies(written, { hide: ['loans.end', 'fees.paid'], outcome: ['loans.stage'], ignore: ['calls'] })).toBe(
    '# of the bank\nentity: loans\nkey: loan_id # its number\nhide:\n  - loans.state\n  - loans.end\n  - fees.paid\n' +
      'outcome: [ late, stage ]\nignore: [ calls ]\n',
  );
});

test('only a column of whom is asked about can tell how a row went', () => {
  expect(entityOf('PREDICT exists(a WHERE b = \' FOR x\') WITHIN 9d FOR "c d" EVERY 30d')).toBe('c d');
  expect(entityOf('metric: auroc\nquery: PREDICT exists(a) WITHIN 9d FOR c')).toBe('c');
  expect(entityOf('entity: loans\nkey: id')).toBe('loans');
  expect(entityOf('- no map')).toBeNull();
  expect(remediesFor('loans.state', 'loans')).toEqual(['hide', 'outcome', 'trust']);
  expect(remediesFor('fees.state', 'loans')).toEqual(['hide', 'trust']);
  expect(remediesFor('fees', 'loans')).toEqual(['ignore', 'trust']);
  expect(remediesFor('loans', 'loans')).toEqual(['trust']);
  // Where the training says what helps, that alone is offered.
  const told = { hide: ['loans.state'], outcome: [], ignore: ['fees'], trust: ['loans.state', 'fees'] };
  expect(remediesFor('loans.state', 'loans', told)).toEqual(['hide', 'trust']);
  expect(remediesFor('fees', 'loans', told)).toEqual(['ignore', 'trust']);
});

test('of an address whatever is no remedy is left out', () => {
  expect(readRemedies({ hide: ['a.b', 1], trust: 'c.d', other: ['e'] })).toEqual({ hide: ['a.b'] });
  for (const given of [null, undefined, 'hide', 3]) expect(readRemedies(given)).toEqual({});
});

test('a question that asks less far ahead is otherwise as it was written', () => {
  const query =
    "PREDICT exists(o OVERDUE 30d (due, paid) WHERE a = ' WITHIN 365d') WITHIN 30d, 90d,365d FOR c AS credit";
  expect(askAtMost(query, 90)).toBe(query.replace('30d, 90d,365d', '30d, 90d'));
  expect(askAtMost('predict exists(o) within 12h, 2 weeks, 1 year for c', 14)).toBe(
    'predict exists(o) within 12h, 2 weeks for c',
  );
  expect(askAtMost('# mine\nquery: PREDICT exists(o) WITHIN 30d, 1y FOR c\nhide: [o.a]\n', 30)).toBe(
    '# mine\nquery: PREDICT exists(o) WITHIN 30d FOR c\nhide: [ o.a ]\n',
  );
  expect(askAtMost('entity: c\ntarget:\n  horizons: [30d, 90d, 365d]\n', 90)).toBe(
    'entity: c\ntarget:\n  horizons: [ 30d, 90d ]\n',
  );
});
