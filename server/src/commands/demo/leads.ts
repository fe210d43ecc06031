/**
 * Draws the leads of the lender's card machines, which it sells to businesses. The steps, month by month:
 *
 * 1. A campaign starts every 45 days, on one channel for an audience of one size. Each lead comes from the newest
 *    campaign or the one before it. Seven of ten leads have an accountant, who has about a dozen.
 * 2. A lead has an appetite: the sum of its accountant's, its sector's and its own, each normal. It clicks on
 *    advertisements, more often the greater its appetite, and sales people visit it. It orders for the first time
 *    within a month with log odds = −4.4 + 0.9 · appetite + 0.25 · clicks of the last three months + 0.9 · had a
 *    demonstration + 0.3 · other customers of its accountant (three at most). A search click counts more than a click
 *    on another channel.
 * 3. A customer orders at a rate that grows, holds or shrinks by up to 6 percent a month for good, for about 40 reais
 *    times its staff. It leaves with a probability of 2 percent a month, or 8 where the rate shrinks.
 */
import type { DrawOptions, Fields } from './cards.ts';
import { firstDayOf, monthOf, textOf } from './lender-calendar.ts';
import { sectors, states } from './lender-population.ts';
import { Random } from './lender-random.ts';

const campaignEveryDays = 45;
const leadsPerAccountant = 12;
const accountantShare = 0.7;
const clicksPerMonth = 0.25;
const visitsPerMonth = 0.1;

export const channels = ['search', 'social', 'display', 'email'];
export const audiences = ['small', 'medium', 'large'];
export const outcomes = ['absent', 'talked', 'demonstration', 'proposal'];
export const products = ['machine', 'payment link', 'advance'];

export type DrawnLeads = Readonly<
  Record<'campaigns' | 'accountants' | 'leads' | 'clicks' | 'visits' | 'orders', Fields[]>
>;

type Lead = {
  readonly id: string;
  readonly month: number;
  readonly accountant: number;
  readonly employees: number;
  readonly appetite: number;
  readonly campaign: number;
  /** The relative change of the rate of orders per month. */
  readonly trend: number;
  readonly product: number;
  readonly random: Random;
  clicks: number;
  isShown: boolean;
  /** Orders per month; 0 before the first order and after the lead has left. */
  rate: number;
  isGone: boolean;
};

/** Draws `count` leads over the period, in days since 1970-01-01. The same options give the same leads. */
export function drawLeads(count: number, { seed, from, until }: DrawOptions): DrawnLeads {
  const tables: DrawnLeads = { campaigns: [], accountants: [], leads: [], clicks: [], visits: [], orders: [] };
  const random = new Random(seed, 30);
  const campaigns = drawCampaigns(tables, { seed, from, until });
  const accountants = Array.from({ length: Math.max(1, Math.round(count / leadsPerAccountant)) }, (_, at) => {
    tables.accountants.push([idOf('T', at), random.pick(states)]);
    return { appetite: 0.7 * random.normal(), customers: 0 };
  });
  const bySector = sectors.map(() => 0.5 * random.normal());
  const months = monthOf(until) - monthOf(from) + 1;
  const leads = Array.from({ length: count }, (_, at) => drawLead(at));
  function drawLead(at: number): Lead {
    const own = new Random(seed, 31, at);
    const created = from + Math.floor((until - from - 30) * Math.min(own.uniform(), own.uniform() + 0.2));
    const campaign = Math.max(0, campaigns.findLastIndex(({ start }) => start <= created) - own.below(2));
    const accountant = own.chance(accountantShare) ? own.below(accountants.length) : -1;
    const sector = own.below(sectors.length);
    const employees = 1 + Math.floor(own.exponential([4, 12, 40][campaigns[campaign].audience]));
    const id = idOf('E', at);
    tables.leads.push([
      ...[id, textOf(created), campaigns[campaign].id, accountant < 0 ? '' : tables.accountants[accountant][0]],
      ...[sectors[sector], own.pick(states), String(employees)],
    ]);
    return {
      ...{ id, accountant, employees, campaign, random: own },
      month: monthOf(created),
      appetite: (accountants[accountant]?.appetite ?? 0) + bySector[sector] + 0.6 * own.normal(),
      trend: own.pick([-0.06, 0, 0.06]),
      product: own.below(products.length),
      ...{ clicks: 0, isShown: false, rate: 0, isGone: false },
    };
  }
  for (let month = monthOf(from); month < monthOf(from) + months; month++)
    for (const lead of leads) if (lead.month < month) live(lead, month);
  function live(lead: Lead, month: number): void {
    const { id, random: own, accountant, employees } = lead;
    lead.clicks *= 2 / 3;
    const current = campaigns.findLastIndex(({ start }) => start <= firstDayOf(month));
    if (own.chance(Math.min(0.9, clicksPerMonth * Math.exp(0.6 * lead.appetite)))) {
      const by = campaigns[Math.max(0, own.chance(0.5) ? current : lead.campaign)];
      lead.clicks += by.channel === 0 ? 1.5 : 0.7;
      const cost = (by.channel === 0 ? 3.5 : 1.2) * Math.exp(0.4 * own.normal());
      happen('clicks', 'K', own, month, (day) => [id, by.id, day, cost.toFixed(2)]);
    }
    if (lead.rate === 0 && !lead.isGone && own.chance(visitsPerMonth)) {
      const outcome = own.below(Math.min(4, 1 + Math.floor(4 * own.uniform() * Math.exp(0.3 * lead.appetite))));
      lead.isShown ||= outcome >= 2;
      happen('visits', 'W', own, month, (day) => [id, day, outcomes[outcome]]);
    }
    const near = accountants[accountant];
    if (lead.rate === 0 && !lead.isGone) {
      const warm = Math.min(3, near?.customers ?? 0);
      const logOdds = -4.4 + 0.9 * lead.appetite + 0.25 * lead.clicks + (lead.isShown ? 0.9 : 0) + 0.3 * warm;
      if (!own.chance(1 / (1 + Math.exp(-logOdds)))) return;
      lead.rate = Math.exp(0.3 * lead.appetite);
      if (near) near.customers++;
    } else if (lead.rate > 0 && own.chance(lead.trend < 0 ? 0.08 : 0.02)) {
      lead.rate = 0;
      lead.isGone = true;
      if (near) near.customers--;
      return;
    }
    if (lead.isGone) return;
    for (let k = Math.floor(lead.rate + own.uniform()); k > 0; k--) {
      const amount = 40 * employees * Math.exp(0.5 * own.normal());
      const product = products[own.chance(0.65) ? lead.product : own.below(products.length)];
      happen('orders', 'O', own, month, (day) => [id, day, product, amount.toFixed(2)]);
    }
    lead.rate *= 1 + lead.trend;
  }
  /** Adds a row on a day of the month, unless the period has ended by then. */
  function happen(
    table: 'clicks' | 'visits' | 'orders',
    letter: string,
    random: Random,
    month: number,
    fields: (day: string) => Fields,
  ): void {
    const day = firstDayOf(month) + random.below(28);
    if (day <= until) tables[table].push([idOf(letter, tables[table].length), ...fields(textOf(day))]);
  }
  return tables;
}

type Campaign = { readonly id: string; readonly start: number; readonly channel: number; readonly audience: number };

function drawCampaigns(tables: DrawnLeads, { seed, from, until }: DrawOptions): Campaign[] {
  const random = new Random(seed, 32);
  const campaigns: Campaign[] = [];
  for (let start = from; start <= until; start += campaignEveryDays) {
    const campaign = {
      ...{ id: idOf('M', campaigns.length), start },
      ...{ channel: random.below(channels.length), audience: random.below(audiences.length) },
    };
    campaigns.push(campaign);
    const budget = 100 * (1 + random.below(10));
    tables.campaigns.push([
      ...[campaign.id, textOf(start), channels[campaign.channel], audiences[campaign.audience], String(budget)],
    ]);
  }
  return campaigns;
}

function idOf(letter: string, number: number): string {
  return `${letter}${String(number + 1).padStart(6, '0')}`;
}
