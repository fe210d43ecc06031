import { describe, expect, it } from 'vitest';
import { contract, days90, instalments, invoices, of, root } from '../../../tests/support/samples/explain.ts';
import type { Feature, Read } from '../features/feature.ts';
import { type Language, openWording } from './wording.ts';

const nan = Number.NaN;

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
