import { Type } from 'typebox';
import type { Context } from '../../access/context.ts';
import type { OrganizationScope } from '../../access/scope.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { pageOf, pageQuery, readPage } from '../../api/list.ts';
import { answerOf } from '../../api/named.ts';
import { type Route, route } from '../../api/route.ts';
import { refuse } from '../../errors.ts';
import type { App } from '../app.ts';
import { planOf } from '../price-plans/find.ts';
import { planDocumentSchema } from '../price-plans/price-plan.ts';
import {
  completeInvoice,
  type Invoice,
  invoiceSchema,
  invoiceWithLinesSchema,
  isIssued,
  presentInvoice,
  presentLines,
} from './invoice.ts';
import { invoicePage, type PageLanguage, pageHeaders, pageLanguages } from './page.ts';
import { selectInvoice, selectInvoices } from './sql.ts';

const path = '/v1/api/organization/invoices';
const ofBilling = { access: 'view_invoices', scope: 'organization' } as const;
const params = Type.Object({ id: Type.String() });

const planExample = {
  name: 'standard-2026',
  version: 1,
  currency: 'BRL',
  document: {
    monthly_fee: '499.00',
    prices: {
      predictions: {
        per: 1_000,
        tiers: [
          { up_to: 10_000, price: '0' },
          { up_to: null, price: '12.50' },
        ],
      },
    },
    quotas: { predictions: 5_000_000 },
  },
};

export const invoiceRoutes = (app: App): Route[] => [
  route(
    {
      method: 'GET',
      path,
      operation: 'invoices.list',
      summary: 'Invoices of the organization, the newest month first',
      description: 'One for each month. That of the running month is a draft: what it would be now.',
      ...ofBilling,
      query: Type.Object(pageQuery),
      answers: { 200: pageOf(invoiceSchema) },
    },
    async (ctx, { query }) => ({
      status: 200,
      body: await readPage(
        app.keys.cursors,
        [ctx.organizationId, 'invoices'],
        query,
        (last, most) => tenant(app.db, ctx, (tx) => readInvoices(tx, ctx, last, most)),
        presentInvoice,
      ),
    }),
  ),
  route(
    {
      method: 'GET',
      path: `${path}/{id}`,
      operation: 'invoices.get',
      summary: 'An invoice of the organization with its lines',
      ...ofBilling,
      params,
      answers: { 200: invoiceWithLinesSchema },
    },
    async (ctx, { params: { id } }) => {
      const invoice = await requireInvoice(app, ctx, id);
      return { status: 200, body: { ...presentInvoice(invoice), lines: presentLines(invoice) } };
    },
  ),
  route(
    {
      method: 'GET',
      path: `${path}/{id}/html`,
      operation: 'invoices.getPage',
      summary: 'An invoice of the organization as a page to print',
      ...ofBilling,
      params,
      query: Type.Object({
        language: Type.Optional(Type.Union(pageLanguages.map((name) => Type.Literal(name)))),
      }),
      produces: 'text/html',
      example: '<!doctype html><html lang="pt-BR"><head><title>Fatura 2026-0003</title></head>…</html>',
      answers: { 200: null },
    },
    async (ctx, { params: { id }, query: { language = 'pt-BR' } }) => ({
      status: 200,
      headers: pageHeaders,
      body: invoicePage(await requireInvoice(app, ctx, id), language as PageLanguage),
    }),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/organization/price-plan',
      operation: 'pricePlan.get',
      summary: 'The price plan by which the organization is charged',
      description: 'Prices are in reais. Units of a month fill the tiers of their price one after the other.',
      ...{ access: 'view_invoices', scope: 'organization' },
      answers: {
        200: answerOf('PricePlan', planExample, {
          name: Type.String(),
          version: Type.Integer(),
          currency: Type.String(),
          document: planDocumentSchema,
        }),
      },
    },
    async (ctx) => {
      const plan = await tenant(app.db, ctx, (tx) => planOf(tx, ctx.organizationId));
      return { status: 200, body: { ...plan, currency: 'BRL' } };
    },
  ),
];

async function readInvoices(
  tx: Tx,
  ctx: Context<OrganizationScope>,
  last: string | null,
  most: number,
): Promise<Invoice[]> {
  const invoices: Invoice[] = [];
  for (const row of await selectInvoices(tx, ctx.organizationId, last, most))
    invoices.push(isIssued(row) ? { ...row, lines: [] } : await completeInvoice(tx, row));
  return invoices;
}

/** Throws Failure 'not_found'. */
function requireInvoice({ db }: App, ctx: Context<OrganizationScope>, id: string): Promise<Invoice> {
  return tenant(db, ctx, async (tx) => {
    const row = await selectInvoice(tx, ctx.organizationId, id);
    if (!row) throw refuse('not_found', `there is no invoice ${id}`);
    return completeInvoice(tx, row);
  });
}
