import { Type } from 'typebox';
import type { Tx } from '../../access/transactions.ts';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { meterNames } from '../meters/meter.ts';
import { type Charge, chargesOf, totalOf } from '../price-plans/charge.ts';
import { planOf } from '../price-plans/find.ts';
import { type InvoiceRow, selectLines, selectUnits } from './sql.ts';

/** An invoice with its lines: as it was issued, or, of a draft, as it would be now. */
export type Invoice = Omit<InvoiceRow, 'total_cents' | 'price_plan' | 'price_plan_version'> & {
  readonly total_cents: number;
  readonly price_plan: string;
  readonly price_plan_version: number;
  readonly lines: readonly Charge[];
};

/** Completes an invoice by its lines. `tx` acts in the organization as a whole. */
export async function completeInvoice(tx: Tx, row: InvoiceRow): Promise<Invoice> {
  if (isIssued(row)) return { ...row, lines: await selectLines(tx, row.id) };
  const { name, version, document } = await planOf(tx, row.organization_id);
  const lines = chargesOf(document, await selectUnits(tx, row.organization_id, row.month, 'organization'));
  return { ...row, price_plan: name, price_plan_version: version, total_cents: totalOf(lines), lines };
}

/** Whether an invoice was issued, and so has its sums (a constraint of the table). */
export function isIssued(row: InvoiceRow): row is InvoiceRow & Omit<Invoice, 'lines'> {
  return row.status === 'issued';
}

const lineExample = {
  ...{ meter: 'predictions', from_unit: 10_001, up_to: null, quantity: 40_000 },
  ...{ price: '12.50', per: 1_000, amount_cents: 50_000 },
};
const example = {
  id: 'ivc_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  month: '2026-03',
  status: 'issued',
  number: '2026-0003',
  billed_to: 'Company',
  price_plan: { name: 'standard-2026', version: 1 },
  currency: 'BRL',
  total_cents: 50_000,
  created_at: '2026-03-01T03:00:00.000Z',
  issued_at: '2026-04-01T04:00:00.000Z',
};

const fields = {
  id: Type.String(),
  month: Type.String({ description: 'On the clocks of each workspace.' }),
  status: Type.String({
    enum: ['draft', 'issued'],
    description: 'A draft is what the invoice would be now; one that is issued never changes.',
  }),
  number: nullable(Type.String({ description: 'Without gaps within the organization and the year; of a draft null.' })),
  billed_to: nullable(Type.String({ description: 'The name of the organization when it was issued.' })),
  price_plan: objectOf('InvoicePlan', { name: Type.String(), version: Type.Integer() }),
  currency: Type.String(),
  total_cents: Type.Integer({ description: 'The sum of its lines.' }),
  created_at: Type.String(),
  issued_at: nullable(Type.String()),
};

export const invoiceSchema = answerOf('Invoice', example, fields);

export const invoiceWithLinesSchema = answerOf(
  'InvoiceWithLines',
  { ...example, lines: [lineExample] },
  {
    ...fields,
    lines: Type.Array(
      objectOf('InvoiceLine', {
        meter: nullable(Type.String({ enum: [...meterNames], description: 'Null for the fee of the month.' })),
        from_unit: Type.Integer({ description: 'The first unit of the month that is in the tier.' }),
        up_to: nullable(Type.Integer({ description: 'The last one; null where the tier has no end.' })),
        quantity: Type.Integer({ description: 'The units of the month in the tier.' }),
        price: Type.String({ description: 'In the currency, for `per` units.' }),
        per: Type.Integer(),
        amount_cents: Type.Integer({ description: 'quantity × price ÷ per, half a centavo upwards.' }),
      }),
    ),
  },
);

export function presentInvoice({ price_plan: name, price_plan_version: version, ...invoice }: Invoice) {
  return {
    id: invoice.id,
    month: invoice.month.slice(0, 7),
    status: invoice.status,
    number: invoice.number,
    billed_to: invoice.billed_to,
    price_plan: { name, version },
    currency: invoice.currency,
    total_cents: invoice.total_cents,
    created_at: invoice.created_at.toISOString(),
    issued_at: invoice.issued_at?.toISOString() ?? null,
  };
}

export function presentLines({ lines }: Invoice) {
  return lines.map(({ meter, fromUnit, upTo, quantity, price, per, amountCents }) => ({
    ...{ meter, from_unit: fromUnit, up_to: upTo, quantity, price, per, amount_cents: amountCents },
  }));
}
