import { sql } from 'kysely';
import type { Tx } from '../../access/transactions.ts';
import type { Meter } from '../meters/meter.ts';
import type { Charge } from '../price-plans/charge.ts';
import { defaultPlan, type PricePlan } from '../price-plans/price-plan.ts';

const columns = [
  ...(['id', 'organization_id', 'month', 'status', 'number', 'billed_to', 'price_plan', 'price_plan_version'] as const),
  ...(['currency', 'total_cents', 'created_at', 'issued_at'] as const),
];

/** The invoices of an organization, the newest month first, after the one whose id is `last`. */
export async function selectInvoices(tx: Tx, organizationId: string, last: string | null, most: number) {
  return tx
    .selectFrom('invoices as i')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .$if(last !== null, (query) =>
      query.where('month', '<', ({ selectFrom }) =>
        selectFrom('invoices as l').select('l.month').where('l.id', '=', last!),
      ),
    )
    .orderBy('month', 'desc')
    .limit(most)
    .execute();
}
export type InvoiceRow = Awaited<ReturnType<typeof selectInvoices>>[number];

export function selectInvoice(tx: Tx, organizationId: string, id: string): Promise<InvoiceRow | undefined> {
  return tx
    .selectFrom('invoices')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The lines of an invoice that was issued, in order. */
export async function selectLines(tx: Tx, id: string): Promise<Charge[]> {
  const rows = await tx
    .selectFrom('invoice_lines')
    .select(['meter', 'from_unit', 'up_to', 'quantity', 'price', 'per', 'amount_cents'])
    .where('invoice_id', '=', id)
    .orderBy('position')
    .execute();
  return rows.map((row) => ({
    meter: row.meter as Meter | null,
    fromUnit: row.from_unit,
    upTo: row.up_to,
    quantity: row.quantity,
    price: String(row.price),
    per: row.per,
    amountCents: row.amount_cents,
  }));
}

/**
 * The units of each meter that an organization has used in a month (YYYY-MM-01), read by somebody who acts in the
 * organization as a whole, or by the system.
 */
export async function selectUnits(
  tx: Tx,
  organizationId: string,
  month: string,
  by: 'organization' | 'system',
): Promise<Partial<Record<Meter, number>>> {
  const table = sql.table(by === 'system' ? 'usage_days' : 'organization_usage_days');
  const { rows } = await sql<{ meter: Meter; quantity: number }>`
    select meter, sum(quantity)::bigint as quantity from ${table}
    where organization_id = ${organizationId}
      and day >= ${month}::date and day < (${month}::date + interval '1 month')::date
    group by meter`.execute(tx);
  return Object.fromEntries(rows.map(({ meter, quantity }) => [meter, quantity]));
}

/**
 * The months of organizations that have no invoice yet and need one: something was used in them, or it is the month of
 * `now` and the plan has a fee. At most `most`.
 */
export async function selectMissing(tx: Tx, now: Date, most: number) {
  const { rows } = await sql<{ organization_id: string; month: string }>`
    select organization_id, to_char(month, 'YYYY-MM-DD') as month from (
      select distinct organization_id, date_trunc('month', day)::date as month from usage_days
      union
      -- A month has begun for an organization when it has on the clocks of all its workspaces.
      select o.id, date_trunc('month', coalesce(
          (select min(${now}::timestamptz at time zone w.time_zone) from workspaces as w
            where w.organization_id = o.id),
          ${now}::timestamptz at time zone 'UTC'))::date
      from organizations as o
      where (select (document->>'monthly_fee')::numeric > 0 from price_plans as p
        where p.name in (o.price_plan, ${defaultPlan})
        order by p.name = o.price_plan desc nulls last, p.version desc limit 1)) as needed
    -- Plans are defined since there are invoices, when it was twelve hours earlier on the clocks furthest behind.
    where month >= (select date_trunc('month', (min(created_at) at time zone 'UTC') - interval '12 hours')
        from price_plans)
      and not exists (select from invoices as i
      where i.organization_id = needed.organization_id and i.month >= needed.month and i.status = 'issued')
      and not exists (select from invoices as i
        where i.organization_id = needed.organization_id and i.month = needed.month)
    order by organization_id, month limit ${most}`.execute(tx);
  return rows;
}

export async function insertDraft(tx: Tx, id: string, organizationId: string, month: string): Promise<void> {
  await tx
    .insertInto('invoices')
    .values({ id, organization_id: organizationId, month })
    .onConflict((conflict) => conflict.columns(['organization_id', 'month']).doNothing())
    .execute();
}

/**
 * Drafts of months that had ended `graceMs` before `now` on the clocks of every workspace of their organization, the
 * oldest of each organization only. At most `most`.
 */
export async function selectDue(tx: Tx, now: Date, graceMs: number, most: number) {
  const at = new Date(now.getTime() - graceMs);
  const { rows } = await sql<{ id: string; organization_id: string }>`
    select i.id, i.organization_id from invoices as i
    where i.status = 'draft' and (i.month + interval '1 month') at time zone 'UTC' <= ${at}
      and not exists (select from workspaces as w where w.organization_id = i.organization_id
        and (i.month + interval '1 month') at time zone w.time_zone > ${at})
      and not exists (select from invoices as e
        where e.organization_id = i.organization_id and e.status = 'draft' and e.month < i.month)
    order by i.organization_id limit ${most}`.execute(tx);
  return rows;
}

/** A draft with the name of its organization, locked until the transaction ends; undefined when it is none any more. */
export async function lockDraft(tx: Tx, id: string) {
  return tx
    .selectFrom('invoices as i')
    .innerJoin('organizations as o', 'o.id', 'i.organization_id')
    .select(['i.id', 'i.organization_id', 'i.month', 'o.name'])
    .where('i.id', '=', id)
    .where('i.status', '=', 'draft')
    .forUpdate('i')
    .executeTakeFirst();
}

export type Issued = {
  readonly id: string;
  readonly organizationId: string;
  readonly month: string;
  readonly billedTo: string;
  readonly plan: Pick<PricePlan, 'name' | 'version'>;
  readonly totalCents: number;
  readonly at: Date;
};

/** Issues a draft, whose lines are written already. Returns its number: the organization's next one in the year. */
export async function markIssued(tx: Tx, invoice: Issued): Promise<string> {
  const year = invoice.month.slice(0, 4);
  const { number } = await tx
    .updateTable('invoices')
    .set({
      status: 'issued',
      number: sql<string>`(select ${year} || '-' || lpad((count(*) + 1)::text, greatest(4, length((count(*) + 1)::text)), '0') from invoices as i
        where i.organization_id = ${invoice.organizationId} and i.status = 'issued'
          and extract(year from i.month) = ${Number(year)})`,
      billed_to: invoice.billedTo,
      price_plan: invoice.plan.name,
      price_plan_version: invoice.plan.version,
      total_cents: invoice.totalCents,
      issued_at: invoice.at,
    })
    .where('id', '=', invoice.id)
    .returning('number')
    .executeTakeFirstOrThrow();
  return number!;
}

export async function insertLines(
  tx: Tx,
  { id, organizationId }: Pick<Issued, 'id' | 'organizationId'>,
  charges: readonly Charge[],
): Promise<void> {
  if (charges.length === 0) return;
  const rows = charges.map(({ meter, fromUnit, upTo, quantity, price, per, amountCents }, position) => ({
    ...{ organization_id: organizationId, invoice_id: id, position, meter, from_unit: fromUnit, up_to: upTo },
    ...{ quantity, price, per, amount_cents: amountCents },
  }));
  await tx.insertInto('invoice_lines').values(rows).execute();
}
