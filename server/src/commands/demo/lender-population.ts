/**
 * Draws the customers of the demo lender, their buyers, and their financial health. The steps in the order of drawing:
 *
 * 1. Customers join over the period. Companies sell to other companies: each has one to three buyers. A few buyers
 *    have many suppliers.
 * 2. Every customer has a latent financial health H per month, about standard normal:
 *      H[m]      = own[m] + sector[m] − (drag[m] − mean drag)
 *      own[m+1]  = persistence · own[m] + noise; sector likewise, each sector with a common cycle in its noise
 *      drag[m+1] = drag persistence · drag[m] + contagion · mean stress of the buyers in month m
 *      stress    = min(max(0, −own − sector + passed on · (drag − mean drag)), 3)
 *    A buyer in trouble lowers the health of its suppliers from the next month on, and that of their suppliers less.
 *
 * Health itself is never written to a file. A relational learner can find its effects: late payments of the customer
 * and of its buyers, falling balances and sales, and their trends.
 */

import { cnpjFrom, cpfFrom } from '../../lib/brazil-documents.ts';
import { assert } from '../../lib/failure.ts';
import { dayOf, monthOf } from './lender-calendar.ts';
import { Random } from './lender-random.ts';

export const sectors = [
  'retail',
  'wholesale',
  'industry',
  'construction',
  'transport',
  'services',
  'agriculture',
  'food',
];
export const states = ['SP', 'MG', 'RJ', 'RS', 'PR', 'SC', 'BA', 'GO', 'PE', 'CE', 'DF', 'ES'];

const companyShare = 0.7;
const buyersMax = 3;

/**
 * The AR(1) process of a customer's own health: the share kept from one month to the next, and the spread of the noise.
 */
export const persistence = 0.9;
export const ownNoise = 0.33;
const contagion = 0.5;
const dragPersistence = 0.8;
/** The share of a buyer's own drag that it passes on. Below 1, so that trouble dies out along a chain. */
const dragPassedOn = 0.5;
/** About the mean drag of a company with buyers. It is added back so that health stays near zero on average. */
const meanDrag = 0.9;
const sectorPersistence = 0.9;
export const sectorNoise = 0.12;
const cycleNoise = 0.04;
const stressMax = 3;

/** From this day on, new companies get alphanumeric CNPJs. */
const alphanumericFrom = '2026-07-01';

/** What is drawn before any row, with one entry per customer; about 300 bytes per customer. */
export type Population = {
  readonly seed: number;
  readonly count: number;
  readonly from: number;
  readonly until: number;
  readonly isCompany: Uint8Array;
  readonly sector: Uint8Array;
  /** The day of joining. `born`: the day of foundation or birth. */
  readonly joined: Int32Array;
  readonly born: Int32Array;
  /** Monthly income in BRL, as declared when joining. */
  readonly income: Float64Array;
  /** The buyers of customer c are `buyers[buyerStart[c]] … buyers[buyerStart[c + 1] - 1]`. */
  readonly buyerStart: Int32Array;
  readonly buyers: Int32Array;
  /** H of customer c in month m of the period: `health[m * count + c]`. */
  readonly health: Float32Array;
  readonly firstMonth: number;
  readonly months: number;
};

/** Draws the customers, their buyers, and everybody's health over all months. Days count from 1970-01-01. */
export function drawPopulation(
  seed: number,
  count: number,
  from: number,
  until: number,
  economySeed?: number,
): Population {
  const isCompany = new Uint8Array(count);
  const sector = new Uint8Array(count);
  const joined = new Int32Array(count);
  const born = new Int32Array(count);
  const income = new Float64Array(count);
  for (let customer = 0; customer < count; customer++) {
    const random = new Random(seed, 1, customer);
    const company = random.chance(companyShare);
    isCompany[customer] = company ? 1 : 0;
    sector[customer] = random.below(sectors.length);
    // Half of the customers join in the first fifth of the period, as if the lender opened with a portfolio.
    const share = random.chance(0.5) ? 0.2 * random.uniform() : random.uniform();
    joined[customer] = from + Math.floor(share * (until - from - 60));
    const ageYears = company ? 1 + random.exponential(9) : 19 + 50 * random.uniform();
    born[customer] = joined[customer] - Math.floor(365.25 * Math.min(ageYears, 80));
    income[customer] = Math.exp(
      company ? Math.log(60_000) + 0.9 * random.normal() : Math.log(5_000) + 0.5 * random.normal(),
    );
  }
  const { buyerStart, buyers } = drawBuyers(seed, isCompany);
  const firstMonth = monthOf(from);
  const months = monthOf(until) - firstMonth + 1;
  const health = drawHealth(seed, sector, months, buyerStart, buyers, economySeed);
  return {
    ...{ seed, count, from, until, isCompany, sector, joined, born, income },
    ...{ buyerStart, buyers, health, firstMonth, months },
  };
}

function drawBuyers(seed: number, isCompany: Uint8Array): { buyerStart: Int32Array; buyers: Int32Array } {
  const count = isCompany.length;
  const companies = Int32Array.from({ length: count }, (_, at) => at).filter((customer) => isCompany[customer] === 1);
  assert(companies.length > 1, 'a population has companies to trade with');
  // The stride shares no factor with any population size, so it spreads the hubs over the customer numbers.
  const stride = 1_000_003;
  const buyerStart = new Int32Array(count + 1);
  const buyers = new Int32Array(companies.length * buyersMax);
  let size = 0;
  for (let customer = 0; customer < count; customer++) {
    if (isCompany[customer] === 1) {
      const random = new Random(seed, 3, customer);
      const wanted = 1 + random.below(buyersMax);
      const first = size;
      for (let draw = 0; draw < wanted; draw++) {
        const rank = Math.floor(companies.length * random.uniform() ** 1.6);
        const buyer = companies[(rank * stride) % companies.length];
        if (buyer !== customer && !buyers.subarray(first, size).includes(buyer)) buyers[size++] = buyer;
      }
    }
    buyerStart[customer + 1] = size;
  }
  return { buyerStart, buyers: buyers.slice(0, size) };
}

function drawHealth(
  seed: number,
  sector: Uint8Array,
  months: number,
  buyerStart: Int32Array,
  buyers: Int32Array,
  economySeed: number | undefined,
): Float32Array {
  const count = sector.length;
  const random = new Random(seed, 4);
  const economy = economySeed === undefined ? random : new Random(economySeed, 8);
  const health = new Float32Array(months * count);
  const own = new Float64Array(count);
  const drag = Float64Array.from({ length: count }, (_, at) => (buyerStart[at + 1] > buyerStart[at] ? meanDrag : 0));
  const nextDrag = new Float64Array(count);
  for (let customer = 0; customer < count; customer++) own[customer] = 0.9 * random.normal();
  const sectorLevel = new Float64Array(sectors.length);
  for (let month = 0; month < months; month++) {
    const cycle = cycleNoise * economy.normal();
    for (let at = 0; at < sectors.length; at++)
      sectorLevel[at] = sectorPersistence * sectorLevel[at] + cycle + sectorNoise * economy.normal();
    const base = month * count;
    for (let customer = 0; customer < count; customer++) {
      const felt = buyerStart[customer + 1] > buyerStart[customer] ? drag[customer] - meanDrag : 0;
      health[base + customer] = own[customer] + sectorLevel[sector[customer]] - felt;
    }
    for (let customer = 0; customer < count; customer++) {
      let stress = 0;
      const start = buyerStart[customer];
      const end = buyerStart[customer + 1];
      for (let at = start; at < end; at++) {
        const buyer = buyers[at];
        const low = -own[buyer] - sectorLevel[sector[buyer]] + dragPassedOn * (drag[buyer] - meanDrag);
        stress += Math.min(Math.max(0, low), stressMax);
      }
      nextDrag[customer] = dragPersistence * drag[customer] + (end > start ? contagion * (stress / (end - start)) : 0);
    }
    drag.set(nextDrag);
    for (let customer = 0; customer < count; customer++)
      own[customer] = persistence * own[customer] + ownNoise * random.normal();
  }
  return health;
}

/** Returns H of a customer on a day. Days outside the period take the value of the first or last month. */
export function healthOn(population: Population, customer: number, day: number): number {
  const month = Math.min(Math.max(monthOf(day) - population.firstMonth, 0), population.months - 1);
  return population.health[month * population.count + customer];
}

/**
 * Returns a customer's document number, unique per customer. The strides share no factor with the powers of ten that
 * they walk through, and they meet none of the roots that are never issued, up to the largest population (checked by
 * counting).
 */
export function documentOf(population: Population, customer: number): string {
  if (population.isCompany[customer] === 1) {
    const isNew = population.born[customer] >= dayOf(alphanumericFrom)!;
    return cnpjFrom(isNew ? `SY${customer.toString(36).toUpperCase().padStart(6, '0')}` : companyRoot(customer));
  }
  return cpfFrom((customer * 61_803 + 137_000_001) % 1_000_000_000);
}

/** Returns the CNPJ root of a company by its number. Numbers above the last customer's belong to nobody. */
export function companyRoot(customer: number): string {
  return String((customer * 61_803 + 13_700_001) % 100_000_000).padStart(8, '0');
}
