import fc from 'fast-check';
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
  of,
  purchases,
  recentBuyers,
  root,
} from '../../../tests/support/samples/explain.ts';
import type { Feature, Focus, Span } from '../features/feature.ts';
import { sigmoid } from '../statistics/logistic.ts';
import type { ExplainedNumber } from './effects.ts';
import { factorGroup, factorShareMin, openFactors, reasonCode } from './factors.ts';
import { isProtected } from './protected.ts';

const late = (span: Span, focus: Focus = root): Feature => ({
  focus,
  read: { kind: 'number', events: instalments, signal: of('days_late'), span, aggregate: 'mean' },
});
/** Instalments that name who pays them, as their loans do. */
const ofLoans = contract.tables.find(({ name }) => name === 'instalments')!;
const paidBy = {
  ...ofLoans,
  references: [...ofLoans.references, { column: 'payer_id', table: 'dim_customers', key: 'dim_customers_id' }],
};
const income: Feature = { focus: root, read: { kind: 'attribute', column: 'monthly_income' } };
const state = (value: string): Feature => ({ focus: root, read: { kind: 'attribute_is', column: 'state', value } });
const anyState: Feature = { focus: root, read: { kind: 'category', column: 'state', values: ['SP', 'RJ'] } };
const gender: Feature = { focus: root, read: { kind: 'attribute_is', column: 'gender', value: 'F' } };
const explained: ExplainedNumber = {
  field: 'prediction',
  what: 'risk',
  unit: 'percentage_points',
  of: (margin) => 100 * sigmoid(margin),
};
const options = { most: 10, language: 'en', entity: 'dim_customers', explained } as const;
const expected = -1;

function tell(features: readonly Feature[], contributions: readonly number[], more: object = {}) {
  const values = Float32Array.from(features, () => 1);
  const usual = features.map(({ read }) => (read.kind === 'category' ? Number.NaN : 0));
  const open = openFactors(usual, features, contract, { ...options, ...more });
  return open(Float64Array.of(...contributions, expected), values);
}

describe('the factors of a row', () => {
  it('are groups of kin, the largest first, each told by the member that moved it most', () => {
    const told = tell(
      [late(days90), income, late(all), late(last10), state('SP'), state('RJ')],
      [0.3, -0.6, 0.5, -0.1, 0.2, 0.2],
    );
    expect(told.factors.map(({ code, contribution }) => [code, Number(contribution.toFixed(9))])).toEqual([
      ['instalments_by_loan_customer_days_late', 0.7],
      ['monthly_income', -0.6],
      ['state', 0.4],
    ]);
    expect(told.factors[0].path).toEqual(late(all));
    expect(told.factors.map(({ text }) => text)).toEqual([
      'Average days late of all instalments: 1 (0 for most); raises the risk by 14.8 percentage points',
      'Monthly income: BRL 1.00 (usually BRL 0.00); lowers the risk by 12.4 percentage points',
      'State: SP (usually not); raises the risk by 8.5 percentage points',
    ]);
    expect(told.unworded).toBe(0);
    expect(told.others).toBe(0);
  });

  it('say a category by its value, in one group with what else is read of its column', () => {
    const told = tell([state('SP'), anyState], [0.1, 0.4]);
    expect(told.factors).toMatchObject([{ code: 'state', value: 1, usual: null, path: state('RJ') }]);
    expect(told.factors[0].contribution).toBeCloseTo(0.5, 12);
    expect(told.factors[0].text).toMatch(/^State: RJ; raises the risk by /);
  });

  it('stand by what they moved the answer by, either way, in the newest form of reasons', () => {
    // What raises this answer moves it more per unit of contribution than what lowers it.
    const features = [state('SP'), income, late(all)];
    const contributions = [0.6, -0.62, 2];
    const codes = (more: object) => tell(features, contributions, more).factors.map(({ code }) => code);
    const ofLate = 'instalments_by_loan_customer_days_late';
    expect(codes({ reasons: 3 }), 'as answers of older versions were').toEqual([ofLate, 'monthly_income', 'state']);
    expect(codes({ reasons: 4 })).toEqual([ofLate, 'state', 'monthly_income']);
    expect(codes({ reasons: 4, most: 2 })).toEqual([ofLate, 'state']);
    const sizes = tell(features, contributions, { reasons: 4 }).factors.map(({ effect }) => Math.abs(effect));
    expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
    const none = { ...explained, of: () => 50 };
    expect(codes({ reasons: 4, explained: none }), 'where nothing moves it, by contribution').toEqual([
      ofLate,
      'monthly_income',
      'state',
    ]);
    expect(
      tell([income, state('SP')], [0.5, 0.5], { reasons: 4 }).factors.map(({ code }) => code),
      'of equal ones as the features stand',
    ).toEqual(['monthly_income', 'state']);
  });

  it('leave out what did not move the answer, and what comes after the most', () => {
    const features = [
      income,
      state('SP'),
      late(all),
      { focus: root, read: { kind: 'count', events: invoices, span: all } } as const,
    ];
    const small = factorShareMin / 2;
    const told = tell(features, [1, small, -0.5, 0]);
    expect(told.factors.map(({ code }) => code)).toEqual(['monthly_income', 'instalments_by_loan_customer_days_late']);
    expect(told.others).toBe(small);
    const one = tell(features, [1, small, -0.5, 0], { most: 1 });
    expect(one.factors).toHaveLength(1);
    expect(one.others).toBeCloseTo(small - 0.5, 12);
    const usual = 100 * sigmoid(expected);
    expect(tell(features, [0, 0, 0, 0])).toEqual({ factors: [], unworded: 0, others: 0, answer: usual, usual });
  });

  it('of the same events on two paths are one, in the newer form of reasons', () => {
    const ofBoth = {
      ...contract,
      tables: contract.tables.map((table) => (table.name === 'instalments' ? paidBy : table)),
    };
    const direct: Feature = {
      ...late(all),
      read: { ...late(all).read, events: { table: 'instalments', via: ['payer_id'] } } as never,
    };
    const features = [late(all), income, direct];
    const values = Float32Array.of(12, 3, 12);
    const open = (more: object) => openFactors([0, 0, 0], features, ofBoth, { ...options, ...more });
    const contributions = Float64Array.of(0.5, -0.6, 0.3, expected);
    const told = open({ reasons: 2 })(contributions, values);
    expect(told.factors.map(({ code, contribution }) => [code, contribution])).toEqual([
      ['instalments_by_loan_customer_days_late', 0.8],
      ['monthly_income', -0.6],
    ]);
    expect(told.others).toBe(0);
    const whole = told.factors.reduce((sum, { effect }) => sum + effect, 0);
    expect(whole).toBeCloseTo(told.answer - told.usual, 9);
    const [{ text, effect }] = told.factors;
    expect(text).toContain(`raises the risk by ${effect.toFixed(1)} percentage points`);
    expect(open({})(contributions, values).factors, 'as answers of older versions were').toHaveLength(3);
    expect(open({ reasons: 2 })(contributions, Float32Array.of(12, 3, 11)).factors, 'other events').toHaveLength(3);
    const both = open({ reasons: 2, most: 1 })(contributions, values);
    expect(
      both.factors.map(({ contribution }) => contribution),
      'what is told is whole',
    ).toEqual([0.8]);
    const against = open({ reasons: 2 })(Float64Array.of(0.5, -0.6, -0.49, expected), values);
    expect(
      against.factors.map(({ code }) => code),
      'what moved it both ways comes to little',
    ).toEqual(['monthly_income']);
    expect(against.others).toBeCloseTo(0.01, 9);
  });

  it('of two roles are two, though their values are the same', () => {
    const asSeller: Feature = { focus: root, read: { kind: 'count', events: invoices, span: all } };
    const asBuyer: Feature = { focus: root, read: { kind: 'count', events: purchases, span: all } };
    expect(tell([asSeller, asBuyer], [0.5, 0.4], { reasons: 2 }).factors).toHaveLength(2);
  });

  it('drop kin that cancel out', () => {
    expect(tell([late(all), late(days90), income], [0.5, -0.5, 0.1]).factors.map(({ code }) => code)).toEqual([
      'monthly_income',
    ]);
  });

  it('give missing values as null', () => {
    const told = openFactors(
      [Number.NaN],
      [income],
      contract,
      options,
    )(Float64Array.of(1, 0), Float32Array.of(Number.NaN));
    expect(told.factors[0]).toMatchObject({
      value: null,
      usual: null,
      text: 'Monthly income: not known; raises the risk by 23.1 percentage points',
    });
    expect(told.others + told.unworded).toBe(0);
  });

  it('add up to all that moved the answer, and repeat to the last bit', () => {
    const features = [...everyFeature().filter(({ entity }) => entity === 'dim_customers')].map((each) => each.feature);
    features.push(gender);
    const usual = features.map(() => 1);
    const open = openFactors(usual, features, contract, options);
    fc.assert(
      fc.property(fc.infiniteStream(fc.double({ min: -2, max: 2, noNaN: true })), (stream) => {
        const contributions = Float64Array.from(features, () => {
          const next: number = stream.next().value;
          return Math.abs(next) < 1.5 ? 0 : next;
        });
        const values = Float32Array.from(contributions);
        const row = Float64Array.of(...contributions, expected);
        const { factors, unworded, others, ...answers } = open(row, values);
        const sum = factors.reduce((total, { contribution }) => total + contribution, unworded + others);
        expect(sum).toBeCloseTo(
          contributions.reduce((a, b) => a + b, 0),
          8,
        );
        expect(factors.length).toBeLessThanOrEqual(options.most);
        expect(open(row, values)).toEqual({ factors, unworded, others, ...answers });
      }),
      { numRuns: 20 },
    );
  });
});

describe('personal and protected columns', () => {
  const hidden: [string, Feature, string][] = [
    ['a sex', gender, 'dim_customers'],
    ['a birth date', { focus: root, read: { kind: 'interval', column: 'birth_date' } }, 'dim_customers'],
    ['a personal text', { focus: root, read: { kind: 'length', column: 'secretNote' } }, 'dim_customers'],
    ['a personal number', { focus: root, read: { kind: 'attribute', column: 'salario_secreto' } }, 'dim_customers'],
    [
      'a personal number of a parent',
      { focus: customerOfLoan, read: { kind: 'attribute', column: 'salario_secreto' } },
      'loans',
    ],
    [
      'the sex of company',
      { focus: recentBuyers, read: { kind: 'attribute_is', column: 'gender', value: 'M' } },
      'dim_customers',
    ],
    [
      'a sex compared with those before it',
      {
        focus: root,
        read: { kind: 'same', events: { table: 'dim_customers', via: ['region_id'] }, column: 'gender', span: all },
      },
      'dim_customers',
    ],
    [
      'a sex by which events are picked',
      {
        focus: root,
        read: {
          kind: 'number',
          events: { ...invoices, when: { path: ['buyer_id'], column: 'gender', value: 'F' } },
          signal: of('amount'),
          span: all,
          aggregate: 'mean',
        },
      },
      'dim_customers',
    ],
    [
      'the outcomes of those of the same sex',
      {
        focus: { kind: 'parent', of: root, reference: 'gender' },
        read: {
          kind: 'number',
          events: { table: '@labels', via: ['entity', 'gender'] },
          signal: of('label'),
          span: all,
          aggregate: 'mean',
        },
      },
      'dim_customers',
    ],
    [
      'a personal number read through events',
      {
        focus: root,
        read: {
          kind: 'number',
          events: purchases,
          signal: of('salario_secreto', 'customer_id'),
          span: all,
          aggregate: 'mean',
        },
      },
      'dim_customers',
    ],
  ];
  for (const [name, feature, entity] of hidden) {
    it(`keep out ${name}, and count what it moved`, () => {
      const told = tell([feature, income], [2, 0.5], { entity });
      expect(told.unworded).toBe(2);
      expect(told.factors.map(({ code }) => code)).toEqual(['monthly_income']);
      expect(JSON.stringify(told)).not.toMatch(/gender|birth|secret|salario/i);
      // Without the entity, every table with such a column counts.
      expect(isProtected({ contract }, feature)).toBe(true);
    });
  }

  it('do not take an asset for a person, or a reference for an origin', () => {
    const age: Feature = { focus: root, read: { kind: 'attribute', column: 'age' } };
    expect(isProtected({ contract, entity: 'loans' }, age)).toBe(false);
    const loans = contract.tables.filter(({ name }) => name === 'loans');
    const people = { ...contract, tables: loans.map((table) => ({ ...table, entityKind: 'individual' as const })) };
    expect(isProtected({ contract: people, entity: 'loans' }, age)).toBe(true);
    expect(isProtected({ contract: people, entity: 'loans' }, age, [])).toBe(false);
  });

  it('leave every other feature worded', () => {
    for (const { feature, entity } of everyFeature()) expect(isProtected({ contract, entity }, feature)).toBe(false);
  });
});

describe('codes', () => {
  it('are short lower snake, the same for kin, and different for other meanings', () => {
    const codes = new Map<string, string>();
    for (const { feature, entity } of everyFeature()) {
      const code = `${entity} ${reasonCode(feature)}`;
      expect(reasonCode(feature)).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
      const group = factorGroup(feature);
      expect(codes.get(code) ?? group).toBe(group);
      codes.set(code, group);
    }
    expect(reasonCode(late(days90))).toBe(reasonCode(late(all)));
    expect(factorGroup(late(days90))).toBe(factorGroup(late(all)));
    expect(reasonCode({ focus: root, read: { kind: 'age' } })).toBe('tenure');
    expect(reasonCode({ focus: recentBuyers, read: { kind: 'attribute', column: 'monthly_income' } })).toBe(
      'recent_buyer_in_invoices_by_customer_monthly_income',
    );
  });
});

it('two paths that read the same are told once, and the sum stays whole', () => {
  const twice = ['entity', 'payments.customer_id'].map(
    (step): Feature => ({
      focus: { kind: 'root' },
      read: { kind: 'count', events: { table: '@labels', via: [step] }, span: { all: true } },
    }),
  );
  const { factors, unworded, others } = openFactors(
    [1, 1],
    twice,
    { id: 'twice', version: '1', tables: [] },
    { most: 4, language: 'en', explained, entity: 'payments' },
  )(Float64Array.of(0.5, 0.25, 0), Float32Array.of(3, 3));
  expect(factors.map(({ contribution }) => contribution)).toEqual([0.5]);
  expect(unworded + others).toBe(0.25);
});

it('what is the same for everybody is no reason for one of them, but counts', () => {
  const common: Feature[] = [
    { focus: { kind: 'all' }, read: { kind: 'count', events: invoices, span: all } },
    { focus: root, read: { kind: 'calendar', part: 'time' } },
    { focus: root, read: { kind: 'data_age' } },
  ];
  const { factors, unworded } = tell([...common, income], [0.5, 0.25, 0.125, 0.0625]);
  expect(factors.map(({ contribution }) => contribution)).toEqual([0.0625]);
  expect(unworded).toBe(0.875);
  const outcomes = { table: '@labels', via: ['entity'] };
  const rate: Feature = {
    focus: root,
    read: { kind: 'number', events: outcomes, signal: of('label'), span: all, aggregate: 'smoothed' },
  };
  expect(tell([rate, income], [0.5, 0.25], { fresh: true }).factors, 'new rows have no labels').toHaveLength(1);
  expect(tell([rate, income], [0.5, 0.25]).factors).toHaveLength(2);
  expect(tell(common, [0.5, 0.25, 0.125]).factors, 'where nothing else is read').toHaveLength(3);
});

/** The factors of a row of three features, the first two of which have no value. */
function tellLacking(features: readonly Feature[]) {
  const tell = openFactors([0, 0, 0], features, contract, options);
  return tell(Float64Array.of(0.5, 0.25, 0.125, 0), Float32Array.of(Number.NaN, Number.NaN, 1));
}

it('of who has no events it is not said again by those that events would lead to', () => {
  const lacking = [late(all), late(all, recentBuyers), income];
  const { factors } = tellLacking(lacking);
  expect(factors.map(({ contribution }) => contribution)).toEqual([0.5, 0.125]);
});

it('that there are no such events is said once, not for every value that they might have', () => {
  const lacking = [late(all), { ...late(all), read: { ...late(all).read, signal: of('amount') } } as Feature, income];
  const { factors, others } = tellLacking(lacking);
  expect(factors.map(({ contribution }) => contribution)).toEqual([0.5, 0.125]);
  expect(others).toBe(0.25);
});
