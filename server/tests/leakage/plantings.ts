/**
 * What is planted in the made-up world. Nothing dated later may move a bit: not of features, not of a version folder,
 * not of predictions. Each thing planted here is planted a second time early, where it must move something, so that a
 * test that sees nothing is caught.
 *
 * Left out, since they may rightly move things: rows of undated tables (known always, by the contract's word), labels
 * that a model learns from, and rows dated between the training anchors.
 */
import { type Data, type Draw, day, draws, type Row } from '../samples.ts';
import { customers, cut, ids, orderOf, refundOf, start, startOfDay } from './world.ts';

/** What is planted later is dated after this: the end of the last day that training reads. */
export const later = cut + day;
/** For the control: well before the cut. */
export const early = cut - 120 * day;

/** Changes data by things that happen, or become known, at `moment` and in the days after. */
type Planting = (data: Data, moment: number) => Data;

export const plantings: Readonly<Record<string, Planting>> = {
  'rows of every dated table': (data, moment) => {
    const draw = draws(21);
    const when = () => dayAfter(moment, draw) + draw.between(0, day - 1);
    const auctions = ids(20, 900).map((auction_id) => ({ auction_id, held: when() }));
    return {
      ...data,
      customer: mix(
        draw,
        data.customer,
        ids(30, 500).map((customer_id) => ({
          ...data.customer[0],
          customer_id,
          joined: dayAfter(moment, draw),
          segment: 'new',
        })),
      ),
      account: mix(
        draw,
        data.account,
        ids(30, 500).map((id) => ({
          account_id: `b${id}`,
          customer_id: draw.between(1, customers),
          opened: when(),
          plan: 'xl',
        })),
      ),
      invoice: mix(
        draw,
        data.invoice,
        ids(300, 5_000).map((invoice_id) => ({
          ...data.invoice[0],
          invoice_id,
          account_id: `a${draw.between(1, 50)}`,
          merchant_id: draw.between(1, 8),
          issued: dayAfter(moment, draw),
          goods: 'gold',
          amount: 1e6,
          paid_on: null,
        })),
      ),
      // More of them than invoices: which of two ways to the same company has most rows must not be asked of today.
      refund: mix(
        draw,
        data.refund,
        ids(1_500, 5_000).map((id) => refundOf(draw, id, when())),
      ),
      order: mix(
        draw,
        data.order,
        ids(300, 5_000).map((id) => orderOf(draw, id, when())),
      ),
      auction: mix(draw, data.auction, auctions),
      bid: mix(
        draw,
        data.bid,
        auctions.flatMap(({ auction_id, held }) =>
          ids(5).map((k) => ({
            bid_id: auction_id * 100 + k,
            auction_id,
            customer_id: draw.between(1, customers),
            made: held,
            price: 1_000,
          })),
        ),
      ),
    };
  },
  'rows that old ones refer to': (data, moment) => ({
    ...data,
    account: [
      ...data.account,
      ...ids(20, 0).map((id) => ({ account_id: `late${id}`, customer_id: 1 + id, opened: moment + day, plan: 's' })),
    ],
  }),
  'values that become known': (data, moment) => {
    const draw = draws(22);
    return {
      ...data,
      invoice: data.invoice.map((row) =>
        row.paid_on === null || Number(row.paid_on) >= startOfDay(moment)
          ? { ...row, paid_on: dayAfter(moment, draw), days_late: 99, outcome: 'sued' }
          : row,
      ),
    };
  },
  'references that become known': (data, moment) => {
    const draw = draws(25);
    return {
      ...data,
      invoice: data.invoice.map((row) =>
        row.assigned_on === null || Number(row.assigned_on) >= startOfDay(moment)
          ? { ...row, agent_id: draw.between(5, 6), assigned_on: dayAfter(moment, draw) }
          : row,
      ),
    };
  },
  'versions of the same key': (data, moment) => {
    const draw = draws(23);
    const more = data.customer.map((row) => ({
      ...row,
      segment: 'huge',
      income: 1e6,
      district_id: row.district_id === 'east' ? 'west' : 'east',
      sent: dayAfter(moment, draw),
    }));
    return { ...data, customer: mix(draw, data.customer, more) };
  },
  'siblings in groups that are ranked': (data, moment) => {
    const draw = draws(24);
    const more = data.auction
      .filter(({ held }) => Number(held) <= cut)
      .flatMap(({ auction_id }) =>
        ids(3, 50).map((k) => ({
          bid_id: Number(auction_id) * 100 + k,
          auction_id,
          customer_id: draw.between(1, customers),
          made: moment + day + draw.between(0, day),
          price: 5_000,
        })),
      );
    return { ...data, bid: mix(draw, data.bid, more) };
  },
};

/** All of them at once. */
export const everything: Planting = (data, moment) =>
  Object.values(plantings).reduce((changed, plant) => plant(changed, moment), data);

/** A merchant and events nobody else has to do with; led by accounts of the name given. */
export function withStrangers(of: Data, account: string): Data {
  const draw = draws(30);
  const isStranger = account === 'stranger';
  const customer_id = isStranger ? 9_999 : 1;
  const merchant_id = isStranger ? 999 : 1;
  const when = () => start + draw.between(0, 200) * day;
  const stranger = { ...of.customer[0], customer_id: 9_999, district_id: null, segment: 'odd' };
  return {
    ...of,
    customer: mix(draw, of.customer, [stranger]),
    merchant: mix(draw, of.merchant, [{ merchant_id: 999, sector: 'odd', size: 99 }]),
    account: mix(draw, of.account, [{ account_id: 'stranger', customer_id: 9_999, opened: start, plan: 'odd' }]),
    invoice: mix(
      draw,
      of.invoice,
      ids(90, 7_000).map((invoice_id) => ({
        ...of.invoice[0],
        invoice_id,
        account_id: account,
        merchant_id,
        agent_id: null,
        assigned_on: null,
        issued: startOfDay(when()),
        goods: 'odd',
      })),
    ),
    refund: mix(
      draw,
      of.refund,
      ids(90, 7_000).map((id) => ({ ...refundOf(draw, id, when()), account_id: account, merchant_id })),
    ),
    order: mix(
      draw,
      of.order,
      ids(90, 7_000).map((id) => ({ ...orderOf(draw, id, when()), customer_id, merchant_id })),
    ),
  };
}

/** New rows among the old ones, so that no row keeps its number. */
function mix(draw: Draw, rows: readonly Row[], more: readonly Row[]): Row[] {
  const all = [...rows];
  for (const row of more) all.splice(draw.between(0, all.length), 0, row);
  return all;
}

/** Whole days after the moment, so that a day is not half over. */
const dayAfter = (moment: number, draw: Draw) => startOfDay(moment) + draw.between(1, 9) * day;
