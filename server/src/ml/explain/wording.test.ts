import { describe, expect, it } from 'vitest';
import {
  all,
  contract,
  customerAgainstBuyer,
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
import type { Contract } from '../contract/contract.ts';
import type { Signal } from '../events/signals.ts';
import type { Feature, Focus, Read } from '../features/feature.ts';
import { pairName } from '../graph/pairs.ts';
import type { FutureRows } from '../tasks/target.ts';
import type { KnownTask } from './lineage.ts';
import { columnName, referenceNames, tableNames } from './names.ts';
import { describeFeature, type Language, openWording } from './wording.ts';

const nan = Number.NaN;

function say(
  focus: Focus,
  read: Read,
  value: number,
  usual: number,
  language: Language,
  entity = 'dim_customers',
  asked: KnownTask = {},
) {
  const word = openWording({ focus, read }, contract, language, { entity, ...asked });
  return word({ value, usual, contribution: 1, effect: 1 }).statement;
}

/** A target on rows of orders in the next 90 days. */
function rows(change: Partial<FutureRows>): FutureRows {
  return { kind: 'rows', table: 'orders', aggregate: 'exists', horizonsDays: [90], ...change };
}

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
      const phrase = `${entity} ${describeFeature(feature, contract, 'en', { entity })}`;
      expect(JSON.stringify(phrases.get(phrase) ?? feature), phrase).toBe(JSON.stringify(feature));
      phrases.set(phrase, feature);
    }
  });
});

describe('the newer form of reasons', () => {
  const rates: Read = {
    ...{ kind: 'number', events: { table: 'loans', via: ['customerId'] }, signal: of('rate') },
    ...{ span: { days: 365 }, aggregate: 'sum' },
  };
  const late: Read = { kind: 'number', events: instalments, signal: of('days_late'), span: days90, aggregate: 'max' };
  const sellsTo: Read = { kind: 'attribute_is', column: 'state', value: 'SP' };
  const explained = { what: 'risk', unit: 'percentage_points' } as const;
  const word = (read: Read, value: number, usual: number, language: Language, reasons?: 2) =>
    openWording(
      { focus: root, read },
      contract,
      language,
      { entity: 'dim_customers', reasons },
      explained,
    )({
      ...{ value, usual, contribution: 1, effect: 2 },
    }).text;

  it('tells a sum of rates as what it is, and in no unit', () => {
    expect(word(rates, 7.4, 2.1, 'en', 2)).toBe(
      'Rate added up over loans in the last year, which grows with their number: 7.4 (usually 2.1); raises the risk by 2 percentage points',
    );
    expect(word(rates, 7.4, 2.1, 'pt-BR', 2)).toMatch(
      /^Soma de rate dos empréstimos no último ano, que cresce com o número de registros: 7,4 \(em geral 2,1\); aumenta o risco em 2 pontos/,
    );
    expect(word(rates, 7.4, 2.1, 'en'), 'as answers of older versions were').toMatch(
      /^Total rate of loans .*% per month/,
    );
    const amounts: Read = { ...rates, events: invoices, signal: of('amount') } as Read;
    expect(word(amounts, 7, 2, 'en', 2), 'a sum of amounts is one').toBe(word(amounts, 7, 2, 'en'));
  });

  it('says of a usual value against what it moves the answer', () => {
    expect(word(late, 3, 3, 'en', 2)).toMatch(
      /: 3 \(as usual\); raises the risk against the average case by 2 percentage points$/,
    );
    expect(word(late, 3, 3, 'pt-BR', 2)).toMatch(
      /: 3 \(valor comum\); aumenta o risco em relação ao caso médio em 2 pontos percentuais$/,
    );
    expect(word(late, 3, 3, 'pt-BR')).toMatch(/: 3 \(como de costume\); aumenta o risco em 2 pontos percentuais$/);
    expect(word(sellsTo, 1, 1, 'pt-BR', 2)).toMatch(
      /: SP \(valor comum\); aumenta o risco em relação ao caso médio em/,
    );
    expect(word(late, 4, 3, 'pt-BR', 2), 'of another value nothing needs saying').not.toContain('caso médio');
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

  const predicted: [string, KnownTask, Read, string, string][] = [
    [
      'earlier labels of a file',
      { label: 'days_late' },
      { kind: 'number', events: outcomes, signal: of('label'), span: all, aggregate: 'trend' },
      'Latest “days late” compared with its average over all earlier cases: 0.4 above (usually the same)',
      'Último valor de “days late” em comparação com sua média em todos os casos anteriores: 0,4 acima (em geral igual)',
    ],
    [
      'whether something came',
      { target: rows({ aggregate: 'exists', horizonsDays: [60, 180] }) },
      { kind: 'number', events: outcomes, signal: of('label'), span: all, aggregate: 'smoothed' },
      'Estimated average “any orders within 60 days” of all earlier cases: 0.4 (0 for most)',
      'Média estimada de “algum registro de orders em 60 dias” em todos os casos anteriores: 0,4 (0 na maioria)',
    ],
    [
      'whether something fell overdue',
      {
        target: rows({
          aggregate: 'count',
          overdue: { due: 'due', paid: 'paid', days: 30 },
          than: { is: '>', value: 2 },
          where: { kind: 'missing', column: 'amount' },
        }),
      },
      { kind: 'count', events: outcomes, span: all },
      'Number of earlier cases with a known outcome: 0.4 (0 for most)',
      'Número de casos anteriores com desfecho conhecido: 0,4 (0 na maioria)',
    ],
    [
      'of the same weeks',
      { target: rows({ aggregate: 'exists', horizonsDays: [60, 180] }) },
      {
        ...{ kind: 'number', events: outcomes, signal: of('label'), aggregate: 'mean' },
        span: { season: 60, since: 728, ago: 728 },
      },
      'Average “any orders within 60 days” of earlier cases from the same weeks 2 years earlier: 0.4 (0 for most)',
      'Média de “algum registro de orders em 60 dias” nos casos anteriores com desfecho conhecido das mesmas semanas de 2 anos antes: 0,4 (0 na maioria)',
    ],
    [
      'what was spent',
      { target: rows({ aggregate: { sum: 'order_amount' } }) },
      { kind: 'number', events: outcomes, signal: of('label'), span: all, aggregate: 'last' },
      '“Total order amount of orders within 90 days” of the latest known case: 0.4 (0 for most)',
      '“Total de order amount em orders em 90 dias” no último caso conhecido: 0,4 (0 na maioria)',
    ],
    [
      'what was bought next',
      { target: rows({ aggregate: { next: 'product' } }) },
      { kind: 'share', events: outcomes, signal: of('label'), value: 'rice', span: last10 },
      'Share of the last 10 earlier cases where “product of the next of orders within 90 days” is rice: 40% (0% for most)',
      'Proporção dos últimos 10 casos anteriores com “produto no próximo registro de orders em 90 dias” igual a rice: 40% (0% na maioria)',
    ],
  ];
  for (const [name, asked, read, english, portuguese] of predicted) {
    it(`earlier outcomes: ${name}`, () => {
      expect(say(root, read, 0.4, 0, 'en', 'dim_customers', asked)).toBe(english);
      expect(say(root, read, 0.4, 0, 'pt-BR', 'dim_customers', asked)).toBe(portuguese);
    });
  }

  it('describes without values', () => {
    const read: Read = { kind: 'attribute_is', column: 'state', value: 'SP' };
    expect(describeFeature({ focus: root, read }, contract, 'en')).toBe('whether state is SP');
    expect(describeFeature({ focus: root, read }, contract, 'pt-BR')).toBe('se estado é SP');
  });

  it('tell earlier cases by what they were met through, and values other than the label by their own name', () => {
    const met = { table: '@labels', via: ['instalments.loan'] };
    const count: Read = { kind: 'count', events: met, span: { days: 720 } };
    expect(describeFeature({ focus: root, read: count }, contract, 'en', { entity: 'dim_customers' })).toBe(
      'number of earlier cases (through instalments) resolved in the last 2 years of known outcomes',
    );
    const signal: Signal = { kind: 'column', path: ['entity'], column: 'state' };
    const share: Read = { kind: 'share', events: outcomes, signal, value: 'SP', span: all };
    expect(describeFeature({ focus: root, read: share }, contract, 'en', { entity: 'dim_customers' })).toBe(
      'share of all earlier cases where customer state is SP',
    );
  });

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
    it(`in plain words: ${name}`, () => {
      expect(say(focus, read, value, usual, 'en', 'dim_customers', { ...asked, ...task })).toBe(english);
      expect(say(focus, read, value, usual, 'pt-BR', 'dim_customers', { ...asked, ...task })).toBe(portuguese);
    });
  }

  it('say in which events a neighbor was met, where its name leaves that open', () => {
    const [customers, sales, ...others] = contract.tables;
    const offers = { ...sales, name: 'offers', key: ['offer_id'] };
    const twice = { ...contract, tables: [customers, sales, offers, ...others] };
    const told = (focus: Focus, language: Language) =>
      describeFeature({ focus, read: { kind: 'attribute', column: 'monthly_income' } }, twice, language, {
        entity: 'dim_customers',
      });
    expect(told(lastBuyer, 'en')).toBe('monthly income of the buyer of the latest invoice');
    expect(told(lastBuyer, 'pt-BR')).toBe('renda mensal do comprador da última fatura');
    expect(told(recentBuyers, 'en')).toBe('average monthly income of the buyers of recent invoices');
    expect(told(recentBuyers, 'pt-BR')).toBe('renda média mensal dos compradores que aparecem nas faturas recentes');
  });

  it('leave out the word that all tables begin with, and the table’s own name in its columns', () => {
    const named = (table: string, columns: readonly string[]): Contract['tables'][number] => ({
      ...{ name: table, key: [columns[0]], references: [{ column: 'shop_id', table: 'acme_shops', key: 'shop_id' }] },
      columns: columns.map((name) => ({ ...contract.tables[0].columns[1], name })),
    });
    const shops: Contract = {
      ...{ id: 'shops', version: '1' },
      tables: [
        named('acme_shops', ['shop_id']),
        named('acme_orders', ['order_id', 'shop_id', 'order_status', 'award', 'award_id', 'stamp_code']),
        named('acme_visits', ['visit_id', 'shop_id']),
      ],
    };
    const shareOf = (column: string) =>
      describeFeature(
        {
          focus: root,
          read: {
            ...{ kind: 'share', events: { table: 'acme_orders', via: ['shop_id'] }, value: 'new', span: all },
            signal: of(column),
          },
        },
        shops,
        'en',
        { entity: 'acme_shops' },
      );
    expect(['order_status', 'stamp_code', 'award', 'award_id'].map(shareOf)).toEqual(
      ['status', 'stamp', 'award', 'award id'].map((name) => `share of all orders where ${name} is new`),
    );
  });

  it('call what Portuguese has an article for by it, in singular and plural, and nothing else', () => {
    const latest = (businessName: string) => {
      const tables = contract.tables.map((table) =>
        table.name === 'instalments' ? { ...table, businessName } : table,
      );
      const read = (as: 'since' | 'count'): Read =>
        as === 'since'
          ? { kind: 'since', events: instalments, which: 'last' }
          : { kind: 'rate', events: instalments, span: last10 };
      return (['since', 'count'] as const).map((as) =>
        describeFeature({ focus: root, read: read(as) }, { ...contract, tables }, 'pt-BR', { entity: 'dim_customers' }),
      );
    };
    const told: [string, string, string][] = [
      ['cartões de crédito', 'o último cartão de crédito', 'nos últimos 10 cartões de crédito'],
      ['operações', 'a última operação', 'nas últimas 10 operações'],
      ['contas ativas', 'a última conta ativa', 'nas últimas 10 contas ativas'],
      ['dias', 'o último dia', 'nos últimos 10 dias'],
      ['valores', 'o último valor', 'nos últimos 10 valores'],
      ['canais', 'o último canal', 'nos últimos 10 canais'],
      ['constructor', 'o último constructor', 'nos últimos 10 constructor'],
      ['batting', 'o último registro de batting', 'nos últimos 10 registros de batting'],
    ];
    for (const [name, one, many] of told)
      expect(latest(name)).toEqual([`tempo desde ${one}`, `ritmo de registros ${many}`]);
  });

  it('call tables, columns and roles what the contract says that people call them', () => {
    const calling = (named: Readonly<Record<string, string>>): Contract => ({
      ...contract,
      tables: contract.tables.map((table) => ({
        ...table,
        ...(named[table.name] && { businessName: named[table.name] }),
        columns: table.columns.map((column) => {
          const businessName = named[`${table.name}.${column.name}`];
          return businessName === undefined ? column : { ...column, businessName };
        }),
      })),
    });
    const named = calling({
      instalments: 'parcelas',
      'instalments.days_late': 'dias de atraso',
      'invoices.buyer_id': 'sacado',
      'dim_customers.state': 'UF',
    });
    const late: Read = {
      kind: 'number',
      events: instalments,
      signal: of('days_late'),
      span: days90,
      aggregate: 'mean',
    };
    const told = (focus: Focus, read: Read) =>
      describeFeature({ focus, read }, named, 'pt-BR', { entity: 'dim_customers' });
    expect(told(root, late)).toBe('média de dias de atraso das parcelas nos últimos 90 dias');
    expect(told(root, { kind: 'attribute_is', column: 'state', value: 'SP' })).toBe('se UF é SP');
    expect(told(lastBuyer, { kind: 'age' })).toContain('sacado');
  });

  it('show digits of what would round to nothing, and no sign of what is nothing', () => {
    const read = (signal: Signal) =>
      ({ kind: 'number', events: invoices, signal, span: all, aggregate: 'slope' }) as const;
    const toPayment: Signal = { kind: 'interval', column: 'due_date' };
    const ending = (signal: Signal, value: number) => /: (.*)$/.exec(say(root, read(signal), value, nan, 'en'))?.[1];
    expect(ending(toPayment, 0.00002)).toBe('+0.015 hours a month');
    expect(ending(toPayment, -0.001)).toBe('-0.7 hours a month');
    expect(ending(toPayment, 1e-12)).toBe('0 days a month');
    expect(ending(of('amount'), 0.0001)).toBe('+BRL 0.0030 a month');
    expect(ending(of('amount'), 1e-9)).toBe('BRL 0.00 a month');
    expect(ending(of('disputed'), -0.00001)).toBe('-0.03% a month');
  });

  it('count whole days between two days, as a calendar does', () => {
    // An event of a day stands at its end, and a date at its start.
    const signal: Signal = { kind: 'interval', column: 'due_date' };
    const read: Read = { kind: 'number', events: invoices, signal, span: all, aggregate: 'max' };
    const lacking = 1 - 1 / 86_400_000_000;
    expect(say(root, read, 60 - lacking, 45 - lacking, 'en')).toMatch(/: 60 days \(usually 45 days\)$/);
    expect(say(root, read, 0 - lacking, 45 - lacking, 'pt-BR')).toMatch(/: 0 dias \(em geral 45 dias\)$/);
  });

  it('name whose date it is that events are held against', () => {
    const signal: Signal = { kind: 'interval', path: ['loan_id'], column: 'matures_on' };
    const read: Read = { kind: 'number', events: instalments, signal, span: all, aggregate: 'mean' };
    expect(say(root, read, 11.4, 29, 'en')).toBe(
      "Average time from instalment to the loan's maturity date, over all instalments: 12 days (usually 30 days)",
    );
    expect(say(root, read, 11.4, 29, 'pt-BR')).toContain('data de vencimento do empréstimo');
  });

  it('count days between two dates of a row', () => {
    const late: Signal = { kind: 'interval', from: 'due_date', column: 'paid_at' };
    const read: Read = { kind: 'number', events: invoices, signal: late, span: days90, aggregate: 'mean' };
    expect(say(root, read, 4, -2, 'en')).toBe(
      'Average time from due date to payment date, over invoices (as customer) in the last 90 days: 4 days late (usually 2 days early)',
    );
    expect(say(root, read, 0, 4, 'pt-BR')).toBe(
      'Tempo médio entre a data de vencimento e a data de pagamento, nas faturas (como cliente) nos últimos 90 dias: no dia (em geral 4 dias de atraso)',
    );
    const term: Read = { kind: 'duration', from: 'granted_at', column: 'matures_on' };
    expect(say(root, term, 360, 720, 'en', 'loans')).toBe(
      'Time from the grant date to maturity date: 360 days (usually 720 days)',
    );
    expect(say(root, term, 360, 720, 'pt-BR', 'loans')).toContain('a data de vencimento: 360 dias (em geral 720 dias)');
  });

  it('write codes as they are, and name what stands at either end', () => {
    expect(['X2B', 'G_ss', 'teamIDlahman45', 'daysLate', 'data_e_hora'].map(columnName)).toEqual([
      ...['X2B', 'G_ss', 'teamIDlahman45', 'days late', 'data e hora'],
    ]);
    expect(['totalprice', 'x_reason', 'award_id', 'id', 'account', 'update', 'tx_amt'].map(columnName)).toEqual([
      ...['total price', 'X reason', 'award', 'id', 'account', 'update', 'tx amount'],
    ]);
    expect(['trans', 'people', 'acme_loans'].map((name) => tableNames(name, 'acme'))).toEqual([
      { many: 'transactions', one: 'transaction' },
      { many: 'people', one: 'person' },
      { many: 'loans', one: 'loan' },
    ]);
    const late: Signal = { kind: 'column', path: [], column: 'status', word: 'late' };
    const spread: Read = { kind: 'number', events: invoices, signal: late, span: last10, aggregate: 'sd' };
    expect(describeFeature({ focus: root, read: spread }, contract, 'pt-BR', { entity: 'dim_customers' })).toBe(
      'variação da palavra “late” em status nas últimas 10 faturas (como cliente)',
    );
    const clients = { one: 'cliente', many: 'clientes' };
    expect(
      ['cpf_cliente', 'cpf_do_cliente', 'cpf', 'cpf_titular'].map((name) => referenceNames(name, clients)),
    ).toEqual([...[clients, clients, clients, { one: 'titular', many: 'titulars' }]]);
    const signal: Signal = { kind: 'rank', column: 'amount', within: 'loan', as: 'percentile' };
    const read: Read = { kind: 'number', events: instalments, signal, span: all, aggregate: 'mean' };
    expect(say(root, read, 1, 0.5, 'en')).toMatch(/: the highest \(usually 50%\)$/);
    expect(say(root, read, 0.001, 0.5, 'pt-BR')).toMatch(/: o menor valor \(em geral 50%\)$/);
  });

  describe('end with what they do to the answer', () => {
    const feature: Feature = { focus: root, read: { kind: 'attribute', column: 'monthly_income' } };
    const brl = contract.tables[1].columns.find(({ name }) => name === 'amount');
    const moves: [string, Parameters<typeof openWording>[4], number, number, string, string][] = [
      [
        'points of a score, which falls as the risk rises',
        { what: 'risk', unit: 'points' },
        ...([0.2, -34.4, 'raises the risk (score down 34 points)'] as const),
        'aumenta o risco (34 pontos a menos no score)',
      ],
      [
        'one point',
        { what: 'risk', unit: 'points' },
        ...([-0.2, 1.2, 'lowers the risk (score up 1 point)'] as const),
        'reduz o risco (1 ponto a mais no score)',
      ],
      [
        'less than a point',
        { what: 'risk', unit: 'points' },
        ...([-0.2, 0.3, 'lowers the risk a little'] as const),
        'reduz o risco um pouco',
      ],
      [
        'percentage points of a risk',
        { what: 'risk', unit: 'percentage_points' },
        ...([0.2, 12.34, 'raises the risk by 12.3 percentage points'] as const),
        'aumenta o risco em 12,3 pontos percentuais',
      ],
      [
        'percentage points of a chance, few',
        { what: 'chance', unit: 'percentage_points' },
        ...([-0.2, -0.0312, 'lowers the chance by 0.03 percentage points'] as const),
        'reduz a chance em 0,03 ponto percentual',
      ],
      [
        'next to nothing',
        { what: 'chance', unit: 'percentage_points' },
        ...([-0.2, -0.001, 'lowers the chance a little'] as const),
        'reduz a chance um pouco',
      ],
      [
        'an amount of the column that is estimated',
        { what: 'estimate', unit: 'BRL', name: 'amount', column: brl },
        ...([2, 1234.5, 'raises the expected amount by BRL 1,234.50'] as const),
        'aumenta a estimativa do valor em R$ 1.234,50',
      ],
      [
        'days',
        { what: 'estimate', unit: 'days' },
        ...([-1, -3.21, 'lowers the estimate by 3.2 days'] as const),
        'reduz a estimativa em 3,2 dias',
      ],
      [
        'a number without a unit',
        { what: 'estimate', unit: null, name: 'position' },
        ...([-1, -0.3056, 'lowers the expected position by 0.31'] as const),
        'reduz a estimativa da posição em 0,31',
      ],
      [
        'an estimate at its limit',
        { what: 'estimate', unit: null },
        ...([1, 0, 'raises the estimate a little'] as const),
        'aumenta a estimativa um pouco',
      ],
    ];
    for (const [name, explained, contribution, effect, english, portuguese] of moves) {
      it(name, () => {
        const word = (language: Language) =>
          openWording(
            feature,
            contract,
            language,
            { entity: 'dim_customers' },
            explained,
          )({
            ...{ value: 10, usual: nan, contribution, effect },
          }).text;
        expect(word('en')).toBe(`Monthly income: BRL 10.00; ${english}`);
        expect(word('pt-BR')).toBe(`Renda mensal: R$ 10,00; ${portuguese}`);
      });
    }

    it('and say nothing of it where it is nothing', () => {
      const word = openWording(feature, contract, 'en', {}, { what: 'chance', unit: 'percentage_points' });
      expect(word({ value: 10, usual: nan, contribution: 0, effect: 0 }).text).toBe('Monthly income: BRL 10.00');
    });
  });
});
