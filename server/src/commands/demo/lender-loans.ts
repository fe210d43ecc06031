/**
 * Draws the loans of the demo lender. A customer's loans follow each other. The rate of a loan depends on the
 * customer's health H, observed with noise. Each instalment is missed (more than 30 days late) with probability
 *   p = 1 / (1 + exp(−(base − slope · H at the due date + burden · share of income owed monthly
 *                      + squeeze · how much of its own sales the customer is still owed past due + young)))
 * A missed instalment is paid late or never. If it is never paid, the customer defaults: the rest of the loan stays
 * unpaid, and no further loan is granted. Other instalments are paid with an exponential delay, which is longer for
 * poorer health. Instalments are settled in order.
 */
import { addMonths, monthOf } from './lender-calendar.ts';
import { logistic, missedAfterDays, missedDelay, ordinaryDelay, stillUnpaid } from './lender-delays.ts';
import { cents, type Invoice, squeezeOn } from './lender-invoices.ts';
import { healthOn, ownNoise, type Population, persistence, sectorNoise } from './lender-population.ts';
import { Random } from './lender-random.ts';

const missBase = -6.1;
const missSlope = 1.2;
const missPerBurden = 2;
const missPerSqueeze = 2.6;
const missWhenYoung = 0.5;
const youngDays = 3 * 365;

export type Loan = {
  readonly granted: number;
  readonly amount: number;
  readonly term: number;
  /** Percent per month. */
  readonly rate: number;
  readonly product: string;
  /** The monthly instalments of all open loans when this one was granted, over income; at most 1. */
  readonly burden: number;
  readonly instalments: readonly Instalment[];
};

/** `paid` is the day of payment, Infinity when it is never paid; it may lie after the period. */
type Instalment = { readonly due: number; readonly amount: number; readonly paid: number };

/** Draws the loans of one customer over the period, oldest first, with the payment of every instalment. */
export function drawLoans(population: Population, customer: number, sales: readonly Invoice[]): Loan[] {
  const random = new Random(population.seed, 2, customer);
  const loans: Loan[] = [];
  if (random.chance(0.12)) return loans; // Deposits only.
  let day = population.joined[customer] + 3 + random.below(40);
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

function drawLoan(
  population: Population,
  customer: number,
  loans: readonly Loan[],
  sales: readonly Invoice[],
  granted: number,
  random: Random,
): Loan {
  const company = population.isCompany[customer] === 1;
  const income = population.income[customer];
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
  const owed = open.reduce((sum, loan) => sum + loan.instalments[0].amount, instalment);
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
  const young = population.isCompany[customer] === 1 && due - population.born[customer] < youngDays;
  return (
    missBase - missSlope * health + missPerBurden * burden + missPerSqueeze * squeeze + (young ? missWhenYoung : 0)
  );
}

/** Returns the standing of a customer at the start of a day, from what was paid before it. */
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
 * Returns the probability that `missesWithin` holds for a customer who is repaying, given everything true at the start
 * of `day`, including health. No model can beat this approximation by much. Its simplifications: future health is an
 * AR(1) forecast that ignores the buyers, whose spread enters the logistic function by MacKay's formula (1992); the
 * squeeze stays as it is; and loans not yet granted are left out.
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
      // The instalment has been unpaid this long: some of those who pay in time would have paid by now.
      const waiting = day - 1 - due < 0 ? 1 : stillUnpaid(day - 1 - due, health);
      allPaid *= 1 - prior / (prior + (1 - prior) * waiting);
    }
  }
  return 1 - allPaid;
}
