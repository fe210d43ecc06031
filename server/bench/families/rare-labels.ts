import { type Asked, type Draws, dayAt, type Family, type Row, upTo } from './family.ts';

const [cards, payments, days] = [800, 24_000, 600];

/** Payments of which one in a hundred is false: unlike what the card pays for, and soon after the one before. */
export function makeRareLabels({ next, normal, label, pick }: Draws): Family {
  const usual = upTo(cards).map(() => 3 + normal());
  const last = upTo(cards).map(() => -10);
  const asked: Asked[] = [];
  const rows: Row[] = upTo(payments).map((payment_id) => {
    const day = (days * payment_id) / payments;
    const card_id = Math.floor(cards * next());
    const isOdd = next() < 0.05;
    const amount = usual[card_id]! + (isOdd ? 2.5 : 0) + 0.5 * normal();
    const isSoon = day - last[card_id]! < 3;
    last[card_id] = day;
    const distance = (amount - usual[card_id]!) / 0.5;
    asked.push({ key: payment_id, day: dayAt(day), ...label(-6.2 + 0.8 * Math.max(0, distance) + (isSoon ? 1 : 0)) });
    return {
      payment_id,
      card_id,
      day: dayAt(day),
      amount: Math.round(100 * Math.exp(amount)) / 100,
      shop: pick(['m', 'n', 'o', 'p']),
    };
  });
  const of = upTo(cards).map((card_id) => ({ card_id, bank: pick(['A', 'B', 'C']) }));
  return { tables: { cards: of, payments: rows }, entity: 'payments', key: 'payment_id', windowDays: 30, asked };
}
