/** Every kind of task asked over HTTP: defined, trained, and answered alike at once and in a batch. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeContract } from '../src/ml/contract/write.ts';
import { type Client, startTestService, type TestService } from './service.ts';
import { sellerContract, sellerCsv, sellerData, sellerTasks } from './support/samples/answers.ts';
import { takeIn } from './take-in.ts';
import { trainTask } from './train-task.ts';

let service: TestService;
let client: Client;

const data = sellerData();

beforeAll(async () => {
  service = await startTestService();
  ({ client } = await service.tenant('Seller'));
  const tables = sellerContract.tables.map((table) => [table.name, sellerCsv(table, data)]);
  await takeIn(client, writeContract(sellerContract), Object.fromEntries(tables));
}, 120_000);
afterAll(() => service.close());

const probability = expect.closeTo(0.5, 0);
const texts = expect.arrayContaining([expect.any(String)]);
const range = expect.stringMatching(/^\d+\.\d\d–\d+\.\d\d$/);
const bounds = { lower: expect.any(Number), upper: expect.any(Number) };
const about = 'entity: customer\nkey: customer_id\nanchors: {every: 60d, from: 2023-06-01, until: 2024-06-01}\n';
const purchases = 'table: purchase, reference: customer_id';

/** Per kind its definition, what it answers, and of what it says how sure it is. */
const kinds: Readonly<Record<string, readonly [definition: string, answer: object, sure: readonly string[]]>> = {
  credit: [
    `kind: credit\n${about}target: {table: chargeback, reference: customer_id, horizons: [30d, 60d]}\n`,
    {
      score: expect.any(Number),
      pd_30d: probability,
      pd_60d: probability,
      risk_band: expect.any(String),
      key_factors: texts,
    },
    ['pd_30d', 'pd_60d', 'score'],
  ],
  fraud: [
    sellerTasks.fraud,
    {
      fraud_score: probability,
      risk_factors: texts,
      network_flags: [
        {
          kind: 'suspicious_cluster',
          hops: 1,
          since: expect.any(String),
          path: expect.any(Array),
          text: expect.any(String),
        },
        { kind: 'known_bad_actor' },
        { kind: 'known_bad_actor' },
      ],
    },
    ['fraud_score'],
  ],
  lead_scoring: [
    sellerTasks.lead_scoring,
    { conversion_probability: probability, ltv_decile: expect.any(Number), ltv_range: range, risk_factors: texts },
    ['conversion_probability', 'ltv'],
  ],
  field_sales: [
    sellerTasks.field_sales,
    {
      propensity_score: probability,
      growth_signal: expect.stringMatching(/^(expansion|stable|contraction)$/),
      network_density: 2,
      risk_factors: texts,
    },
    ['propensity_score'],
  ],
  paid_media: [
    sellerTasks.paid_media,
    {
      lead_score: probability,
      ltv_forecast: expect.any(Number),
      segment: expect.stringMatching(/^(low|mid|high) value, (cold|warm|hot)$/),
      churn_risk: probability,
    },
    ['churn_risk', 'lead_score', 'ltv_forecast'],
  ],
  custom: [
    `kind: binary\n${about}target: {${purchases}, horizons: [10d, 30d]}\n`,
    { prediction_10d: probability, prediction_30d: probability, key_factors: texts },
    ['prediction_10d', 'prediction_30d'],
  ],
  classes: [
    'PREDICT next(visit.pages) WITHIN 60d FOR customer EVERY 60d FROM 2023-06-01 UNTIL 2024-06-01',
    {
      prediction: expect.stringMatching(/^[1-9]$/),
      ...Object.fromEntries(Array.from({ length: 9 }, (_, k) => [`probability_${k + 1}`, probability])),
    },
    [],
  ],
};

test.each(Object.entries(kinds))('%s', { timeout: 300_000 }, async (name, [definition, answer, sure]) => {
  const { run } = await trainTask(client, { name, definition });
  const { model_id, version_id } = run;
  const { outputs } = (await client.get(`/v1/api/models/${model_id}/versions/${version_id}`)).body;
  const declared = outputs.map((field: { name: string }) => field.name);
  const known = ['data_coverage', 'data_coverage_share', 'as_of'];
  expect(declared.toSorted()).toEqual([...Object.keys(answer), ...known].toSorted());

  const asked = { customer_id: 'c7', reference_date: '2024-06-30' };
  const reply = await client.post(`/v1/api/prediction/${model_id}/production?include=interval,explanation`, asked);
  expect(reply.body, reply.text).toMatchObject(answer);
  expect(Object.keys(reply.body.interval).sort()).toEqual(sure);
  expect(reply.body.explanation.length > 0).toBe(name !== 'classes');
  for (const [field, interval] of Object.entries(reply.body.interval as Record<string, typeof bounds>)) {
    expect(interval).toEqual(bounds);
    if (field === 'ltv') continue;
    expect(interval.lower).toBeLessThanOrEqual(reply.body[field]);
    expect(interval.upper).toBeGreaterThanOrEqual(reply.body[field]);
  }

  const file = await client.upload(`${name}.csv`, 'customer_id\nc1\nc7\n');
  const batch = await client.post('/v2/api/batches', {
    files: [file],
    model: `${model_id}/production`,
    reference_date: asked.reference_date,
    output_format: 'jsonl',
    include: ['interval'],
  });
  const done = await client.finished(`/v2/api/batches/${batch.body.id}`);
  expect(done.body, done.text).toMatchObject({ status: 'succeeded' });
  const result = await client.get(`/v2/api/batches/${batch.body.id}/result`);
  const text = await (await fetch(result.body.download_url)).text();
  const line = JSON.parse(text.trim().split('\n')[1]) as Record<string, unknown>;
  for (const field of [...Object.keys(answer), 'interval']) {
    const value = reply.body[field];
    expect([field, line[field]]).toEqual([field, typeof value === 'object' ? JSON.stringify(value) : value]);
  }
});
