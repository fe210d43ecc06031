import type { Contract } from '../../ml/contract/contract.ts';
import { categories } from './cards.ts';
import { column, key, table } from './contract-parts.ts';
import { audiences, channels, outcomes, products } from './leads.ts';
import { lenderContract } from './lender-contract.ts';
import { sectors, states } from './lender-population.ts';

const money = { required: true, minimum: 0, unit: 'BRL', format: 'money' } as const;

/** The lender's tables together with those of its other lines of business: cards, and card machines for businesses. */
export const linesContract: Contract = {
  ...lenderContract,
  version: '1.1.0',
  tables: [
    ...lenderContract.tables,
    table('devices', 'Phones and tablets that cards are used on.', null, null, [
      key('device_id'),
      column('kind', 'string', { required: true, enum: ['phone', 'tablet'] }),
    ]),
    table('addresses', 'Where cards are delivered to.', null, null, [
      key('address_id'),
      column('kind', 'string', { required: true, enum: ['home', 'locker'] }),
    ]),
    table('cards', 'Credit cards.', { column: 'issued_at' }, null, [
      key('card_id'),
      column('account_id', 'string', { required: true, to: 'accounts.account_id' }),
      column('issued_at', 'date', { required: true }),
    ]),
    table('deliveries', 'Cards and letters sent.', { column: 'delivered_at' }, 'event', [
      key('delivery_id'),
      column('card_id', 'string', { required: true, to: 'cards.card_id' }),
      column('address_id', 'string', { required: true, to: 'addresses.address_id' }),
      column('delivered_at', 'date', { required: true }),
    ]),
    table('purchases', 'Purchases with a card, over the app.', { column: 'made_at' }, 'event', [
      key('purchase_id'),
      column('card_id', 'string', { required: true, to: 'cards.card_id' }),
      column('device_id', 'string', { required: true, to: 'devices.device_id' }),
      column('made_at', 'date', { required: true }),
      column('category', 'string', { required: true, enum: categories }),
      column('amount', 'number', money),
    ]),
    table('chargebacks', 'Purchases charged back as fraud.', { column: 'reported_at' }, 'event', [
      key('chargeback_id'),
      column('card_id', 'string', { required: true, to: 'cards.card_id' }),
      column('reported_at', 'date', { required: true }),
      column('amount', 'number', money),
    ]),
    table('campaigns', 'Advertising of card machines.', { column: 'started_at' }, null, [
      key('campaign_id'),
      column('started_at', 'date', { required: true }),
      column('channel', 'string', { required: true, enum: channels }),
      column('audience', 'string', { required: true, enum: audiences }),
      column('daily_budget', 'number', money),
    ]),
    table('accountants', 'Who keeps the books of businesses.', null, null, [
      key('accountant_id'),
      column('state', 'string', { required: true, enum: states }),
    ]),
    table(
      'leads',
      'Businesses that may want a card machine, and those that have one.',
      { column: 'created_at' },
      null,
      [
        key('lead_id'),
        column('created_at', 'date', { required: true }),
        column('campaign_id', 'string', { required: true, to: 'campaigns.campaign_id' }),
        column('accountant_id', 'string', { to: 'accountants.accountant_id' }),
        column('sector', 'string', { required: true, enum: sectors }),
        column('state', 'string', { required: true, enum: states }),
        column('employees', 'integer', { required: true, minimum: 1, businessName: 'number of employees' }),
      ],
    ),
    table('clicks', 'Clicks on advertisements, and what they cost.', { column: 'clicked_at' }, 'event', [
      key('click_id'),
      column('lead_id', 'string', { required: true, to: 'leads.lead_id' }),
      column('campaign_id', 'string', { required: true, to: 'campaigns.campaign_id' }),
      column('clicked_at', 'date', { required: true }),
      column('cost', 'number', money),
    ]),
    table('visits', 'Visits of sales people.', { column: 'visited_at' }, 'event', [
      key('visit_id'),
      column('lead_id', 'string', { required: true, to: 'leads.lead_id' }),
      column('visited_at', 'date', { required: true }),
      column('outcome', 'string', { required: true, enum: outcomes }),
    ]),
    table('orders', 'What businesses bought.', { column: 'ordered_at' }, 'event', [
      key('order_id'),
      column('lead_id', 'string', { required: true, to: 'leads.lead_id' }),
      column('ordered_at', 'date', { required: true }),
      column('product', 'string', { required: true, enum: products }),
      column('amount', 'number', money),
    ]),
  ],
};
