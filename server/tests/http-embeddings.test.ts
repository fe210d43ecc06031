import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseContract } from '../src/ml/contract/parse.ts';
import { loadTables } from '../src/ml/graph/load.ts';
import { openRfm } from '../src/ml/rfm/open.ts';
import type { App } from '../src/resources/app.ts';
import { mappedMax } from '../src/resources/embeddings/map.ts';
import { startTestService, type Tenant, type TestService } from './service.ts';
import { csv, day, shopTables, shopText, writeShop } from './shop.ts';
import { takeIn } from './take-in.ts';
import { listAll, meterAll, totals } from './usage/metered.ts';

let service: TestService;
let tenant: Tenant;
let run: { id: string; rfm_version_id: string; metrics: { heads: readonly unknown[] } };
const folder = mkdtempSync(join(tmpdir(), 'lastro-embeddings-'));
const contract = shopText('contract.yaml');
/** Enough of them that moments are left to evaluate an encoder by. */
const orders = csv(
  'order_id,customer_id,ordered_at,amount',
  Array.from({ length: 40 * 30 }, (_, i) => {
    const [c, n] = [i % 40, Math.floor(i / 40)];
    return [`O${i}`, `C${c}`, day(7 + 30 * n + (c % 20)), (c % 3 === 0 ? 10 : 80) + (i % 17)];
  }),
);

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.tenant('Vectors');
  const { client } = tenant;
  await takeIn(client, contract, { ...shopTables, orders });
  const started = await client.post('/v1/api/training-runs', { entity: 'customers' });
  expect(started.status, started.text).toBe(202);
  const finished = await client.finished(`/v1/api/training-runs/${started.body.id}`);
  expect(finished.body.status, finished.text).toBe('succeeded');
  run = finished.body;
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (body: unknown) => tenant.client.post('/v1/api/embeddings', body);

test('a run pre-trains the encoder of a table and says what it predicts', async () => {
  expect(run).toMatchObject({ entity: 'customers', task_id: null, model_id: null, version_id: null });
  expect(run.metrics.heads.length).toBeGreaterThan(0);
  const { body } = await tenant.client.get(`/v1/api/rfm-versions/${run.rfm_version_id}`);
  expect(body).toMatchObject({ entity: 'customers', number: 1, training_run_id: run.id });
  const listed = await tenant.client.get('/v1/api/rfm-versions?entity=customers');
  expect(listed.body.data).toEqual([body]);
});

test('entities are vectors of length 1, alike in both encodings, null where nobody is known by that key', async () => {
  const asked = { keys: ['C1', 'C2', 'nobody'], reference_date: '2023-09-01' };
  const { body, status, text } = await ask(asked);
  expect(status, text).toBe(200);
  expect(body).toMatchObject({ source: 'rfm', entity: 'customers', as_of: '2023-09-02T02:59:59.999Z' });
  const [first, second, unknown] = body.data;
  expect(first).toMatchObject({
    key: 'C1',
    dimension: 1024,
    model_snapshot: run.rfm_version_id,
    data_coverage: 'full',
  });
  expect(Math.hypot(...first.vector)).toBeCloseTo(1, 5);
  expect(second.vector).not.toEqual(first.vector);
  expect(unknown).toMatchObject({ vector: null, data_coverage: 'none' });
  const packed = (await ask({ ...asked, encoding: 'base64' })).body.data[0].vector;
  expect([...new Float32Array(Uint8Array.from(Buffer.from(packed, 'base64')).buffer)]).toEqual(
    first.vector.map(Math.fround),
  );
});

test('the day asked about decides what is read, and before an entity is known it has no vector', async () => {
  const on = async (reference_date: string) => (await ask({ keys: ['C1'], reference_date })).body.data[0].vector;
  expect(await on('2023-09-01')).not.toEqual(await on('2023-06-01'));
  expect(await on('1990-01-01')).toBeNull();
});

test('they are what the learning core makes of the same files, bit for bit', async () => {
  const { storage } = service.service.app;
  for await (const { key } of storage.list(''))
    if (key.includes('/rfm-versions/'))
      writeFileSync(join(folder, key.split('/').at(-1)!), readFileSync(await storage.localPath(key, null)));
  const { tables } = await loadTables(
    writeShop({ 'tables/orders.csv': orders }),
    parseContract(contract, 'contract.yaml'),
  );
  const rfm = await openRfm(folder, tables);
  const until = Date.parse('2023-09-01T23:59:59.999Z') * 1000 + 999;
  const row = tables.get('customers')!.rowOf.get('C1')!;
  const own = rfm.embed(Int32Array.of(row), Float64Array.of(until));
  const { vector } = (await ask({ keys: ['C1'], reference_date: '2023-09-01', encoding: 'base64' })).body.data[0];
  expect(Buffer.from(own.buffer).toString('base64')).toBe(vector);
});

test('neighbours are those of the highest cosine', async () => {
  const reference_date = '2023-09-01';
  const keys = Array.from({ length: 40 }, (_, i) => `C${i}`);
  const all = (await ask({ keys, reference_date })).body.data as { key: string; vector: number[] | null }[];
  const known = all.filter(({ vector }) => vector !== null) as { key: string; vector: number[] }[];
  const [{ key, vector }] = known;
  const found = await tenant.client.post('/v1/api/embeddings/neighbors', { key, limit: 5, reference_date });
  expect(found.status, found.text).toBe(200);
  const similarity = (other: number[]) => other.reduce((sum, value, k) => sum + value * vector[k], 0);
  const best = known
    .filter((one) => one.key !== key)
    .map((one) => similarity(one.vector))
    .sort((a, b) => b - a);
  const shown = found.body.data as { key: string; similarity: number }[];
  expect(shown).toHaveLength(5);
  shown.forEach((one, k) => {
    expect(one.similarity).toBeGreaterThan(best[k] - 1e-4);
  });
  const same = await tenant.client.post('/v1/api/embeddings/neighbors', { vector, limit: 1, reference_date });
  expect(same.body.data[0]).toMatchObject({ key, similarity: expect.closeTo(1, 4) });
});

test('a map shows who is known by then in two dimensions, the same each time, and like its vectors', async () => {
  const reference_date = '2023-09-01';
  const map = async (query = '') => {
    const { body, status, text } = await tenant.client.get(
      `/v1/api/embeddings/map?reference_date=${reference_date}${query}`,
    );
    expect(status, text).toBe(200);
    return body as { entities: number; explained: number[]; data: { key: string; x: number; y: number }[] };
  };
  const { entities, explained, data } = await map();
  expect(data).toHaveLength(entities);
  const keys = data.map(({ key }) => key);
  const all = (await ask({ keys, reference_date })).body.data as { vector: number[] | null }[];
  expect(all.every(({ vector }) => vector !== null)).toBe(true);
  // The share of the spread that is shown is that of the distances between all.
  const spread = (of: (i: number) => readonly number[]) => {
    const width = of(0).length;
    const mean = Array.from(
      { length: width },
      (_, k) => keys.reduce((sum, _key, i) => sum + of(i)[k], 0) / keys.length,
    );
    return keys.reduce((sum, _key, i) => sum + of(i).reduce((own, value, k) => own + (value - mean[k]) ** 2, 0), 0);
  };
  const shown = spread((i) => [data[i].x, data[i].y]) / spread((i) => all[i].vector!);
  expect(shown).toBeCloseTo(explained[0] + explained[1], 3);
  expect((await map()).data).toEqual(data);
  const few = await map('&limit=5');
  expect([few.entities, few.data.length]).toEqual([entities, 5]);
  expect(keys).toEqual(expect.arrayContaining(few.data.map(({ key }) => key)));
  const none = await tenant.client.get('/v1/api/embeddings/map?reference_date=1990-01-01');
  expect(none.body, none.text).toMatchObject({ entities: 0, explained: [0, 0], data: [] });
});

test('a map is refused for what is not there, or too much, by its name', async () => {
  const get = (query: string) => tenant.client.get(`/v1/api/embeddings/map?${query}`);
  const codes = [
    ['rfm_version_id=rfm_none', 'not_found'],
    ['entity=orders', 'no_encoder'],
    ['reference_date=soon', 'invalid_input'],
    [`limit=${mappedMax + 1}`, 'invalid_parameter'],
  ];
  for (const [query, code] of codes) expect((await get(query)).body.code, query).toBe(code);
  expect((await get(`limit=${mappedMax}`)).status).toBe(200);
});

test('each entity asked about is metered, known or not, a search for neighbours is one, and a refusal is none', async () => {
  await meterAll(service);
  const { embeddings: before = 0 } = await totals(tenant.client);
  const asked = await ask({ keys: ['C1', 'C2', 'nobody'] });
  expect(asked.status, asked.text).toBe(200);
  const near = await tenant.client.post('/v1/api/embeddings/neighbors', { key: 'C1', limit: 5 });
  expect(near.status, near.text).toBe(200);
  expect((await ask({ keys: [] })).status).toBe(422);
  expect((await (await tenant.as('member')).post('/v1/api/embeddings', { keys: ['C1'] })).status).toBe(403);
  await meterAll(service);
  expect((await totals(tenant.client)).embeddings).toBe(before + 4);
  const [one, three] = await listAll(tenant.client, '/v1/api/usage-records?meter=embeddings');
  for (const [record, reply, quantity] of [[one, near, 1] as const, [three, asked, 3] as const])
    expect(record).toMatchObject({
      ...{ meter: 'embeddings', quantity, version_id: run.rfm_version_id, channel: 'api' },
      ...{ request_id: reply.headers.get('request-id'), target: { type: 'rfm_version', id: run.rfm_version_id } },
    });
});

test('what cannot be asked is refused by name', async () => {
  const refusals = [
    ['/v1/api/embeddings', { keys: [] }, 422, 'schema_mismatch'],
    ['/v1/api/embeddings', { keys: ['C1'], entity: 'orders' }, 409, 'no_encoder'],
    ['/v1/api/embeddings', { keys: ['C1'], reference_date: '2999-01-01' }, 422, 'reference_date_in_future'],
    ['/v1/api/embeddings/neighbors', { key: 'nobody' }, 404, 'not_found'],
    ['/v1/api/embeddings/neighbors', {}, 422, 'invalid'],
    ['/v1/api/training-runs', {}, 422, 'invalid'],
    ['/v1/api/training-runs', { entity: 'nothing' }, 422, 'invalid'],
    ['/v1/api/training-runs', { entity: 'customers', alias: 'production' }, 422, 'invalid'],
  ] as const;
  for (const [path, body, status, code] of refusals) {
    const reply = await tenant.client.post(path, body);
    expect([reply.status, reply.body.code], JSON.stringify(body)).toEqual([status, code]);
  }
});

test('a second workspace has none of it', async () => {
  const other = await service.tenant('Elsewhere');
  const reply = await other.client.post('/v1/api/embeddings', { keys: ['C1'], rfm_version_id: run.rfm_version_id });
  expect([reply.status, reply.body.code]).toEqual([404, 'not_found']);
  expect((await other.client.get(`/v1/api/rfm-versions/${run.rfm_version_id}`)).status).toBe(404);
});

test('a run fine-tunes the newest encoder of its table on its labels, and the version that follows names it', async () => {
  const { client } = tenant;
  const parent = run.rfm_version_id;
  const definition = 'PREDICT sum(orders.amount) WITHIN 30d FOR customers EVERY 60d';
  const task = await client.post('/v1/api/tasks', { name: 'orders-again', definition });
  const quiet = await client.post('/v1/api/training-runs', { task_id: task.body.id, feedback: false });
  expect((await client.finished(`/v1/api/training-runs/${quiet.body.id}`)).body).toMatchObject({
    status: 'succeeded',
    feedback: false,
    rfm_version_id: null,
  });
  const { app } = service.service;
  const compute = app.compute!;
  const fractions: Record<string, number[]> = { train: [], fineTuneEncoder: [] };
  const watched = {
    ...compute,
    run(task: { name: string }, options: { onProgress(told: { fraction: number }): void }) {
      const onProgress = (told: { fraction: number }) => {
        fractions[task.name].push(told.fraction);
        options.onProgress(told);
      };
      return compute.run(task as never, { ...options, onProgress } as never);
    },
  } as unknown as App['compute'];
  Object.assign(app, { compute: watched });
  const started = await client.post('/v1/api/training-runs', { task_id: task.body.id });
  expect(started.status, started.text).toBe(202);
  const path = `/v1/api/training-runs/${started.body.id}`;
  const shown = new Set<number>();
  for (let now = 'running'; ['queued', 'running'].includes(now); await sleep(20)) {
    const { fraction, phase, status } = (await client.get(path)).body;
    if (phase?.startsWith('encoder: ')) shown.add(fraction);
    now = status;
  }
  const { body, text } = await client.finished(path);
  Object.assign(app, { compute });
  // The model is not all there is to do: teaching has a share of the run, and goes on through it.
  expect(shown.size).toBeGreaterThan(1);
  expect(Math.min(...shown)).toBeCloseTo(0.8, 1);
  for (const told of Object.values(fractions)) {
    expect(new Set(told).size).toBeGreaterThan(3);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
  }
  expect(body, text).toMatchObject({ status: 'succeeded', feedback: true });
  expect(body.version_id).not.toBeNull();
  const { feedback } = body.metrics;
  expect(feedback, text).toMatchObject({ parent_id: parent, task: 'orders-again', accepted: true });
  expect(feedback.heads.length).toBeGreaterThan(0);
  const versions = (await client.get('/v1/api/rfm-versions?entity=customers')).body.data;
  expect(versions.map((version: { parent_id: string | null }) => version.parent_id)).toEqual([parent, null]);
  expect(versions[0]).toMatchObject({ id: body.rfm_version_id, number: 2, training_run_id: body.id });
  const after = await client.post('/v1/api/embeddings', { keys: ['C1'], reference_date: '2023-09-01' });
  expect(after.body.data[0].model_snapshot).toBe(body.rfm_version_id);
});

test('only labels of rows that have an encoder are taught', async () => {
  const { client } = tenant;
  const asked = await client.post('/v1/api/training-runs', { entity: 'customers', feedback: true });
  expect([asked.status, asked.body.code], asked.text).toEqual([422, 'invalid']);
  const train = await client.upload('train.csv', 'date,order_id,label\n2023-01-01,O1,1\n');
  const definition = 'entity: orders\nkey: order_id\nlabel: label\nkind: binary\n';
  const task = await client.post('/v1/api/tasks', { name: 'of-orders', definition, labels: { train } });
  expect(task.status, task.text).toBe(201);
  const refused = await client.post('/v1/api/training-runs', { task_id: task.body.id, feedback: true });
  expect([refused.status, refused.body.code], refused.text).toEqual([409, 'no_encoder']);
});
