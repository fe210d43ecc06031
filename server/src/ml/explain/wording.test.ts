import { describe, expect, it } from 'vitest';
import {
  all,
  contract,
  customerOfLoan,
  days90,
  everyFeature,
  instalments,
  invoices,
  last10,
  lastBuyer,
  leaseInstalments,
  of,
  openInvoices,
  outcomes,
  purchases,
  recentBuyers,
  root,
  seasonAYearAgo,
} from '../../../tests/support/samples/explain.ts';
import { say } from '../../../tests/support/say-factor.ts';
import type { Feature, Focus, Read } from '../features/feature.ts';
import { describeFeature, openWording } from './wording.ts';

const nan = Number.NaN;

describe('every kind of feature', () => {
  it('is worded in both languages, with and without values, without a hole', () => {
    const told = new Set<string>();
    for (const language of ['en', 'pt-BR'] as const) {
      for (const { feature, entity } of everyFeature()) {
        const values = [nan, 0, 1, -3.25, 123_456.7];
        // Naming a feature takes long, and is done once for all its values.
        const word = openWording(feature, contract, language, { entity });
        const still = { contribution: 0, effect: 0 };
        const texts = [
          describeFeature(feature, contract, language, { entity }),
          describeFeature(feature, contract, language),
          ...values.map((value) => word({ ...still, value, usual: 0.5 }).statement),
          ...[nan, 0].map((usual) => word({ ...still, value: 1, usual }).statement),
        ];
        const holes = /undefined|null|NaN|Infinity|\[object|@|dim_|_id|\$\{| {2}|\( | ,|--|: *$/;
        if (texts.some((text) => holes.test(text))) expect.fail(texts.join('\n'));
        told.add(texts[0]);
      }
    }
    expect(told.size).toBeGreaterThan(1_000);
  });

  it('is described by a phrase of its own, but for what a span cannot change', () => {
    const phrases = new Map<string, Feature>();
    for (const { feature, entity } of everyFeature()) {
      const { read } = feature;
      if (read.kind === 'last_is' || (read.kind === 'number' && read.aggregate === 'last')) continue;
      // Of the newest event alone, the lowest is the highest.
      if (read.kind === 'number' && read.aggregate === 'max' && 'last' in read.span && read.span.last === 1) continue;
      const phrase = `${entity} ${describeFeature(feature, contract, 'en', { entity })}`;
      expect(JSON.stringify(phrases.get(phrase) ?? feature), phrase).toBe(JSON.stringify(feature));
      phrases.set(phrase, feature);
    }
  });
});

describe('typical factors', () => {
  const cases: [string, Focus, Read, number, number, string, string, string?][] = [
    [
      'a mean over days',
      root,
      { kind: 'number', events: instalments, signal: of('days_late'), span: days90, aggregate: 'mean' },
      12.44,
      0.8,
      'Average days late of instalments in the last 90 days: 12.4 (usually 0.8)',
      'Média de dias de atraso das parcelas nos últimos 90 dias: 12,4 (em geral 0,8)',
    ],
    [
      'money',
      root,
      { kind: 'number', events: invoices, signal: of('amount'), span: { days: 365 }, aggregate: 'sum' },
      1234.5,
      250_000.4,
      'Total amount of invoices (as customer) in the last year: BRL 1,234.50 (usually BRL 250,000)',
      'Valor total das faturas (como cliente) no último ano: R$ 1.234,50 (em geral R$ 250.000)',
    ],
    [
      'a value of a category',
      root,
      { kind: 'attribute_is', column: 'state', value: 'SP' },
      1,
      0,
      'State: SP (usually not)',
      'Estado: SP (em geral não)',
    ],
    [
      'a number against what came before',
      root,
      { kind: 'against', events: invoices, column: 'amount', span: all, as: 'difference' },
      350,
      2,
      "Amount compared with the average of the customer's earlier invoices: BRL 350.00 above (usually BRL 2.00 above)",
      'Valor em comparação com a média de todas as faturas anteriores do cliente: R$ 350,00 acima (em geral R$ 2,00 acima)',
      'invoices',
    ],
    [
      'how far a number is out of what came before',
      root,
      { kind: 'against', events: purchases, column: 'amount', span: last10, as: 'deviation' },
      3.14,
      0,
      "Amount compared with the usual range of the buyer's last 10 invoices: 3.1 standard deviations above (usually the same)",
      'Valor em comparação com a variação habitual das últimas 10 faturas anteriores do comprador: 3,1 desvios-padrão acima (em geral igual)',
      'invoices',
    ],
    [
      'a category never had before',
      root,
      { kind: 'same', events: invoices, column: 'status', span: all },
      0,
      0.97,
      "Share of the customer's earlier invoices with the same status: 0% (usually 97%)",
      'Proporção de todas as faturas anteriores do cliente com o mesmo status: 0% (em geral 97%)',
      'invoices',
    ],
    [
      'the absence of a value with spaces',
      customerOfLoan,
      { kind: 'attribute_is', column: 'state', value: 'São Paulo' },
      0,
      1,
      "The customer's state: other than “São Paulo” (usually “São Paulo”)",
      'Estado do cliente: diferente de “São Paulo” (em geral “São Paulo”)',
      'loans',
    ],
    [
      'a flag',
      root,
      { kind: 'attribute', column: 'isActive' },
      0,
      1,
      'Is active: no (usually yes)',
      'Is active: não (em geral sim)',
    ],
    [
      'a date ahead',
      root,
      { kind: 'interval', column: 'matures_on' },
      -300.4,
      -365,
      'Time until the maturity date: 300 days (usually 365 days)',
      'Tempo até a data de vencimento: 300 dias (em geral 365 dias)',
      'loans',
    ],
    [
      'a date that is mostly ahead and has passed',
      root,
      { kind: 'interval', column: 'matures_on' },
      436.2,
      -365,
      'Time until the maturity date: passed 436 days ago (usually 365 days)',
      'Tempo até a data de vencimento: passou há 436 dias (em geral 365 dias)',
      'loans',
    ],
    [
      'a percentage with a unit of time',
      root,
      { kind: 'attribute', column: 'rate' },
      2.2,
      1.5,
      'Rate: 2.2% per month (usually 1.5% per month)',
      'Rate: 2,2% ao mês (em geral 1,5% ao mês)',
      'loans',
    ],
    [
      'a year',
      root,
      { kind: 'attribute', column: 'model_year' },
      2009,
      2015,
      'Model year: 2009 (usually 2015)',
      'Model year: 2009 (em geral 2015)',
      'loans',
    ],
    [
      'a count in a role',
      root,
      { kind: 'count', events: purchases, span: all },
      1200,
      3,
      'Number of invoices (as buyer) so far: 1,200 (usually 3)',
      'Número de faturas (como comprador) até agora: 1.200 (em geral 3)',
    ],
    [
      'a share of the newest events',
      root,
      { kind: 'share', events: invoices, signal: of('status'), value: 'open', span: last10 },
      0.055,
      0.3,
      'Share of the last 10 invoices (as customer) where status is open: 5.5% (usually 30%)',
      'Proporção das últimas 10 faturas (como cliente) com status igual a open: 5,5% (em geral 30%)',
    ],
    [
      'events that never happened',
      root,
      { kind: 'since', events: instalments, which: 'last' },
      nan,
      12,
      'Time since the latest instalment: no instalments yet (usually 12 days)',
      'Tempo desde a última parcela: ainda sem parcelas (em geral 12 dias)',
    ],
    [
      'a span without events',
      root,
      { kind: 'number', events: instalments, signal: of('amount'), span: days90, aggregate: 'mean' },
      nan,
      10,
      'Average amount of instalments in the last 90 days: no instalments in that time (usually BRL 10.00)',
      'Valor médio das parcelas nos últimos 90 dias: sem parcelas no período (em geral R$ 10,00)',
    ],
    [
      'a value that may exist unknown',
      root,
      { kind: 'number', events: instalments, signal: of('days_late'), span: days90, aggregate: 'mean' },
      nan,
      nan,
      'Average days late of instalments in the last 90 days: none known',
      'Média de dias de atraso das parcelas nos últimos 90 dias: nenhum valor conhecido',
    ],
    [
      'the last company met',
      lastBuyer,
      { kind: 'attribute', column: 'monthly_income' },
      5000,
      4000,
      "The latest buyer's monthly income: BRL 5,000.00 (usually BRL 4,000.00)",
      'Renda mensal do comprador mais recente: R$ 5.000,00 (em geral R$ 4.000,00)',
    ],
    [
      'the company kept of late',
      recentBuyers,
      { kind: 'attribute_is', column: 'state', value: 'SP' },
      0.42,
      0.1,
      'Share of recent buyers whose state is SP: 42% (usually 10%)',
      'Proporção dos compradores recentes com estado igual a SP: 42% (em geral 10%)',
    ],
    [
      'what company does',
      recentBuyers,
      { kind: 'number', events: purchases, signal: of('daysLate'), span: days90, aggregate: 'mean' },
      5.5,
      0,
      "Average days late of recent buyers' invoices (as buyer) in the last 90 days: 5.5 (0 for most)",
      'Média de dias de atraso das faturas (como comprador) dos compradores recentes nos últimos 90 dias: 5,5 (0 na maioria)',
    ],
    [
      'earlier outcomes of everybody',
      { kind: 'all' },
      {
        kind: 'number',
        events: { ...outcomes, via: ['@all'] },
        signal: of('label'),
        span: days90,
        aggregate: 'mean',
      },
      0.25,
      0.1,
      "Average outcome of everyone's earlier cases resolved in the last 90 days of known outcomes: 0.25 (usually 0.1)",
      'Desfecho médio nos casos anteriores de todos com desfecho conhecido nos últimos 90 dias de desfechos conhecidos: 0,25 (em geral 0,1)',
    ],
    [
      'a month, which has no usual',
      root,
      { kind: 'calendar', part: 'month' },
      3,
      6,
      'Month of the year: March',
      'Mês do ano: março',
    ],
    [
      'a change of level',
      root,
      { kind: 'number', events: invoices, signal: of('amount'), span: all, aggregate: 'trend' },
      -20,
      5,
      'Latest amount compared with its average over all invoices (as customer): BRL 20.00 below (usually BRL 5.00 above)',
      'Último valor em comparação com a média de todas as faturas (como cliente): R$ 20,00 abaixo (em geral R$ 5,00 acima)',
    ],
    [
      'numbers of one kind of events',
      root,
      { kind: 'number', events: openInvoices, signal: of('amount'), span: { last: 3 }, aggregate: 'mean' },
      40,
      25,
      'Average amount of the last 3 invoices (as customer) with status open: BRL 40.00 (usually BRL 25.00)',
      'Valor médio das últimas 3 faturas (como cliente) com status igual a open: R$ 40,00 (em geral R$ 25,00)',
    ],
    [
      'the newest of one kind of events, of which there is none',
      root,
      { kind: 'number', events: openInvoices, signal: of('amount'), span: all, aggregate: 'last' },
      nan,
      25,
      'Amount of the latest invoice (as customer) with status open: no invoices with status open yet (usually BRL 25.00)',
      'Valor da última fatura (como cliente) com status igual a open: ainda sem faturas com status igual a open (em geral R$ 25,00)',
    ],
    [
      'one kind of events by what they refer to',
      root,
      { kind: 'number', events: leaseInstalments, signal: of('amount'), span: days90, aggregate: 'max' },
      nan,
      25,
      'Highest amount of instalments with loan product “lease of cars” in the last 90 days: none known (usually BRL 25.00)',
      'Maior valor das parcelas com produto do empréstimo igual a “lease of cars” nos últimos 90 dias: nenhum valor conhecido (em geral R$ 25,00)',
    ],
    [
      'a pace',
      root,
      { kind: 'rate', events: instalments, span: days90 },
      1.84,
      1,
      'Pace of instalments in the last 90 days: 1.8× the long-run average (usually 1×)',
      'Ritmo de parcelas nos últimos 90 dias: 1,8× a média de longo prazo (em geral 1×)',
    ],
    [
      'a pace of the same weeks a year earlier',
      root,
      { kind: 'rate', events: instalments, span: seasonAYearAgo },
      1.84,
      1,
      'Pace of instalments in the same weeks a year earlier: 1.8× the average of that year (usually 1×)',
      'Ritmo de parcelas nas mesmas semanas de um ano antes: 1,8× a média daquele ano (em geral 1×)',
    ],
    [
      'a swing of the same weeks a year earlier',
      root,
      { kind: 'number', events: instalments, signal: of('amount'), span: seasonAYearAgo, aggregate: 'swing' },
      30,
      0,
      'Average amount of instalments in the same weeks a year earlier, compared with that year: BRL 30.00 above (usually the same)',
      'Valor médio das parcelas nas mesmas semanas de um ano antes, em comparação com aquele ano: R$ 30,00 acima (em geral igual)',
    ],
  ];
  for (const [name, focus, read, value, usual, english, portuguese, entity] of cases) {
    it(name, () => {
      expect(say(focus, read, value, usual, 'en', entity)).toBe(english);
      expect(say(focus, read, value, usual, 'pt-BR', entity)).toBe(portuguese);
    });
  }

  it('describes without values', () => {
    const read: Read = { kind: 'attribute_is', column: 'state', value: 'SP' };
    expect(describeFeature({ focus: root, read }, contract, 'en')).toBe('whether state is SP');
    expect(describeFeature({ focus: root, read }, contract, 'pt-BR')).toBe('se estado é SP');
  });
});
