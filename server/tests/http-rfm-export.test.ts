/** An encoder and a model leave the service as an archive, and answer at home what they answer here. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTable } from '../src/lib/files/read.ts';
import { readExport } from '../src/ml/export/export.ts';
import { openClient, type Reply, startTestService, type Tenant, type TestService } from './service.ts';
import { csv, lastro, returnsTask, shopTables, shopText, writeShop } from './shop.ts';
import { takeIn } from './take-in.ts';
import { defineTask } from './train-task.ts';
import { unzipInto } from './unzip.ts';

const main = join(import.meta.dirname, '..', 'src', 'main.ts');
const preload = join(import.meta.dirname, 'no-network.mjs');
/** Customers are known by numbers of a dictionary, as people and companies are. */
const contract = shopText('contract.yaml').replace(
  '  - name: customers\n    customProperties:\n',
  '  - name: customers\n    customProperties:\n      - property: entityKind\n        value: individual\n',
);
const folder = mkdtempSync(join(tmpdir(), 'lastro-rfm-export-'));
const empty = join(folder, 'empty');
const notes = join(folder, 'outbound.txt');

let service: TestService;
let tenant: Tenant;
let rfmId: string;
let model: { model_id: string; version_id: string };
let exported: string;
let data: string;
let home: { process: ChildProcess; url: string; ask(path: string, body: unknown): Promise<Reply> };

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.tenant('Leaving');
  const { client } = tenant;
  await takeIn(client, contract, shopTables);
  const task = await defineTask(client, returnsTask);
  const runs = [{ entity: 'customers' }, { task_id: task.id, alias: 'production', pretrain: true, feedback: false }];
  const ended = [];
  for (const run of runs) {
    const started = await client.post('/v1/api/training-runs', run);
    ended.push((await client.finished(`/v1/api/training-runs/${started.body.id}`)).body);
  }
  expect(ended).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }]);
  rfmId = ended[0].rfm_version_id;
  model = ended[1];
  exported = await download();
  data = join(writeShop(), 'tables');
  home = await startHome();
});
afterAll(async () => {
  home?.process.kill();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Fetches the archive and unpacks it into an empty folder. */
async function download(): Promise<string> {
  const answer = await fetch(`${service.url}/v1/api/rfm-versions/${rfmId}/export`, {
    headers: { authorization: `Bearer ${tenant.client.key}` },
  });
  expect(answer.headers.get('content-type')).toBe('application/zip');
  const archive = Buffer.from(await answer.arrayBuffer());
  expect(archive.length).toBe(Number(answer.headers.get('content-length')));
  unzipInto(empty, archive);
  expect(readdirSync(empty)).toEqual([rfmId]);
  return join(empty, rfmId);
}

/** What a process of the program may see: the export, the tables, and no network. */
const offline = { cwd: empty, env: { PATH: process.env.PATH, OUTBOUND_NOTES: notes } };

async function startHome(): Promise<typeof home> {
  const args = ['--import', preload, main, 'rfm', 'serve', rfmId, '--data', data, '--port', '0'];
  const child = spawn(process.execPath, args, { ...offline, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  child.stderr!.on('data', (text) => said.push(String(text)));
  const lines = createInterface(child.stdout!);
  const [url] = await Promise.race([
    once(lines, 'line') as Promise<[string]>,
    once(child, 'exit').then(() => {
      throw new Error(said.join(''));
    }),
  ]);
  const client = openClient(url, '');
  return { process: child, url, ask: (path, body) => client.post(path, body) };
}

const asked = [undefined, '2023-03-01', '2023-09-01'];
const keys = [...Array.from({ length: 40 }, (_, i) => `C${i}`), 'nobody'];

/** An answer without what two answers to one question differ in. */
function lasting({ status, body }: Reply): unknown {
  const { prediction_id, generated_at, snapshot_id, as_of, data: records, ...rest } = body;
  const plain = records?.map(({ generated_at, ...record }: { generated_at: string }) => record);
  return { status, ...rest, ...(records && { data: plain }) };
}

test('embeddings at home are those of the service, bit for bit', async () => {
  for (const reference_date of asked) {
    const body = { keys, encoding: 'base64', ...(reference_date && { reference_date }) };
    const own = await home.ask('/v1/api/embeddings', body);
    expect(own.status, own.text).toBe(200);
    expect(lasting(own)).toEqual(lasting(await tenant.client.post('/v1/api/embeddings', body)));
    if (reference_date)
      expect(own.body.as_of).toBe(`2023-0${reference_date[6] === '3' ? '3-02' : '9-02'}T02:59:59.999Z`);
    expect(own.body.data[0]).toMatchObject({ key: 'C0', model_snapshot: rfmId, data_coverage: 'full' });
    expect(own.body.data.at(-1)).toMatchObject({ key: 'nobody', vector: null });
  }
  const near = { key: 'C3', limit: 5, reference_date: '2023-09-01' };
  const found = await home.ask('/v1/api/embeddings/neighbors', near);
  expect(lasting(found)).toEqual(lasting(await tenant.client.post('/v1/api/embeddings/neighbors', near)));
});

test('scores at home are those of the service, with their bounds and reasons', async () => {
  for (const reference_date of asked)
    for (const customer_id of ['C1', 'C3', 'C17', 'nobody']) {
      const body = { customer_id, reference_date: reference_date ?? null, reference_id: 'r' };
      const at = `/v1/api/prediction/${model.model_id}`;
      const path = `${at}/production?include=interval,explanation`;
      let [here, there] = await askBoth(path, body);
      // Ages up to now, as float32, step every few seconds: once between the two is no difference of theirs.
      if (reference_date === undefined && !isDeepStrictEqual(lasting(there), lasting(here)))
        [here, there] = await askBoth(path, body);
      expect(there.status, there.text).toBe(200);
      expect(lasting(there)).toEqual(lasting(here));
      const pinned = await home.ask(`${at}/${model.version_id}`, body);
      expect(pinned.body.prediction).toBe(here.body.prediction);
    }
});

async function askBoth(path: string, body: object): Promise<[here: Reply, there: Reply]> {
  return [await tenant.client.post(path, body), await home.ask(path, body)];
}

test('a vector made at home takes the place of what the model makes of the tables', async () => {
  const { body } = await tenant.client.get(`/v1/api/models/${model.model_id}/versions/${model.version_id}`);
  const names = ['service__internal__customer_embedding', 'service__internal__model_snapshot'] as const;
  const [vectorField, snapshotField] = names.map((name) =>
    body.inputs.find((field: { name: string }) => field.name === name),
  );
  expect(vectorField).toMatchObject({ required: false, format: 'embedding' });
  const [snapshot] = snapshotField.enum;
  expect(readFileSync(join(exported, 'README.md'), 'utf8')).toContain(`\`${snapshot}\`, of`);
  const asked = { keys: ['C3', 'C4'], reference_date: '2023-09-01', rfm_version_id: snapshot, encoding: 'base64' };
  const { data } = (await home.ask('/v1/api/embeddings', asked)).body;
  expect(data).toMatchObject([{ model_snapshot: snapshot }, { model_snapshot: snapshot }]);
  const predict = (inputs: object) =>
    tenant.client.post(`/v1/api/prediction/${model.model_id}/production`, { reference_date: '2023-09-01', ...inputs });
  const [first, second] = data.map(({ vector }: { vector: string }) => ({ [names[0]]: vector, [names[1]]: snapshot }));
  const own = await predict({ customer_id: 'C3' });
  const given = await predict({ customer_id: 'C3', ...first });
  expect(given.status, given.text).toBe(200);
  expect(given.body.prediction).toBeCloseTo(own.body.prediction, 6);
  const other = await predict({ customer_id: 'C3', ...second });
  expect(other.body.prediction).not.toBeCloseTo(own.body.prediction, 6);
  const unknown = await predict({ customer_id: 'nobody', ...first });
  expect(unknown.body).toMatchObject({ data_coverage: 'partial' });
  for (const wrong of [{ [names[0]]: [1, 0] }, { ...first, [names[1]]: rfmId }]) {
    const refused = await predict({ customer_id: 'C3', ...wrong });
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid_input']);
  }
});

test('what the export does not hold is refused as the service refuses it', async () => {
  const refusals = [
    ['/v1/api/embeddings', { keys: ['C1'], entity: 'orders' }, 409, 'no_encoder'],
    ['/v1/api/embeddings', { keys: ['C1'], rfm_version_id: 'rfm_other' }, 404, 'not_found'],
    ['/v1/api/embeddings', { keys: ['C1'], source: 'gfm' }, 409, 'no_encoder'],
    ['/v1/api/embeddings', { keys: ['C1'], reference_date: '2999-01-01' }, 422, 'reference_date_in_future'],
    [`/v1/api/prediction/${'mdl_none'}/production`, { customer_id: 'C1' }, 404, 'not_found'],
    [`/v1/api/prediction/${model.model_id}/production`, {}, 422, 'missing_input'],
    ['/v1/api/training-runs', { entity: 'customers' }, 404, 'route_not_found'],
  ] as const;
  for (const [path, body, status, code] of refusals) {
    const reply = await home.ask(path, body);
    expect([reply.status, reply.body.code], JSON.stringify(body)).toEqual([status, code]);
  }
});

test('a page that reaches this machine under a name of its own is sent away', async () => {
  const asking = request(`${home.url}/v1/api/embeddings`, {
    method: 'POST',
    headers: { host: 'pages.example', 'content-type': 'application/json' },
  });
  asking.end(JSON.stringify({ keys: ['C1'] }));
  const [answer] = await once(asking, 'response');
  expect(answer.statusCode).toBe(403);
  answer.resume();
});

const run = (...args: string[]) =>
  new Promise<{ code: number; said: string }>((resolve) => {
    execFile(
      process.execPath,
      ['--import', preload, main, 'rfm', 'serve', rfmId, '--data', data, ...args],
      offline,
      (error, _, said) => resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, said }),
    );
  });

test('a file is embedded and scored as its rows are asked about', async () => {
  const rows = join(folder, 'rows.csv');
  writeFileSync(
    rows,
    csv('customer_id,reference_date', [
      ['C3', '2023-03-01'],
      ['nobody', '2023-09-01'],
      ['C5', '2023-09-01'],
      ['C6', '2999-01-01'],
    ]),
  );
  const vectors = join(folder, 'vectors.csv');
  const embedded = await run('--in', rows, '--out', vectors);
  expect(embedded.code, embedded.said).toBe(0);
  expect(embedded.said).toContain('3 rows embedded, 1 rejected');
  const lines = readFileSync(vectors, 'utf8').trimEnd().split('\n');
  const { as_of, data } = (
    await home.ask('/v1/api/embeddings', { keys: ['C3'], reference_date: '2023-03-01', encoding: 'base64' })
  ).body;
  const [answer] = data;
  expect(lines[0]).toBe('customer_id,as_of,service__internal__customer_embedding,service__internal__model_snapshot');
  expect(Date.parse(lines[1].split(',')[1])).toBe(Date.parse(as_of));
  expect(lines[1].split(',')[2]).toBe(answer.vector);
  expect(lines[2]).toMatch(/^nobody,[^,]+,,$/);
  const scores = join(folder, 'scores.parquet');
  const scored = await run('--in', rows, '--out', scores, '--model', `${model.model_id}/production`);
  expect(scored.code, scored.said).toBe(0);
  const requests = [
    { name: 'prediction', type: 'number', required: true },
    { name: 'as_of', type: 'timestamp' },
  ] as const;
  const { rows: table } = await readTable([scores], requests, {});
  const asked = { customer_id: 'C5', reference_date: '2023-09-01' };
  const here = await tenant.client.post(`/v1/api/prediction/${model.model_id}/production`, asked);
  const [predicted, moments] = requests.map(({ name }) => (table.columns.get(name) as { values: Float64Array }).values);
  expect(predicted![2]).toBe(here.body.prediction);
  expect(moments![2] / 1000).toBe(Date.parse(here.body.as_of));
});

test('a model that did not come along is refused with those that did', async () => {
  const rows = join(folder, 'rows.csv');
  const { code, said } = await run('--in', rows, '--out', join(folder, 'none.csv'), '--model', 'mdl_none/production');
  expect(code).toBe(2);
  expect(said).toContain(
    `there is no model mdl_none with an alias or version production; here are ${model.model_id}/production`,
  );
});

test('nothing was asked of a network, and what would be is noticed', async () => {
  expect(existsSync(notes) ? readFileSync(notes, 'utf8') : '').toBe('');
  const control = spawn(process.execPath, ['--import', preload, '-e', "fetch('http://192.0.2.1').catch(() => {})"], {
    env: { ...offline.env, OUTBOUND_NOTES: join(folder, 'control.txt') },
  });
  await once(control, 'exit');
  expect(readFileSync(join(folder, 'control.txt'), 'utf8')).toContain('192.0.2.1');
});

test('the export names its files, knows entities by name, and is refused when one is damaged', async () => {
  const { models, modelSnapshot, entity, timeZone } = readExport(exported);
  expect({ modelSnapshot, entity, timeZone }).toEqual({
    modelSnapshot: rfmId,
    entity: 'customers',
    timeZone: 'America/Sao_Paulo',
  });
  expect(models).toMatchObject([{ modelId: model.model_id, versionId: model.version_id, aliases: ['production'] }]);
  const labels = readFileSync(join(models[0].folder, 'labels.bin'), 'utf8');
  expect(labels).toContain('C17');
  const readme = readFileSync(join(exported, 'README.md'), 'utf8');
  expect(readme).toContain(`/v1/api/prediction/${model.model_id}/production`);
  expect(readme).toContain('the model of task returns, opened by');
  const damaged = join(folder, 'damaged');
  cpSync(exported, damaged, { recursive: true });
  appendFileSync(join(damaged, 'rfm', 'encoder.onnx'), 'x');
  const { code, said } = await lastro('rfm', 'serve', damaged, '--data', data);
  expect([code, said]).toEqual([2, expect.stringContaining('encoder.onnx is missing or not what export.json says')]);
});

test('the export is entered in the trail', async () => {
  const { rows } = await service.owner.pool.query(
    `select target_id, data from audit_entries where action = 'rfm-version-export'`,
  );
  expect(rows).toMatchObject([{ target_id: rfmId }]);
});

test('a workspace has two exports at once, and those that are hung up on make room and leave nothing', async () => {
  const headers = { authorization: `Bearer ${tenant.client.key}` };
  const ask = (signal?: AbortSignal) =>
    fetch(`${service.url}/v1/api/rfm-versions/${rfmId}/export`, { headers, ...(signal && { signal }) });
  const answers = await Promise.all([ask(), ask(), ask()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429]);
  for (const answer of answers) await answer.arrayBuffer();
  const stop = new AbortController();
  const left = [ask(stop.signal), ask(stop.signal)];
  while (readdirSync(join(service.service.app.workFolder, 'exports')).length === 0) await nextTurn();
  stop.abort();
  for (const one of left) await expect(one).rejects.toThrow('aborted');
  await expect.poll(async () => (await ask()).status, { timeout: 120_000 }).toBe(200);
  await expect
    .poll(() => readdirSync(join(service.service.app.workFolder, 'exports')), { timeout: 120_000 })
    .toEqual([]);
});
