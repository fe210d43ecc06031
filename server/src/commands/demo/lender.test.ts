import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isCnpj, isCpf } from '../../lib/brazil-documents.ts';
import { Failure } from '../../lib/failure.ts';
import { parseContract } from '../../ml/contract/parse.ts';
import { parseTask } from '../../ml/tasks/parse-task.ts';
import { generateLender, type LenderSummary, type LenderTruth } from './lender.ts';
import { lenderContract } from './lender-contract.ts';

type Row = Record<string, string>;

const until = '2025-12-31';
const scratch = mkdtempSync(join(tmpdir(), 'lastro-lender-'));
const folder = join(scratch, 'lender');
const truths: LenderTruth[] = [];
const tables = new Map<string, Row[]>();
let summary: LenderSummary;

beforeAll(async () => {
  summary = await generateLender(folder, { customers: 2_000, seed: 1, onTruth: (row) => truths.push(row) });
  for (const { name } of lenderContract.tables) tables.set(name, readCsv(join(folder, 'tables', `${name}.csv`)));
});
afterAll(() => rmSync(scratch, { recursive: true }));

describe('the files', () => {
  test('are the same bytes for the same seed, and others for another', async () => {
    await generateLender(join(scratch, 'again'), { customers: 2_000, seed: 1 });
    expect(hashes(join(scratch, 'again'))).toEqual(hashes(folder));
    await generateLender(join(scratch, 'other'), { customers: 200, seed: 2, from: '2023-02-28', until: '2025-02-27' });
    await generateLender(join(scratch, 'another'), {
      customers: 200,
      seed: 3,
      from: '2023-02-28',
      until: '2025-02-27',
    });
    expect(hashes(join(scratch, 'other'))['tables/loans.csv']).not.toBe(
      hashes(join(scratch, 'another'))['tables/loans.csv'],
    );
  });

  test('are what the contract says, and small enough for a demo', () => {
    expect(parseContract(readFileSync(join(folder, 'contract.yaml'), 'utf8'), 'contract.yaml')).toEqual(lenderContract);
    expect(summary.rows).toBeLessThan(160_000);
    for (const { name, columns } of lenderContract.tables) {
      const [header] = readFileSync(join(folder, 'tables', `${name}.csv`), 'utf8').split('\n', 1);
      expect(header).toBe(columns.map((column) => column.name).join(','));
      expect(rowsOf(name)).toHaveLength(summary.tables.find((table) => table.name === name)!.rows);
    }
  });

  test('hold their references, keys and required values', () => {
    for (const { name, key, references, columns } of lenderContract.tables) {
      expect(new Set(rowsOf(name).map((row) => row[key[0]])).size, name).toBe(rowsOf(name).length);
      for (const { column, table, key } of references) {
        const known = new Set(rowsOf(table).map((row) => row[key]));
        expect(rowsOf(name).filter((row) => !known.has(row[column])).length, `${name}.${column}`).toBe(0);
      }
      for (const column of columns.filter((each) => each.required || each.enum))
        for (const row of rowsOf(name)) {
          if (row[column.name] === '' || (column.enum && !column.enum.includes(row[column.name])))
            expect.fail(`${name}.${column.name} is ${row[column.name]}`);
        }
    }
  });

  test('name nobody: every customer is marked, with a valid document of its own', () => {
    const documents = new Set<string>();
    for (const { name, kind, legal_document: document, synthetic } of rowsOf('customers') as Record<string, string>[]) {
      expect(name).toContain('(synthetic)');
      expect(synthetic).toBe('true');
      expect(kind === 'company' ? isCnpj(document!) : isCpf(document!), document).toBe(true);
      documents.add(document!);
    }
    expect(documents.size).toBe(2_000);
  });

  test('are the state at their last day: nothing has happened later, and what is unpaid has no payment', () => {
    const happened = { customers: 'joined_at', accounts: 'opened_at', balances: 'dated', invoices: 'issued_at' };
    for (const [name, column] of Object.entries({ ...happened, loans: 'granted_at', payments: 'paid_at' }))
      for (const row of rowsOf(name)) expect(row[column] <= until && row[column] >= '2022-01-01').toBe(true);
    for (const name of ['invoices', 'instalments']) {
      const paid = rowsOf(name).filter((row) => row.paid_at !== '');
      expect(paid.length).toBeLessThan(rowsOf(name).length);
      for (const row of paid) {
        expect(row.paid_at! <= until).toBe(true);
        expect(Number(row.days_late)).toBe(day(row.paid_at!) - day(row.due_date!));
        expect(row.paid_amount).not.toBe('');
      }
      for (const row of rowsOf(name))
        if (row.paid_at === '') expect([row.days_late, row.paid_amount]).toEqual(['', '']);
    }
    const paidInstalments = rowsOf('instalments').filter((row) => row.paid_at !== '').length;
    expect(rowsOf('payments')).toHaveLength(paidInstalments);
  });
});

describe('the tasks', () => {
  test('are read by the program as they are meant', () => {
    const read = (name: string) => {
      const file = join(folder, 'tasks', name, 'task.yaml');
      return parseTask(readFileSync(file, 'utf8'), name, file);
    };
    expect(read('default-90d')).toMatchObject({
      entity: 'customers',
      kind: 'binary',
      label: 'default',
      windowDays: 90,
    });
    expect(read('credit')).toMatchObject({
      kind: 'credit',
      target: {
        ...{ table: 'instalments', reference: ['loan_id', 'customer'], horizonsDays: [30, 60, 90, 180, 365] },
        overdue: { due: 'due_date', paid: 'paid_at', days: 30 },
      },
      anchors: { everyDays: 90 },
    });
  });

  test('label what the instalments show, and only customers who are repaying', () => {
    const instalments = instalmentsByCustomer();
    for (const split of ['train', 'val'] as const) {
      for (const row of readCsv(join(folder, 'tasks', 'default-90d', `${split}.csv`))) {
        const start = day(row.date!);
        const theirs = instalments.get(row.legal_document!)!;
        const missed = theirs.filter(({ due, paid }) => paid > due + 30);
        const open = theirs.some(({ granted, paid }) => granted < start && paid >= start);
        expect(open, `${row.legal_document} at ${row.date}`).toBe(true);
        expect(missed.some(({ due, paid }) => due + 30 < start && paid >= start)).toBe(false);
        const label = missed.some(({ due }) => due + 30 >= start && due + 30 < start + 90);
        expect(row.default, `${row.legal_document} at ${row.date}`).toBe(label ? '1' : '0');
      }
    }
  });

  test('are split by time, a window apart, with the test unlabelled', () => {
    const dates = (['train', 'val', 'test'] as const).map((split) => {
      const all = readCsv(join(folder, 'tasks', 'default-90d', `${split}.csv`)).map((row) => day(row.date!));
      return { first: all.reduce((a, b) => Math.min(a, b)), last: all.reduce((a, b) => Math.max(a, b)) };
    });
    expect(dates[1].first - dates[0].last).toBeGreaterThanOrEqual(90);
    expect(dates[2].first - dates[1].last).toBeGreaterThanOrEqual(90);
    expect(dates[2].last + 90).toBeLessThanOrEqual(day(until) + 1);
    expect(readFileSync(join(folder, 'tasks', 'default-90d', 'test.csv'), 'utf8')).toMatch(/^date,legal_document\n/);
  });

  test('applications end with customers nobody has seen', () => {
    const known = new Set(rowsOf('customers').map((row) => row.legal_document));
    const unseen = readCsv(join(folder, 'applications.csv')).map((row) => !known.has(row.legal_document));
    expect(unseen.filter(Boolean)).toHaveLength(5);
    expect(unseen.slice(-5).every(Boolean)).toBe(true);
    expect(unseen.length).toBe(205);
  });
});

describe('the default process', () => {
  test('leaves a best possible AUROC near that of real portfolios, and its true probabilities are true', () => {
    const rate = mean(truths.map((row) => (row.happened ? 1 : 0)));
    expect(rate).toBeGreaterThan(0.02);
    expect(rate).toBeLessThan(0.1);
    expect(auroc(truths.map((row) => [row.probability, row.happened]))).toBeGreaterThan(0.8);
    expect(auroc(truths.map((row) => [row.probability, row.happened]))).toBeLessThan(0.89);
    // In each fifth by true probability, the observed share is near the expected one: four standard errors plus a
    // tenth.
    const sorted = truths.toSorted((a, b) => a.probability - b.probability);
    for (let fifth = 0; fifth < 5; fifth++) {
      const part = sorted.slice((fifth * sorted.length) / 5, ((fifth + 1) * sorted.length) / 5);
      const expected = mean(part.map((row) => row.probability));
      const seen = mean(part.map((row) => (row.happened ? 1 : 0)));
      const error = Math.sqrt((expected * (1 - expected)) / part.length);
      expect(Math.abs(seen - expected), `fifth ${fifth}: ${seen} of ${expected}`).toBeLessThan(
        4 * error + 0.1 * expected,
      );
    }
  });

  test('shows in what a learner may read: own payments, and those of the buyers beyond them', () => {
    const own = lateness(rowsOf('payments'), 'customer');
    const asBuyer = lateness(
      rowsOf('invoices').filter((row) => row.paid_at !== ''),
      'buyer',
    );
    const buyers = new Map<string, Set<string>>();
    for (const row of rowsOf('invoices'))
      buyers.set(row.customer!, (buyers.get(row.customer!) ?? new Set()).add(row.buyer!));

    const rows = truths.map((row) => {
      const around = [...(buyers.get(row.customer) ?? [])].map((buyer) => recent(asBuyer.get(buyer), day(row.date)));
      return { ...row, own: recent(own.get(row.customer), day(row.date)), around: mean(around.filter((x) => x > -99)) };
    });
    expect(auroc(rows.map((row) => [row.own, row.happened]))).toBeGreaterThan(0.65);
    const owed = new Map<string, Row[]>();
    for (const row of rowsOf('invoices')) owed.set(row.customer!, [...(owed.get(row.customer!) ?? []), row]);
    const isOwed = ({ customer, date }: LenderTruth) =>
      (owed.get(customer) ?? []).some(
        (row) =>
          row.due_date! < date && (row.paid_at === '' || row.paid_at! >= date) && day(date) - day(row.due_date!) <= 120,
      );
    const share = (rows: LenderTruth[]) => mean(rows.map((row) => (row.happened ? 1 : 0)));
    const sellers = truths.filter((row) => owed.has(row.customer));
    const ratio = share(sellers.filter(isOwed)) / share(sellers.filter((row) => !isOwed(row)));
    expect(ratio, 'default of those owed past due, over the others').toBeGreaterThan(1.5);
    // Among customers whose own payments look alike, those with late buyers default more.
    const trading = rows.filter((row) => !Number.isNaN(row.around) && row.own > -99).toSorted((a, b) => a.own - b.own);
    expect(auroc(trading.map((row) => [row.around, row.happened]))).toBeGreaterThan(0.56);
    const quarters = [0, 1, 2, 3].map((at) =>
      trading.slice((at * trading.length) / 4, ((at + 1) * trading.length) / 4),
    );
    const positives = quarters.map((part) => part.filter((row) => row.happened).length);
    const within = quarters.map((part) => auroc(part.map((row) => [row.around, row.happened])));
    const weighted = within.map((value, at) => value * positives[at]).reduce((sum, value) => sum + value, 0);
    expect(weighted / positives.reduce((sum, value) => sum + value, 0)).toBeGreaterThan(0.53);
  });
});

test('options out of range are refused in words', async () => {
  const good = { customers: 200, seed: 1 };
  const bad = [{ customers: 199 }, { customers: 200.5 }, { customers: 2e6 }, { seed: -1 }, { seed: 0.5 }];
  for (const options of [
    ...bad,
    { from: '2022-02-30' },
    { from: '2025-01-01' },
    { until: 'today' },
    { until: '2040-01-01' },
  ]) {
    const attempt = generateLender(join(scratch, 'never'), { ...good, ...options });
    await expect(attempt).rejects.toThrow(Failure);
  }
  expect(readdirSync(scratch)).not.toContain('never');
});

function rowsOf(table: string): Row[] {
  return tables.get(table)!;
}

function readCsv(path: string): Row[] {
  const [header, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
  const names = header!.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((field, at) => [names[at], field])));
}

function hashes(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(root.length + 1), createHash('sha256').update(readFileSync(path)).digest('hex')];
    }),
  );
}

function day(text: string): number {
  return Date.parse(text) / 86_400_000;
}

function instalmentsByCustomer(): Map<string, { granted: number; due: number; paid: number }[]> {
  const loans = new Map(rowsOf('loans').map((row) => [row.loan_id, row]));
  const found = new Map<string, { granted: number; due: number; paid: number }[]>();
  for (const row of rowsOf('instalments')) {
    const loan = loans.get(row.loan_id)!;
    const paid = row.paid_at === '' ? Number.POSITIVE_INFINITY : day(row.paid_at!);
    const list = found.get(loan.customer!) ?? [];
    list.push({ granted: day(loan.granted_at!), due: day(row.due_date!), paid });
    found.set(loan.customer!, list);
  }
  return found;
}

function lateness(rows: Row[], column: string): Map<string, { paid: number; late: number }[]> {
  const found = new Map<string, { paid: number; late: number }[]>();
  for (const row of rows) {
    const list = found.get(row[column]) ?? [];
    list.push({ paid: day(row.paid_at!), late: Math.min(Number(row.days_late), 60) });
    found.set(row[column], list);
  }
  return found;
}

/** Returns the mean days late of payments in the 180 days before `start`; -100 without payments. */
function recent(list: { paid: number; late: number }[] | undefined, start: number): number {
  const seen = (list ?? []).filter(({ paid }) => paid < start && paid >= start - 180);
  return seen.length === 0 ? -100 : mean(seen.map(({ late }) => late));
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Returns the area under the ROC curve from mid-ranks (Mann and Whitney 1947). */
function auroc(pairs: [number, boolean][]): number {
  const sorted = pairs.toSorted((a, b) => a[0] - b[0]);
  let ranks = 0;
  for (let at = 0; at < sorted.length; ) {
    let end = at;
    while (end < sorted.length && sorted[end][0] === sorted[at][0]) end++;
    for (let i = at; i < end; i++) if (sorted[i][1]) ranks += (at + end + 1) / 2;
    at = end;
  }
  const positives = sorted.filter(([, happened]) => happened).length;
  return (ranks - (positives * (positives + 1)) / 2) / (positives * (sorted.length - positives));
}
