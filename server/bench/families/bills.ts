import { type Asked, type Draws, dayAt, type Family, type Row, upTo } from './family.ts';

const [clients, months] = [300, 36];
/** Log-odds, per day that a client usually pays late, of paying the bills of the next month very late. */
const perDay = 0.25;

/** Clients with bills of very different terms: what tells is only how long after its due date each was paid. */
export function makeBills({ next, normal, label, pick }: Draws): Family {
  const usual = upTo(clients).map(() => 4 * normal());
  const bills: Row[] = [];
  const asked: Asked[] = [];
  for (const month of upTo(months)) {
    for (const client of upTo(clients)) {
      for (const _ of upTo(Math.floor(3 * next()))) {
        const issued = 30 * month + 29 * next();
        const due = issued + pick([7, 15, 30, 60, 90]);
        const paid = Math.max(issued, due + usual[client]! + 6 * normal());
        bills.push({
          ...{ bill_id: bills.length, client_id: client, issued: dayAt(issued), due_date: dayAt(due) },
          paid_date: paid < 30 * months ? dayAt(paid) : null,
          amount: Math.round(100 * Math.exp(4 + normal())) / 100,
        });
      }
      if (month >= 8 && next() < 0.5)
        asked.push({ key: client, day: dayAt(30 * (month + 1)), ...label(-1.5 + perDay * usual[client]!) });
    }
  }
  const of = upTo(clients).map((client_id) => ({ client_id, region: pick(['N', 'S', 'W']) }));
  return { tables: { clients: of, bills }, entity: 'clients', key: 'client_id', windowDays: 30, asked };
}
