/** Draws how late the demo lender's customers pay, depending on the health of the payer. */
import type { Random } from './lender-random.ts';

/** Days after the due date beyond which an unpaid instalment counts as missed. */
export const missedAfterDays = 30;
const neverPaidBase = -0.4;
const neverPaidSlope = 0.5;

/** Draws the days from the due date to the payment of an invoice; Infinity when it is never paid. */
export function invoiceDelay(health: number, random: Random): number {
  if (!random.chance(logistic(-3.2 - 1.3 * health))) return ordinaryDelay(health, random);
  return random.chance(0.15) ? Number.POSITIVE_INFINITY : missedAfterDays + 1 + Math.floor(random.exponential(40));
}

/** Draws the days from the due date to the payment of a missed instalment; Infinity when it is never paid. */
export function missedDelay(health: number, random: Random): number {
  if (random.chance(logistic(neverPaidBase - neverPaidSlope * health))) return Number.POSITIVE_INFINITY;
  return missedAfterDays + 1 + Math.floor(random.exponential(45));
}

/** Draws the days from the due date to an ordinary payment, from −3 to `missedAfterDays`. */
export function ordinaryDelay(health: number, random: Random): number {
  return Math.min(Math.floor(random.exponential(delayMean(health))) - 3, missedAfterDays);
}

/** Returns the share of ordinary payers who have not paid by the end of the day `late` days after the due date. */
export function stillUnpaid(late: number, health: number): number {
  return late >= missedAfterDays ? 0 : Math.exp(-(late + 4) / delayMean(health));
}

function delayMean(health: number): number {
  return 1.5 + 4 * Math.exp(Math.min(-0.7 * health, 2));
}

/** Returns the probability of log odds. */
export function logistic(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
