/** Versions and predictions, over the commands: what is planted later moves no byte, and files answer as rows do. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Rows } from '../../src/lib/files/column.ts';
import type { TableContract } from '../../src/ml/contract/contract.ts';
import { openVersion } from '../../src/ml/inference/predict.ts';
import { at, type Row, sampleRows, sampleTables } from '../samples.ts';
import { evaluated, fitVersion, predictions } from './commands.ts';
import { bytesOf, differing, writeFolder } from './folders.ts';
import { early, everything, later } from './plantings.ts';
import { labels as all, questions, type TaskName, taskNames, taskOf, withoutLabel } from './tasks.ts';
import { contract, cut, data, ids } from './world.ts';

/** A third of the labels to learn from: of every moment, the last too, and of all kinds of customers and invoices. */
const thirdOf = <T>(rows: readonly T[]): T[] => rows.filter((_, k) => k % 3 === 0);
const labels: Record<TaskName, { train: Row[]; test: Row[] }> = {
  churn: { ...all.churn, train: thirdOf(all.churn.train) },
  late: { ...all.late, train: thirdOf(all.late.train) },
};

const temporary = mkdtempSync(join(tmpdir(), 'leakage-'));
afterAll(() => rmSync(temporary, { recursive: true }));

/** Fitted once to the untouched data; every test holds its own against these. */
const original: Record<TaskName, { folder: string; version: string }> = {
  churn: { folder: '', version: '' },
  late: { folder: '', version: '' },
};

const plainly = { asOf: cut, dataUntil: Number.POSITIVE_INFINITY, factors: 0, language: 'en' } as const;

beforeAll(async () => {
  for (const task of taskNames) {
    const folder = writeFolder(temporary, data, labels[task], task);
    original[task] = { folder, version: await fitVersion(folder, task) };
  }
});

// That a second fit has the bytes of the first at all is held by this too.
test.each(taskNames)('%s: what happens after the last training anchor moves no byte of the version', async (task) => {
  const test = [...labels[task].test.slice(0, 7), ...labels[task].train.slice(0, 9)].map(withoutLabel);
  const folder = writeFolder(temporary, everything(data, later), { train: labels[task].train, test }, task);
  const version = await fitVersion(folder, task);
  expect(differing(bytesOf(version), bytesOf(original[task].version))).toEqual([]);
});

test.each(taskNames)('%s: the same, dated earlier, moves the version', async (task) => {
  const folder = writeFolder(temporary, everything(data, early), labels[task], task);
  const version = await fitVersion(folder, task);
  expect(differing(bytesOf(version), bytesOf(original[task].version))).toContain('program.json');
});

test.each(taskNames)('%s: the manifest of a version vouches for its files', (task) => {
  const { version } = original[task];
  const { files } = JSON.parse(readFileSync(join(version, 'manifest.json'), 'utf8'));
  const hashes = readdirSync(version)
    .filter((name) => name !== 'manifest.json')
    .map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(version, name)))
        .digest('hex'),
    ]);
  expect(files).toEqual(Object.fromEntries(hashes));
});

test.each(taskNames)(
  '%s: predictions read nothing of what happens later, and all of what happened before',
  async (task) => {
    const { folder, version } = original[task];
    const answers = await predictions(version, folder, questions[task]);
    expect(answers.split('\n').length).toBe(questions[task].length + 2);
    expect((await predictions(version, folder, questions[task])) === answers).toBe(true);
    const plantedLater = writeFolder(temporary, everything(data, later), labels[task], task);
    expect((await predictions(version, plantedLater, questions[task])) === answers).toBe(true);
    const plantedEarly = writeFolder(temporary, everything(data, early), labels[task], task);
    expect((await predictions(version, plantedEarly, questions[task])) === answers).toBe(false);
  },
);

test('eval and predict give the same numbers for the same rows', async () => {
  const { test: rows } = labels.churn;
  const { predictions: answered } = await evaluated(temporary, labels.churn, 'churn');
  const open = await openVersion(original.churn.version, sampleTables(contract, data));
  const asked = sampleRows(tableContract('customer'), rows);
  const answer = open.predict(asked, { ...plainly, asOf: Date.parse(String(rows[0].date)) * 1000 });
  open.close();
  const served = numbersOf(answer, 'prediction');
  expect(rows.map(({ customer_id }) => answered.get(String(customer_id)))).toEqual(served.map(String));

  const invoices = labels.late.test;
  const late = await evaluated(temporary, labels.late, 'late');
  const opened = await openVersion(original.late.version, sampleTables(contract, data));
  const given = data.invoice.filter(({ issued }) => Number(issued) > cut);
  const answers = opened.predict(sampleRows(tableContract('invoice'), given), plainly);
  opened.close();
  expect(invoices.map(({ invoice_id }) => late.predictions.get(String(invoice_id)))).toEqual(
    numbersOf(answers, 'prediction').map(String),
  );
});

test.each([
  ['churn', 100_000],
  ['late', 500],
] as const)('%s: a file of %i rows gives what each row gives alone', async (task, size) => {
  const { folder, version } = original[task];
  const open = await openVersion(version, sampleTables(contract, data));
  const kinds = questions[task].slice(0, 40);
  const dates = new Set(['reference_date', 'issued', 'due']);
  const alone = kinds.map((row) => {
    const raw = Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, dates.has(name) ? at(String(value)) : value]),
    );
    const rows = sampleRows(withReferenceDate(tableContract(taskOf(task).entity)), [raw]);
    return String(numbersOf(open.predict(rows, plainly), 'prediction')[0]);
  });
  open.close();
  expect(new Set(alone).size).toBeGreaterThan(5);
  // More than the 98,304 rows that are read at once, in another order every time around.
  const which = ids(size, 0).map((k) => (k * 7 + Math.floor(k / kinds.length)) % kinds.length);
  const asked = which.map((k) => kinds[k]);
  const lines = (await predictions(version, folder, asked, ['--factors', '0'])).trimEnd().split('\n');
  expect(lines.length).toBe(asked.length + 1);
  const place = lines[0].split(',').indexOf('prediction');
  const wrong = lines.slice(1).filter((line, k) => line.split(',')[place] !== alone[which[k]]);
  expect(wrong.slice(0, 3)).toEqual([]);
});

function tableContract(name: string): TableContract {
  return contract.tables.find((table) => table.name === name)!;
}

function withReferenceDate(table: TableContract): TableContract {
  return { ...table, columns: [...table.columns, { ...table.columns[0], name: 'reference_date', type: 'date' }] };
}

function numbersOf(rows: Rows, name: string): number[] {
  const column = rows.columns.get(name);
  if (column?.kind !== 'number') throw new Error(`${name} is a number`);
  return Array.from(column.values);
}
