import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { at, type Data, type Row, sampleTables } from '../../../tests/samples.ts';
import { sellerContract, sellerData, sellerTasks } from '../../../tests/support/samples/answers.ts';
import { outputsOfTarget, readOutputs } from './labels.ts';
import { parseTask } from './parse-task.ts';
import { resolveTask } from './resolve.ts';

const folder = mkdtempSync(join(tmpdir(), 'heads-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const data = sellerData();
const tables = sampleTables(sellerContract, data);
const now = at('2025-01-01');

const taskOf = (kind: keyof typeof sellerTasks, definition: string = sellerTasks[kind]) =>
  resolveTask(parseTask(definition, kind, 'task.yaml'), sellerContract, 'task.yaml');

test('what a growth head learns is the window after the anchor against the one before it', () => {
  const task = taskOf('field_sales');
  const { outputs } = outputsOfTarget(task, tables, now);
  const [propensity, growth] = outputs;
  expect(growth!.objective).toEqual({
    kind: 'multiclass',
    metric: 'multiclass_accuracy',
    classes: ['contraction', 'stable', 'expansion'],
  });
  expect(growth!.examples.at).toEqual(propensity!.examples.at);
  const window = 90 * 86_400_000_000;
  const found = new Set<number>();
  for (const [i, row] of growth!.examples.rows.entries()) {
    const anchor = growth!.examples.at[i];
    const sum = (from: number) =>
      data
        .purchase!.filter(
          ({ customer_id, bought }) =>
            customer_id === `c${row}` && Number(bought) > from && Number(bought) <= from + window,
        )
        .reduce((total, { amount }) => total + Number(amount), 0);
    const [past, future] = [sum(anchor - window), sum(anchor)];
    const expected = future > 1.1 * past ? 2 : future < 0.9 * past ? 0 : 1;
    if (!Number.isNaN(growth!.examples.labels[i])) expect(growth!.examples.labels[i]).toBe(expected);
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
  expect([propensity!.objective.kind, growth!.objective.classes]).toEqual([
    'binary',
    ['contraction', 'stable', 'expansion'],
  ]);
  writeFileSync(file, 'customer_id,date,bought,trend\nc1,2024-01-01,1,up\n');
  await expect(read()).rejects.toThrow('expected one of contraction, stable, expansion, found "up"');
});

test.each(Object.entries(sellerTasks))(
  '%s: what comes after the last window has closed moves no label',
  (kind, definition) => {
    const until = definition.replace('until: 2024-06-01', 'until: 2024-04-01');
    const read = (of: Data) =>
      outputsOfTarget(taskOf(kind as keyof typeof sellerTasks, until), sampleTables(sellerContract, of), now).outputs;
    const planted = (from: string): Data => ({
      ...data,
      purchase: [...data.purchase!, ...ids(data, (customer_id) => ({ customer_id, bought: at(from), amount: 9999 }))],
      chargeback: [
        ...data.chargeback!,
        ...ids(data, (customer_id) => ({ customer_id, reported: at(from), amount: 9999 })),
      ],
    });
    const labels = read(data);
    expect(read(planted('2024-07-15'))).toEqual(labels);
    const moved = read(planted('2024-04-10'));
    for (const [o, { examples }] of labels.entries()) expect(moved[o].examples.labels).not.toEqual(examples.labels);
  },
);

const ids = (of: Data, row: (id: string) => Row) => of.customer!.map(({ customer_id }) => row(String(customer_id)));
