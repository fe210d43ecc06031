/**
 * The demo workspace: what its first start makes, how it continues after an interruption, and what each of its models
 * predicts.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, startTestService, type TestService } from '../../tests/service.ts';
import { validatorOf } from '../lib/http/validate.ts';
import { seedDemo } from './seed-demo.ts';

let service: TestService;
let client: Client;
const said: string[] = [];

const readDemo = () => JSON.parse(readFileSync(join(service.folder, 'demo.json'), 'utf8'));
const count = async (table: string) => {
  const { rows } = await service.owner.pool.query(`select count(*)::int as n from ${table}`);
  return rows[0].n as number;
};

beforeAll(async () => {
  service = await startTestService();
  const stop = new AbortController();
  const stopped = seedDemo(
    service.service,
    service.folder,
    (line) => {
      said.push(line);
      if (line.startsWith('fraud is ready')) stop.abort();
    },
    stop.signal,
  );
  await expect(stopped).rejects.toThrow('abort');
  expect(readDemo().models.map(({ name }: { name: string }) => name)).toEqual(['fraud']);
  await seedDemo(service.service, service.folder, (line) => said.push(line));
  client = service.client(readDemo().api_key);
});
afterAll(() => service.close());

// The tables of the other kinds widen the contract, by which those of credit are read anew: an ingestion of its own.
test('credit is told to be ready before any other kind is prepared, and an interruption starts nothing twice', async () => {
  const order = [/^the demo workspace is ready/, /^preparing models/, /^fraud is ready/, /^lead-scoring is ready/];
  const places = order.map((pattern) => said.findIndex((line) => pattern.test(line)));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBeGreaterThanOrEqual(0);
  expect(said.filter((line) => line.startsWith('error'))).toEqual([]);
  expect(await Promise.all(['organizations', 'ingestions', 'tasks', 'training_runs'].map(count))).toEqual([1, 3, 9, 9]);
  const { models } = readDemo();
  const listed = (await client.get('/v1/api/models')).body.data.map(({ id }: { id: string }) => id);
  expect(listed).toEqual(expect.arrayContaining(models.map(({ model_id }: { model_id: string }) => model_id)));
  expect(listed).toHaveLength(9);
});

test('the graph model that comes with the service is released once, and answers who reads it', async () => {
  const { data } = (await client.get('/v1/api/gfm-versions')).body;
  expect(data.map(({ name }: { name: string }) => name)).toEqual(['demo-1']);
  expect(existsSync(join(service.folder, 'demo-gfm'))).toBe(false);
  await client.post(`/v1/api/gfm-versions/${data[0].id}/adoption`, {});
  const asked = await client.post('/v1/api/embeddings', { source: 'gfm', keys: ['nobody'] });
  expect([asked.status, asked.body.data]).toEqual([200, [expect.objectContaining({ key: 'nobody', vector: null })]]);
});

type Check = (value: unknown) => boolean;
const isProbability: Check = (value) => typeof value === 'number' && value >= 0 && value <= 1;
const isAmount: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isWhole =
  (from: number, to: number): Check =>
  (value) =>
    Number.isInteger(value) && (value as number) >= from && (value as number) <= to;
const isOneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    words.includes(value as string);
const areTexts: Check = (value) => Array.isArray(value) && value.every((text) => typeof text === 'string');
const isDay: Check = (value) => value === null || /^\d{4}-\d\d-\d\d$/.test(String(value));
const areFlags: Check = (value) =>
  (value as Flag[]).every(
    ({ kind, hops, since, path, text }) =>
      isOneOf('known_bad_actor', 'suspicious_cluster')(kind) &&
      path.length === hops &&
      path.every(
        ({ entity, relation, date }) => /^C\d+$/.test(entity) && typeof relation === 'string' && isDay(date),
      ) &&
      isDay(since) &&
      typeof text === 'string',
  );
type Flag = {
  kind: string;
  hops: number;
  since: string;
  path: { entity: string; relation: string; date: string }[];
  text: string;
};
const isRange: Check = (value) => /^-?\d+\.\d\d–-?\d+\.\d\d$/.test(String(value));
const bands = ['Exceptional', 'Low Risk', 'Moderate Risk', 'Medium Risk', 'High Risk', 'Very High Risk'];
const segments = ['low', 'mid', 'high'].flatMap((worth) =>
  ['cold', 'warm', 'hot'].map((lead) => `${worth} value, ${lead}`),
);
const products = ['machine', 'payment link', 'advance'];

/** By model of the demo, the heads that it learns, and the fields of its answers as the specification names them. */
const kinds: Readonly<Record<string, { heads: readonly string[]; fields: Readonly<Record<string, Check>> }>> = {
  credit: {
    heads: ['pd_30d', 'pd_60d', 'pd_90d', 'pd_180d', 'pd_365d'],
    fields: {
      score: isWhole(0, 1000),
      ...{ pd_30d: isProbability, pd_60d: isProbability, pd_90d: isProbability, pd_180d: isProbability },
      ...{ pd_365d: isProbability, risk_band: isOneOf(...bands), key_factors: areTexts },
    },
  },
  fraud: {
    heads: ['fraud'],
    fields: { fraud_score: isProbability, risk_factors: areTexts, network_flags: areFlags },
  },
  'lead-scoring': {
    heads: ['conversion', 'value'],
    fields: {
      ...{ conversion_probability: isProbability, ltv_decile: isWhole(1, 10) },
      ...{ ltv_range: isRange, risk_factors: areTexts },
    },
  },
  'field-sales': {
    heads: ['propensity', 'growth'],
    fields: {
      ...{ propensity_score: isProbability, growth_signal: isOneOf('expansion', 'stable', 'contraction') },
      ...{ network_density: isWhole(0, 1e6), risk_factors: areTexts },
    },
  },
  'paid-media': {
    heads: ['lead', 'value', 'churn'],
    fields: {
      ...{ lead_score: isProbability, ltv_forecast: isAmount },
      ...{ segment: isOneOf(...segments), churn_risk: isProbability },
    },
  },
  'next-product': {
    heads: ['prediction'],
    fields: {
      prediction: isOneOf(...products),
      ...Object.fromEntries(products.map((product) => [`probability_${product}`, isProbability])),
    },
  },
  'card-spend': { heads: ['prediction'], fields: { prediction: isAmount, key_factors: areTexts } },
  'new-loan': {
    heads: ['prediction_30d', 'prediction_90d', 'prediction_180d'],
    fields: {
      ...{ prediction_30d: isProbability, prediction_90d: isProbability, prediction_180d: isProbability },
      key_factors: areTexts,
    },
  },
  'late-payer': { heads: ['prediction'], fields: { prediction: isProbability, key_factors: areTexts } },
};

const api = JSON.parse(readFileSync(join(import.meta.dirname, '../../../openapi.json'), 'utf8'));
const answers = api.paths['/v1/api/prediction/{model_id}/{name}'].post.responses['200'].content['application/json'];
/** The schema with the named ones that it refers to in it. */
const whole = (schema: object): object =>
  JSON.parse(JSON.stringify(schema), (_, value) =>
    value?.$ref === undefined ? value : whole(api.components.schemas[value.$ref.split('/').at(-1)]),
  );
const checkAnswer = validatorOf(whole(answers.schema), 'body');
const rowsAsked = 40;
/** The outputs that versions of all kinds declare. */
const ofAll = ['data_coverage', 'data_coverage_share', 'as_of'];

describe.each(Object.entries(kinds))('%s', (name, { heads, fields }) => {
  const model = () => {
    const { model_id, example, models } = readDemo();
    const found = [{ name: 'credit', model_id, example }, ...models].find((one) => one.name === name)!;
    return found as { model_id: string; example: Record<string, string> };
  };
  const check = (row: Record<string, unknown>) => {
    for (const [field, isRight] of Object.entries(fields))
      expect([field, row[field], isRight(row[field])]).toEqual([field, row[field], true]);
  };

  test('declares its fields, and learned a head for each of its answers', async () => {
    const { data } = (await client.get(`/v1/api/models/${model().model_id}/versions`)).body;
    const { body } = await client.get(`/v1/api/models/${model().model_id}/versions/${data[0].version_id}`);
    const declared = body.outputs.map((field: { name: string }) => field.name);
    expect(declared.toSorted()).toEqual([...Object.keys(fields), ...ofAll].toSorted());
    expect(Object.keys(body.metrics.outputs).sort()).toEqual(heads.toSorted());
  });

  test('answers at once and in a batch alike, every field there and as it should be', async () => {
    const { model_id, example } = model();
    const [[key, asked]] = Object.entries(example) as [[string, string]];
    const keys = [
      asked,
      ...keysOf(key)
        .filter((one) => one !== asked)
        .slice(0, rowsAsked - 1),
    ];
    const file = await client.upload(`${name}.csv`, `${[key, ...keys].join('\n')}\n`);
    const reference_date = daysAgo(40);
    const batch = await client.post('/v2/api/batches', {
      ...{ files: [file], model: `${model_id}/production`, reference_date, output_format: 'jsonl' },
    });
    const done = await client.finished(`/v2/api/batches/${batch.body.id}`);
    expect(done.body, done.text).toMatchObject({ status: 'succeeded' });
    const result = await client.get(`/v2/api/batches/${batch.body.id}/result`);
    const text = await (await fetch(result.body.download_url)).text();
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toHaveLength(keys.length);
    for (const [at, one] of keys.slice(0, 3).entries()) {
      const reply = await client.post(`/v1/api/prediction/${model_id}/production`, { [key]: one, reference_date });
      expect(reply.status, reply.text).toBe(200);
      expect(checkAnswer(reply.body)).toEqual({ value: reply.body });
      check(reply.body);
      for (const field of Object.keys(fields)) {
        const value = reply.body[field];
        expect([field, lines[at][field]]).toEqual([field, typeof value === 'object' ? JSON.stringify(value) : value]);
      }
    }
    const isList = (value: unknown) => typeof value === 'string' && value.startsWith('[');
    for (const line of lines)
      check(
        Object.fromEntries(
          Object.entries(line).map(([field, value]) => [field, isList(value) ? JSON.parse(value as string) : value]),
        ),
      );
    const [first] = Object.keys(fields);
    expect(new Set(lines.map((line) => line[first!])).size).toBeGreaterThan(1);
  });
});

test('a member of a ring is told that it is in one, with a way over cards and days', async () => {
  const { model_id, example } = readDemo().models.find(({ name }: { name: string }) => name === 'fraud');
  const { body } = await client.post(`/v1/api/prediction/${model_id}/production`, example);
  const [flag] = body.network_flags as Flag[];
  expect(flag).toMatchObject({ kind: 'suspicious_cluster', text: expect.any(String) });
  expect(flag!.path.at(-1)).toMatchObject({ entity: expect.stringMatching(/^C\d+$/), date: expect.any(String) });
});

test('the calls of the manual work as they are written', async () => {
  const manual = readFileSync(join(import.meta.dirname, '../../../docs/kinds-of-prediction.md'), 'utf8');
  const [, block] = /## On the demo\n[^`]*`[\s\S]*?```\n([\s\S]*?)```/.exec(manual)!;
  const folder = mkdtempSync(join(tmpdir(), 'lastro-manual-'));
  symlinkSync(service.folder, join(folder, 'data'));
  const calls = block!.replaceAll('http://localhost:4000', service.url);
  // The service runs in this process, so the process must not block while the child runs.
  const child = spawn('bash', ['-ec', calls], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  let stdout = '';
  child.stdout.on('data', (block) => {
    stdout += block;
  });
  await once(child, 'close');
  rmSync(folder, { recursive: true });
  expect(stdout).toContain('"network_flags":[{"kind":"suspicious_cluster"');
  expect(stdout).toContain('"ltv_decile":');
});

test('what failed, and a key that was not written down, is made good by the next start', async () => {
  for (const name of ['demo.json', 'demo-key.json']) rmSync(join(service.folder, name));
  await service.owner.pool.query(
    "update training_runs set status = 'failed' where task_id in (select id from tasks where name in ('credit', 'fraud'))",
  );
  await seedDemo(service.service, service.folder, () => {});
  expect(existsSync(join(service.folder, 'demo.json'))).toBe(true);
  expect(readDemo().models).toHaveLength(8);
  expect(await Promise.all(['organizations', 'ingestions', 'tasks', 'training_runs'].map(count))).toEqual([
    1, 3, 9, 11,
  ]);
});

/** Returns the keys in the file of the table whose key is this column. */
function keysOf(column: string): string[] {
  const folder = join(service.folder, 'demo-lender');
  const files: Readonly<Record<string, string>> = {
    legal_document: 'tables/customers.csv',
    card_id: 'lines/tables/cards.csv',
    lead_id: 'lines/tables/leads.csv',
  };
  const lines = readFileSync(join(folder, files[column]), 'utf8').trimEnd().split('\n');
  return lines.slice(1).map((line) => line.split(',')[0]);
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}
