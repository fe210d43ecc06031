/**
 * Draws the invoices of the demo lender's companies, which sell on credit. Buyers pay invoices with delays like those
 * of loans, depending on the buyer's own health. Sales shrink with the seller's health.
 */
import { invoiceDelay } from './lender-delays.ts';
import { healthOn, type Population } from './lender-population.ts';
import { Random } from './lender-random.ts';

/**
 * The overdue sales, as a share of monthly income, that make the squeeze 1. Invoices overdue for longer are written
 * off.
 */
const squeezedInFull = 0.3;
const writtenOffAfterDays = 120;

/** A sale on credit. `paid` is the day of payment, Infinity when it is never paid; it may lie after the period. */
export type Invoice = {
  readonly buyer: number;
  readonly issued: number;
  readonly due: number;
  readonly amount: number;
  readonly paid: number;
};

/** Draws the invoices of a seller over the period, buyer by buyer, with the payment of each. */
export function drawInvoices(population: Population, seller: number): Invoice[] {
  const random = new Random(population.seed, 7, seller);
  const invoices: Invoice[] = [];
  for (let at = population.buyerStart[seller]; at < population.buyerStart[seller + 1]; at++) {
    const buyer = population.buyers[at];
    const perDay = 0.0085 * (0.3 + random.uniform());
    const usual = population.income[seller] * 0.15 * (0.3 + random.exponential(1));
    let issued = Math.max(population.joined[seller], population.joined[buyer]) + 1;
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

/** Returns how much overdue sales squeeze a customer at the start of a day: from 0 (nothing overdue) to 1. */
export function squeezeOn(population: Population, customer: number, sales: readonly Invoice[], day: number): number {
  let owed = 0;
  for (const { due, paid, amount } of sales)
    if (due < day && paid >= day && day - due <= writtenOffAfterDays) owed += amount;
  return Math.min(owed / (squeezedInFull * population.income[customer]), 1);
}

/** Rounds an amount in BRL to a hundredth. */
export function cents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
