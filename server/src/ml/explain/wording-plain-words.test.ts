import { describe, expect, it } from 'vitest';
import {
  all,
  customerAgainstBuyer,
  customerOfLoan,
  days90,
  instalments,
  invoices,
  last10,
  of,
  outcomes,
  purchases,
  recentBuyers,
  root,
} from '../../../tests/support/samples/explain.ts';
import { say } from '../../../tests/support/say-factor.ts';
import type { Focus, Read } from '../features/feature.ts';
import { pairName } from '../graph/pairs.ts';
import type { KnownTask } from './lineage.ts';

describe('in plain words', () => {
  const grouped: Focus = { kind: 'parent', of: root, reference: 'state' };
  const asked: KnownTask = { kind: 'binary', label: 'default' };
  const plain: [string, Focus, Read, number, number, string, string, KnownTask?][] = [
    [
      'rows alike in a category',
      grouped,
      { kind: 'count', events: { table: '@labels', via: ['entity', 'state'] }, span: all },
      145,
      73,
      'Number of earlier cases with a known outcome and the same state: 145 (usually 73)',
      'Número de casos anteriores com o mesmo estado e com desfecho conhecido: 145 (em geral 73)',
    ],
    [
      'what became of rows alike in a category',
      grouped,
      {
        kind: 'number',
        events: { table: '@labels', via: ['entity', 'state'] },
        signal: of('label'),
        span: all,
        aggregate: 'smoothed',
      },
      0.18,
      0.24,
      'Estimated share of all earlier cases with the same state that ended in “default”: 18% (usually 24%)',
      'Proporção estimada de todos os casos anteriores com o mesmo estado que terminaram em “default”: 18% (em geral 24%)',
    ],
    [
      'rows alike in a category of the newest event',
      { kind: 'last', of: root, events: instalments, to: 'days_late' },
      { kind: 'count', events: { table: 'instalments', via: ['days_late'] }, span: days90 },
      4,
      2,
      'Number of instalments with the same days late as the latest instalment in the last 90 days: 4 (usually 2)',
      'Número de parcelas com os mesmos dias de atraso da última parcela nos últimos 90 dias: 4 (em geral 2)',
    ],
    [
      'a number of earlier rows, which is no yes or no though their outcome is',
      root,
      { kind: 'number', events: outcomes, signal: of('monthly_income', 'entity'), span: last10, aggregate: 'mean' },
      5000,
      4000,
      'Average customer monthly income of the last 10 earlier cases: BRL 5,000.00 (usually BRL 4,000.00)',
      'Renda média mensal do cliente nos últimos 10 casos anteriores: R$ 5.000,00 (em geral R$ 4.000,00)',
    ],
    [
      'the lowest number of earlier rows, which is no yes or no either',
      root,
      { kind: 'number', events: outcomes, signal: of('monthly_income', 'entity'), span: all, aggregate: 'min' },
      5000,
      4000,
      'Lowest customer monthly income of all earlier cases: BRL 5,000.00 (usually BRL 4,000.00)',
      'Menor renda mensal do cliente em todos os casos anteriores: R$ 5.000,00 (em geral R$ 4.000,00)',
    ],
    [
      'shares of yes or no',
      root,
      { kind: 'number', events: invoices, signal: of('disputed'), span: last10, aggregate: 'mean' },
      0.3,
      0,
      'Share of the last 10 invoices (as customer) marked as disputed: 30% (0% for most)',
      'Proporção das últimas 10 faturas (como cliente) com disputed igual a sim: 30% (0% na maioria)',
    ],
    [
      'shares of yes or no that a verb tells',
      recentBuyers,
      { kind: 'attribute', column: 'isActive' },
      0.3,
      1,
      'Share of recent buyers that are active: 30% (usually 100%)',
      'Proporção dos compradores recentes com is active igual a sim: 30% (em geral 100%)',
    ],
    [
      'how far numbers lie apart, over months',
      root,
      { kind: 'number', events: instalments, signal: of('amount'), span: { days: 360 }, aggregate: 'sd' },
      12.5,
      3,
      'Variation in amount across instalments in the last 12 months: ±BRL 12.50 (usually ±BRL 3.00)',
      'Variação do valor nas parcelas nos últimos 12 meses: ±R$ 12,50 (em geral ±R$ 3,00)',
    ],
    [
      'a comparison with others',
      root,
      {
        kind: 'number',
        events: purchases,
        signal: { kind: 'rank', within: 'customer_id', column: 'amount', as: 'percentile' },
        span: last10,
        aggregate: 'mean',
      },
      0.11,
      0.52,
      'Amount compared with others of the same customer, on average over the last 10 invoices (as buyer): higher than 11% of them (usually 52%)',
      'Valor em comparação com os demais em cada cliente, na média das últimas 10 faturas (como comprador): acima de 11% deles (em geral 52%)',
    ],
    [
      'a number of several neighbors, which is no average itself',
      recentBuyers,
      { kind: 'count', events: { table: 'loans', via: ['customerId'] }, span: all },
      3,
      1,
      "Number of recent buyers' loans so far, on average: 3 (usually 1)",
      'Número de empréstimos dos compradores recentes até agora, em média: 3 (em geral 1)',
    ],
    [
      'events of one kind that another has',
      { kind: 'parent', of: customerOfLoan, reference: 'state' },
      { kind: 'count', events: { table: 'loans', via: ['customerId', 'state'] }, span: days90 },
      9,
      5,
      'Number of loans with the same state as the customer in the last 90 days: 9 (usually 5)',
      'Número de empréstimos com o mesmo estado do cliente nos últimos 90 dias: 9 (em geral 5)',
      { entity: 'loans' },
    ],
    [
      'how two roles differ',
      customerAgainstBuyer,
      { kind: 'number', events: invoices, signal: of('amount'), span: last10, aggregate: 'mean' },
      12.5,
      -3,
      "Average amount of the customer's last 10 invoices (as customer), compared with the buyer: BRL 12.50 above (usually BRL 3.00 below)",
      'Valor médio das últimas 10 faturas (como cliente) do cliente, em comparação com o mesmo do comprador: R$ 12,50 acima (em geral R$ 3,00 abaixo)',
      { entity: 'invoices', fresh: true },
    ],
    [
      'who is stronger',
      customerAgainstBuyer,
      {
        kind: 'rating',
        events: { table: '@labels', via: ['entity', 'customer_id'] },
        against: 'buyer_id',
        as: 'recent',
      },
      0.8,
      0,
      'Recent strength of the customer, by the outcomes of earlier invoices, compared with the buyer: 0.8 above (usually the same)',
      'Força recente do cliente, pelos desfechos nos casos anteriores de faturas, em comparação com o mesmo do comprador: 0,8 acima (em geral igual)',
      { entity: 'invoices', fresh: true },
    ],
    [
      'what two had to do with each other',
      { kind: 'parent', of: root, reference: pairName(['customer_id', 'buyer_id']) },
      { kind: 'count', events: { table: 'invoices', via: [pairName(['customer_id', 'buyer_id'])] }, span: all },
      3,
      0,
      'Number of invoices (as customer) with the same customer and buyer so far: 3 (0 for most)',
      'Número de faturas (como cliente) com o mesmo cliente e comprador até agora: 3 (0 na maioria)',
      { entity: 'invoices', fresh: true },
    ],
    [
      'a column of a new row, told apart from those of what it refers to',
      root,
      { kind: 'attribute', column: 'rate' },
      2,
      1,
      "The loan's rate: 2% per month (usually 1% per month)",
      'Rate do empréstimo: 2% ao mês (em geral 1% ao mês)',
      { entity: 'loans', fresh: true },
    ],
  ];
  for (const [name, focus, read, value, usual, english, portuguese, task = {}] of plain) {
    it(name, () => {
      expect(say(focus, read, value, usual, 'en', 'dim_customers', { ...asked, ...task })).toBe(english);
      expect(say(focus, read, value, usual, 'pt-BR', 'dim_customers', { ...asked, ...task })).toBe(portuguese);
    });
  }
});
