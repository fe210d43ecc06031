import { type Asked, type Draws, dayAt, type Family, type Row, upTo } from './family.ts';

const [shops, months] = [150, 60];
const kinds = ['ice', 'coal', 'toys', 'books'] as const;

/** Shops of kinds that have their season, each at another time of the year. */
export function makeSeasons({ next, normal, label, pick }: Draws): Family {
  const of = upTo(shops).map((shop_id) => ({ shop_id, kind: pick(kinds), owner: pick(['x', 'y']) }));
  const size = of.map(() => 0.5 * normal());
  const sales: Row[] = [];
  const asked: Asked[] = [];
  for (const month of upTo(months))
    for (const { shop_id, kind } of of) {
      const warmth = Math.sin((2 * Math.PI * (month - 3 * kinds.indexOf(kind))) / 12);
      for (const _ of upTo(Math.floor(2.5 * next() * Math.exp(0.5 * warmth))))
        sales.push({
          ...{ sale_id: sales.length, shop_id, day: dayAt((365 / 12) * (month + next())) },
          amount: Math.round(1000 * Math.exp(0.3 * size[shop_id]! + 0.5 * normal())) / 100,
        });
      if (month < 14 || next() < 0.4) continue;
      const ahead = Math.sin((2 * Math.PI * (month + 1 - 3 * kinds.indexOf(kind))) / 12);
      asked.push({ key: shop_id, day: dayAt((365 / 12) * (month + 1)), ...label(1.6 * ahead + size[shop_id]!) });
    }
  return { tables: { shops: of, sales }, entity: 'shops', key: 'shop_id', windowDays: 30, asked };
}
