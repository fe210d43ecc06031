/** Made-up tables of payments: with ties, versions, missing values and references that lead nowhere. */
import fc from 'fast-check';
import { type Data, type Draw, day, at as dayAt, draws, type Row, sampleContract } from '../../samples.ts';
import type { World } from './world.ts';

export type Shape = {
  readonly seed: number;
  readonly customers: number;
  readonly payments: number;
  /** Moments that events fall on: few make ties. */
  readonly moments: number;
  readonly missing: number;
  readonly versioned: boolean;
  readonly byDay: boolean;
  /** What amounts look like: ordinary, or large ones that hardly differ, or tiny ones, or all together. */
  readonly amounts: 'plain' | 'close' | 'mixed';
  readonly strict: boolean;
  readonly stale: boolean;
};

export const shapes: fc.Arbitrary<Shape> = fc.record({
  seed: fc.nat(),
  customers: fc.integer({ min: 1, max: 4 }),
  payments: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 150, max: 300 })),
  moments: fc.constantFrom(3, 30, 1000),
  missing: fc.constantFrom(0, 0.2, 0.7),
  versioned: fc.boolean(),
  byDay: fc.boolean(),
  amounts: fc.constantFrom('plain', 'close', 'mixed'),
  strict: fc.boolean(),
  stale: fc.boolean(),
});

export const from = dayAt('2020-01-01');
const kinds = ['card', 'slip', 'wire', 'a rather long kind'];

export function makeWorld(shape: Shape): World {
  const { versioned, byDay } = shape;
  const paid = byDay ? 'date' : 'timestamp';
  const sent = { sent: 'timestamp' } as const;
  const contract = sampleContract([
    { name: 'region', key: 'region_id', columns: { region_id: 'string', climate: 'string', people: 'number' } },
    {
      name: 'customer',
      key: 'customer_id',
      time: 'opened',
      ...(versioned ? { knownAt: 'sent' } : {}),
      references: { region_id: 'region' },
      columns: {
        customer_id: 'integer',
        region_id: 'string',
        opened: 'date',
        tier: 'string',
        income: 'number',
        left: { type: 'date', knownFrom: 'left_recorded' },
        left_recorded: 'timestamp',
        renews: { type: 'date', planned: true },
        rating: { type: 'number', knownFrom: 'rated' },
        rated: 'timestamp',
        ...(versioned ? sent : {}),
      },
    },
    {
      name: 'account',
      key: 'account_id',
      time: 'since',
      references: { customer_id: 'customer' },
      columns: { account_id: 'string', customer_id: 'integer', since: 'timestamp', plan: 'string', ceiling: 'number' },
    },
    { name: 'merchant', key: 'merchant_id', columns: { merchant_id: 'integer', sector: 'string', size: 'number' } },
    {
      name: 'payment',
      key: 'payment_id',
      time: 'paid',
      ...(versioned ? { knownAt: 'sent' } : {}),
      references: { account_id: 'account', merchant_id: 'merchant' },
      columns: {
        payment_id: 'integer',
        account_id: 'string',
        merchant_id: 'integer',
        paid,
        amount: 'number',
        kind: 'string',
        settled: 'timestamp',
        days_late: { type: 'number', knownFrom: 'settled' },
        outcome: { type: 'string', knownFrom: 'settled' },
        due: { type: 'date', planned: true },
        ...(versioned ? sent : {}),
      },
    },
    {
      name: 'line',
      time: { reference: 'payment_id', offset: 0 },
      references: { payment_id: 'payment' },
      columns: { payment_id: 'integer', pieces: 'number', good: 'string' },
    },
    {
      name: 'note',
      references: { customer_id: 'customer', account_id: 'account' },
      columns: { customer_id: 'integer', account_id: 'string', words: 'number', tone: 'string' },
    },
  ]);
  return { contract, data: makeData(shape, draws(shape.seed)), known: new Map() };
}

function makeData(shape: Shape, draw: Draw): Data {
  const { missing, moments } = shape;
  const when = (late = 400) =>
    from +
    Math.floor((draw.between(0, moments - 1) / moments) * late) * day +
    (moments > 30 ? draw.between(0, day - 1) : 0);
  const startOfDay = (moment: number) => moment - (moment % day);
  const ids = (n: number, first = 1) => Array.from({ length: n }, (_, i) => first + i);
  const region = ['north', 'south'].map((region_id) => ({
    region_id,
    climate: draw.maybe(missing, draw.pick(['wet', 'dry'])),
    people: draw.maybe(missing, draw.between(1, 9)),
  }));
  const customer = ids(shape.customers).map((customer_id) => {
    const left = draw.maybe(0.5, startOfDay(when(500)));
    return {
      customer_id,
      region_id: ['north', draw.pick(['south', null]), draw.pick(['north', 'south', null]), 'nowhere'][customer_id - 1],
      opened: draw.maybe(0.1, startOfDay(when(80))),
      tier: draw.maybe(missing, draw.pick(kinds)),
      income: draw.maybe(missing, draw.next() * 1e4),
      left,
      left_recorded: left === null ? null : draw.maybe(0.2, left + draw.between(-5, 90) * day),
      renews: draw.maybe(missing, startOfDay(when(900))),
      rating: draw.maybe(missing, draw.next()),
      rated: draw.maybe(0.3, when()),
      sent: draw.maybe(0.3, when(100)),
    };
  });
  const account = ids(shape.customers * 2).map((id) => ({
    account_id: `a${id}`,
    customer_id: draw.maybe(0.1, draw.between(1, shape.customers)),
    since: draw.maybe(0.1, when(120)),
    plan: draw.maybe(missing, draw.pick(['s', 'm', 'l'])),
    ceiling: draw.maybe(missing, draw.between(1, 50) * 100),
  }));
  const merchant = ids(4).map((merchant_id) => ({
    merchant_id,
    sector: draw.maybe(missing, draw.pick(['food', 'fuel'])),
    size: draw.maybe(missing, draw.between(1, 5)),
  }));
  const amount = () => {
    const close = 1e6 + draw.between(0, 40) / 16;
    if (shape.amounts === 'close') return close;
    if (shape.amounts === 'plain') return Math.round((draw.next() - 0.3) * 20_000) / 100;
    return draw.pick([close, 1e-6 * (1 + draw.next()), -3, 0]);
  };
  const payment = ids(shape.payments).map((payment_id) => {
    const paid = when();
    const settled = draw.maybe(0.3, paid + draw.between(0, 60) * day);
    return {
      payment_id,
      // Most belong to one account, so that it has several blocks.
      account_id:
        draw.next() < 0.7
          ? 'a1'
          : draw.maybe(0.1, payment_id % 7 === 0 ? 'lost' : `a${draw.between(1, shape.customers * 2)}`),
      merchant_id: draw.maybe(0.1, payment_id % 7 === 0 ? 5 : draw.between(1, 4)),
      paid: draw.maybe(0.03, shape.byDay ? startOfDay(paid) : paid),
      amount: draw.maybe(missing, amount()),
      kind: draw.maybe(missing, draw.pick(kinds)),
      settled,
      days_late: draw.maybe(missing, draw.between(-3, 40)),
      outcome: draw.maybe(missing, draw.pick(['kept', 'lost'])),
      due: draw.maybe(missing, startOfDay(paid) + draw.between(-10, 60) * day),
      sent: draw.maybe(0.5, paid + draw.between(-10, 90) * day),
    };
  });
  const line = ids(Math.min(60, shape.payments)).map(() => ({
    payment_id: draw.maybe(0.1, draw.between(1, Math.max(1, shape.payments))),
    pieces: draw.maybe(missing, draw.between(1, 9)),
    good: draw.maybe(missing, draw.pick(['bread', 'milk'])),
  }));
  const note = ids(draw.between(0, 140)).map(() => ({
    customer_id: draw.maybe(0.1, draw.between(1, shape.customers)),
    account_id: draw.maybe(0.1, `a${draw.between(1, shape.customers * 2)}`),
    words: draw.maybe(missing, draw.between(1, 300)),
    tone: draw.maybe(missing, draw.pick(['kind', 'cross'])),
  }));
  const resent = <R extends Row>(rows: readonly R[], change: (row: R) => Partial<R>): R[] =>
    shape.versioned
      ? rows.flatMap((row) => (draw.next() < 0.3 ? [row, { ...row, ...change(row), sent: when(500) }] : [row]))
      : [...rows];
  return {
    region,
    customer: draw.shuffle(
      resent(customer, () => ({ tier: draw.pick(kinds), region_id: draw.pick(['north', 'south']) })),
    ),
    account: draw.shuffle(account),
    merchant,
    payment: draw.shuffle(
      resent(payment, () => ({ amount: amount(), kind: draw.pick(kinds), account_id: draw.pick(['a1', 'a2']) })),
    ),
    line,
    note,
  };
}
