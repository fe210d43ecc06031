/** A made-up seller whose customers buy, grow, leave and share devices; test support. */
import { fieldSales } from '../../../src/ml/kinds/field-sales.ts';
import { fraud } from '../../../src/ml/kinds/fraud.ts';
import { leadScoring } from '../../../src/ml/kinds/lead-scoring.ts';
import { paidMedia } from '../../../src/ml/kinds/paid-media.ts';
import { at, type Data, day, draws, type Row, sampleContract } from '../../samples.ts';

export const sellerContract = sampleContract([
  { name: 'device', key: 'device_id', columns: { device_id: 'integer', model: 'string' } },
  {
    name: 'customer',
    key: 'customer_id',
    time: 'created',
    references: { device_id: 'device' },
    columns: { customer_id: 'string', created: 'date', device_id: 'integer', trade: 'string', employees: 'integer' },
  },
  {
    name: 'visit',
    time: 'visited',
    references: { customer_id: 'customer' },
    columns: { customer_id: 'string', visited: 'timestamp', pages: 'integer' },
  },
  {
    name: 'purchase',
    time: 'bought',
    references: { customer_id: 'customer' },
    columns: { customer_id: 'string', bought: 'timestamp', amount: 'number' },
  },
  {
    name: 'chargeback',
    time: 'reported',
    references: { customer_id: 'customer' },
    columns: { customer_id: 'string', reported: 'timestamp', amount: 'number' },
  },
]);

const customers = 160;
const from = at('2023-01-01');
const days = 600;

/** Of every ten customers two share a device with the one before; those of a ring are charged back. */
export function sellerData(seed = 7): Data {
  const draw = draws(seed);
  const rows = { device: [], customer: [], visit: [], purchase: [], chargeback: [] } as Record<string, Row[]>;
  let device = 0;
  for (let i = 0; i < customers; i++) {
    const customer_id = `c${i}`;
    const created = from + draw.between(0, 90) * day;
    const employees = draw.between(1, 40);
    const isBuyer = draw.next() < 0.5;
    const trend = draw.pick([-1, 0, 1]);
    const isRing = i % 10 >= 7;
    if (i % 10 < 8) rows.device!.push({ device_id: ++device, model: draw.pick(['a', 'b', 'c']) });
    const trade = isBuyer ? draw.pick(['bakery', 'garage']) : draw.pick(['office', 'school']);
    rows.customer!.push({ customer_id, created, device_id: device, trade, employees });
    for (let time = created; time < from + days * day; time += draw.between(5, 40) * day)
      rows.visit!.push({ customer_id, visited: time, pages: draw.between(1, isBuyer ? 9 : 3) });
    for (let time = created; time < from + days * day; ) {
      const age = (time - from) / (days * day);
      time += (isBuyer ? 12 : 90) * (1 - 0.7 * trend * (age - 0.5)) * (0.5 + draw.next()) * day;
      rows.purchase!.push({ customer_id, bought: Math.round(time), amount: Math.round(employees * (5 + draw.next())) });
    }
    for (let time = created + 100 * day; isRing && time < from + days * day; time += draw.between(20, 120) * day)
      rows.chargeback!.push({ customer_id, reported: time, amount: draw.between(10, 90) });
  }
  for (const table of ['visit', 'purchase', 'chargeback'])
    rows[table] = rows[table].filter((row) => Number(row.visited ?? row.bought ?? row.reported) < from + days * day);
  return rows;
}

/** A table of the seller's as CSV. */
export function sellerCsv({ name, columns }: (typeof sellerContract.tables)[number], data: Data): string {
  const lines = data[name].map((row) =>
    columns
      .map((column) => {
        const value = row[column.name] ?? null;
        if (value === null) return '';
        if (column.type === 'date') return new Date(Number(value) / 1000).toISOString().slice(0, 10);
        return column.type === 'timestamp' ? new Date(Number(value) / 1000).toISOString().slice(0, 19) : String(value);
      })
      .join(','),
  );
  return `${[columns.map((column) => column.name).join(','), ...lines].join('\n')}\n`;
}

/** The definition of each kind with heads. */
export const sellerTasks = {
  lead_scoring: leadScoring.example,
  paid_media: paidMedia.example,
  field_sales: fieldSales.example,
  fraud: fraud.example,
};
