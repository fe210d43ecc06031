/**
 * The demo lender's other lines of business, in addition to the tables of `generateLender`: cards with card fraud
 * (cards.ts), card machines with their leads (leads.ts), a contract of all tables, and a task of every kind.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assert } from '../../lib/failure.ts';
import { writeContract } from '../../ml/contract/write.ts';
import { type Account, type CardRing, drawCards, type Fields } from './cards.ts';
import { drawLeads } from './leads.ts';
import { addMonths, dayOf, textOf } from './lender-calendar.ts';
import { lenderContract } from './lender-contract.ts';
import { linesContract } from './lines-contract.ts';

const leads = 900;

/** A task of the demo, and the table whose rows it is about. */
export type DemoTask = {
  readonly name: string;
  readonly entity: 'customers' | 'cards' | 'leads';
  readonly definition: string;
};

/**
 * Writes `tables/*.csv` of the other lines, `contract.yaml` of all tables, and `truth/rings.json` (the planted rings,
 * which no table shows) into `folder`, which is created if missing. Reads the accounts from the folder `lender`.
 * `from`, `until`: the lender's period, `YYYY-MM-DD`. The same options give the same bytes.
 */
export async function generateLines(
  lender: string,
  folder: string,
  { seed, from, until }: { seed: number; from: string; until: string },
): Promise<void> {
  const period = { seed, from: dayOf(from)!, until: dayOf(until)! };
  const cards = drawCards(await readAccounts(lender), period);
  const rows: Readonly<Record<string, readonly Fields[]>> = { ...cards.tables, ...drawLeads(leads, period) };
  await mkdir(join(folder, 'tables'), { recursive: true });
  for (const { name, columns } of linesContract.tables) {
    const own = rows[name];
    assert(own !== undefined || lenderContract.tables.some((table) => table.name === name), `rows of ${name}`);
    if (own === undefined) continue;
    const lines = [columns.map((column) => column.name), ...own].map((fields) => fields.join(','));
    await writeFile(join(folder, 'tables', `${name}.csv`), `${lines.join('\n')}\n`);
  }
  await writeFile(join(folder, 'contract.yaml'), writeContract(linesContract));
  await mkdir(join(folder, 'truth'), { recursive: true });
  await writeFile(join(folder, 'truth', 'rings.json'), `${JSON.stringify(cards.rings)}\n`);
}

/** Returns the rings planted among the cards of a folder. */
export async function readRings(folder: string): Promise<readonly CardRing[]> {
  return JSON.parse(await readFile(join(folder, 'truth', 'rings.json'), 'utf8')) as readonly CardRing[];
}

async function readAccounts(lender: string): Promise<Account[]> {
  const [header, ...lines] = (await readFile(join(lender, 'tables', 'accounts.csv'), 'utf8')).trimEnd().split('\n');
  const [id, opened] = ['account_id', 'opened_at'].map((name) => header!.split(',').indexOf(name));
  return lines.map((line) => {
    const fields = line.split(',');
    return { id: fields[id!], opened: dayOf(fields[opened!])! };
  });
}

/** The tables of each line of business. */
const lending = ['balances', 'invoices', 'loans', 'instalments', 'payments'];
const ofCards = ['devices', 'addresses', 'cards', 'deliveries', 'purchases', 'chargebacks'];
const ofLeads = ['campaigns', 'accountants', 'leads', 'clicks', 'visits', 'orders'];

/** Returns a task of every kind but credit over the tables of all lines, the fastest to train first. */
export function demoTasks({ from, until }: { from: string; until: string }): DemoTask[] {
  const start = textOf(addMonths(dayOf(from)!, 12));
  const anchors = (days: number) => `anchors: {every: ${days}d, from: ${start}, until: ${until}}`;
  const aboutCards = `ignore: [${[...lending, ...ofLeads].join(', ')}]`;
  const aboutLeads = `ignore: [customers, accounts, ${[...lending, ...ofCards].join(', ')}]`;
  const aboutLending = `ignore: [${[...ofCards, ...ofLeads].join(', ')}]`;
  return [
    {
      name: 'fraud',
      entity: 'cards',
      definition: `# Will a card be charged back?
kind: fraud                # fraud_score, risk_factors, network_flags
entity: cards
target: {table: chargebacks, reference: card_id, horizons: [90d]}
population: NOT exists(chargebacks)
${anchors(60)}
${aboutCards}
`,
    },
    {
      name: 'lead-scoring',
      entity: 'leads',
      definition: `# Will a lead become a customer, and what will it be worth?
kind: lead_scoring         # conversion_probability, ltv_decile, ltv_range, risk_factors
entity: leads
targets:
  conversion: {table: orders, reference: lead_id, horizons: [60d]}
  value: {table: orders, reference: lead_id, aggregate: sum(amount), horizons: [180d]}
population: NOT exists(orders)
${anchors(60)}
${aboutLeads}
`,
    },
    {
      name: 'field-sales',
      entity: 'leads',
      definition: `# Whom should sales people visit?
kind: field_sales          # propensity_score, growth_signal, network_density, risk_factors
entity: leads
targets:
  propensity: {table: orders, reference: lead_id, horizons: [60d]}
  growth: {table: orders, reference: lead_id, aggregate: sum(amount), horizons: [90d]}
${anchors(90)}
${aboutLeads}
`,
    },
    {
      name: 'paid-media',
      entity: 'leads',
      definition: `# Whom should campaigns reach?
kind: paid_media           # lead_score, ltv_forecast, segment, churn_risk
entity: leads
targets:
  lead: PREDICT exists(orders) WITHIN 60d FOR leads
  value: PREDICT sum(orders.amount) WITHIN 180d FOR leads
  churn: PREDICT count(orders) = 0 WITHIN 90d FOR leads
${anchors(90)}
${aboutLeads}
`,
    },
    {
      name: 'next-product',
      entity: 'leads',
      definition: `# What will a customer order next?
query: PREDICT next(orders.product) WITHIN 60d FOR leads WHERE exists(orders) EVERY 60d FROM ${start} UNTIL ${until}
${aboutLeads}
`,
    },
    {
      name: 'card-spend',
      entity: 'cards',
      definition: `# How much will be spent with a card?
query: PREDICT sum(purchases.amount) WITHIN 90d FOR cards EVERY 90d FROM ${start} UNTIL ${until}
${aboutCards}
`,
    },
    {
      name: 'new-loan',
      entity: 'customers',
      definition: `# When will a customer take the next loan?
query: PREDICT exists(loans) WITHIN 30d, 90d, 180d FOR customers EVERY 120d FROM ${start} UNTIL ${until}
${aboutLending}
`,
    },
    {
      name: 'late-payer',
      entity: 'customers',
      definition: `# Will a buyer leave an invoice unpaid for 30 days?
query: >
  PREDICT exists(invoices VIA buyer OVERDUE 30d (due_date, paid_at)) WITHIN 90d FOR customers
  EVERY 120d FROM ${start} UNTIL ${until}
${aboutLending}
`,
    },
  ];
}
