import { expect, test } from 'vitest';
import type { ContractTable } from '../data/contract.ts';
import { aheadOf, clauseExamples, gapOf, nameOfTask, starterOf } from './starters.ts';

const column = (name: string, type: string, more: object = {}) => ({
  ...{ name, type, references: [], values: null, isKey: false, isPlanned: false, isMutable: false, isPersonal: false },
  ...more,
});
const to = (table: string) => ({ references: [{ table }] });
const table = (name: string, columns: object[], more: object = {}) =>
  ({ name, columns, eventTime: null, entityKind: null, ...more }) as unknown as ContractTable;

const customers = table('clientes', [column('id', 'string', { isKey: true })]);
const contracts = table(
  'contratos',
  [column('contrato', 'string', { isKey: true }), column('cliente', 'string', to('clientes'))],
  {
    eventTime: 'assinado',
  },
);
const payments = (...more: object[]) =>
  table('pagamentos', [column('contrato', 'string', to('contratos')), column('pago', 'date'), ...more], {
    eventTime: 'pago',
  });

test('a task begins with a name of its kind and of whom it is about, as names of tasks are written', () => {
  expect(nameOfTask('binary', [customers, contracts])).toBe('binary-clientes');
  expect(nameOfTask('lead_scoring', [])).toBe('lead-scoring');
  const named = table('Operações de Crédito', [column('id', 'string', { isKey: true })]);
  const rows = table('r', [column('op', 'string', to('Operações de Crédito'))], { eventTime: 'day' });
  expect(nameOfTask('binary', [named, rows])).toBe('binary-operacoes-de-credito');
});

test('a question of credit is about what was late, never about rows of which nothing says so', () => {
  const late = [customers, contracts, payments(column('dias_atraso', 'number'))];
  expect(starterOf('credit', late)).toBe(
    'PREDICT exists(pagamentos WHERE dias_atraso > 30) WITHIN 30d, 90d, 365d FOR clientes AS credit',
  );
  const due = [customers, contracts, payments(column('vence', 'date', { isPlanned: true }), column('baixa', 'date'))];
  expect(starterOf('credit', due)).toContain('exists(pagamentos OVERDUE 30d (vence, baixa))');
  expect(starterOf('credit', [customers, contracts, payments()])).toBe('PREDICT exists(contratos VIA cliente WHERE ');
});

const loans = (...more: object[]) =>
  table(
    'loans',
    [
      column('id', 'string', { isKey: true }),
      column('customer', 'string', to('customers')),
      column('approved', 'timestamp'),
      column('firstduedate', 'date', { isPlanned: true }),
      column('creationdate', 'timestamp'),
      ...more,
    ],
    { eventTime: 'approved' },
  );
const borrowers = table('customers', [column('id', 'string', { isKey: true })]);
const repayments = (...more: object[]) =>
  table('repayments', [column('loan', 'string', to('loans')), column('paid_at', 'timestamp'), ...more], {
    eventTime: 'paid_at',
  });

test('a day is that of a payment only by its name, and only where the time of the row is another', () => {
  for (const name of ['paid_at', 'PaymentDate', 'pago_em', 'data_pagamento', 'dt_quitação', 'settledOn', 'liquidacao'])
    expect(starterOf('credit', [borrowers, loans(column(name, 'date'))])).toBe(
      `PREDICT exists(loans VIA customer OVERDUE 30d (firstduedate, ${name})) WITHIN 30d, 90d, 365d FOR customers AS credit`,
    );
  for (const name of ['updated', 'payment_due', 'vencimento_pagamento', 'propagou'])
    expect(starterOf('credit', [borrowers, loans(column(name, 'date'))])).toContain('(firstduedate, …)');
  const dated = table('loans', loans().columns as object[], { eventTime: 'creationdate' });
  expect(starterOf('credit', [borrowers, dated])).toContain('(firstduedate, …)');
});

test('where no day of payment is known, the question says which is missing', () => {
  const alone = [borrowers, loans()];
  const asked = starterOf('credit', alone)!;
  expect(asked).toBe(
    'PREDICT exists(loans VIA customer OVERDUE 30d (firstduedate, …)) WITHIN 30d, 90d, 365d FOR customers AS credit',
  );
  expect(gapOf(asked)).toEqual({ what: 'paid', table: 'loans' });
  expect(gapOf(asked.replace('…', 'closed'))).toBe(null);
  // Payments are a table of their own.
  expect(starterOf('credit', [...alone, repayments()])).toBe(asked.replace('…', 'repayments.paid_at'));
  // A table below has both days.
  const due = [column('due', 'date', { isPlanned: true }), column('paid_on', 'date')];
  expect(starterOf('credit', [...alone, repayments(...due)])).toBe(
    'PREDICT exists(repayments OVERDUE 30d (due, paid_on)) WITHIN 30d, 90d, 365d FOR customers AS credit',
  );
  const without = [customers, contracts, payments()];
  expect(gapOf(starterOf('credit', without)!)).toEqual({ what: 'condition' });
  expect(gapOf(starterOf('multiclass', without)!)).toEqual({ what: 'category' });
  expect(gapOf(starterOf('binary', without)!)).toBe(null);
});

test('a name that is no plain word stands in double quotes, in what is begun, its gaps and all examples', () => {
  const people = table('clientes', [column('CPF', 'string', { isKey: true })]);
  const due = column('Vencimento', 'date', { isPlanned: true });
  const instalments = (...more: object[]) =>
    table('minhas parcelas', [column('CPF do cliente', 'string', to('clientes')), due, ...more], {
      eventTime: 'Emissão',
    });
  const tables = [people, instalments(column('Data do pagamento', 'date'))];
  const asked =
    'PREDICT exists("minhas parcelas" VIA "CPF do cliente" OVERDUE 30d (Vencimento, "Data do pagamento")) WITHIN 30d, 90d, 365d FOR clientes AS credit';
  expect(starterOf('credit', tables)).toBe(asked);
  expect(clauseExamples(tables)!.OVERDUE).toBe(asked);
  const alone = [people, instalments()];
  expect(gapOf(starterOf('credit', alone)!)).toEqual({ what: 'paid', table: 'minhas parcelas' });
  expect(
    starterOf('binary', [people, table('order', [column('from', 'string', to('clientes'))], { eventTime: 'at' })]),
  ).toBe('PREDICT exists(order VIA "from") WITHIN 90d FOR clientes');
});

test('a question asks no further ahead than leaves four windows in the months with rows of what it asks about', () => {
  const days = [30, 90, 180, 365];
  expect(aheadOf(days, undefined)).toEqual(days);
  expect(aheadOf(days, 48)).toEqual(days);
  expect(aheadOf(days, 47)).toEqual([30, 90, 180]);
  expect(aheadOf(days, 12)).toEqual([30, 90]);
  expect(aheadOf([90], 5)).toEqual([30]);
  for (const none of [0, 1, 3]) expect(aheadOf(days, none)).toEqual([7]);

  const due = [column('due', 'date', { isPlanned: true }), column('paid', 'date')];
  const tables = [borrowers, loans(...due)];
  const credit = (months?: number) => starterOf('credit', tables, new Map(months ? [['loans', months]] : []));
  expect(credit()).toContain(' WITHIN 30d, 90d, 365d FOR ');
  expect(credit(60)).toContain(' WITHIN 30d, 90d, 365d FOR ');
  expect(credit(36)).toContain(' WITHIN 30d, 90d, 180d FOR ');
  expect(credit(5)).toContain(' WITHIN 30d FOR ');
  // Months of other tables say nothing of this one.
  expect(starterOf('credit', tables, new Map([['customers', 5]]))).toContain(' WITHIN 30d, 90d, 365d FOR ');
  const short = new Map([['loans', 6]]);
  expect(starterOf('binary', tables, short)).toContain(' WITHIN 30d FOR ');
  expect(starterOf('lead_scoring', tables, short)).not.toContain('90d');
  expect(clauseExamples(tables, short)!['AS credit']).toContain(' WITHIN 30d FOR ');
});
