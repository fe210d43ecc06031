/**
 * The made-up world that leakage is looked for in: customers with accounts, invoices, refunds, orders and bids of one
 * year, as they are before anything is planted.
 */
import { at, type Data, type Draw, day, draws, sampleContract } from '../samples.ts';

export const contract = sampleContract([
  { name: 'district', key: 'district_id', columns: { district_id: 'string', wealth: 'number' } },
  {
    name: 'customer',
    key: 'customer_id',
    time: 'joined',
    knownAt: 'sent',
    references: { district_id: 'district' },
    columns: {
      customer_id: 'integer',
      district_id: 'string',
      joined: 'date',
      segment: 'string',
      income: 'number',
      sent: 'timestamp',
    },
  },
  { name: 'agent', key: 'agent_id', columns: { agent_id: 'integer', team: 'string', skill: 'number' } },
  { name: 'merchant', key: 'merchant_id', columns: { merchant_id: 'integer', sector: 'string', size: 'number' } },
  {
    name: 'account',
    key: 'account_id',
    time: 'opened',
    references: { customer_id: 'customer' },
    columns: { account_id: 'string', customer_id: 'integer', opened: 'timestamp', plan: 'string' },
  },
  {
    name: 'invoice',
    key: 'invoice_id',
    time: 'issued',
    references: { account_id: 'account', merchant_id: 'merchant', agent_id: 'agent' },
    columns: {
      invoice_id: 'integer',
      account_id: 'string',
      merchant_id: 'integer',
      issued: 'date',
      amount: 'number',
      goods: 'string',
      due: { type: 'date', planned: true },
      paid_on: 'date',
      days_late: { type: 'number', knownFrom: 'paid_on' },
      outcome: { type: 'string', knownFrom: 'paid_on' },
      agent_id: { type: 'integer', knownFrom: 'assigned_on' },
      assigned_on: 'date',
    },
  },
  {
    name: 'refund',
    key: 'refund_id',
    time: 'given',
    references: { account_id: 'account', merchant_id: 'merchant' },
    columns: { refund_id: 'integer', account_id: 'string', merchant_id: 'integer', given: 'timestamp', sum: 'number' },
  },
  {
    name: 'order',
    key: 'order_id',
    time: 'placed',
    references: { customer_id: 'customer', merchant_id: 'merchant' },
    columns: {
      order_id: 'integer',
      customer_id: 'integer',
      merchant_id: 'integer',
      placed: 'timestamp',
      pieces: 'number',
    },
  },
  { name: 'auction', key: 'auction_id', time: 'held', columns: { auction_id: 'integer', held: 'timestamp' } },
  {
    name: 'bid',
    key: 'bid_id',
    time: 'made',
    references: { auction_id: 'auction', customer_id: 'customer' },
    columns: { bid_id: 'integer', auction_id: 'integer', customer_id: 'integer', made: 'timestamp', price: 'number' },
  },
]);

export const start = at('2021-01-01');
/** The last training anchor. */
export const cut = at('2021-11-01');
/** Every dated row of the untouched data is of this day at the latest. */
export const end = cut + 20 * day;
export const customers = 40;
export const ids = (n: number, first = 1) => Array.from({ length: n }, (_, i) => first + i);
export const startOfDay = (moment: number) => moment - (moment % day);
export const isoDay = (moment: number) => new Date(moment / 1000).toISOString().slice(0, 10);

export const data = makeData();

function makeData(): Data {
  const draw = draws(7);
  const when = () => start + Math.floor(draw.next() * (end - start));
  const invoice = ids(700).map((invoice_id) => {
    const issued = startOfDay(when());
    const merchant_id = draw.between(1, 8);
    const days_late = Math.max(-5, Math.round(merchant_id * 3 + draw.next() * 20 - 15));
    const paid_on = issued + (30 + days_late) * day;
    const isPaid = paid_on < end;
    return {
      invoice_id,
      // Some lead to accounts that nobody knows yet.
      account_id: draw.next() < 0.1 ? `late${draw.between(0, 19)}` : `a${draw.between(1, 50)}`,
      merchant_id,
      issued,
      amount: Math.round(draw.next() * 1e5) / 100,
      goods: draw.pick(['tools', 'food', 'fuel']),
      due: issued + 30 * day,
      paid_on: isPaid ? paid_on : null,
      days_late: isPaid ? days_late : null,
      outcome: isPaid ? draw.pick(['full', 'part']) : null,
      ...assignmentOf(invoice_id, issued),
    };
  });
  const auction = ids(30).map((auction_id) => ({ auction_id, held: when() }));
  return {
    district: ['east', 'west'].map((district_id, k) => ({ district_id, wealth: k + 1 })),
    customer: ids(customers).map((customer_id) => ({
      customer_id,
      district_id: draw.pick(['east', 'west']),
      joined: start - draw.between(0, 300) * day,
      segment: draw.pick(['small', 'middle', 'large']),
      income: draw.maybe(0.1, draw.between(1, 100)),
      sent: null,
    })),
    agent: ids(6).map((agent_id) => ({ agent_id, team: agent_id % 2 ? 'north' : 'south', skill: agent_id * 10 })),
    merchant: ids(8).map((merchant_id) => ({
      merchant_id,
      sector: draw.pick(['shop', 'bar']),
      size: draw.between(1, 9),
    })),
    account: ids(50).map((id) => ({
      account_id: `a${id}`,
      customer_id: id <= customers ? id : draw.between(1, customers),
      opened: start - draw.between(0, 90) * day,
      plan: draw.pick(['s', 'm']),
    })),
    invoice,
    refund: ids(300).map((refund_id) => refundOf(draw, refund_id, when())),
    order: ids(400).map((order_id) => orderOf(draw, order_id, when())),
    auction,
    bid: auction.flatMap(({ auction_id, held }) =>
      ids(4).map((k) => ({
        bid_id: auction_id * 100 + k,
        auction_id,
        customer_id: draw.between(1, customers),
        made: held,
        price: draw.between(1, 100),
      })),
    ),
  };
}

/** Of most invoices an agent takes care, after some days; by draws of its own, so that all else is as it was. */
function assignmentOf(invoice_id: number, issued: number) {
  const draw = draws(1_000 + invoice_id);
  const assigned_on = issued + draw.between(0, 20) * day;
  const isAssigned = draw.next() < 0.8 && assigned_on < end;
  return { agent_id: isAssigned ? draw.between(1, 4) : null, assigned_on: isAssigned ? assigned_on : null };
}

export function refundOf(draw: Draw, refund_id: number, given: number) {
  return {
    refund_id,
    account_id: `a${draw.between(1, 50)}`,
    merchant_id: draw.between(1, 8),
    given,
    sum: draw.between(1, 50),
  };
}

export function orderOf(draw: Draw, order_id: number, placed: number) {
  return {
    order_id,
    customer_id: draw.between(1, customers),
    merchant_id: draw.between(1, 8),
    placed,
    pieces: draw.between(1, 9),
  };
}
