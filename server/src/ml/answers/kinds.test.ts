import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { at, sampleRows, sampleTables } from '../../../tests/samples.ts';
import type { Rows } from '../../lib/files/column.ts';
import { keyValue } from '../graph/load.ts';
import { type OpenVersion, openVersion } from '../inference/predict.ts';
import { outputsOfTarget, readOutputs } from '../tasks/labels.ts';
import { resolveTask } from '../tasks/resolve.ts';
import { parseTask } from '../tasks/task.ts';
import { fit } from '../training/fit.ts';
import { sellerContract, sellerData, sellerTasks } from './samples.ts';

const folder = mkdtempSync(join(tmpdir(), 'kinds-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const data = sellerData();
const tables = sampleTables(sellerContract, data);
const now = at('2025-01-01');
const asOf = at('2024-07-01');
const options = { asOf, dataUntil: asOf, factors: 3, language: 'en' } as const;

type Kind = keyof typeof sellerTasks;
const taskOf = (kind: Kind, definition: string = sellerTasks[kind]) =>
  resolveTask(parseTask(definition, kind, 'task.yaml'), sellerContract, 'task.yaml');

async function trained(kind: Kind): Promise<OpenVersion> {
  const task = taskOf(kind);
  const out = join(folder, kind);
  const input = { tables, contract: sellerContract, task, ...outputsOfTarget(task, tables, now) };
  await fit({ ...input, regime: { kind: 'rolling' } }, out, () => {});
  return openVersion(out, tables);
}

const everybody: Rows = sampleRows(
  sellerContract.tables[1]!,
  data.customer!.map(({ customer_id }) => ({ customer_id })),
);

/** The answers' columns as lists of values. */
function valuesOf(answer: Rows): Record<string, unknown[]> {
  return Object.fromEntries(
    [...answer.columns].map(([name, column]) => [
      name,
      Array.from({ length: answer.rows }, (_, row) => keyValue(column, row)),
    ]),
  );
}

/** Holds every answered value against the field that declares it. */
function checkDeclared({ outputs }: OpenVersion, values: Record<string, unknown[]>): void {
  for (const { name, type, minimum = -Infinity, maximum = Infinity, enum: allowed } of outputs) {
    for (const value of values[name]!) {
      if (type === 'string')
        expect([name, typeof value, allowed?.includes(String(value)) ?? true]).toEqual([name, 'string', true]);
      else expect([name, Number(value) >= minimum && Number(value) <= maximum]).toEqual([name, true]);
      if (type === 'integer') expect(Number.isInteger(value)).toBe(true);
    }
  }
}

const namesOf = ({ outputs }: OpenVersion) => outputs.map(({ name }) => name);
const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

test('lead scoring gives a probability, and the decile and range of the value, by the training cohort', async () => {
  const open = await trained('lead_scoring');
  expect(namesOf(open)).toEqual([
    'conversion_probability',
    'ltv_decile',
    'ltv_range',
    'risk_factors',
    'data_coverage',
    'as_of',
  ]);
  const values = valuesOf(open.predict(everybody, options));
  checkDeclared(open, values);
  const deciles = values.ltv_decile as number[];
  expect(new Set(deciles).size).toBeGreaterThan(5);
  const { cohort } = open.version.outputs[1]!;
  for (const [row, range] of (values.ltv_range as string[]).entries()) {
    const [from, to] = range.split('–').map(Number);
    expect(to).toBeGreaterThanOrEqual(from!);
    if (deciles[row]! > 1) expect(from).toBeCloseTo(cohort.percentiles[10 * (deciles[row]! - 1)]!, 1);
  }
  const spent = (row: number) =>
    data
      .purchase!.filter(({ customer_id, bought }) => customer_id === `c${row}` && Number(bought) > asOf)
      .reduce((sum, { amount }) => sum + Number(amount), 0);
  const of = (isIn: (decile: number) => boolean) =>
    mean([...deciles.keys()].filter((row) => isIn(deciles[row]!)).map(spent));
  expect(of((decile) => decile >= 8)).toBeGreaterThan(2 * of((decile) => decile <= 3));
  expect((JSON.parse(values.risk_factors![0] as string) as string[]).length).toBeGreaterThan(0);
  const again = valuesOf(open.predict({ rows: 1, columns: new Map(everybody.columns) }, options));
  expect(again).toEqual(Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.slice(0, 1)])));
  open.close();
});

test('paid media gives a score, a value, the audience both say, and a risk of leaving', async () => {
  const open = await trained('paid_media');
  expect(namesOf(open)).toEqual(['lead_score', 'ltv_forecast', 'segment', 'churn_risk', 'data_coverage', 'as_of']);
  const values = valuesOf(open.predict(everybody, options));
  checkDeclared(open, values);
  const [leads, worth] = [values.lead_score as number[], values.ltv_forecast as number[]];
  const rank = (words: readonly string[], segment: unknown) =>
    words.findIndex((word) => String(segment).includes(word));
  for (const [a, one] of values.segment!.entries()) {
    for (const [b, other] of values.segment!.entries()) {
      const [values, warmth] = [
        ['low', 'mid', 'high'],
        ['cold', 'warm', 'hot'],
      ];
      if (worth[a]! < worth[b]!) expect(rank(values, one)).toBeLessThanOrEqual(rank(values, other));
      if (leads[a]! < leads[b]!) expect(rank(warmth, one)).toBeLessThanOrEqual(rank(warmth, other));
    }
  }
  expect(new Set(values.segment).size).toBeGreaterThan(2);
  open.close();
});

test('what a growth head learns is the window after the anchor against the one before it', () => {
  const task = taskOf('field_sales');
  const { outputs } = outputsOfTarget(task, tables, now);
  const [propensity, growth] = outputs;
  expect(growth!.aim).toEqual({
    kind: 'multiclass',
    metric: 'multiclass_accuracy',
    classes: ['contraction', 'stable', 'expansion'],
  });
  expect(growth!.examples.at).toEqual(propensity!.examples.at);
  const window = 90 * 86_400_000_000;
  const found = new Set<number>();
  for (const [i, row] of growth!.examples.rows.entries()) {
    const anchor = growth!.examples.at[i]!;
    const sum = (from: number) =>
      data
        .purchase!.filter(
          ({ customer_id, bought }) =>
            customer_id === `c${row}` && Number(bought) > from && Number(bought) <= from + window,
        )
        .reduce((total, { amount }) => total + Number(amount), 0);
    const [past, future] = [sum(anchor - window), sum(anchor)];
    const expected = future > 1.1 * past ? 2 : future < 0.9 * past ? 0 : 1;
    if (!Number.isNaN(growth!.examples.labels[i]!)) expect(growth!.examples.labels[i]).toBe(expected);
    found.add(expected);
  }
  expect(found.size).toBe(3);
});

test('an optional head that is not there takes its outputs with it', () => {
  const definition = sellerTasks.lead_scoring.replace(/\n {2}value.*/, '');
  const task = taskOf('lead_scoring', definition);
  expect(outputsOfTarget(task, tables, now).outputs.map(({ name }) => name)).toEqual(['conversion']);
});

test.each([
  [
    'without its required head',
    sellerTasks.lead_scoring.replace(/\n {2}conversion.*/, ''),
    /targets: must say conversion: whether the lead converts/,
  ],
  [
    'with a head of another kind',
    `${sellerTasks.lead_scoring}  churn: {table: visit}\n`,
    /churn.* is no head of lead_scoring, which has conversion, value/,
  ],
  [
    'with a head that is not its sort',
    sellerTasks.paid_media.replace('sum(purchase.amount)', 'exists(purchase)'),
    /makes a binary answer, and value is a regression one/,
  ],
  [
    'with several horizons of a head',
    sellerTasks.lead_scoring.replace('[30d]', '[30d, 60d]'),
    /must look one number of days ahead/,
  ],
  [
    'with targets where there is one answer',
    sellerTasks.lead_scoring.replace('kind: lead_scoring', 'kind: binary'),
    /targets: is for kinds with several heads/,
  ],
  [
    'asked of two tables',
    sellerTasks.paid_media.replace('60d FOR customer\n  churn', '60d FOR device\n  churn'),
    /is asked of device, and the first head of customer/,
  ],
])('a task %s is refused', (_, definition, message) => {
  expect(() => taskOf('lead_scoring', definition)).toThrow(message);
});

test('heads of label files are columns of one file, and a growth signal is one of three', async () => {
  const task = taskOf(
    'field_sales',
    'kind: field_sales\nentity: customer\nkey: customer_id\ntime: date\nlabels: {propensity: bought, growth: trend}\n',
  );
  const file = join(folder, 'labels.csv');
  const read = () => readOutputs(task, tables, [file], [], now);
  writeFileSync(
    file,
    'customer_id,date,bought,trend\nc1,2024-01-01,1,stable\nc2,2024-01-01,0,\nc3,2024-02-01,,expansion\n',
  );
  const [propensity, growth] = (await read()).outputs;
  expect(Array.from(propensity!.examples.labels)).toEqual([1, 0, Number.NaN]);
  expect(Array.from(growth!.examples.labels)).toEqual([1, Number.NaN, 2]);
  expect([propensity!.aim.kind, growth!.aim.classes]).toEqual(['binary', ['contraction', 'stable', 'expansion']]);
  writeFileSync(file, 'customer_id,date,bought,trend\nc1,2024-01-01,1,up\n');
  await expect(read()).rejects.toThrow('expected one of contraction, stable, expansion, found "up"');
});
