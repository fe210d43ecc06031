/**
 * The made-up economy behind the demo lender. What happens, in the order it is drawn:
 *
 * 1. Customers join over the period. Companies sell to other companies: each has one to three buyers, few buyers have
 *    many suppliers.
 * 2. Every customer has a latent financial health H, about standard normal, followed by month:
 *      H[m]      = own[m] + sector[m] − (drag[m] − mean drag)
 *      own[m+1]  = persistence · own[m] + noise; sector likewise, each sector with a common cycle in its noise
 *      drag[m+1] = drag persistence · drag[m] + contagion · mean stress of the buyers in month m
 *      stress    = min(max(0, −own − sector + passed on · (drag − mean drag)), 3)
 *    A buyer in trouble drags its suppliers from the next month on, and theirs by less.
 * 3. Loans follow each other. The rate a loan is given sees H through noise. Each instalment is missed (more than 30 days
 *    late) with probability
 *      p = 1 / (1 + exp(−(base − slope · H at the due date + burden · share of income owed monthly
 *                         + squeeze · how much of its own sales the customer is still owed past due + young)))
 *    A missed one is paid late or never; never is a default: the rest of the loan stays unpaid and no loan follows.
 *    The others are paid with an exponential delay, longer the poorer the health. Instalments are settled in order.
 * 4. Buyers pay invoices with a delay of the same kind, driven by the buyer's own health; sales shrink with the seller's.
 *
 * Health itself is never written to a file. It shows in late payments, in those of the buyers, in falling balances and
 * sales, and in the trend of all of them: that is what a relational learner can find.
 */
import { assert } from '../../lib/failure.ts';
import { addMonths, monthOf } from './lender-calendar.ts';
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

/** Days after the due date beyond which an unpaid instalment counts as missed. */
const missedAfterDays = 30;

const companyShare = 0.7;
const buyersMax = 3;

const persistence = 0.9;
const ownNoise = 0.33;
const contagion = 0.5;
const dragPersistence = 0.8;
/** The part of a buyer's own drag that it hands on: below one, so that trouble dies out along a chain. */
const dragPassedOn = 0.5;
/** About the mean drag of a company with buyers, added back so that health stays near zero on average. */
const meanDrag = 0.9;
const sectorPersistence = 0.9;
const sectorNoise = 0.12;
const cycleNoise = 0.04;
const stressMax = 3;

const missBase = -5.2;
const missSlope = 1.2;
const missPerBurden = 2;
const missPerSqueeze = 2.6;
/** Sales owed past due, over monthly income, that squeeze in full; what is this long overdue is written off. */
const squeezedInFull = 0.3;
const writtenOffAfterDays = 120;
const missWhenYoung = 0.5;
const youngDays = 3 * 365;
const neverPaidBase = -0.4;
const neverPaidSlope = 0.5;

/** Everything drawn before the rows, one entry per customer; about 300 bytes each. */
export type Population = {
  readonly seed: number;
  readonly count: number;
  readonly from: number;
  readonly until: number;
  readonly isCompany: Uint8Array;
  readonly sector: Uint8Array;
  /** Day of joining; day of foundation or birth. */
  readonly joined: Int32Array;
  readonly born: Int32Array;
  /** Monthly, BRL, as declared when joining. */
  readonly income: Float64Array;
  /** The buyers of customer c are `buyers[buyerStart[c]] … buyers[buyerStart[c + 1] - 1]`. */
  readonly buyerStart: Int32Array;
  readonly buyers: Int32Array;
  /** H of customer c in month m of the period: `health[m * count + c]`. */
  readonly health: Float32Array;
  readonly firstMonth: number;
  readonly months: number;
};

export type Loan = {
  readonly granted: number;
  readonly amount: number;
  readonly term: number;
  /** Per month, percent. */
  readonly rate: number;
  readonly product: string;
  /** Monthly instalments of all open loans over income, when this one was granted. */
  readonly burden: number;
  readonly instalments: readonly Instalment[];
};

/** A sale on credit. `paid` as for an instalment. */
export type Invoice = {
  readonly buyer: number;
  readonly issued: number;
  readonly due: number;
  readonly amount: number;
  readonly paid: number;
};

/** `paid` is the day of payment, Infinity when it never comes; it may lie after the period. */
type Instalment = { readonly due: number; readonly amount: number; readonly paid: number };

/** Draws customers, who sells to whom, and the health of all over all months. Days count from 1970-01-01. */
export function drawPopulation(seed: number, count: number, from: number, until: number): Population {
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
    // Half join in the first fifth of the period: a lender that opened with a portfolio and kept growing.
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
  const health = drawHealth(seed, sector, months, buyerStart, buyers);
  return {
    ...{ seed, count, from, until, isCompany, sector, joined, born, income },
    ...{ buyerStart, buyers, health, firstMonth, months },
  };
}

/** H of a customer on a day; the first and last month stand for the days outside the period. */
export function healthOn(population: Population, customer: number, day: number): number {
  const month = Math.min(Math.max(monthOf(day) - population.firstMonth, 0), population.months - 1);
  return population.health[month * population.count + customer]!;
}

/** What a customer sells on credit over the period, buyer by buyer, with what becomes of every invoice. */
export function drawInvoices(population: Population, seller: number): Invoice[] {
  const random = new Random(population.seed, 7, seller);
  const invoices: Invoice[] = [];
  for (let at = population.buyerStart[seller]!; at < population.buyerStart[seller + 1]!; at++) {
    const buyer = population.buyers[at]!;
    const perDay = 0.0085 * (0.3 + random.uniform());
    const usual = population.income[seller]! * 0.15 * (0.3 + random.exponential(1));
    let issued = Math.max(population.joined[seller]!, population.joined[buyer]!) + 1;
    for (issued += Math.floor(random.exponential(1 / perDay)); issued <= population.until; ) {
      const selling = Math.exp(0.25 * healthOn(population, seller, issued));
      const due = issued + random.pick([28, 30, 45, 60]);
      const paid = due + invoiceDelay(healthOn(population, buyer, due), random);
      invoices.push({ buyer, issued, due, amount: cents(usual * Math.exp(0.4 * random.normal()) * selling), paid });
      issued += 1 + Math.floor(random.exponential(1 / (perDay * Math.min(selling, 3))));
    }
  }
  return invoices;
}

/** The loans of one customer over the period, oldest first, with what becomes of every instalment. */
export function drawLoans(population: Population, customer: number, sales: readonly Invoice[]): Loan[] {
  const random = new Random(population.seed, 2, customer);
  const loans: Loan[] = [];
  if (random.chance(0.12)) return loans; // Deposits only.
  let day = population.joined[customer]! + 3 + random.below(40);
  while (day <= population.until) {
    const standing = standingOn(loans, day);
    if (standing === 'defaulted') break;
    if (standing === 'late') {
      day += 30;
      continue;
    }
    const loan = drawLoan(population, customer, loans, sales, day, random);
    loans.push(loan);
    day += Math.floor(loan.term * 30 * (0.6 + 0.7 * random.uniform()) + random.exponential(60));
  }
  return loans;
}

/** How a customer stands at the start of a day, from what was paid before it. */
export function standingOn(loans: readonly Loan[], day: number): 'idle' | 'repaying' | 'late' | 'defaulted' {
  let standing: 'idle' | 'repaying' | 'late' = 'idle';
  for (const loan of loans) {
    if (loan.granted >= day) break;
    for (const { due, paid } of loan.instalments) {
      if (paid < day) continue;
      if (due + missedAfterDays >= day) {
        if (standing === 'idle') standing = 'repaying';
      } else if (paid === Number.POSITIVE_INFINITY) return 'defaulted';
      else standing = 'late';
    }
  }
  return standing;
}

/** Whether an instalment of these loans becomes 30 days overdue at the end of a day in [day, day + window). */
export function missesWithin(loans: readonly Loan[], day: number, window: number): boolean {
  return loans.some((loan) =>
    loan.instalments.some(({ due, paid }) => {
      const missed = due + missedAfterDays;
      return missed >= day && missed < day + window && paid > missed;
    }),
  );
}

/**
 * The probability that `missesWithin` holds, for a customer who is repaying, given all that is true at the start of
 * `day`, health included. An approximation no model can beat by much: health ahead is an AR(1) forecast that does not look at
 * the buyers, its spread brought into the logistic by MacKay's formula (1992), what buyers owe stays as it is, and loans
 * not yet granted are left out.
 */
export function missProbability(
  population: Population,
  customer: number,
  loans: readonly Loan[],
  sales: readonly Invoice[],
  day: number,
  window: number,
): number {
  const today = healthOn(population, customer, day - 1);
  let allPaid = 1;
  for (const loan of loans) {
    if (loan.granted >= day) break;
    for (const { due, paid } of loan.instalments) {
      const missed = due + missedAfterDays;
      if (paid < day || missed < day || missed >= day + window) continue;
      const monthsAhead = Math.max(0, monthOf(due) - monthOf(day - 1));
      const kept = persistence ** monthsAhead;
      const variance = ((ownNoise ** 2 + sectorNoise ** 2) * (1 - kept ** 2)) / (1 - persistence ** 2);
      const health = monthsAhead > 0 ? kept * today : healthOn(population, customer, due);
      const squeeze = squeezeOn(population, customer, sales, Math.min(day, due));
      const log = missLogOdds(population, customer, loan.burden, squeeze, due, health);
      const prior = logistic(log / Math.sqrt(1 + (Math.PI / 8) * missSlope ** 2 * variance));
      // Unpaid for this long already: some of those who pay in time would have done so by now.
      const waiting = day - 1 - due < 0 ? 1 : stillUnpaid(day - 1 - due, health);
      allPaid *= 1 - prior / (prior + (1 - prior) * waiting);
    }
  }
  return 1 - allPaid;
}

function drawBuyers(seed: number, isCompany: Uint8Array): { buyerStart: Int32Array; buyers: Int32Array } {
  const count = isCompany.length;
  const companies = Int32Array.from({ length: count }, (_, at) => at).filter((customer) => isCompany[customer] === 1);
  assert(companies.length > 1, 'a population has companies to trade with');
  // A stride that shares no factor with any population size spreads the hubs over the numbers.
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
        const buyer = companies[(rank * stride) % companies.length]!;
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
): Float32Array {
  const count = sector.length;
  const random = new Random(seed, 4);
  const health = new Float32Array(months * count);
  const own = new Float64Array(count);
  const drag = Float64Array.from({ length: count }, (_, at) => (buyerStart[at + 1]! > buyerStart[at]! ? meanDrag : 0));
  const nextDrag = new Float64Array(count);
  for (let customer = 0; customer < count; customer++) own[customer] = 0.9 * random.normal();
  const sectorLevel = new Float64Array(sectors.length);
  for (let month = 0; month < months; month++) {
    const cycle = cycleNoise * random.normal();
    for (let at = 0; at < sectors.length; at++)
      sectorLevel[at] = sectorPersistence * sectorLevel[at]! + cycle + sectorNoise * random.normal();
    const base = month * count;
    for (let customer = 0; customer < count; customer++) {
      const felt = buyerStart[customer + 1]! > buyerStart[customer]! ? drag[customer]! - meanDrag : 0;
      health[base + customer] = own[customer]! + sectorLevel[sector[customer]!]! - felt;
    }
    for (let customer = 0; customer < count; customer++) {
      let stress = 0;
      const start = buyerStart[customer]!;
      const end = buyerStart[customer + 1]!;
      for (let at = start; at < end; at++) {
        const buyer = buyers[at]!;
        const low = -own[buyer]! - sectorLevel[sector[buyer]!]! + dragPassedOn * (drag[buyer]! - meanDrag);
        stress += Math.min(Math.max(0, low), stressMax);
      }
      nextDrag[customer] = dragPersistence * drag[customer]! + (end > start ? contagion * (stress / (end - start)) : 0);
    }
    drag.set(nextDrag);
    for (let customer = 0; customer < count; customer++)
      own[customer] = persistence * own[customer]! + ownNoise * random.normal();
  }
  return health;
}

function drawLoan(
  population: Population,
  customer: number,
  loans: readonly Loan[],
  sales: readonly Invoice[],
  granted: number,
  random: Random,
): Loan {
  const company = population.isCompany[customer] === 1;
  const income = population.income[customer]!;
  const term = random.pick([6, 6, 9, 12, 12, 18]);
  const amount = cents(income * term * (0.04 + 0.26 * random.uniform()));
  const seen = healthOn(population, customer, granted) + 0.9 * random.normal();
  const rate = Math.round(100 * Math.max(1.2, 2.9 - 0.45 * seen + 0.15 * random.normal())) / 100;
  const product = company
    ? random.pick(['working_capital', 'equipment', 'receivables'])
    : random.pick(['personal', 'vehicle']);
  const monthly = rate / 100;
  const instalment = cents((amount * monthly) / (1 - (1 + monthly) ** -term));
  const open = loans.filter((loan) => addMonths(loan.granted, loan.term) > granted);
  const owed = open.reduce((sum, loan) => sum + loan.instalments[0]!.amount, instalment);
  const burden = Math.min(owed / income, 1);

  const instalments: Instalment[] = [];
  let settled = 0;
  for (let number = 1; number <= term; number++) {
    const due = addMonths(granted, number);
    if (settled < Number.POSITIVE_INFINITY) {
      const health = healthOn(population, customer, due);
      const squeeze = squeezeOn(population, customer, sales, due);
      const missed = random.chance(logistic(missLogOdds(population, customer, burden, squeeze, due, health)));
      const delay = missed ? missedDelay(health, random) : ordinaryDelay(health, random);
      settled = Math.max(settled, due + delay);
    }
    instalments.push({ due, amount: instalment, paid: settled });
  }
  return { granted, amount, term, rate, product, burden, instalments };
}

function missLogOdds(
  population: Population,
  customer: number,
  burden: number,
  squeeze: number,
  due: number,
  health: number,
): number {
  const young = population.isCompany[customer] === 1 && due - population.born[customer]! < youngDays;
  return (
    missBase - missSlope * health + missPerBurden * burden + missPerSqueeze * squeeze + (young ? missWhenYoung : 0)
  );
}

/** How much of its sales a customer is owed past due at the start of a day: 0 nothing, 1 enough to hurt in full. */
function squeezeOn(population: Population, customer: number, sales: readonly Invoice[], day: number): number {
  let owed = 0;
  for (const { due, paid, amount } of sales)
    if (due < day && paid >= day && day - due <= writtenOffAfterDays) owed += amount;
  return Math.min(owed / (squeezedInFull * population.income[customer]!), 1);
}

/** Days from the due date to the payment of an invoice; Infinity when it is never paid. */
function invoiceDelay(health: number, random: Random): number {
  if (!random.chance(logistic(-3.2 - 1.3 * health))) return ordinaryDelay(health, random);
  return random.chance(0.15) ? Number.POSITIVE_INFINITY : missedAfterDays + 1 + Math.floor(random.exponential(40));
}

function missedDelay(health: number, random: Random): number {
  if (random.chance(logistic(neverPaidBase - neverPaidSlope * health))) return Number.POSITIVE_INFINITY;
  return missedAfterDays + 1 + Math.floor(random.exponential(45));
}

/** From three days early to `missedAfterDays` late. */
function ordinaryDelay(health: number, random: Random): number {
  return Math.min(Math.floor(random.exponential(delayMean(health))) - 3, missedAfterDays);
}

/** The share of those who pay in time who have not paid by the end of the day `late` days after the due date. */
function stillUnpaid(late: number, health: number): number {
  return late >= missedAfterDays ? 0 : Math.exp(-(late + 4) / delayMean(health));
}

function delayMean(health: number): number {
  return 1.5 + 4 * Math.exp(Math.min(-0.7 * health, 2));
}

function logistic(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

function cents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
