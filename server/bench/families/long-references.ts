import { type Asked, type Draws, dayAt, type Family, upTo } from './family.ts';

const [regions, branches, clients, loans, days] = [40, 200, 3_000, 7_000, 1_500];

/** Loans whose end is told by those of the same region, which is three references away, and of the client. */
export function makeLongReferences({ next, normal, label, pick }: Draws): Family {
  const effects = upTo(regions).map(normal);
  const regionOf = upTo(branches).map(() => Math.floor(regions * next()));
  const branchOf = upTo(clients).map(() => Math.floor(branches * next()));
  const prudence = upTo(clients).map(() => 0.7 * normal());
  const asked: Asked[] = [];
  const rows = upTo(loans).map((loan_id) => {
    const day = dayAt((days * loan_id) / loans);
    const client_id = Math.floor(clients * next() ** 1.5);
    const amount = Math.round(1000 * Math.exp(0.7 * normal()));
    const region = effects[regionOf[branchOf[client_id]!]!]!;
    asked.push({ key: loan_id, day, ...label(-1.2 + region + prudence[client_id]! + 0.3 * Math.log(amount / 1000)) });
    return { loan_id, client_id, day, amount };
  });
  const tables = {
    regions: upTo(regions).map((region_id) => ({ region_id, coast: pick(['yes', 'no']) })),
    branches: upTo(branches).map((branch_id) => ({
      branch_id,
      region_id: regionOf[branch_id]!,
      size: pick([1, 2, 3]),
    })),
    clients: upTo(clients).map((client_id) => ({
      client_id,
      branch_id: branchOf[client_id]!,
      job: pick(['a', 'b', 'c']),
    })),
    loans: rows,
  };
  return { tables, entity: 'loans', key: 'loan_id', windowDays: 40, asked };
}
