/** Tasks with several heads, measured on later label files of a made-up seller. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { at, sampleTables } from '../../tests/samples.ts';
import { sellerContract, sellerCsv, sellerData, sellerTasks } from '../../tests/support/samples/answers.ts';
import { writeContract } from '../ml/contract/write.ts';
import { outputsOfTarget } from '../ml/tasks/labels.ts';
import { parseTask } from '../ml/tasks/parse-task.ts';
import { resolveTask } from '../ml/tasks/resolve.ts';
import { evalCommand } from './eval.ts';

const folder = mkdtempSync(join(tmpdir(), 'eval-heads-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const data = sellerData();
mkdirSync(join(folder, 'tables'));
for (const table of sellerContract.tables)
  writeFileSync(join(folder, 'tables', `${table.name}.csv`), sellerCsv(table, data));
writeFileSync(join(folder, 'contract.yaml'), writeContract(sellerContract));

/**
 * Anchors before `validFrom` are training rows, those before `testFrom` validation rows. The labels of later anchors
 * are held back.
 */
const [validFrom, testFrom] = [at('2023-12-15'), at('2024-03-15')];

type Kind = 'paid_media' | 'field_sales';

/**
 * Writes label files for a kind of task at the task's own anchors. Every tenth label of the further heads is missing.
 */
function writeTask(kind: Kind): { task: string; kept: Record<string, number[]> } {
  const task = resolveTask(parseTask(sellerTasks[kind], kind, 'task.yaml'), sellerContract, 'task.yaml');
  const { outputs } = outputsOfTarget(task, sampleTables(sellerContract, data), at('2025-01-01'));
  const [{ examples }] = outputs;
  const wordOf = (o: number, i: number) => {
    const { objective, examples: own } = outputs[o];
    if (Number.isNaN(own.labels[i]) || (o > 0 && i % 10 === 0)) return '';
    return objective.kind === 'multiclass' ? objective.classes[own.labels[i]] : String(own.labels[i]);
  };
  const name = kind.replace('_', '-');
  const home = join(folder, 'tasks', name);
  mkdirSync(home, { recursive: true });
  const labels = outputs.map((output) => `${output.name}: ${output.name}_label`).join(', ');
  writeFileSync(
    join(home, 'task.yaml'),
    `kind: ${kind}\nentity: customer\nkey: customer_id\ntime: date\nwindow: 60d\nlabels: {${labels}}\n`,
  );
  const rows = (from: number, to: number) =>
    Array.from(examples.rows.keys()).filter((i) => examples.at[i] >= from && examples.at[i] < to);
  const write = (file: string, chosen: readonly number[], isTold: boolean) => {
    const header = ['customer_id', 'date', ...(isTold ? outputs.map((output) => `${output.name}_label`) : [])];
    const lines = chosen.map((i) =>
      [
        `c${examples.rows[i]}`,
        new Date(examples.at[i] / 1000).toISOString().slice(0, 10),
        ...(isTold ? outputs.map((_, o) => wordOf(o, i)) : []),
      ].join(','),
    );
    writeFileSync(join(home, file), `${[header.join(','), ...lines].join('\n')}\n`);
  };
  write('train.csv', rows(0, validFrom), true);
  write('val.csv', rows(validFrom, testFrom), true);
  const asked = rows(testFrom, Number.POSITIVE_INFINITY);
  write('test.csv', asked, false);
  const kept = outputs.map(({ name: head, examples: own }) => [head, asked.map((i) => own.labels[i])]);
  return { task: name, kept: Object.fromEntries(kept) };
}

/** Returns what eval prints and writes for a kind of task. */
async function evaluated(kind: Kind) {
  const { task, kept } = writeTask(kind);
  const [out, report] = [join(folder, `${kind}.csv`), join(folder, `${kind}.json`)];
  const said: string[] = [];
  await evalCommand([folder, '--task', task, '--out', out, '--report', report], (line) => said.push(line));
  const [header, ...lines] = readFileSync(out, 'utf8').trimEnd().split('\n');
  const cells = lines.map((line) => line.split(','));
  const columns = Object.fromEntries(header!.split(',').map((name, c) => [name, cells.map((row) => row[c])]));
  return { kept, columns, said: said.join('\n'), report: JSON.parse(readFileSync(report, 'utf8')) };
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

test('each head is measured by its own metric and answers in a column of its own', { timeout: 600_000 }, async () => {
  const { kept, columns, said, report } = await evaluated('paid_media');
  expect(Object.keys(columns)).toEqual(['customer_id', 'date', 'prediction', 'prediction_value', 'prediction_churn']);
  const { rolling } = report.validation;
  expect(Object.keys(rolling.heads)).toEqual(['lead', 'value', 'churn']);
  expect(rolling.heads.lead).toMatchObject({ recipe: rolling.recipe, measures: rolling.measures });
  expect(rolling.measures.others.auroc).toBe(rolling.measures.value);
  expect(rolling.heads.value.measures.others.rmse).toBe(rolling.heads.value.measures.value);
  expect(rolling.heads.value.measures.others.r2).toBeGreaterThan(0.3);
  // The further heads lack the labels of a tenth of the rows.
  expect(rolling.heads.churn.measures.rows / rolling.measures.rows).toBeCloseTo(0.9, 1);
  for (const { measures } of [rolling.heads.lead, rolling.heads.churn])
    expect(measures.calibration).toMatchObject({ rows: measures.rows, of_perfect: { mean: expect.any(Number) } });
  expect(rolling.heads.value.measures.sureness).toMatchObject({ kind: 'conformal', expected: 0.9 });
  expect(said).toMatch(/ {2}lead: auroc 0\.\d{4}[\s\S]*calibration error 0\.\d{4}[\s\S]* {2}value: rmse /);
  expect(Object.keys(report.model.heads)).toEqual(['lead', 'value', 'churn']);

  // Each column predicts its own head: it is higher where the outcome was.
  for (const [name, column] of Object.entries({
    lead: 'prediction',
    value: 'prediction_value',
    churn: 'prediction_churn',
  })) {
    const said = columns[column].map(Number);
    const middle = said.toSorted((a, b) => a - b)[said.length >> 1];
    const of = (isHigh: boolean) => mean(kept[name].filter((_, row) => said[row] > middle === isHigh));
    expect([name, of(true) > of(false) + 0.05]).toEqual([name, true]);
  }
});

test('a head of classes answers with a class, evaluated as classes are', { timeout: 600_000 }, async () => {
  const { columns, report } = await evaluated('field_sales');
  expect(Object.keys(columns)).toEqual(['customer_id', 'date', 'prediction', 'prediction_growth']);
  expect(columns.prediction!.every((value) => Number(value) > 0 && Number(value) < 1)).toBe(true);
  const classes = new Set(columns.prediction_growth);
  expect(classes.size).toBeGreaterThan(1);
  for (const name of classes) expect(['contraction', 'stable', 'expansion']).toContain(name);
  const { growth } = report.validation.rolling.heads;
  expect(growth.measures.value).toBe(growth.measures.others.multiclass_accuracy);
  expect(growth.measures).not.toHaveProperty('calibration');
});
