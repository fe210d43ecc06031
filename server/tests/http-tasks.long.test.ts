/** Questions of every other kind asked over HTTP: defined, trained and answered. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lendingQueries } from './lending.ts';
import { takeInLending, trainAndAsk } from './lending-service.ts';
import { type Client, startTestService, type TestService } from './service.ts';

let service: TestService;
let client: Client;

beforeAll(async () => {
  service = await startTestService();
  ({ client } = await service.tenant('Lending'));
  await takeInLending(client);
}, 60_000);
afterAll(() => service.close());

const customer = { customer_id: 'c1', reference_date: '2022-06-30' };
const poor = { customer_id: 'c3', reference_date: '2022-06-30' };
const limits = { timeout: 120_000 };

test('whether something comes, within several horizons', limits, async () => {
  const { task, body, version } = await trainAndAsk(client, 'buys', customer);
  expect(task).toMatchObject({ kind: 'binary', query: lendingQueries.buys });
  expect(body.prediction_10d).toBeGreaterThan(0);
  expect(body.prediction_30d).toBeGreaterThanOrEqual(body.prediction_10d);
  const output = version.outputs.find((field: { name: string }) => field.name === 'prediction_30d');
  expect(output.description).toBe('Probability of any order rows that meet the condition within 30 days.');
});

test('credit: a score made of the probabilities of its horizons', limits, async () => {
  const { body } = await trainAndAsk(client, 'credit', poor);
  expect(body.pd_90d).toBeGreaterThanOrEqual(body.pd_30d);
  expect(body).toMatchObject({ score: expect.any(Number), risk_band: expect.any(String) });
});

test('how many, how much, how long until the first', limits, async () => {
  const { body: orders } = await trainAndAsk(client, 'orders', customer);
  expect(orders.prediction_60d).toBeGreaterThan(orders.prediction_30d);
  const { body: spends, metrics } = await trainAndAsk(client, 'spends', customer);
  expect(spends.prediction).toBeGreaterThan(0);
  expect(metrics.outputs.prediction.others).toHaveProperty('mae');
  const { body: waits } = await trainAndAsk(client, 'waits', customer);
  expect(waits.prediction).toBeGreaterThan(0);
  expect(waits.prediction).toBeLessThanOrEqual(60);
});

test('a delinquency of customers, within days', limits, async () => {
  const { body: defaults } = await trainAndAsk(client, 'defaults', poor);
  expect(defaults).toMatchObject({ score: expect.any(Number), pd_90d: expect.any(Number) });
});

test('what comes next: one of the categories there have been', limits, async () => {
  const { task, body } = await trainAndAsk(client, 'next', customer);
  expect(task.kind).toBe('multiclass');
  expect(['bread', 'fuel', 'tools']).toContain(body.prediction);
  expect(body.probability_bread + body.probability_fuel + body.probability_tools).toBeCloseTo(1, 6);
});
