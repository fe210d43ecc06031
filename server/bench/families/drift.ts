import { type Asked, type Draws, dayAt, type Family, type Row, upTo } from './family.ts';

const [members, months] = [250, 40];

/** Members asked about month after month, while the rate of yes moves up and down for all. */
export function makeDrift({ next, normal, label, pick }: Draws): Family {
  const traits = upTo(members).map(normal);
  const visits: Row[] = [];
  const asked: Asked[] = [];
  let level = -1.5;
  for (const month of upTo(months)) {
    level += 0.15 * normal() + 0.02;
    for (const member of upTo(members)) {
      for (const _ of upTo(Math.floor(3 * next())))
        visits.push({
          ...{ visit_id: visits.length, member_id: member, day: dayAt(30 * month + 29 * next()) },
          spent: Math.round(100 * Math.exp(0.4 * traits[member]! + 0.6 * normal())) / 10,
        });
      if (month >= 8 && next() < 0.6)
        asked.push({ key: member, day: dayAt(30 * (month + 1)), ...label(level + 0.8 * traits[member]!) });
    }
  }
  const of = upTo(members).map((member_id) => ({
    member_id,
    plan: pick(['basic', 'full']),
    city: pick(['A', 'B', 'C']),
  }));
  return { tables: { members: of, visits }, entity: 'members', key: 'member_id', windowDays: 30, asked };
}
