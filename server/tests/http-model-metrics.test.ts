/** How good a version is, with its curves. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRefusal } from './problems.ts';
import type { Client, TestService } from './service.ts';
import type { World } from './world.ts';
import { startWorlds } from './worlds.ts';

let service: TestService;
let client: Client;
let world: World;
let address: string;

beforeAll(async () => {
  const worlds = await startWorlds();
  ({ service } = worlds);
  ({ world } = worlds.a);
  client = worlds.a.tenant.client;
  address = `/v1/api/models/${world.model}/versions/${world.version}`;
});
afterAll(() => service.close());

test('the metrics are those of the version, and the curves are of the same rows', async () => {
  const { body, status, text } = await client.get(`${address}/metrics`);
  expect(status, text).toBe(200);
  const version = (await client.get(address)).body;
  expect(body).toMatchObject({ model_id: world.model, version_id: world.version });
  const [output] = body.outputs;
  const known = version.metrics.outputs[output.name];
  expect(output).toMatchObject({ value: known.value, naive: known.naive });
  expect(output.folds.length).toBeGreaterThan(0);
  // Which cases were learned from, on which it was measured, and on which of them its probabilities were checked.
  const { days, learned } = output;
  expect([known.days, known.learned]).toEqual([days, learned]);
  expect(learned.rows).toBeGreaterThan(0);
  const ofCases = [learned.days, days, ...(known.checked ? [known.checked] : [])];
  for (const { from, to } of ofCases) {
    expect(from).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(from <= to).toBe(true);
  }
  expect(
    ofCases.map(({ from }) => from),
    'each begins later than the one before',
  ).toEqual(ofCases.map(({ from }) => from).sort());
  const { rows, positives, histogram, thresholds, gains } = output;
  const sum = (list: { rows: number }[]) => list.reduce((total, bin) => total + bin.rows, 0);
  expect([sum(histogram), sum(gains)]).toEqual([rows, rows]);
  expect(histogram).toHaveLength(20);
  expect(gains.at(-1)).toMatchObject({ share: 1, captured: 1, cumulative_lift: 1 });
  expect(thresholds.at(-1)).toMatchObject({ rate: 1, recall: 1, false_positive_rate: 1 });
  expect(thresholds.at(-1).precision).toBeCloseTo(positives / rows, 12);
  for (const { observed, observed_low, observed_high } of output.reliability ?? []) {
    expect(observed_low).toBeLessThanOrEqual(observed);
    expect(observed_high).toBeGreaterThanOrEqual(observed);
  }
  // The area under the points of the ROC curve is close to the metric of all of them.
  const points = [{ false_positive_rate: 0, recall: 0 }, ...thresholds];
  const area = points
    .slice(1)
    .reduce(
      (total, to, i) =>
        total + ((to.false_positive_rate - points[i].false_positive_rate) * (to.recall + points[i].recall)) / 2,
      0,
    );
  expect(Math.abs(area - output.others.auroc)).toBeLessThan(0.02);
});

test('what a version reads is said in the language asked for, or else in that of the workspace', async () => {
  const ask = async (query: string) => {
    const { body, status, text } = await client.get(`${address}/features?limit=200${query}`);
    expect(status, text).toBe(200);
    return body.data as readonly { description: string | null; language: string; code: string | null }[];
  };
  const [en, pt] = [await ask('&language=en'), await ask('&language=pt-BR')];
  const { body: workspace } = await client.get('/v1/api/workspace');
  expect(await ask('')).toEqual(workspace.language === 'en' ? en : pt);
  expect(pt.map((one, at) => ({ ...one, language: 'en', description: en[at].description }))).toEqual(en);
  expect(new Set(pt.map(({ language }) => language))).toEqual(new Set(['pt-BR']));
  expect(pt.some(({ description }) => /nos últimos \d+ dias/.test(description ?? ''))).toBe(true);
  expect(en.some(({ description }) => /in the last \d+ days/.test(description ?? ''))).toBe(true);
  for (const { description } of pt) expect(description).not.toMatch(/\b(of|in the|last|days)\b/);
  expectRefusal(await client.get(`${address}/features?language=fr`), 400, 'invalid_parameter', '/query/language');
});

test('what a version reads that was made with English words alone is said in English', async () => {
  const [feature] = (await client.get(`${address}/features?limit=1&language=en`)).body.data;
  const { language: _, ...stored } = feature;
  await replaceReport(world.spare, { features: [stored] });
  const { body, text } = await client.get(
    `/v1/api/models/${world.model}/versions/${world.spare}/features?language=pt-BR`,
  );
  expect(body.data, text).toEqual([feature]);
});

test('a version that is not there, and one that was made before there were curves, are refused', async () => {
  expectRefusal(await client.get(`/v1/api/models/${world.model}/versions/ver_none/metrics`), 404, 'not_found');
  await replaceReport(world.spare, {
    training_rows: 5,
    outputs: [{ name: 'prediction', metric: 'auroc', trials: [], out_of_fold: null }],
  });
  const old = await client.get(`/v1/api/models/${world.model}/versions/${world.spare}/metrics`);
  expectRefusal(old, 404, 'not_found');
  expect(old.body.detail).toContain('train the model again');
});

/** Gives a version the report of one that was made earlier. */
async function replaceReport(version: string, report: object): Promise<void> {
  const { app } = service.service;
  const { kysely } = service.owner;
  const { storage_prefix: prefix, files } = await kysely
    .selectFrom('model_versions')
    .select(['storage_prefix', 'files'])
    .where('id', '=', version)
    .executeTakeFirstOrThrow();
  const { sha256 } = await app.storage.put(`${prefix}report.json`, Buffer.from(JSON.stringify(report)));
  await kysely
    .updateTable('model_versions')
    .set({ files: JSON.stringify({ ...files, 'report.json': sha256 }) })
    .where('id', '=', version)
    .execute();
}
