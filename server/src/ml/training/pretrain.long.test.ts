import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { at, day, draws, type Row, sampleRows } from '../../../tests/samples.ts';
import { buyersContract, buyersTables } from '../../../tests/support/samples/rfm.ts';
import { isFresh, withLabels } from '../features/anchors.ts';
import { openVersion } from '../inference/predict.ts';
import type { Examples } from '../tasks/examples.ts';
import { parseTask } from '../tasks/parse-task.ts';
import { readVersion } from '../version/version.ts';
import { measureFewLabels } from './few-labels.ts';
import { fit } from './fit.ts';
import type { LearningData } from './learning-data.ts';
import { pretrain } from './pretrain.ts';
import { layFolds } from './questions.ts';

const start = at('2022-01-01');
const end = at('2023-10-01');
const customers = 80;

/** Customers whose spending swings at a pace of their own, so the next purchase depends on the phase. */
const purchases = (() => {
  const draw = draws(8);
  const made: Row[] = [];
  for (let customer = 0; customer < customers; customer++) {
    const pace = draw.pick([60, 90, 120]);
    const phase = draw.next();
    for (let time = start; time < end; time += draw.between(8, 24) * day) {
      const swing = Math.sin(2 * Math.PI * ((time - start) / day / pace + phase));
      const amount = 50 + 40 * swing + 10 * draw.next();
      const bought = time + draw.between(0, 86_399) * 1e6;
      made.push({ purchase_id: made.length, bought, customer_id: customer, amount });
    }
  }
  return made;
})();
const tables = buyersTables(customers, purchases);
const task = parseTask(
  'entity: customer\nkey: customer_id\ntime: date\nlabel: spends\nkind: binary\nmetric: auroc\nwindow: 30d\n',
  'spends',
  'task.yaml',
);

/** Whether a customer spends more than 60 at most purchases of the next 30 days; few customers, in the last year. */
const examples: Examples = (() => {
  const draw = draws(3);
  const rows: number[] = [];
  const anchors: number[] = [];
  for (let time = at('2022-10-01'); time <= end - 31 * day; time += 10 * day)
    for (const customer of draw.shuffle(Array.from({ length: customers }, (_, k) => k)).slice(0, 4)) {
      rows.push(customer);
      anchors.push(time);
    }
  const labels = Float64Array.from(rows, (customer, i) => {
    const next = purchases.filter(
      ({ customer_id, bought }) =>
        customer_id === customer && +bought! > anchors[i] && +bought! <= anchors[i] + 30 * day,
    );
    return Number(next.filter(({ amount }) => +amount! > 60).length * 2 > next.length);
  });
  return {
    rows: Int32Array.from(rows, (customer) => tables.get('customer')!.rowOf.get(customer)!),
    at: Float64Array.from(anchors),
    labels,
    closes: Float64Array.from(anchors, (time) => time + 30 * day),
  };
})();

const folder = mkdtempSync(join(tmpdir(), 'lastro-pretrain-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const regime = { kind: 'rolling' } as const;
const objective = { kind: 'binary', metric: 'auroc', classes: [] } as const;
const outputs = [{ name: 'spends', objective, examples }];

test('encoders have read nothing of what folds, or answers, are evaluated by', async () => {
  const fresh = isFresh(task, tables, examples);
  const graph = withLabels(task, tables, examples, fresh, objective);
  const data: LearningData = { task, fresh, outputs, graph };
  const pool = Int32Array.from(examples.rows.keys());
  const made = (await pretrain(data, tables, pool, regime, () => {}))!;
  const folds = layFolds(examples, pool, regime);
  expect(folds.length).toBeGreaterThan(1);
  expect(made.data.foldGraph!.until).toBe(Math.min(...folds.map((fold) => fold.start)));
  expect(made.rfm.until).toBe(Math.max(...examples.at));
  const { columns, forecasts } = made.data.foldGraph!.graph.encoder!;
  expect(columns - forecasts).toBe(64);
  expect(forecasts).toBeGreaterThan(0);
});

test('a version with an encoder answers from its folder alone, and of later rows it knows nothing', async () => {
  const out = join(folder, 'version');
  const input = { tables, contract: buyersContract, task, outputs, regime };
  const report = await fit({ ...input, isPretrained: true }, out, () => {});
  const [output] = report.outputs;
  expect(output!.trials.map((trial) => (trial as { recipe: string }).recipe)).toContain('blend and encoder');
  expect(output!.recipe).toContain('encoder');
  expect(output!.out_of_fold!.value).toBeGreaterThan(0.7);
  expect(readdirSync(out)).toEqual(expect.arrayContaining(['encoder.bin', 'encoder.json']));
  const asOf = at('2023-08-01');
  const predict = async (over: typeof tables) => {
    const version = await openVersion(out, over);
    const rows = sampleRows(
      buyersContract.tables[0],
      [3, 40, 79].map((customer_id) => ({ customer_id })),
    );
    const options = { asOf, dataUntil: Number.POSITIVE_INFINITY, factors: 3, language: 'en' } as const;
    const answer = version.predict(rows, options);
    version.close();
    return answer.columns.get('spends') ?? [...answer.columns.values()];
  };
  const answered = await predict(tables);
  const known = purchases.filter(({ bought }) => +bought! <= asOf);
  expect(await predict(buyersTables(customers, known))).toEqual(answered);
  const earlier = known.filter(({ bought }) => +bought! <= asOf - 40 * day);
  expect(await predict(buyersTables(customers, earlier))).not.toEqual(answered);
});

test('without being asked a version has no encoder', async () => {
  const out = join(folder, 'plain');
  await fit({ tables, contract: buyersContract, task, outputs, regime }, out, () => {});
  expect(readVersion(out).encoder).toBeUndefined();
});

test('what an encoder adds is told of later rows, over draws of a few labels', async () => {
  const options = { labels: 40, draws: 3, from: at('2023-06-01'), positives: 0.4, seed: 1 };
  const report = await measureFewLabels(tables, task, objective, examples, options, () => {});
  const evaluated = examples.at.filter((moment) => moment >= options.from).length;
  expect(report).toMatchObject({
    labels: 40,
    draws: 3,
    positives: 0.4,
    judged_rows: evaluated,
    judged_from: '2023-06-01',
  });
  const gains = report.each.map(({ features, with_encoder }) => with_encoder - features);
  expect(report.gain).toBeCloseTo(gains.reduce((sum, gain) => sum + gain, 0) / 3, 12);
  expect(report.wins).toBe(gains.filter((gain) => gain > 0).length);
  expect(report.low < report.gain && report.gain < report.high).toBe(true);
  expect(report.each.every(({ recipe }) => recipe.includes('encoder'))).toBe(true);
  const many = { ...options, labels: 4_000 };
  await expect(measureFewLabels(tables, task, objective, examples, many, () => {})).rejects.toThrow(
    /1600 labels are to be drawn/,
  );
});
