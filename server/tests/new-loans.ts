/** Made-up applications for loans, each a new row with inputs that could be otherwise; test support. */
import { at, day, draws, type Row, sampleContract } from './samples.ts';

export const loansContract = sampleContract([
  {
    name: 'loan',
    key: 'loan_id',
    time: 'granted',
    columns: {
      loan_id: 'string',
      granted: 'date',
      amount: 'integer',
      term: 'integer',
      income: 'number',
      channel: 'string',
      insured: 'boolean',
      since: 'date',
      sex: 'string',
      dependants: { type: 'integer', pii: true },
    },
  },
]);

export const loansFrom = at('2023-01-01');
const loansPerDay = 8;
const channels = ['branch', 'broker', 'phone', 'web'] as const;

/** So many loans, eight a day. Large ones of small incomes go bad, those of brokers and of large families more, insured ones of long terms less. */
export function newLoans(
  count: number,
  seed = 5,
): { readonly rows: readonly Row[]; readonly labels: readonly number[] } {
  const draw = draws(seed);
  const rows: Row[] = [];
  const labels: number[] = [];
  for (let i = 0; i < count; i++) {
    const granted = loansFrom + Math.floor(i / loansPerDay) * day;
    const row = {
      ...{ loan_id: `L${i}`, granted, amount: draw.between(1, 18), term: 3 * draw.between(2, 12) },
      ...{ income: draw.between(100_000, 900_000) / 100, channel: draw.pick(channels) },
      ...{ insured: draw.between(0, 1), since: granted - draw.between(10, 2_000) * day },
      ...{ sex: draw.pick(['f', 'm']), dependants: draw.between(0, 9) },
    };
    rows.push(row);
    const burden = row.amount > 11 ? 1.8 : row.amount > 6 ? 0.6 : -0.8;
    const means = row.income < 3_000 ? 1.1 : row.income < 6_000 ? 0 : -1.2;
    const length = row.term > 24 ? (row.insured ? -0.4 : 1) : 0;
    const family = row.dependants > 6 ? 2.2 : 0;
    const margin =
      -1.8 + family + burden + means + length + (row.channel === 'broker' ? 1.2 : row.channel === 'web' ? -0.5 : 0);
    labels.push(Number(draw.next() < 1 / (1 + Math.exp(-margin))));
  }
  return { rows, labels };
}

export const loansTask = 'entity: loan\nkey: loan_id\ntime: granted\nlabel: bad\nkind: binary\nwindow: 1d\n';

/** A loan as the inputs of a prediction. */
export function inputsOf({ granted, since, insured, ...rest }: Row): Record<string, unknown> {
  return { ...rest, granted: dayOf(granted), since: dayOf(since), insured: insured === 1 };
}

export function dayOf(moment: unknown): string {
  return new Date(Number(moment) / 1000).toISOString().slice(0, 10);
}
