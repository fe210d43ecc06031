import { type Asked, type Draws, dayAt, type Family, upTo } from './family.ts';

const [requests, pages, days] = [9_000, 250, 1_200];

/** Requests that come by one of many pages, rarely answered with yes; keys are texts, and columns are dirty. */
export function makeNewRows({ next, normal, label, pick }: Draws): Family {
  const effects = upTo(pages).map(() => 0.9 * normal());
  const ways = { mail: 0.5, phone: 0, walk: -0.5 };
  const asked: Asked[] = [];
  const rows = upTo(requests).map((i) => {
    const day = dayAt((days * i) / requests);
    const page = Math.floor(pages * next() ** 2);
    const way = pick(['mail', 'phone', 'walk'] as const);
    const size = Math.round(10 * Math.exp(normal()));
    const key = `rq-${(i * 7919 + 13).toString(36)}`;
    asked.push({ key, day, ...label(-3 + effects[page]! + ways[way] + 0.3 * Math.log(size / 10)) });
    const said = pick([`${size} pcs`, `${size}`, `${size} pcs`, 'n/a']);
    return { request: key, day, page: `page/${(page * 37).toString(36)}`, way: next() < 0.1 ? null : way, size: said };
  });
  return { tables: { requests: rows }, entity: 'requests', key: 'request', windowDays: 20, asked };
}
