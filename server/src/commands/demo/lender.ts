/**
 * Generates a made-up Brazilian lender: tables, contract and tasks in the layout of every other data set. Nobody in it
 * exists; the names and a column say so on every row. How its events are drawn: lender-population.ts,
 * lender-invoices.ts and lender-loans.ts.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../lib/failure.ts';
import { writeContract } from '../../ml/contract/write.ts';
import { CsvFile } from './csv-file.ts';
import { addMonths, dayOf, firstDayOf, textOf } from './lender-calendar.ts';
import { lenderContract } from './lender-contract.ts';
import { drawInvoices, type Invoice } from './lender-invoices.ts';
import { drawLoans, type Loan, missesWithin, missProbability, standingOn } from './lender-loans.ts';
import { documentOf, drawPopulation, healthOn, type Population, sectors, states } from './lender-population.ts';
import { Random } from './lender-random.ts';
import {
  applicationsMax,
  appliesNow,
  labelAnchors,
  labelWindowDays,
  type Split,
  writeApplications,
  writeCreditTask,
  writeLabelTask,
} from './lender-tasks.ts';

const lenderCustomersMin = 200;
const lenderCustomersMax = 1_000_000;
const yearsMin = 2;
const yearsMax = 10;
const customersPerFlush = 1_000;

export type LenderOptions = {
  readonly customers: number;
  readonly seed: number;
  /** Lenders with one such seed go through the same good and bad months, however many customers they have. */
  readonly economySeed?: number;
  /** First and last day of the data; the files are the state at the end of `until`. */
  readonly from?: string;
  readonly until?: string;
  /** Called with the true probability of every row of the `default-90d` label files, including the unlabelled rows. */
  readonly onTruth?: (row: LenderTruth) => void;
};

export type LenderTruth = {
  readonly split: Split;
  readonly customer: string;
  readonly date: string;
  /** The probability given everything true at the start of `date`, including the latent health. */
  readonly probability: number;
  readonly happened: boolean;
};

export type LenderSummary = {
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
  /** The rows of all tables together. */
  readonly rows: number;
};

/**
 * Writes a lender's data set into `folder`, which is created if missing: `tables/*.csv`, `contract.yaml`,
 * `tasks/default-90d` (label files), `tasks/credit` (a target over future instalments) and `applications.csv` (rows to
 * score at the end of the data).
 *
 * `customers`: 200 to 1,000,000. Time grows linearly; memory is about 0.3 kB per customer plus one flush.
 * `seed`: a safe integer from 0. The same options give the same bytes. Default period: 2022-01-01 to 2025-12-31.
 * `progress` is called with the number of customers done and their total.
 * Throws Failure 'invalid' for options out of range.
 */
export async function generateLender(
  folder: string,
  options: LenderOptions,
  progress?: (done: number, total: number) => void,
): Promise<LenderSummary> {
  const { seed, customers, from, until } = checkOptions(options);
  await mkdir(join(folder, 'tables'), { recursive: true });
  await writeFile(join(folder, 'contract.yaml'), writeContract(lenderContract));

  const files = await openFiles(folder);
  try {
    const population = drawPopulation(seed, customers, from, until, options.economySeed);
    const anchors = labelAnchors(from, until);
    const labels = anchors.map((): number[] => []);
    const applications: number[] = [];
    for (let customer = 0; customer < customers; customer++) {
      const sales = drawInvoices(population, customer);
      const loans = drawLoans(population, customer, sales);
      writeCustomer(files, population, customer);
      writeAccounts(files, population, customer);
      writeInvoices(files, population, customer, sales);
      writeLoans(files, population, customer, loans);
      for (const [at, { day, split }] of anchors.entries()) {
        if (standingOn(loans, day) !== 'repaying') continue;
        const happened = missesWithin(loans, day, labelWindowDays);
        // One number per label keeps the labels of a million customers in memory until the label files are written.
        labels[at]?.push(customer * 2 + (happened ? 1 : 0));
        options.onTruth?.({
          ...{ split, happened, customer: documentOf(population, customer), date: textOf(day) },
          probability: missProbability(population, customer, loans, sales, day, labelWindowDays),
        });
      }
      if (applications.length < applicationsMax && appliesNow(population, customer, loans)) applications.push(customer);
      if ((customer + 1) % customersPerFlush === 0 || customer + 1 === customers) {
        for (const file of files.values()) await file.flush();
        progress?.(customer + 1, customers);
      }
    }
    await writeLabelTask(folder, population, anchors, labels);
    await writeCreditTask(folder, from, until);
    await writeApplications(folder, population, applications);
  } finally {
    for (const file of files.values()) await file.close();
  }
  const tables = [...files].map(([name, { rows }]) => ({ name, rows }));
  return { tables, rows: tables.reduce((sum, table) => sum + table.rows, 0) };
}

function checkOptions(options: LenderOptions): { seed: number; customers: number; from: number; until: number } {
  const { seed, customers } = options;
  if (!Number.isInteger(customers) || customers < lenderCustomersMin || customers > lenderCustomersMax)
    throw new Failure(
      'invalid',
      `customers must be a whole number from ${lenderCustomersMin} to ${lenderCustomersMax}`,
    );
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Failure('invalid', 'seed must be a whole number from 0');
  const from = dayOf(options.from ?? '2022-01-01');
  const until = dayOf(options.until ?? '2025-12-31');
  if (from === null || until === null) throw new Failure('invalid', 'from and until must be days, written YYYY-MM-DD');
  if (addMonths(from, 12 * yearsMin) > until + 1 || addMonths(from, 12 * yearsMax) <= until)
    throw new Failure('invalid', `from and until must span ${yearsMin} to ${yearsMax} years`);
  return { seed, customers, from, until };
}

function writeCustomer(files: Files, population: Population, customer: number): void {
  const company = population.isCompany[customer] === 1;
  write(files, 'customers', [
    documentOf(population, customer),
    company ? 'company' : 'individual',
    `${company ? 'Empresa Sintética' : 'Pessoa Sintética'} ${String(customer + 1).padStart(7, '0')} (synthetic)`,
    new Random(population.seed, 5, customer).pick(states),
    sectors[population.sector[customer]],
    textOf(population.born[customer]),
    textOf(population.joined[customer]),
    money(population.income[customer]),
    'true',
  ]);
}

function writeAccounts(files: Files, population: Population, customer: number): void {
  const random = new Random(population.seed, 6, customer);
  const joined = population.joined[customer];
  const opened = [{ type: 'checking', day: joined }];
  if (random.chance(0.1)) opened.push({ type: 'savings', day: joined + 30 + random.below(300) });
  for (const { type, day } of opened) {
    if (day > population.until) continue;
    const account = `A${serial(count(files, 'accounts'))}`;
    write(files, 'accounts', [account, documentOf(population, customer), textOf(day), type]);
    for (let month = population.firstMonth + 3; firstDayOf(month) - 1 <= population.until; month += 3) {
      const quarterEnd = firstDayOf(month) - 1;
      if (quarterEnd < day + 30) continue;
      const health = healthOn(population, customer, quarterEnd);
      const balance = 0.6 * population.income[customer] * Math.exp(0.5 * health + 0.7 * random.normal());
      const deposits = Math.floor(random.exponential(9 * Math.exp(0.2 * health)));
      const id = `B${serial(count(files, 'balances'))}`;
      write(files, 'balances', [id, account, textOf(quarterEnd), money(balance), String(deposits)]);
    }
  }
}

function writeInvoices(files: Files, population: Population, seller: number, sales: readonly Invoice[]): void {
  for (const { buyer, issued, due, amount, paid } of sales) {
    const id = `N${serial(count(files, 'invoices'))}`;
    write(files, 'invoices', [
      ...[
        id,
        documentOf(population, seller),
        documentOf(population, buyer),
        textOf(issued),
        textOf(due),
        money(amount),
      ],
      ...paidFields(population, due, paid, amount),
    ]);
  }
}

function writeLoans(files: Files, population: Population, customer: number, loans: readonly Loan[]): void {
  for (const { granted, amount, term, rate, product, instalments } of loans) {
    const loan = `L${serial(count(files, 'loans'))}`;
    const matures = instalments.at(-1)!.due;
    write(files, 'loans', [
      ...[
        loan,
        documentOf(population, customer),
        textOf(granted),
        money(amount),
        String(term),
        rate.toFixed(2),
        product,
      ],
      textOf(matures),
    ]);
    for (const [at, { due, amount, paid }] of instalments.entries()) {
      write(files, 'instalments', [
        ...[`I${serial(count(files, 'instalments'))}`, loan, String(at + 1), textOf(due), money(amount)],
        ...paidFields(population, due, paid, amount),
      ]);
      if (paid > population.until) continue;
      const id = `P${serial(count(files, 'payments'))}`;
      write(files, 'payments', [
        id,
        documentOf(population, customer),
        loan,
        textOf(paid),
        money(amount),
        String(paid - due),
      ]);
    }
  }
}

/** Returns paid_at, paid_amount and days_late, empty when the bill is unpaid at the end of the data. */
function paidFields(population: Population, due: number, paid: number, amount: number): string[] {
  return paid > population.until ? ['', '', ''] : [textOf(paid), money(amount), String(paid - due)];
}

function serial(number: number): string {
  return String(number + 1).padStart(8, '0');
}

function money(amount: number): string {
  return amount.toFixed(2);
}

type Files = ReadonlyMap<string, CsvFile>;

async function openFiles(folder: string): Promise<Files> {
  const files = new Map<string, CsvFile>();
  for (const { name, columns } of lenderContract.tables) {
    const header = columns.map((column) => column.name);
    files.set(name, await CsvFile.open(join(folder, 'tables', `${name}.csv`), header));
  }
  return files;
}

function write(files: Files, table: string, fields: readonly string[]): void {
  files.get(table)!.write(fields);
}

/** Returns the number of rows so far, which numbers the next row. */
function count(files: Files, table: string): number {
  return files.get(table)!.rows;
}
