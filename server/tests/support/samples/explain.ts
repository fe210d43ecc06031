import type {
  ColumnContract,
  Contract,
  EntityKind,
  EventTime,
  TableContract,
} from '../../../src/ml/contract/contract.ts';
import type { Signal } from '../../../src/ml/events/signals.ts';
import type { Events, Feature, Focus, Read, Season, Span } from '../../../src/ml/features/feature.ts';
import { pairName } from '../../../src/ml/graph/pairs.ts';

function column(name: string, type: ColumnContract['type'], traits: Partial<ColumnContract> = {}): ColumnContract {
  return { name, type, required: true, unique: false, planned: false, mutable: false, pii: false, ...traits };
}

function table(
  name: string,
  entityKind: EntityKind,
  time: EventTime | undefined,
  references: Readonly<Record<string, string>>,
  ...columns: ColumnContract[]
): TableContract {
  const key = `${name.replace(/s$/, '')}_id`;
  return {
    name,
    entityKind,
    key: [key],
    ...(time ? { time } : {}),
    references: Object.entries(references).map(([from, to]) => ({ column: from, table: to, key: `${to}_id` })),
    columns: [column(key, 'string'), ...Object.keys(references).map((each) => column(each, 'string')), ...columns],
  };
}

const brl = { unit: 'BRL', format: 'money' } as const;

/** A lender: customers sell to one another on credit, hold loans and pay them back. */
export const contract: Contract = {
  id: 'example',
  version: '1',
  tables: [
    table(
      'dim_customers',
      'individual',
      { column: 'joined_at' },
      {},
      ...[
        column('state', 'string'),
        column('channel', 'string'),
        column('monthly_income', 'number', brl),
        column('isActive', 'boolean'),
      ],
      ...[
        column('joined_at', 'date'),
        column('approved_on', 'date'),
        column('birth_date', 'date'),
        column('gender', 'string'),
      ],
      ...[column('secretNote', 'string', { pii: true }), column('salario_secreto', 'number', { pii: true })],
    ),
    table(
      'invoices',
      'event',
      { column: 'issued_at' },
      { customer_id: 'dim_customers', buyer_id: 'dim_customers' },
      ...[column('issued_at', 'date'), column('due_date', 'date', { planned: true }), column('amount', 'number', brl)],
      ...[column('status', 'string'), column('disputed', 'boolean')],
      column('daysLate', 'integer', { knownFrom: 'paid_at', required: false }),
      column('paid_at', 'date', { required: false }),
    ),
    table(
      'loans',
      'asset',
      { column: 'granted_at' },
      { customerId: 'dim_customers' },
      ...[column('granted_at', 'date'), column('matures_on', 'date', { planned: true }), column('product', 'string')],
      ...[
        column('rate', 'number', { unit: 'percent per month' }),
        column('model_year', 'integer'),
        column('age', 'number'),
      ],
    ),
    table(
      'instalments',
      'event',
      { reference: 'loan_id', offset: 0 },
      { loan_id: 'loans' },
      ...[
        column('days_late', 'integer', { knownFrom: 'paid_at' }),
        column('paid_at', 'date'),
        column('amount', 'number', brl),
      ],
    ),
    table(
      'segments',
      'other',
      undefined,
      { customer_id: 'dim_customers' },
      column('label', 'string'),
      column('weight', 'number'),
    ),
  ],
};

export const root: Focus = { kind: 'root' };
export const invoices: Events = { table: 'invoices', via: ['customer_id'] };
export const purchases: Events = { table: 'invoices', via: ['buyer_id'] };
export const instalments: Events = { table: 'instalments', via: ['loan_id', 'customerId'] };
export const openInvoices: Events = { ...invoices, when: { path: [], column: 'status', value: 'open' } };
export const leaseInstalments: Events = {
  ...instalments,
  when: { path: ['loan_id'], column: 'product', value: 'lease of cars' },
};
/** Of an invoice: who pays it, set against who has bought. */
export const customerAgainstBuyer: Focus = { kind: 'apart', of: root, reference: 'customer_id', from: 'buyer_id' };
const segments: Events = { table: 'segments', via: ['customer_id'] };
export const outcomes: Events = { table: '@labels', via: ['entity'] };
export const lastBuyer = { kind: 'last', of: root, events: invoices, to: 'buyer_id' } satisfies Focus;
export const recentBuyers = { kind: 'recent', of: root, events: invoices, to: 'buyer_id' } satisfies Focus;
export const customerOfLoan: Focus = { kind: 'parent', of: root, reference: 'customerId' };

export const all: Span = { all: true };
export const last10: Span = { last: 10 };
export const days90: Span = { days: 90 };

export const seasonAYearAgo: Season = { season: 90, since: 364, ago: 364 };

export function of(column: string, ...path: string[]): Signal {
  return { kind: 'column', path, column };
}

/** Every focus, read, aggregate, signal and span there is, on columns that may be worded. */
export function everyFeature(): { feature: Feature; entity: string }[] {
  const foci: { focus: Focus; entity: string }[] = [
    { focus: root, entity: 'dim_customers' },
    { focus: lastBuyer, entity: 'dim_customers' },
    { focus: recentBuyers, entity: 'dim_customers' },
    { focus: customerOfLoan, entity: 'loans' },
    { focus: { ...lastBuyer, of: customerOfLoan }, entity: 'loans' },
    { focus: { ...recentBuyers, of: customerOfLoan }, entity: 'loans' },
    { focus: customerAgainstBuyer, entity: 'invoices' },
    { focus: { kind: 'parent', of: root, reference: pairName(['customer_id', 'status']) }, entity: 'invoices' },
    {
      focus: { kind: 'parent', of: { kind: 'parent', of: root, reference: 'loan_id' }, reference: 'customerId' },
      entity: 'instalments',
    },
  ];
  const seasons: Season[] = [seasonAYearAgo, { season: 90, since: 728, ago: 728 }, { season: 1, since: 7, ago: 7 }];
  const spans: Span[] = [all, last10, { last: 1 }, { days: 1 }, days90, { days: 365 }, { days: 0.5 }, ...seasons];
  const own: Read[] = [
    { kind: 'attribute', column: 'monthly_income' },
    { kind: 'attribute', column: 'isActive' },
    { kind: 'attribute_is', column: 'state', value: 'SP' },
    { kind: 'attribute_is', column: 'state', value: '' },
    { kind: 'category', column: 'channel', values: ['shop', 'web', ''] },
    { kind: 'length', column: 'state' },
    { kind: 'measure', column: 'state' },
    { kind: 'word', column: 'state', word: 'north' },
    ...(['mean', 'sum', 'highest', 'lowest'] as const).map(
      (as): Read => ({ kind: 'words', column: 'state', via: ['entity'], as }),
    ),
    { kind: 'interval', column: 'approved_on' },
    { kind: 'age' },
  ];
  const sources = [invoices, purchases, openInvoices, instalments, leaseInstalments, segments, outcomes];
  const reads: Read[] = sources.flatMap((events): Read[] => [
    ...spans.flatMap((span): Read[] => [
      { kind: 'count', events, span },
      { kind: 'rate', events, span },
      ...numbersOf(events).flatMap((signal) =>
        (['mean', 'sum', 'sd', 'min', 'max', 'last', 'trend', 'slope', 'smoothed'] as const).map(
          (aggregate): Read => ({ kind: 'number', events, signal, span, aggregate }),
        ),
      ),
      ...categoriesOf(events).flatMap((signal): Read[] => [
        { kind: 'share', events, signal, value: 'open', span },
        { kind: 'last_is', events, signal, value: 'not yet open' },
        ...(['distinct', 'entropy', 'changes'] as const).map(
          (as): Read => ({ kind: 'variety', events, signal, span, as }),
        ),
      ]),
    ]),
    ...numbersOf(events).map(
      (signal): Read => ({ kind: 'number', events, signal, span: seasonAYearAgo, aggregate: 'swing' }),
    ),
    { kind: 'since', events, which: 'last' },
    { kind: 'since', events, which: 'first' },
    { kind: 'gap', events, as: 'mean' },
    { kind: 'gap', events, as: 'sd' },
  ]);
  // A value of a category is not set against that of another row.
  const isSetApart = ({ kind }: Read) => !['attribute_is', 'category', 'last_is', 'measure', 'length'].includes(kind);
  const found = foci.flatMap(({ focus, entity }) =>
    [...own, ...reads]
      .filter((read) => focus.kind !== 'apart' || isSetApart(read))
      .map((read) => ({ feature: { focus, read }, entity })),
  );
  const everyone = reads.flatMap((read): Feature[] =>
    'events' in read ? [{ focus: { kind: 'all' }, read: { ...read, events: { ...read.events, via: ['@all'] } } }] : [],
  );
  const clock: Read[] = [
    { kind: 'calendar', part: 'month' },
    { kind: 'calendar', part: 'weekday' },
    { kind: 'calendar', part: 'time' },
    { kind: 'data_age' },
    { kind: 'embedding', place: 0 },
    { kind: 'embedding', place: 0, of: 'graph' },
  ];
  return [
    ...found,
    ...everyone.map((feature) => ({ feature, entity: 'dim_customers' })),
    ...clock.map((read) => ({ feature: { focus: root, read }, entity: 'dim_customers' })),
    ...[invoices, purchases].flatMap((events) =>
      spans.flatMap((span) =>
        comparisonsOf(events, span).map((read) => ({ feature: { focus: root, read }, entity: 'invoices' })),
      ),
    ),
  ];
}

function comparisonsOf(events: Events, span: Span): Read[] {
  return [
    { kind: 'against', events, column: 'amount', span, as: 'difference' },
    { kind: 'against', events, column: 'amount', span, as: 'deviation' },
    { kind: 'same', events, column: 'status', span },
  ];
}

function numbersOf({ table }: Events): Signal[] {
  if (table === '@labels') return [of('label')];
  if (table === 'segments') return [of('weight')];
  if (table === 'instalments')
    return [
      ...[of('days_late'), of('rate', 'loan_id'), of('monthly_income', 'loan_id', 'customerId')],
      { kind: 'interval', path: ['loan_id'], column: 'matures_on' },
    ];
  return [
    of('daysLate'),
    of('amount'),
    of('disputed'),
    { kind: 'column', path: [], column: 'status', word: 'late' },
    { kind: 'interval', column: 'due_date' },
    { kind: 'interval', column: 'paid_at', from: 'due_date' },
    { kind: 'rank', within: 'buyer_id', column: 'amount', as: 'percentile' },
    { kind: 'rank', within: 'buyer_id', column: 'amount', as: 'deviation' },
  ];
}

function categoriesOf({ table }: Events): Signal[] {
  if (table === '@labels') return [];
  if (table === 'segments') return [of('label')];
  if (table === 'instalments') return [of('product', 'loan_id'), { kind: 'reference', column: 'loan_id' }];
  return [of('status'), { kind: 'reference', column: 'buyer_id' }];
}
