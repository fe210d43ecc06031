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
} from '../../../tests/support/samples/explain.ts';
import type { Feature, Focus, Read } from '../features/feature.ts';
import type { FutureRows } from '../tasks/target.ts';
import type { KnownTask } from './lineage.ts';
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
  return openWording({ focus, read }, contract, language, { entity, ...asked })({ value, usual, contribution: 1 });
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
        const texts = [
          describeFeature(feature, contract, language, { entity }),
          describeFeature(feature, contract, language),
          ...values.map((value) => say(feature.focus, feature.read, value, 0.5, language, entity)),
          ...[nan, 0].map((usual) => say(feature.focus, feature.read, 1, usual, language, entity)),
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

describe('typical factors', () => {
  const cases: [string, Focus, Read, number, number, string, string, string?][] = [
    [
      'a mean over days',
      root,
      { kind: 'number', events: instalments, signal: of('days_late'), span: days90, aggregate: 'mean' },
      12.44,
      0.8,
      'Mean days late of instalments in the last 90 days: 12.4 (usual: 0.8)',
      'Média de days late em instalments nos últimos 90 dias: 12,4 (habitual: 0,8)',
    ],
    [
      'money',
      root,
      { kind: 'number', events: invoices, signal: of('amount'), span: { days: 365 }, aggregate: 'sum' },
      1234.5,
      250_000.4,
      'Total amount of invoices (as customer) in the last 12 months: BRL 1,234.50 (usual: BRL 250,000)',
      'Total de amount em invoices (como customer) nos últimos 12 meses: R$ 1.234,50 (habitual: R$ 250.000)',
    ],
    [
      'a value of a category',
      root,
      { kind: 'attribute_is', column: 'state', value: 'SP' },
      1,
      0,
      'State is SP (usually not)',
      'State é SP (em geral, não)',
    ],
    [
      'a number against what came before',
      root,
      { kind: 'against', events: invoices, column: 'amount', span: all, as: 'difference' },
      350,
      2,
      "Amount against the mean of the customer's earlier invoices: +BRL 350.00 (usual: +BRL 2.00)",
      'Amount em relação à média em todo o histórico de invoices de customer: +R$ 350,00 (habitual: +R$ 2,00)',
      'invoices',
    ],
    [
      'how far a number is out of what came before',
      root,
      { kind: 'against', events: purchases, column: 'amount', span: last10, as: 'deviation' },
      3.14,
      0,
      "Amount against the usual spread of the buyer's last 10 invoices: +3.1 standard deviations (usual: 0 standard deviations)",
      'Amount em relação à variação habitual nos 10 registros mais recentes de invoices de buyer: +3,1 desvios-padrão (habitual: 0 desvios-padrão)',
      'invoices',
    ],
    [
      'a category never had before',
      root,
      { kind: 'same', events: invoices, column: 'status', span: all },
      0,
      0.97,
      "Share of the customer's earlier invoices with the same status: 0% (usual: 97%)",
      'Proporção com status igual em todo o histórico de invoices de customer: 0% (habitual: 97%)',
      'invoices',
    ],
    [
      'the absence of a value with spaces',
      customerOfLoan,
      { kind: 'attribute_is', column: 'state', value: 'São Paulo' },
      0,
      1,
      'State of the customer is not “São Paulo” (usually it is)',
      'State de customer não é “São Paulo” (em geral, sim)',
      'loans',
    ],
    [
      'a flag',
      root,
      { kind: 'attribute', column: 'isActive' },
      0,
      1,
      'Is active: no (usual: yes)',
      'Is active: não (habitual: sim)',
    ],
    [
      'a date ahead',
      root,
      { kind: 'interval', column: 'matures_on' },
      -300.4,
      -365,
      'Days until the matures date: 300 (usual: 365)',
      'Dias até a data de matures: 300 (habitual: 365)',
      'loans',
    ],
    [
      'a percentage with a unit of time',
      root,
      { kind: 'attribute', column: 'rate' },
      2.2,
      1.5,
      'Rate: 2.2% per month (usual: 1.5% per month)',
      'Rate: 2,2% ao mês (habitual: 1,5% ao mês)',
      'loans',
    ],
    [
      'a year',
      root,
      { kind: 'attribute', column: 'model_year' },
      2009,
      2015,
      'Model year: 2009 (usual: 2015)',
      'Model year: 2009 (habitual: 2015)',
      'loans',
    ],
    [
      'a count in a role',
      root,
      { kind: 'count', events: purchases, span: all },
      1200,
      3,
      'Number of invoices (as buyer) so far: 1,200 (usual: 3)',
      'Número de registros de invoices (como buyer) até agora: 1.200 (habitual: 3)',
    ],
    [
      'a share of the newest events',
      root,
      { kind: 'share', events: invoices, signal: of('status'), value: 'open', span: last10 },
      0.055,
      0.3,
      'Share of the last 10 invoices (as customer) with status open: 5.5% (usual: 30%)',
      'Proporção com status igual a open nos 10 registros mais recentes de invoices (como customer): 5,5% (habitual: 30%)',
    ],
    [
      'events that never happened',
      root,
      { kind: 'since', events: instalments, which: 'last' },
      nan,
      12,
      'Days since the last instalment: no instalments yet (usual: 12)',
      'Dias desde o registro mais recente de instalments: ainda sem registros de instalments (habitual: 12)',
    ],
    [
      'a span without events',
      root,
      { kind: 'number', events: instalments, signal: of('amount'), span: days90, aggregate: 'mean' },
      nan,
      10,
      'Mean amount of instalments in the last 90 days: no instalments in that time (usual: BRL 10.00)',
      'Média de amount em instalments nos últimos 90 dias: sem registros de instalments no período (habitual: R$ 10,00)',
    ],
    [
      'a value that may exist unknown',
      root,
      { kind: 'number', events: instalments, signal: of('days_late'), span: days90, aggregate: 'mean' },
      nan,
      nan,
      'Mean days late of instalments in the last 90 days: not known',
      'Média de days late em instalments nos últimos 90 dias: sem informação',
    ],
    [
      'the last company met',
      lastBuyer,
      { kind: 'attribute', column: 'monthly_income' },
      5000,
      4000,
      'Monthly income of the last buyer met in invoices: BRL 5,000.00 (usual: BRL 4,000.00)',
      'Monthly income de buyer mais recente em invoices: R$ 5.000,00 (habitual: R$ 4.000,00)',
    ],
    [
      'the company kept of late',
      recentBuyers,
      { kind: 'attribute_is', column: 'state', value: 'SP' },
      0.42,
      0.1,
      'Share of the buyers in recent invoices whose state is SP: 42% (usual: 10%)',
      'Proporção de buyer em registros recentes de invoices com state igual a SP: 42% (habitual: 10%)',
    ],
    [
      'what company does',
      recentBuyers,
      { kind: 'number', events: purchases, signal: of('daysLate'), span: days90, aggregate: 'mean' },
      5.5,
      0,
      'Mean days late of invoices (as buyer) in the last 90 days, on average over the buyers in recent invoices: 5.5 (usual: 0)',
      'Média de days late em invoices (como buyer) nos últimos 90 dias, em média por buyer em registros recentes de invoices: 5,5 (habitual: 0)',
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
      'Mean of earlier outcomes of what is predicted in the last 90 days, all customers together: 0.25 (usual: 0.1)',
      'Média dos desfechos anteriores do que é previsto nos últimos 90 dias, no conjunto de customers: 0,25 (habitual: 0,1)',
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
      'Latest amount less the mean of all invoices (as customer) so far: -BRL 20.00 (usual: +BRL 5.00)',
      'Valor mais recente de amount menos a média em todo o histórico de invoices (como customer): -R$ 20,00 (habitual: +R$ 5,00)',
    ],
    [
      'numbers of one kind of events',
      root,
      { kind: 'number', events: openInvoices, signal: of('amount'), span: { last: 3 }, aggregate: 'mean' },
      40,
      25,
      'Mean amount of the last 3 invoices with status open (as customer): BRL 40.00 (usual: BRL 25.00)',
      'Média de amount nos 3 registros mais recentes de invoices com status igual a open (como customer): R$ 40,00 (habitual: R$ 25,00)',
    ],
    [
      'the newest of one kind of events, of which there is none',
      root,
      { kind: 'number', events: openInvoices, signal: of('amount'), span: all, aggregate: 'last' },
      nan,
      25,
      'Amount of the last invoice with status open (as customer): no invoices with status open yet (usual: BRL 25.00)',
      'Amount no registro mais recente de invoices com status igual a open (como customer): ainda sem registros de invoices com status igual a open (habitual: R$ 25,00)',
    ],
    [
      'one kind of events by what they refer to',
      root,
      { kind: 'number', events: leaseInstalments, signal: of('amount'), span: days90, aggregate: 'max' },
      nan,
      25,
      'Highest amount of instalments with loan product “lease of cars” in the last 90 days: not known (usual: BRL 25.00)',
      'Maior valor de amount em instalments com product de loan igual a “lease of cars” nos últimos 90 dias: sem informação (habitual: R$ 25,00)',
    ],
    [
      'a pace',
      root,
      { kind: 'rate', events: instalments, span: days90 },
      1.84,
      1,
      'Pace of instalments in the last 90 days against the long run, as a multiple: 1.84× (usual: 1×)',
      'Ritmo de registros de instalments nos últimos 90 dias em relação ao longo prazo, em vezes: 1,84× (habitual: 1×)',
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
      'Last known outcome of “days late” less the mean of them all: +0.4 (usual: 0)',
      'Último desfecho conhecido de “days late” menos a média de todos: +0,4 (habitual: 0)',
    ],
    [
      'whether something came',
      { target: rows({ aggregate: 'exists', horizonsDays: [60, 180] }) },
      { kind: 'number', events: outcomes, signal: of('label'), span: all, aggregate: 'smoothed' },
      'Mean of all earlier outcomes of “any orders within 60 days” so far, drawn to the usual: 0.4 (usual: 0)',
      'Média de todos os desfechos anteriores de “algum registro de orders em 60 dias” até agora, aproximada da habitual: 0,4 (habitual: 0)',
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
      "Number of earlier outcomes of “number of orders 30 days overdue > 2 within 90 days, by the task's condition” so far: 0.4 (usual: 0)",
      'Número de registros de desfechos anteriores de “número de registros de orders com 30 dias de atraso > 2 em 90 dias, na condição da tarefa” até agora: 0,4 (habitual: 0)',
    ],
    [
      'what was spent',
      { target: rows({ aggregate: { sum: 'order_amount' } }) },
      { kind: 'number', events: outcomes, signal: of('label'), span: all, aggregate: 'last' },
      'Last known outcome of “total order amount of orders within 90 days”: 0.4 (usual: 0)',
      'Último desfecho conhecido de “total de order amount em orders em 90 dias”: 0,4 (habitual: 0)',
    ],
    [
      'what was bought next',
      { target: rows({ aggregate: { next: 'product' } }) },
      { kind: 'share', events: outcomes, signal: of('label'), value: 'rice', span: last10 },
      'Share of the last 10 earlier outcomes of “product of the next of orders within 90 days” that were rice: 40% (usual: 0%)',
      'Proporção dos últimos 10 desfechos anteriores de “product no próximo registro de orders em 90 dias” iguais a rice: 40% (habitual: 0%)',
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
    expect(describeFeature({ focus: root, read }, contract, 'pt-BR')).toBe('se state é SP');
  });

  it('ends with the direction when one is given', () => {
    const direction = { up: 'raises the risk', down: 'lowers the risk' };
    const feature: Feature = { focus: root, read: { kind: 'attribute', column: 'monthly_income' } };
    const word = (contribution: number) =>
      openWording(feature, contract, 'en', { entity: 'dim_customers' })({
        ...{ value: 10, usual: nan, contribution, direction },
      });
    expect(word(0.2)).toBe('Monthly income: BRL 10.00; raises the risk');
    expect(word(-0.2)).toBe('Monthly income: BRL 10.00; lowers the risk');
    expect(word(0)).toBe('Monthly income: BRL 10.00');
  });
});
