import type { Format } from '../words/format.ts';

/** An amount as invoices have it, in hundredths. */
export const amountOf = (format: Format, cents: number, currency: string): string =>
  format.moneyOf(cents / 100, currency);

/** A price as plans have it: an exact text with up to six decimals, of which money has two. */
export function priceOf(format: Format, price: string, currency: string): string {
  const decimals = price.split('.')[1]?.replace(/0+$/, '') ?? '';
  if (decimals.length <= 2) return format.moneyOf(Number(price), currency);
  const written = format.language === 'pt-BR' ? price.replace('.', ',') : price;
  return format.moneyOf(0, currency).replace(/[\d.,]+/, written);
}
