import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { at, day, draws, type Row } from '../../../tests/samples.ts';
import { buyersContract, buyersTables } from '../../../tests/support/samples/rfm.ts';
import { openGraph } from '../features/graph.ts';
import { type FeedbackOptions, type FineTuneTask, feedBack } from './feedback.ts';
import { readRfm, rfmId } from './folder.ts';
import { openRfm, withEncoder } from './open.ts';
import { trainRfm } from './train.ts';
import { readTrainingState } from './training-state.ts';

const [start, until] = [at('2022-01-01'), at('2023-07-01')];
const customers = 60;
const usualOf = (customer: number) => [10, 100, 1000][customer % 3];
const tables = (() => {
  const draw = draws(5);
  const purchase: Row[] = [];
  for (let customer_id = 0; customer_id < customers; customer_id++) {
    const gap = draw.pick([8, 30]);
    for (let time = start + draw.between(0, 60) * day; time < until; time += draw.between(1, 2 * gap) * day) {
      const amount = usualOf(customer_id) * (0.5 + draw.next());
      purchase.push({ purchase_id: purchase.length, bought: time, customer_id, amount });
    }
  }
  return buyersTables(customers, purchase);
})();

/** Most customers with high spending renew. `flipped`: labels that close after this moment are reversed. */
function fineTuneTaskOf(flipped = Number.POSITIVE_INFINITY): FineTuneTask {
  const draw = draws(7);
  const asked = Array.from({ length: 14 * customers }, (_, i) => ({
    customer: i % customers,
    moment: start + (60 + 30 * Math.floor(i / customers)) * day,
  }));
  const closes = Float64Array.from(asked, ({ moment }) => moment + 30 * day);
  const labels = Float64Array.from(asked, ({ customer }, i) => {
    const renews = draw.next() < (usualOf(customer) === 1000 ? 0.9 : 0.1);
    return Number(renews !== closes[i] > flipped);
  });
  const rows = Int32Array.from(asked, ({ customer }) => tables.get('customer')!.rowOf.get(customer)!);
  const examples = { rows, at: Float64Array.from(asked, ({ moment }) => moment), labels, closes };
  return { ...plain, examples };
}

const plain = {
  ...{ task: 'renews', entity: 'customer', strict: false, hide: [], ignore: [] },
  objective: { kind: 'binary', metric: 'auroc', classes: [] },
} as const;

/** A task whose label is whether a purchase happens at the very moment of the anchor. */
function momentTask(): FineTuneTask {
  const { rows, columns } = tables.get('purchase')!;
  const [bought, customer] = ['bought', 'customer_id'].map((name) => columns.get(name) as { values: Float64Array });
  const draw = draws(9);
  const asked = Array.from({ length: rows }, (_, row) => row).filter((row) => bought!.values[row] > start + 60 * day);
  const at = Float64Array.from(asked, (row, i) => bought!.values[row] + (i % 2) * (draw.between(1, 20) * day + 1));
  const examples = {
    rows: Int32Array.from(asked, (row) => tables.get('customer')!.rowOf.get(customer!.values[row])!),
    ...{ at, closes: at.map((moment) => moment + day), labels: Float64Array.from(asked, (_, i) => 1 - (i % 2)) },
  };
  return { ...plain, task: 'buys', examples };
}

const folder = mkdtempSync(join(tmpdir(), 'lastro-feedback-'));
const parent = join(folder, 'parent');
const known = until - 60 * day;
beforeAll(async () => {
  const options = { until: known, seed: 1, horizonsDays: [30, 60], steps: 100, pairs: 300 };
  await trainRfm(tables, buyersContract, 'customer', options, parent, () => {});
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const trainSteps = (name: string, fineTuneTask = fineTuneTaskOf(), options: Partial<FeedbackOptions> = {}) =>
  feedBack(parent, tables, fineTuneTask, { tolerance: 0.5, steps: 40, ...options }, join(folder, name), () => {});
const manifestOf = (name: string) => readFileSync(join(folder, name, 'manifest.json'), 'utf8');

test('a label becomes one more head of an encoder that names its parent', async () => {
  const report = await trainSteps('child');
  expect(report).toMatchObject({ accepted: true, parent: rfmId(parent), task: 'renews' });
  expect(report.label!.auroc).toBeGreaterThan(0.75);
  expect(report.heads.length).toBeGreaterThan(5);
  expect(report.heads.some(({ before, after }) => before !== after)).toBe(true);
  expect(JSON.parse(manifestOf('child'))).toMatchObject({ parent: rfmId(parent), kind: 'rfm' });
  const forecastsOf = (name: string) => withEncoder(openGraph(tables), readRfm(join(folder, name))).encoder!.forecasts;
  expect(forecastsOf('child')).toBe(forecastsOf('parent') + 1);
  const asked = [Int32Array.of(3), Float64Array.of(known)] as const;
  const vectorOf = async (name: string) => (await openRfm(join(folder, name), tables)).embed(...asked);
  expect(await vectorOf('child')).not.toEqual(await vectorOf('parent'));
  // The head of the label is not stored: another task starts from these weights with a head of its own.
  expect([...readTrainingState(join(folder, 'child')).second.keys()].filter((name) => name.includes('label'))).toEqual(
    [],
  );
});

test('labels known later than all that was read move nothing', async () => {
  const few = { steps: 10 };
  await trainSteps('again', fineTuneTaskOf(), few);
  await trainSteps('later', fineTuneTaskOf(known), few);
  await trainSteps('earlier', fineTuneTaskOf(known - 60 * day), few);
  expect(manifestOf('later')).toBe(manifestOf('again'));
  expect(manifestOf('earlier')).not.toBe(manifestOf('again'));
});

test('what a task may not read tells its label nothing', async () => {
  // The label is evaluated with the first network, whether or not the result is accepted.
  const aurocOf = async (name: string, fineTuneTask: FineTuneTask) =>
    (await trainSteps(name, fineTuneTask, { tolerance: 0 })).label!.auroc!;
  const near = 0.15;
  for (const closed of [{ hide: ['purchase.amount'] }, { ignore: ['purchase'] }])
    expect(Math.abs((await aurocOf(Object.keys(closed)[0], { ...fineTuneTaskOf(), ...closed })) - 0.5)).toBeLessThan(
      near,
    );
  const fineTuneTask = momentTask();
  const trusting = { ...fineTuneTask, trust: ['purchase'] };
  expect(await aurocOf('same-moment', trusting)).toBeGreaterThan(0.75);
  expect(Math.abs((await aurocOf('strict', { ...fineTuneTask, strict: true })) - 0.5)).toBeLessThan(near);
});

test('an encoder learns nothing of labels that an input is all but', async () => {
  await expect(trainSteps('told', momentTask())).rejects.toMatchObject({
    reason: 'leakage_found',
    problems: [{ at: 'purchase' }],
  });
  expect(existsSync(join(folder, 'told'))).toBe(false);
});

test('where another head falls beyond the tolerance nothing is written', async () => {
  const report = await trainSteps('refused', fineTuneTaskOf(), { tolerance: 0 });
  expect(report.accepted).toBe(false);
  expect(report.heads.filter(({ fell }) => fell).every(({ before, after }) => after > before)).toBe(true);
  expect(existsSync(join(folder, 'refused'))).toBe(false);
});

test('an encoder learns nothing of other rows, of too few labels, or as of a day it has read past', async () => {
  const fineTuneTask = fineTuneTaskOf();
  await expect(trainSteps('no', { ...fineTuneTask, entity: 'purchase' })).rejects.toThrow(/is about purchase/);
  const unlabelled = { ...fineTuneTask.examples, labels: fineTuneTask.examples.labels.map(() => Number.NaN) };
  await expect(trainSteps('no', { ...fineTuneTask, examples: unlabelled })).rejects.toThrow(/0 labels were known by/);
  const alike = { ...fineTuneTask.examples, labels: fineTuneTask.examples.labels.map(() => 0) };
  await expect(trainSteps('no', { ...fineTuneTask, examples: alike })).rejects.toThrow(/labels known by .* are 0/);
  await expect(trainSteps('no', fineTuneTask, { until: known - day })).rejects.toThrow(/has read up to/);
  await expect(trainSteps('child')).rejects.toThrow(/exists already/);
});
