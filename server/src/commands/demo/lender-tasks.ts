/**
 * Writes the tasks about the demo lender's customers: label files, a target over future instalments, and rows to score.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cnpjFrom } from '../../lib/brazil-documents.ts';
import { CsvFile } from './csv-file.ts';
import { textOf } from './lender-calendar.ts';
import { type Loan, standingOn } from './lender-loans.ts';
import { companyRoot, documentOf, type Population } from './lender-population.ts';
import { Random } from './lender-random.ts';

export const labelWindowDays = 90;
const labelEveryDays = 90;
export const applicationsMax = 200;
const newcomers = 5;

export type Split = 'train' | 'val' | 'test';

export type Anchor = { readonly day: number; readonly split: Split };

/**
 * Returns the days of the label files. They are a label window apart, so that no label window reaches into the next
 * split.
 */
export function labelAnchors(from: number, until: number): Anchor[] {
  const days: number[] = [];
  for (let day = from + 365; day + labelWindowDays <= until + 1; day += labelEveryDays) days.push(day);
  const held = Math.max(1, Math.round(days.length / 6));
  return days.map((day, at) => {
    const left = days.length - at;
    return { day, split: left <= held ? 'test' : left <= 2 * held ? 'val' : 'train' };
  });
}

/** Writes `tasks/default-90d`. `labels` of each anchor: 2 · customer number + label (0 or 1). */
export async function writeLabelTask(
  folder: string,
  population: Population,
  anchors: readonly Anchor[],
  labels: readonly number[][],
): Promise<void> {
  const task = join(folder, 'tasks', 'default-90d');
  await mkdir(task, { recursive: true });
  await writeFile(
    join(task, 'task.yaml'),
    `# Will a customer who is repaying let an instalment go more than 30 days unpaid?
# Asked of customers with a loan running and nothing already that late on the date.
entity: customers
key: legal_document
time: date                 # the start of this day
label: default
kind: binary
metric: auroc
window: ${labelWindowDays}d
`,
  );
  for (const split of ['train', 'val', 'test'] as const) {
    const file = await CsvFile.open(join(task, `${split}.csv`), [
      'date',
      'legal_document',
      ...(split === 'test' ? [] : ['default']),
    ]);
    try {
      for (const [at, anchor] of anchors.entries()) {
        if (anchor.split !== split) continue;
        for (const [row, label] of labels[at].entries()) {
          const fields = [textOf(anchor.day), documentOf(population, Math.floor(label / 2))];
          file.write(split === 'test' ? fields : [...fields, String(label % 2)]);
          if (row % 50_000 === 49_999) await file.flush();
        }
        await file.flush();
      }
    } finally {
      await file.close();
    }
  }
}

/** Writes `tasks/credit`, whose labels are computed from the tables. */
export async function writeCreditTask(folder: string, from: number, until: number): Promise<void> {
  const task = join(folder, 'tasks', 'credit');
  await mkdir(task, { recursive: true });
  await writeFile(
    join(task, 'task.yaml'),
    `# When will a customer let an instalment go more than 30 days unpaid?
entity: customers
key: legal_document
time: date
kind: credit               # score, pd_30d … pd_365d, risk_band, key_factors
metric: auroc
target:
  table: instalments
  reference: loan_id.customer
  overdue: {due: due_date, paid: paid_at, days: 30}   # happens 30 days after due_date, unless paid by then
  horizons: [30d, 60d, 90d, 180d, 365d]
anchors: {every: 90d, from: ${textOf(from + 365)}, until: ${textOf(until)}}
`,
  );
}

/** Whether a customer appears in `applications.csv`, a sample of those who are repaying at the end of the data. */
export function appliesNow(population: Population, customer: number, loans: readonly Loan[]): boolean {
  const random = new Random(population.seed, 8, customer);
  const asks = random.chance(Math.min(0.9, (3 * applicationsMax) / population.count));
  return asks && standingOn(loans, population.until + 1) === 'repaying';
}

/** Writes `applications.csv`: known customers, and at the end a few that the lender has never seen. */
export async function writeApplications(
  folder: string,
  population: Population,
  known: readonly number[],
): Promise<void> {
  const file = await CsvFile.open(join(folder, 'applications.csv'), [
    ...['correlation_id', 'legal_document', 'reference_date'],
  ]);
  const write = (document: string) =>
    file.write([`application-${String(file.rows + 1).padStart(4, '0')}`, document, textOf(population.until)]);
  try {
    for (const customer of known) write(documentOf(population, customer));
    for (let newcomer = 0; newcomer < newcomers; newcomer++) write(cnpjFrom(companyRoot(population.count + newcomer)));
    await file.flush();
  } finally {
    await file.close();
  }
}
