import { describe, expect, test } from 'vitest';
import { Failure } from '../../lib/failure.ts';
import { parseQuery } from './parse-query.ts';
import { parseTask } from './parse-task.ts';

describe('a query that cannot be read is refused at its place:', () => {
  test.each<[string, string, string]>([
    [
      'no verb',
      'PREDICT orders',
      'column 9: expected exists, NOT exists, count, sum, first, next or delinquency, found orders',
    ],
    [
      'VIA after OVERDUE',
      'PREDICT exists(orders OVERDUE 30d (due, paid) VIA customer) WITHIN 90d FOR customers',
      'column 47: expected WHERE or ), as VIA stands before OVERDUE, found VIA',
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
      'column 26: expected days to look ahead, such as 30d, found 90x',
    ],
    [
      'months, which differ in length',
      'PREDICT exists(o) WITHIN 3 months FOR c',
      'column 26: expected days to look ahead, such as 30d, found 3 months: months and years differ in length; did you mean 90d?',
    ],
    [
      'months cut short',
      'PREDICT exists(o) WITHIN 3mo FOR c',
      'found 3mo: months and years differ in length; did you mean 90d?',
    ],
    [
      'a year',
      'PREDICT exists(o) WITHIN 1 year FOR c',
      'found 1 year: months and years differ in length; did you mean 365d?',
    ],
    [
      'months to look back',
      'PREDICT exists(o) WITHIN 3d FOR c WHERE exists(o IN LAST 2 months)',
      'column 58: expected days to look back, such as 90d, found 2 months: months and years differ in length; did you mean 60d?',
    ],
    [
      'months overdue',
      'PREDICT exists(o OVERDUE 1 month (a, b)) WITHIN 3d FOR c',
      'found 1 month: months and years differ in',
    ],
    ['a unit misspelt', 'PREDICT exists(o) WITHIN 3 weks FOR c', 'column 28: .* found weks; did you mean weeks?'],
    ['a clause misspelt', 'PREDICT exists(o) WHITHIN 3d FOR c', 'column 19: .* found WHITHIN; did you mean WITHIN?'],
    ['a verb misspelt', 'PREDICT exsits(o) WITHIN 3d FOR c', 'column 9: .* found exsits; did you mean exists?'],
    ['WHERE misspelt', 'PREDICT exists(o WERE a > 1) WITHIN 3d FOR c', 'column 18: .* found WERE; did you mean WHERE?'],
    [
      'a kind misspelt',
      'PREDICT exists(o) WITHIN 3d FOR c AS bianry',
      'column 38: .* found bianry; did you mean binary?',
    ],
    [
      'a table without FOR',
      'PREDICT exists(o) WITHIN 3d c',
      'column 29: .* found c; FOR stands before the table to predict for',
    ],
    [
      'a day written otherwise',
      'PREDICT exists(o) WITHIN 3d FOR c FROM 31/12/2024',
      'column 40: 31/12/2024 cannot be read: expected a number, a day such as 2024-01-31, or days such as 90d',
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
    const [place, said = ''] = message.split(' .* ');
    expect(() => parseQuery(text, 'definition')).toThrow(place);
    expect(() => parseQuery(text, 'definition')).toThrow(said);
  });

  test.each([
    ['a column', 'PREDICT exists(o WHERE Data do pagamento > 2024-01-31) WITHIN 3d FOR c', '"Data do pagamento"'],
    ['other letters', 'PREDICT exists(o WHERE data do pagamento > 2024-01-31) WITHIN 3d FOR c', '"Data do pagamento"'],
    ['a table', 'PREDICT exists(o) WITHIN 3d FOR Base de clientes', '"Base de clientes"'],
    ['the longest', 'PREDICT exists(o) WITHIN 3d FOR Base de clientes ativos', '"Base de clientes ativos"'],
    ['signs', 'PREDICT sum(o.Valor (R$)) WITHIN 3d FOR c', '"Valor (R$)"'],
    ['in YAML', 'query: PREDICT exists(o) WITHIN 3d FOR Base de clientes', '"Base de clientes"'],
  ])('a name without its quotes is told with them: %s', (_, text, name) => {
    const names = ['o', 'Data do pagamento', 'Base de clientes', 'Base de clientes ativos', 'Valor (R$)'];
    expect(() => parseTask(text, 'late', 'definition', names)).toThrow(
      `stands in double quotes; did you mean ${name}?`,
    );
    expect(() => parseTask(text, 'late', 'definition')).not.toThrow('double quotes');
  });

  test.each([
    ['elsewhere', 'PREDICT exists(o WHERE "Data do pagamento" > 2024-01-31) WITHIN 3d TO c'],
    ['of other words', 'PREDICT exists(o WHERE Data da compra > 2024-01-31) WITHIN 3d FOR c'],
    ['as part of a word', 'PREDICT exists(o WHERE xData do pagamento > 2024-01-31) WITHIN 3d FOR c'],
    ['that is a reserved word', 'PREDICT exists(where) WITHIN 3d FOR c'],
  ])('no name is meant %s', (_, text) => {
    expect(() => parseQuery(text, 'definition', ['Data do pagamento', 'where'])).toThrow(/expected/);
  });

  test('deep nesting', () => {
    const text = `PREDICT exists(o WHERE ${'('.repeat(9_000)}a = 1${')'.repeat(9_000)}) WITHIN 3d FOR c`;
    expect(() => parseQuery(text, 'definition')).toThrow('conditions nest deeper than 50');
    expect(() => parseQuery(text.replaceAll('(', 'NOT ('), 'definition')).toThrow(Failure);
  });
});

test('a number alone is days', () => {
  const [alone, named] = ['30', '30d'].map((days) =>
    parseQuery(`PREDICT exists(o) WITHIN ${days} FOR c`, 'definition'),
  );
  expect(alone).toEqual(named);
});
