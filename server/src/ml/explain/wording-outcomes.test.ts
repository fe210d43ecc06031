import { describe, expect, it } from 'vitest';
import {
  all,
  contract,
  customerOfLoan,
  everyFeature,
  instalments,
  invoices,
  last10,
  lastBuyer,
  of,
  outcomes,
  recentBuyers,
  root,
  seasonAYearAgo,
} from '../../../tests/support/samples/explain.ts';
import { say } from '../../../tests/support/say-factor.ts';
import type { Signal } from '../events/signals.ts';
import type { Focus, Read } from '../features/feature.ts';
import type { FutureRows } from '../tasks/target.ts';
import type { KnownTask } from './lineage.ts';
import { describeFeature, openWording } from './wording.ts';

/** A target on rows of orders in the next 90 days. */
function rows(change: Partial<FutureRows>): FutureRows {
  return { kind: 'rows', table: 'orders', aggregate: 'exists', horizonsDays: [90], ...change };
}

describe('earlier outcomes', () => {
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

  it('tell earlier cases by what they were met through, and values other than the label by their own name', () => {
    const met = { table: '@labels', via: ['instalments.loan'] };
    const count: Read = { kind: 'count', events: met, span: { days: 720 } };
    expect(describeFeature({ focus: root, read: count }, contract, 'en', { entity: 'dim_customers' })).toBe(
      'number of earlier cases (through instalments) whose outcome became known in the last 2 years',
    );
    const signal: Signal = { kind: 'column', path: ['entity'], column: 'state' };
    const share: Read = { kind: 'share', events: outcomes, signal, value: 'SP', span: all };
    expect(describeFeature({ focus: root, read: share }, contract, 'en', { entity: 'dim_customers' })).toBe(
      "share of all earlier cases where the customer's state is SP",
    );
  });
});

describe('the third form of reasons', () => {
  const kind = 'binary';
  const overdue = rows({ overdue: { due: 'due', paid: 'paid', days: 30 }, table: 'instalments', horizonsDays: [30] });
  const asked = { kind, target: overdue, reasons: 3 } as const;
  const last: Read = { kind: 'number', events: outcomes, signal: of('label'), span: all, aggregate: 'last' };
  const shareIn = (days: number): Read => ({ ...last, aggregate: 'mean', span: { days } });

  it('tells what came of the latest case as a sentence', () => {
    expect(say(root, last, 1, 0, 'en', 'dim_customers', asked)).toBe(
      'Last time it was looked at, instalments fell 30 days overdue within the next 30 days: yes (usually no)',
    );
    expect(say(root, last, 1, 0, 'pt-BR', 'dim_customers', asked)).toBe(
      'Da última vez que se olhou, houve parcelas com 30 dias de atraso em até 30 dias: sim (em geral não)',
    );
    const bought = { ...asked, target: rows({ horizonsDays: [365] }) };
    expect(say(root, shareIn(30), 0.4, 0, 'en', 'dim_customers', bought)).toBe(
      'Share of earlier cases resolved in the last 30 days of known outcomes in which orders came within the next year: 40% (0% for most)',
    );
    // What is no sentence, and what older versions tell, stay as they were.
    const label = { ...asked, target: undefined, label: 'paid_late' };
    expect(say(root, last, 1, 0, 'en', 'dim_customers', label)).toMatch(/^“Paid late” in the latest known case: yes/);
    const payer = { kind: 'parent', of: root, reference: 'customerId' } as const;
    expect(say(payer, last, 1, 0, 'en', 'loans', asked)).toMatch(/^Last time the customer was looked at, instalments/);
    expect(say(payer, last, 1, 0, 'pt-BR', 'loans', asked)).toMatch(
      /^Da última vez que se olhou para o cliente, houve/,
    );
    expect(say(root, last, 1, 0, 'en', 'dim_customers', { ...asked, reasons: 2 })).toMatch(
      /^“Any instalments 30 days overdue within 30 days” in the latest known case: yes/,
    );
  });

  it('tells a stretch of the past that is longer than the data as all of it', () => {
    const told = (days: number, history: Record<string, number>, reasons: 2 | 3 = 3) =>
      say(root, shareIn(days), 0.4, 0, 'en', 'dim_customers', { ...asked, reasons, history });
    const whole = 'Share of all earlier cases in which instalments fell 30 days overdue within the next 30 days: 40%';
    expect(told(4380, { '@labels': 1000 })).toContain(whole);
    expect(told(4380, { '@labels': 1000 }, 2)).toContain('in the last 12 years of known outcomes');
    // The data grow while a version answers.
    expect(told(1095, { '@labels': 1000 })).toContain('in the last 3 years of known outcomes');
    expect(told(4380, { instalments: 1000 })).toContain('in the last 12 years of known outcomes');
    const count: Read = { kind: 'count', events: instalments, span: { days: 4380 } };
    const history = { instalments: 1000 };
    expect(say(root, count, 4, 1, 'pt-BR', 'dim_customers', { ...asked, history })).toMatch(
      /^Número de parcelas até agora: 4/,
    );
    expect(describeFeature({ focus: root, read: count }, contract, 'en', { entity: 'dim_customers', history })).toBe(
      'number of instalments so far',
    );
  });
});

describe('the fourth form of reasons', () => {
  const overdue = rows({ overdue: { due: 'due', paid: 'paid', days: 30 }, table: 'instalments', horizonsDays: [30] });
  const asked = { kind: 'binary', target: overdue, reasons: 4 } as const;
  const label: Read = { kind: 'number', events: outcomes, signal: of('label'), span: { days: 90 }, aggregate: 'max' };
  const alike: Focus = { kind: 'parent', of: root, reference: 'state' };
  const everyone: Focus = { kind: 'all' };
  const told: [string, Focus, Read, string, string][] = [
    [
      'whether it came in at least one case',
      root,
      label,
      'Instalments fell 30 days overdue within the next 30 days, in at least one of the earlier cases whose outcome became known in the last 90 days',
      'Houve parcelas com 30 dias de atraso em até 30 dias, em ao menos um dos casos anteriores cujo desfecho ficou conhecido nos últimos 90 dias',
    ],
    [
      'whether it came in every case',
      root,
      { ...label, span: all, aggregate: 'min' },
      'Instalments fell 30 days overdue within the next 30 days, in every one of the earlier cases',
      'Houve parcelas com 30 dias de atraso em até 30 dias, em cada um dos casos anteriores',
    ],
    [
      'how often it came to rows with the same value',
      alike,
      { ...label, aggregate: 'mean' },
      'How often instalments fell 30 days overdue within the next 30 days, in earlier cases whose outcome became known in the last 90 days, with the same state',
      'Frequência com que houve parcelas com 30 dias de atraso em até 30 dias, nos casos anteriores cujo desfecho ficou conhecido nos últimos 90 dias, com o mesmo estado',
    ],
    [
      'how often it came to everybody in the same weeks, and in that year',
      everyone,
      { ...label, span: seasonAYearAgo, aggregate: 'swing' },
      "How often instalments fell 30 days overdue within the next 30 days, in everyone's earlier cases from the same weeks a year earlier, compared with all of that year",
      'Frequência com que houve parcelas com 30 dias de atraso em até 30 dias, nos casos anteriores de todos, das mesmas semanas de um ano antes, em comparação com aquele ano inteiro',
    ],
    [
      'how often it may come, from few cases',
      root,
      { ...label, span: all, aggregate: 'smoothed' },
      'How often instalments fell 30 days overdue within the next 30 days, estimated from all earlier cases',
      'Frequência com que houve parcelas com 30 dias de atraso em até 30 dias, estimada com base em todos os casos anteriores',
    ],
    [
      'all rows of everybody',
      everyone,
      { ...label, events: { ...invoices, via: ['@all'] }, signal: of('amount'), span: all, aggregate: 'mean' },
      'Average amount of all invoices of everyone',
      'Valor médio das faturas de todos',
    ],
    [
      'which rows of several owners after what they have',
      recentBuyers,
      { kind: 'share', events: invoices, signal: of('status'), value: 'open', span: all },
      'Share where status is open, among all invoices (as customer) of recent buyers',
      'Proporção com status igual a open, em todas as faturas (como cliente) dos compradores recentes',
    ],
    [
      'what a row has that another one refers to, and the time after whose rows they are',
      { ...lastBuyer, of: customerOfLoan },
      {
        ...{ kind: 'number', events: instalments, signal: of('rate', 'loan_id'), aggregate: 'mean' },
        span: { days: 90 },
      },
      "Average rate of the loan, over instalments of the customer's latest buyer, in the last 90 days",
      'Média de rate do empréstimo nas parcelas do comprador mais recente do cliente, nos últimos 90 dias',
    ],
    [
      'what was marked',
      root,
      { kind: 'number', events: invoices, signal: of('disputed'), span: { days: 90 }, aggregate: 'max' },
      'Disputed in at least one of the invoices (as customer) in the last 90 days',
      'Disputed igual a sim em ao menos uma das faturas (como cliente) nos últimos 90 dias',
    ],
  ];
  for (const [name, focus, read, english, portuguese] of told) {
    it(`tells ${name}`, () => {
      const entity = focus.kind === 'last' ? 'loans' : 'dim_customers';
      expect(say(focus, read, 0.4, 0, 'en', entity, asked).split(': ')[0]).toBe(english);
      expect(say(focus, read, 0.4, 0, 'pt-BR', entity, asked).split(': ')[0]).toBe(portuguese);
    });
  }

  it('tells new rows by what came of earlier ones, and not by when they were looked at', () => {
    const last: Read = { ...label, span: all, aggregate: 'last' };
    const ofNew = { ...asked, fresh: true };
    expect(say(root, last, 1, 0, 'en', 'loans', ofNew)).toBe(
      'Instalments fell 30 days overdue within the next 30 days, in the latest known loan: yes (usually no)',
    );
    expect(say(root, { ...last, aggregate: 'mean' }, 0.4, 0, 'en', 'loans', { ...ofNew, reasons: 3 })).toBe(
      'Share of all earlier loans that ended in “any instalments 30 days overdue within 30 days”: 40% (0% for most)',
    );
  });

  it('puts no two owners, times or quantities on end, whatever is read', () => {
    const clumsy =
      /of known outcomes|de desfechos conhecidos|(?:any|every one) of (?:all|earlier)|all (?:everyone|recent [^ ]+s'|the )|tod[oa]s [oa]s [^,]* de todos|que aparecem/;
    for (const { feature, entity } of everyFeature())
      for (const language of ['en', 'pt-BR'] as const) {
        const word = openWording(feature, contract, language, { ...asked, entity });
        const { statement } = word({ value: 0.4, usual: 0, contribution: 0, effect: 0 });
        if (clumsy.test(statement)) expect.fail(statement);
      }
  });
});
