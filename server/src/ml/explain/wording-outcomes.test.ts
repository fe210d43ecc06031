import { describe, expect, it } from 'vitest';
import { all, contract, last10, of, outcomes, root } from '../../../tests/support/samples/explain.ts';
import { say } from '../../../tests/support/say-factor.ts';
import type { Signal } from '../events/signals.ts';
import type { Read } from '../features/feature.ts';
import type { FutureRows } from '../tasks/target.ts';
import type { KnownTask } from './lineage.ts';
import { describeFeature } from './wording.ts';

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
      'number of earlier cases (through instalments) resolved in the last 2 years of known outcomes',
    );
    const signal: Signal = { kind: 'column', path: ['entity'], column: 'state' };
    const share: Read = { kind: 'share', events: outcomes, signal, value: 'SP', span: all };
    expect(describeFeature({ focus: root, read: share }, contract, 'en', { entity: 'dim_customers' })).toBe(
      'share of all earlier cases where customer state is SP',
    );
  });
});
