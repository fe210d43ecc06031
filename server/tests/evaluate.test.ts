/** `lastro evaluate`: what a version of the shop was worth on rows with labels. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parseContract } from '../src/ml/contract/parse.ts';
import { writeContract } from '../src/ml/contract/write.ts';
import { type EvaluationReport, evaluateFile } from '../src/ml/evaluation/evaluate.ts';
import { loadTables } from '../src/ml/graph/load.ts';
import { openVersion } from '../src/ml/inference/predict.ts';
import { readVersion } from '../src/ml/version/version.ts';
import { lendingContract, lendingData, lendingFiles, lendingQueries } from './lending.ts';
import { csv, day, lastro, shopText, writeShop } from './shop.ts';

let shop: string;
let early: string;
let late: string;
const trainText = shopText('tasks/returns/train.csv');
const laterText = shopText('tasks/returns/val.csv');

beforeAll(async () => {
  shop = writeShop({ 'tasks/returns/val.csv': null });
  early = join(shop, 'early');
  expect((await lastro('fit', shop, '--task', 'returns', '--out', early)).code).toBe(0);
  const both = writeShop();
  late = join(both, 'late');
  expect((await lastro('fit', both, '--task', 'returns', '--out', late)).code).toBe(0);
});

async function evaluate(text: string, ...options: string[]): Promise<{ said: string; report: EvaluationReport }> {
  const path = join(shop, 'labelled.csv');
  const out = join(shop, 'report.json');
  writeFileSync(path, text);
  const { code, said } = await lastro('evaluate', early, '--data', shop, '--in', path, '--report', out, ...options);
  expect(code, said).toBe(0);
  return { said, report: JSON.parse(readFileSync(out, 'utf8')) };
}

/** The probabilities of rows as the version predicts them one by one, each as of the start of its own day. */
async function predictOneByOne(rows: readonly string[][]): Promise<number[]> {
  const version = readVersion(early);
  const { tables } = await loadTables(shop, version.contract, () => {});
  const opened = await openVersion(early, tables, { version });
  const found = rows.map(([date, customer]) => {
    const asked = {
      rows: 1,
      columns: new Map([['customer_id', { kind: 'text' as const, codes: Int32Array.of(0), dictionary: [customer] }]]),
    };
    const at = Date.parse(date) * 1000;
    const answer = opened.predict(asked, { asOf: at, dataUntil: Number.POSITIVE_INFINITY, factors: 0, language: 'en' });
    const column = answer.columns.get('probability') ?? answer.columns.get('prediction');
    return (column as { values: Float64Array }).values[0];
  });
  opened.close();
  return found;
}

test('rows are found by the other names that the contract of the folder has, and by one at a time', async () => {
  const [name, alias] = [
    'name: customer_id\n',
    '        customProperties:\n          - { property: aliases, value: [client] }\n',
  ];
  const data = writeShop({ 'contract.yaml': shopText('contract.yaml').replace(name, `${name}${alias}`) });
  const run = (verb: string, text: string, ...options: string[]) => {
    const path = join(data, 'rows.csv');
    writeFileSync(path, text);
    return lastro(verb, early, '--data', data, '--in', path, ...options);
  };
  const report = join(data, 'report.json');
  const renamed = laterText.replace('customer_id', 'client');
  const { code, said } = await run('evaluate', renamed, '--report', report);
  expect(code, said).toBe(0);
  expect(JSON.parse(readFileSync(report, 'utf8')).outputs).toEqual((await evaluate(laterText)).report.outputs);

  const out = join(data, 'scored.csv');
  const predicted = await run('predict', 'client\nC1\nC2\n', '--out', out);
  expect(predicted.code, predicted.said).toBe(0);
  expect(predicted.said).not.toContain('not read');
  expect(readFileSync(out, 'utf8').split('\n')[1]).toMatch(/^C1,/);
  for (const [verb, where] of [
    ['predict', ['--out', out]],
    ['evaluate', ['--report', report]],
  ] as const) {
    const twice = await run(verb, 'client,customer_id,date,returns\nC1,C1,2020-01-01,1\n', ...where);
    expect(twice.code).toBe(2);
    expect(twice.said).toContain('the file has customer_id and client, names of one column');
  }
});

test.each([
  ['a key by its other name', 'customer_id', '[client]', null, 'client'],
  ['a personal column by its other name', 'segment', '[group]', 'pii', 'GROUP'],
  ['a personal column by its own name in other case', 'segment', '[group]', 'pii', 'Segment'],
])('%s is no segment, also where only the newer contract says so', async (_, column, aliases, classification, name) => {
  const properties = [
    `          - { property: aliases, value: ${aliases} }`,
    ...(classification === null ? [] : ['          - { property: pii, value: true }']),
  ];
  const declared = `- name: ${column}\n        logicalType: string\n`;
  const text = `${declared}        customProperties:\n${properties.join('\n')}\n`;
  const contract = parseContract(shopText('contract.yaml').replace(declared, text), 'contract.yaml');
  const { tables } = await loadTables(shop, contract, () => {});
  const model = await openVersion(early, tables);
  const path = join(shop, 'named.csv');
  const [header, ...rows] = laterText.trim().split('\n');
  const extra = rows.map((row) => `${row},${row.split(',')[1]}`);
  const named =
    column === 'customer_id' ? laterText.replace(column, name) : [`${header},${name}`, ...extra, ''].join('\n');
  for (const sent of [laterText, named]) {
    writeFileSync(path, sent);
    const asked = { path, name: 'named.csv', model, compareWith: null, segments: [name], until: lateMoment };
    await expect(evaluateFile(asked, () => {})).rejects.toThrow(`segment ${name} tells who a row is about`);
  }
  model.close();
});

/** Later than all rows. */
const lateMoment = Date.UTC(2030, 0) * 1000;

test('the figures are those of rows predicted one by one as of their own day, counted by hand', async () => {
  const { report } = await evaluate(laterText);
  const rows = laterText
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));
  const predicted = await predictOneByOne(rows);
  const labels = rows.map(([, , label]) => Number(label));
  let [won, pairs, squares, loss] = [0, 0, 0, 0];
  for (const [i, p] of predicted.entries()) {
    squares += (p - labels[i]) ** 2;
    loss -= Math.log(labels[i] === 1 ? p : 1 - p);
    for (const [j, q] of predicted.entries())
      if (labels[i] === 1 && labels[j] === 0) {
        pairs++;
        won += p > q ? 1 : p === q ? 0.5 : 0;
      }
  }
  const [{ all, ...output }] = report.outputs;
  expect(output).toMatchObject({ name: 'prediction', kind: 'binary', metric: 'auroc', labelled_by: 'file', open: 0 });
  expect(all!.model.rows).toBe(80);
  expect(all!.model.metrics.auroc!.value).toBeCloseTo(won / pairs, 12);
  expect(all!.model.metrics.brier!.value).toBeCloseTo(squares / 80, 12);
  expect(all!.model.metrics.log_loss!.value).toBeCloseTo(loss / 80, 12);
  expect(all!.model.mean_predicted).toBeCloseTo(predicted.reduce((a, b) => a + b) / 80, 12);
  // Every row is later than all labels that were learned from.
  expect(report.learned).toEqual({ newest_label: day(190), rows: 0, matched: 0, of: 80 });
  expect(output.later).toBeNull();
  // A constant orders nothing; the mean of 120 labels has this loss on these.
  expect(all!.naive!.constant).toBe(0.5);
});

test('rows that may have been learned from are told, and the others measured apart', async () => {
  const { said, report } = await evaluate(trainText + laterText.split('\n').slice(1).join('\n'));
  expect(report.learned).toEqual({ newest_label: day(190), rows: 160, matched: 160, of: 240 });
  expect(report.warnings[0]).toMatch(
    /^most of these rows were learned from: this measures memory; 160 of 240 rows are from 2023-07-10 or before and may have been learned from, 160 of them surely/,
  );
  expect(said).toContain('160 of 240 rows');
  const [{ all, later }] = report.outputs;
  const alone = (await evaluate(laterText)).report.outputs[0].all!;
  expect(all!.model.rows).toBe(240);
  expect(later).toEqual(alone);
});

test('of two versions it is said by how much one is better on the same rows, or that these cannot tell', async () => {
  const { said, report } = await evaluate(laterText, '--compare', late, '--segment', 'segment');
  const [{ all, later }] = report.outputs;
  // The other version has learned from all of these rows.
  expect(report.learned).toMatchObject({ rows: 80, of: 80 });
  expect(later).toBeNull();
  const { comparison, model, compare_with, segments } = all!;
  const gain = comparison!.gains.brier!;
  expect(gain.value).toBeCloseTo(compare_with!.metrics.brier!.value - model.metrics.brier!.value, 12);
  expect(gain.low).toBeLessThanOrEqual(gain.value);
  expect(['model', 'cannot_tell'], 'the other has learned from them').toContain(comparison!.better);
  expect(comparison!.reason === null).toBe(comparison!.better === 'model');
  expect(report.warnings[0]).toContain('their figures flatter (model: 0, compare_with: 80); send later rows');
  expect(said).toContain('gain in auroc');
  expect(segments).toMatchObject([
    {
      column: 'segment',
      of: 'table',
      values: [
        { value: 'trade', rows: 40, is_small: true },
        { value: 'retail', rows: 40, is_small: true },
      ],
      others: null,
    },
  ]);
});

test('a label that was not known by the reference date is left out, and nothing later is read', async () => {
  const { report } = await evaluate(laterText, '--reference-date', day(262));
  // Labels of day 220 are known 30 days later, those of day 250 are not.
  expect(report.outputs[0]).toMatchObject({ open: 40, unlabelled: 0, all: { model: { rows: 40 } } });
  expect(report.warnings.join()).toContain('40 rows are left out, as the window of their label had not closed');
});

test('rows that cannot be read are told by row and column, without their values, and the others measured', async () => {
  const bad =
    'soon,C1,1\n2023-08-09,C2,perhaps\n2999-01-01,C3,0\n2023-08-09,C4,\n2023-08-09,Nobody,1\n2023-08-09,C5,1,7\n';
  const { report } = await evaluate(laterText + bad);
  expect(report.rows).toEqual({ read: 86, unreadable: 4, unknown: 1 });
  expect(report.errors).toEqual([
    {
      ...{ row: 81, column: 'date', message: 'expected a timestamp such as 2024-01-31T18:30:00Z' },
      because: { code: 'expected_type', type: 'timestamp', examples: ['2024-01-31T18:30:00Z'] },
    },
    { row: 82, column: 'returns', message: 'expected 0 or 1' },
    {
      ...{ row: 83, column: 'date', message: expect.stringContaining('lies after') },
      because: { code: 'unread_future', until: expect.any(String) },
    },
    { row: 86, column: null, message: expect.any(String), because: { code: 'row_fields', expected: 3, found: 4 } },
  ]);
  expect(report.outputs[0]).toMatchObject({ unlabelled: 1, all: { model: { rows: 81 } } });
});

test.each([
  ['customer_id,date\nC1,2023-08-09\n', [], 'bad.csv lacks the label column returns; it has customer_id, date'],
  ['date,returns\n2023-08-09,1\n', [], 'the required column "customer_id" is absent'],
  [
    csv('date,customer_id,returns', [
      ['2023-08-09', 'X1', 1],
      ['2023-08-09', 'X2', 0],
    ]),
    [],
    'only 0 of 2 values',
  ],
  ['date,customer_id,returns\n', [], 'has no rows'],
  ['date,customer_id,returns\n2023-08-09,C1,perhaps\n', [], 'none of its 1 rows can be read; row 1, column returns'],
  [laterText, ['--segment', 'shoe'], 'segment shoe is neither a column of the file'],
  [laterText, ['--segment', 'customer_id'], 'tells who a row is about'],
  [laterText, ['--segment', 'a,b,c,d,e,f'], 'at most 5 columns may be segments, not 6'],
])('what cannot be evaluated is refused: %#', async (text, options, message) => {
  const path = join(shop, 'bad.csv');
  writeFileSync(path, text);
  const { code, said } = await lastro(
    ...['evaluate', early, '--data', shop, '--in', path, '--report', join(shop, 'r.json')],
    ...options,
  );
  expect([code, said]).toEqual([2, expect.stringContaining(message)]);
});

test('of new rows, those of the tables are named by their keys and labelled from them, others bring their inputs', async () => {
  const data = lendingData();
  const tables = lendingContract.tables.map((table) => ({
    ...table,
    columns: table.columns.map((column) => (column.name === 'size' ? { ...column, maximum: 1_000 } : column)),
  }));
  const bounded = { 'contract.yaml': writeContract({ ...lendingContract, tables }) };
  const folder = writeShop({ ...lendingFiles(data), ...bounded, 'tasks/asked/task.yaml': lendingQueries.month });
  const version = join(folder, 'version');
  expect((await lastro('fit', folder, '--task', 'asked', '--out', version)).code).toBe(0);
  const judge = async (text: string) => {
    const [path, out] = [join(folder, 'labelled.csv'), join(folder, 'report.json')];
    writeFileSync(path, text);
    const args = ['evaluate', version, '--data', folder, '--in', path, '--report', out];
    const { code, said } = await lastro(...args);
    expect(code, said).toBe(0);
    return JSON.parse(readFileSync(out, 'utf8')) as EvaluationReport;
  };
  const loans = data.loan!;
  const inTables = await judge(csv('loan_id', [...loans.map(({ loan_id }) => [String(loan_id)]), ['nobody']]));
  // By hand: an instalment of the first three months at least 30 days late on the day three months after the opening.
  const [output] = inTables.outputs;
  expect(output).toMatchObject({ labelled_by: 'tables', unlabelled: 0 });
  expect(inTables.rows).toEqual({ read: loans.length + 1, unreadable: 1, unknown: 0 });
  expect(inTables.errors).toMatchObject([{ row: loans.length + 1 }]);
  const observed = loans.filter(({ opened }) => threeMonthsAfter(Number(opened)) <= endOfLending(data));
  const late = observed.filter(({ loan_id, opened }) => {
    const until = threeMonthsAfter(Number(opened));
    return data.instalment!.some(
      (one) =>
        one.loan_id === loan_id &&
        Number(one.due) + 30 * dayUs <= until &&
        (one.paid === null || Number(one.paid) > until),
    );
  });
  expect(output.all!.model).toMatchObject({ rows: observed.length, positives: late.length });
  expect(output.open).toBe(loans.length - observed.length);

  // A row of the day after is no question: its features may know the label.
  const dateOf = (moment: number) => new Date(moment / 1000).toISOString().slice(0, 10);
  const dates = loans.map(({ opened }, k) => (k % 2 ? dateOf(threeMonthsAfter(Number(opened)) + 1) : ''));
  const dated = await judge(csv('loan_id,date', [...loans.map(({ loan_id }, k) => [String(loan_id), dates[k]])]));
  const asked = observed.filter((loan) => loans.indexOf(loan) % 2 === 0);
  expect(dated.outputs[0]).toMatchObject({
    all: { model: { rows: asked.length, positives: asked.filter((loan) => late.includes(loan)).length } },
    unlabelled: observed.length - asked.length,
    open: loans.length - observed.length,
  });

  const rows = loans
    .slice(0, 40)
    .map(({ customer_id, opened, size }, k) => [
      `new${k}`,
      String(customer_id),
      dateOf(Number(opened)),
      Number(size),
      k % 2,
    ]);
  const excessive = ['large', String(loans[0].customer_id), dateOf(Number(loans[0].opened)), 48_211, 1];
  const brought = await judge(csv('loan_id,customer_id,opened,size,label', [...rows, excessive]));
  expect(brought.rows).toEqual({ read: 41, unreadable: 1, unknown: 40 });
  const because = { code: 'out_of_range', minimum: null, maximum: 1000, found: null };
  expect(brought.errors).toEqual([{ row: 41, column: 'size', message: 'must be at most 1000', because }]);
  expect(brought.outputs[0]).toMatchObject({ labelled_by: 'file', all: { model: { rows: 40, positives: 20 } } });
});

const dayUs = 86_400_000_000;

/** The same day of the month three months later. */
function threeMonthsAfter(opened: number): number {
  const date = new Date(opened / 1000);
  const target = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 4, 0)).getUTCDate();
  const on = Math.min(date.getUTCDate(), target);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 3, on) * 1000 + dayUs - 1;
}

/** The moment of the newest row. */
function endOfLending(data: ReturnType<typeof lendingData>): number {
  const times = [...data.customer!.map(({ joined }) => joined), ...data.order!.map(({ placed }) => placed)];
  return Math.max(...[...times, ...data.loan!.map(({ opened }) => opened)].map(Number)) + dayUs - 1;
}
