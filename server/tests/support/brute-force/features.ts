/** The features asked of the made-up tables: every kind of read, from every kind of focus. */
import type { Signal } from '../../../src/ml/events/signals.ts';
import {
  type Aggregate,
  allTable,
  type Condition,
  type Events,
  type Feature,
  type Focus,
  type Read,
  type Season,
  type Span,
} from '../../../src/ml/features/feature.ts';
import { column } from './signals.ts';

/** Rows of a table with versions are not ranked: which siblings there are depends on when one asks. */
export function customerFeatures(ranked: boolean): Feature[] {
  const payments: Events = { table: 'payment', via: ['account_id', 'customer_id'] };
  const notes: Events = { table: 'note', via: ['customer_id'] };
  const region: Focus = { kind: 'parent', of: root, reference: 'region_id' };
  const last: Focus = { kind: 'last', of: root, events: payments, to: 'merchant_id' };
  const recent: Focus = { kind: 'recent', of: root, events: payments, to: 'merchant_id' };
  const written: Focus = { kind: 'recent', of: root, events: notes, to: 'account_id' };
  return [
    ...on(root, plain, customerReads, paymentReads(payments.via, ranked)),
    ...on(root, [{ kind: 'variety', events: payments, signal: merchants, span: { last: 10 }, as: 'changes' }]),
    ...on(root, readsOf({ table: 'account', via: ['customer_id'] }, [column('ceiling')], [[column('plan'), 'm']])),
    ...on(
      root,
      spans.map((span) => {
        const events: Events = { table: 'account', via: ['customer_id'] };
        return { kind: 'number', events, signal: column('ceiling'), span, aggregate: 'smoothed' };
      }),
    ),
    ...on(
      root,
      readsOf(
        notes,
        [column('words'), column('ceiling', 'account_id')],
        [
          [column('tone'), 'kind'],
          [column('plan', 'account_id'), 's'],
        ],
        false,
      ),
    ),
    ...on(
      root,
      ...conditions.map((when) => readsOf({ ...payments, when }, conditioned, paymentCategories.slice(0, 1))),
    ),
    ...on(
      root,
      [
        { path: [], column: 'tone', value: 'kind' },
        { path: ['account_id'], column: 'plan', value: 's' },
      ].flatMap((when) => readsOf({ ...notes, when }, [column('words')], [], false)),
    ),
    ...on({ kind: 'all' }, brief(conditions.flatMap((when) => readsOf({ ...ofAll, when }, conditioned, [])))),
    ...on(region, [
      { kind: 'attribute', column: 'people' },
      { kind: 'attribute_is', column: 'climate', value: 'wet' },
    ]),
    ...on(
      region,
      readsOf(
        { table: 'customer', via: ['region_id'] },
        [column('income'), column('rating')],
        [[column('tier'), 'card']],
      ),
    ),
    ...on(region, brief(readsOf({ table: 'account', via: ['customer_id', 'region_id'] }, [column('ceiling')], []))),
    ...on(last, merchantReads, brief(paymentReads(['merchant_id'], ranked))),
    ...on(recent, merchantReads, brief(paymentReads(['merchant_id'], ranked))),
    ...on(
      written,
      [{ kind: 'attribute', column: 'ceiling' }, { kind: 'age' }],
      brief(paymentReads(['account_id'], ranked)),
    ),
    ...on({ kind: 'all' }, brief(paymentReads([allTable], ranked))),
  ];
}

export function comparisonsOf(reference: string): Read[] {
  const events: Events = { table: 'payment', via: [reference] };
  return spans.flatMap((span): Read[] => [
    ...['amount', 'days_late'].flatMap((name) =>
      (['difference', 'deviation'] as const).map((as): Read => ({ kind: 'against', events, column: name, span, as })),
    ),
    ...['kind', 'outcome'].map((name): Read => ({ kind: 'same', events, column: name, span })),
  ]);
}

export function paymentFeatures(ranked: boolean): Feature[] {
  const account: Focus = { kind: 'parent', of: root, reference: 'account_id' };
  const customer: Focus = { kind: 'parent', of: account, reference: 'customer_id' };
  const merchant: Focus = { kind: 'parent', of: root, reference: 'merchant_id' };
  const met: Focus = {
    kind: 'recent',
    of: account,
    events: { table: 'payment', via: ['account_id'] },
    to: 'merchant_id',
  };
  return [
    ...on(root, plain, [
      { kind: 'attribute', column: 'amount' },
      { kind: 'attribute', column: 'days_late' },
      { kind: 'attribute_is', column: 'kind', value: 'card' },
      { kind: 'category', column: 'kind', values: ['slip', 'card'] },
      { kind: 'interval', column: 'due' },
      { kind: 'interval', column: 'settled' },
      { kind: 'length', column: 'kind' },
    ]),
    ...[{}, { arriving: true } as const].flatMap((come) =>
      on(
        root,
        readsOf({ table: 'line', via: ['payment_id'], ...come }, [column('pieces')], [[column('good'), 'milk']]),
        readsOf(
          { table: 'line', via: ['payment_id'], ...come, when: { path: [], column: 'good', value: 'milk' } },
          [column('pieces')],
          [],
        ),
      ),
    ),
    ...on(root, comparisonsOf('account_id'), comparisonsOf('merchant_id')),
    ...on(
      account,
      ...conditions.map((when) => brief(readsOf({ table: 'payment', via: ['account_id'], when }, conditioned, []))),
    ),
    ...on(account, [{ kind: 'age' }, { kind: 'attribute', column: 'ceiling' }], paymentReads(['account_id'], ranked)),
    ...on(customer, customerReads, brief(paymentReads(['account_id', 'customer_id'], ranked))),
    ...on(merchant, merchantReads, brief(paymentReads(['merchant_id'], ranked))),
    ...on(met, merchantReads, brief(paymentReads(['merchant_id'], ranked))),
    ...on({ kind: 'all' }, brief(paymentReads([allTable], ranked))),
  ];
}

export const root: Focus = { kind: 'root' };
const plain: readonly Read[] = [
  { kind: 'data_age' },
  { kind: 'calendar', part: 'month' },
  { kind: 'calendar', part: 'weekday' },
  { kind: 'calendar', part: 'time' },
];

export function on(focus: Focus, ...reads: readonly (readonly Read[])[]): Feature[] {
  return reads.flat().map((read) => ({ focus, read }));
}

function brief(reads: readonly Read[]): Read[] {
  return reads.filter((_, k) => k % 5 === 0);
}

function paymentReads(via: readonly string[], ranked: boolean): Read[] {
  return readsOf(
    { table: 'payment', via },
    ranked ? [...paymentNumbers, ...paymentRanks] : paymentNumbers,
    paymentCategories,
  );
}

function readsOf(
  events: Events,
  numbers: readonly Signal[],
  categories: readonly (readonly [Signal, string])[],
  dated = true,
): Read[] {
  const few = dated ? spans : spans.slice(0, 1);
  return [
    ...few.map((span): Read => ({ kind: 'count', events, span })),
    ...(dated
      ? ([
          { kind: 'rate', events, span: { days: 45 } },
          ...seasons.map((span): Read => ({ kind: 'rate', events, span })),
          { kind: 'since', events, which: 'first' },
          { kind: 'since', events, which: 'last' },
          { kind: 'gap', events, as: 'mean' },
          { kind: 'gap', events, as: 'sd' },
        ] satisfies Read[])
      : []),
    ...numbers.flatMap((signal) =>
      (dated ? seasons : []).map((span): Read => ({ kind: 'number', events, signal, span, aggregate: 'swing' })),
    ),
    ...numbers.flatMap((signal) =>
      few.flatMap((span) =>
        (dated ? aggregates : aggregates.slice(0, 5)).map(
          (aggregate): Read => ({ kind: 'number', events, signal, span, aggregate }),
        ),
      ),
    ),
    ...categories.flatMap(([signal, value]): Read[] => [
      ...few.flatMap((span): Read[] => [
        { kind: 'share', events, signal, value, span },
        { kind: 'share', events, signal, value: 'never seen', span },
        ...(['distinct', 'entropy', 'changes'] as const).map(
          (as): Read => ({ kind: 'variety', events, signal, span, as }),
        ),
      ]),
      { kind: 'last_is', events, signal, value },
    ]),
  ];
}

const paymentNumbers: readonly Signal[] = [
  column('amount'),
  column('days_late'),
  column('ceiling', 'account_id'),
  column('size', 'merchant_id'),
  column('rating', 'account_id', 'customer_id'),
  { kind: 'interval', column: 'settled' },
  { kind: 'interval', column: 'due' },
  { kind: 'interval', column: 'settled', from: 'due' },
  { kind: 'interval', path: ['account_id', 'customer_id'], column: 'left', from: 'due' },
  { kind: 'interval', path: ['account_id', 'customer_id'], column: 'left' },
  { kind: 'interval', path: ['account_id', 'customer_id'], column: 'renews' },
  { kind: 'column', path: [], column: 'kind', word: 'rather' },
  { kind: 'column', path: [], column: 'outcome', word: 'kept' },
];
const paymentRanks: readonly Signal[] = (['percentile', 'deviation'] as const).map((as) => ({
  kind: 'rank',
  within: 'merchant_id',
  column: 'amount',
  as,
}));
const paymentCategories: readonly (readonly [Signal, string])[] = [
  [column('kind'), 'card'],
  [column('outcome'), 'kept'],
  [column('tier', 'account_id', 'customer_id'), 'wire'],
];
const ofAll: Events = { table: 'payment', via: [allTable] };
/** Conditions known with the row, later than it, and by what it refers to. */
const conditions: readonly Condition[] = [
  { path: [], column: 'kind', value: 'card' },
  { path: [], column: 'outcome', value: 'kept' },
  { path: ['merchant_id'], column: 'sector', value: 'food' },
  { path: ['account_id', 'customer_id'], column: 'tier', value: 'wire' },
  { path: [], column: 'kind', value: 'never seen' },
];
const conditioned: readonly Signal[] = [column('amount'), column('days_late'), column('size', 'merchant_id')];
const merchants: Signal = { kind: 'reference', column: 'merchant_id' };

const customerReads: readonly Read[] = [
  { kind: 'age' },
  { kind: 'attribute', column: 'income' },
  { kind: 'attribute', column: 'rating' },
  { kind: 'attribute_is', column: 'tier', value: 'slip' },
  { kind: 'category', column: 'tier', values: ['card', 'slip'] },
  { kind: 'length', column: 'tier' },
  { kind: 'interval', column: 'left' },
  { kind: 'interval', column: 'renews' },
];
const merchantReads: readonly Read[] = [
  { kind: 'attribute', column: 'size' },
  { kind: 'attribute_is', column: 'sector', value: 'food' },
  { kind: 'length', column: 'sector' },
];

const seasons: readonly Season[] = [
  { season: 40, since: 90, ago: 90 },
  { season: 28, since: 371.5, ago: 364 },
];
const spans: readonly Span[] = [
  { all: true },
  { days: 45 },
  { days: 200 },
  { last: 1 },
  { last: 3 },
  { last: 70 },
  ...seasons,
];
const aggregates: readonly Exclude<Aggregate, 'smoothed' | 'swing'>[] = [
  'mean',
  'sum',
  'sd',
  'min',
  'max',
  'last',
  'trend',
  'slope',
];
