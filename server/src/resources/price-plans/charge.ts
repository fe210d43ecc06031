import { type Meter, pricedMeters } from '../meters/meter.ts';
import { decimalOf, readMicros, toCents } from './money.ts';
import type { PlanDocument } from './price-plan.ts';

/** A line of an invoice: the fee of the month, or the units of a meter that are in one tier of its price. */
export type Charge = {
  /** Null for the fee. */
  readonly meter: Meter | null;
  /** The first unit of the tier, and its last; null where it has no end. */
  readonly fromUnit: number;
  readonly upTo: number | null;
  readonly quantity: number;
  /** In reais, for `per` units. */
  readonly price: string;
  readonly per: number;
  readonly amountCents: number;
};

/**
 * What a month costs by a plan, given the units of each meter. The units of a meter fill its tiers one after the other;
 * each line is rounded to whole centavos, half a centavo upwards, and the total is the sum of the lines. A meter
 * without a price has a line all the same, so that the lines of a meter always add up to its units.
 */
export function chargesOf(plan: PlanDocument, used: Readonly<Partial<Record<Meter, number>>>): Charge[] {
  return [...feeOf(plan), ...pricedMeters.flatMap((meter) => ofMeter(plan, meter, used[meter] ?? 0))];
}

/** The sum of the lines, in centavos. */
export function totalOf(charges: readonly Pick<Charge, 'amountCents'>[]): number {
  return safe(charges.reduce((sum, { amountCents }) => sum + BigInt(amountCents), 0n));
}

function feeOf({ monthly_fee }: PlanDocument): Charge[] {
  const micros = readMicros(monthly_fee)!;
  if (micros === 0n) return [];
  const cents = toCents(micros, 1n);
  const fee = { price: decimalOf(cents), per: 1, amountCents: safe(cents) };
  return [{ meter: null, fromUnit: 1, upTo: null, quantity: 1, ...fee }];
}

const free = { per: 1, tiers: [{ up_to: null, price: '0' }] };

function ofMeter({ prices }: PlanDocument, meter: Meter, used: number): Charge[] {
  const { per, tiers } = prices[meter] ?? free;
  const lines: Charge[] = [];
  for (let at = 0, before = 0; at < tiers.length && before < used; at++) {
    const { up_to, price } = tiers[at];
    const quantity = Math.min(used, up_to ?? used) - before;
    const amountCents = safe(toCents(BigInt(quantity) * readMicros(price)!, BigInt(per)));
    lines.push({ meter, fromUnit: before + 1, upTo: up_to, quantity, price, per, amountCents });
    before += quantity;
  }
  return lines;
}

function safe(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new Error(`${value} is more than can be kept exactly`);
  return Number(value);
}
