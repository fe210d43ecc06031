/** Models that read the GFM version that their workspace had adopted: trained, served in real time and in batches. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { draws, sampleContract, sampleRows } from '../../../tests/samples.ts';
import { startTestService, type Tenant, type TestService } from '../../../tests/service.ts';
import { csv } from '../../../tests/shop.ts';
import { dayAt, sampleStore, sectorsOf } from '../../../tests/support/samples/gfm.ts';
import { releaseTwo } from '../../../tests/support/samples/gfm-versions.ts';
import { takeIn } from '../../../tests/take-in.ts';
import { defineTask } from '../../../tests/train-task.ts';
import { system, tenant as tenantDoor } from '../../access/transactions.ts';
import { writeContract } from '../../ml/contract/write.ts';
import { openGraphModel } from '../../ml/gfm-link/reading.ts';
import { openVersion } from '../../ml/inference/predict.ts';
import { openTables } from '../../ml/lake/open.ts';
import { placeVersion } from '../../serving/place-version.ts';
import { openServing } from '../../serving/serving.ts';
import { currentIdentifiers, currentSnapshot } from '../../serving/snapshot.ts';
import { gfmFolder } from '../gfm-versions/publish.ts';
import { createRun } from './create.ts';
import { trainRun } from './train.ts';

const canary = 'canary5b1d2';
const companies = 300;
const days = 600;
const store = sampleStore({ companies });
const dateOf = (day: number) => new Date(dayAt(day) / 1000).toISOString().slice(0, 10);

/** Companies of some sectors leave and pay late. Only the graph knows the sectors. */
const sectors = sectorsOf(store);
const leaves = Array.from(sectors.codes, (code) => ['s0', 's1'].includes(sectors.dictionary[code]));

const contract = sampleContract([
  {
    name: 'client',
    key: 'document',
    entityKind: 'company',
    columns: { document: { type: 'string', graphKey: true }, size: 'number', note: 'string' },
  },
  {
    name: 'invoice',
    key: 'invoice_id',
    time: 'issued',
    references: { client: 'client' },
    columns: { invoice_id: 'string', issued: 'date', client: 'string', total: 'number' },
  },
  { name: 'branch', key: 'branch_id', columns: { branch_id: 'string' } },
]);

const draw = draws(6);
const asked = Array.from({ length: companies }, (_, c) => ({ c, day: days + Math.floor((300 * c) / companies) }));
const labelOf = (c: number) => Number(draw.next() < (leaves[c] ? 0.9 : 0.1));
const files = {
  client: csv('document,size,note', [
    ...Array.from({ length: companies }, (_, c) => [`c${c}`, draw.next(), canary]),
    [`${canary}-nobody`, 1, canary],
  ]),
  invoice: csv(
    'invoice_id,issued,client,total',
    asked.map(({ c, day }) => [`i${c}`, dateOf(day), `c${c}`, draw.between(1, 99)]),
  ),
};
const task = (entity: string, key: string, window: string) =>
  `entity: ${entity}\nkey: ${key}\ntime: date\nlabel: bad\nkind: binary\nmetric: auroc\n${window}`;
const tasks = {
  leaves: {
    definition: task('client', 'document', 'window: 30d\n'),
    labels: csv(
      'date,document,bad',
      asked.map(({ c, day }) => [dateOf(day), `c${c}`, labelOf(c)]),
    ),
  },
  late: {
    definition: task('invoice', 'invoice_id', ''),
    labels: csv(
      'date,invoice_id,bad',
      asked.map(({ c, day }) => [dateOf(day), `i${c}`, labelOf(c)]),
    ),
  },
};
type Name = keyof typeof tasks;

const folder = mkdtempSync(join(tmpdir(), 'lastro-graph-model-'));
let service: TestService;
let tenant: Tenant;
/** The released versions, by name. */
let gfms: Awaited<ReturnType<typeof releaseTwo>>;
const taskIds: Record<string, string> = {};

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.tenant('Reader', { timeZone: 'UTC' });
  gfms = await releaseTwo(service.service.app, store, folder);
  await takeIn(tenant.client, writeContract(contract), files);
  for (const [name, { definition, labels }] of Object.entries(tasks))
    taskIds[name] = (await defineTask(tenant.client, { name, definition, labels: { train: labels } })).id;
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const post = (path: string, body: object) => tenant.client.post(path, body);

async function adopt(name: 'one' | 'two'): Promise<void> {
  const adopted = await post(`/v1/api/gfm-versions/${gfms[name]}/adoption`, {});
  expect(adopted.status, adopted.text).toBe(200);
}

async function train(name: Name, options: object = {}) {
  const run = await post('/v1/api/training-runs', { task_id: taskIds[name], ...options });
  expect(run.status, run.text).toBe(202);
  const trained = await tenant.client.finished(`/v1/api/training-runs/${run.body.id}`);
  expect(trained.body, trained.text).toMatchObject({ status: 'succeeded' });
  return trained.body;
}

/** Starts a run and interrupts it. Returns the GFM version that the run pins. */
async function asksFor(body: object): Promise<string | null> {
  const run = await post('/v1/api/training-runs', body);
  expect(run.status, run.text).toBe(202);
  await post(`/v1/api/training-runs/${run.body.id}/interrupt`, {});
  return run.body.gfm_version_id;
}

const aboutVersion = async ({ model_id, version_id }: { model_id: string; version_id: string }) =>
  (await tenant.client.get(`/v1/api/models/${model_id}/versions/${version_id}`)).body;

/** Returns the files of a version with their SHA-256, and their storage prefix. */
const filesOf = async (id: string) =>
  await tenantDoor(service.service.app.db, tenant.ctx, (tx) =>
    tx.selectFrom('model_versions').select(['files', 'storage_prefix']).where('id', '=', id).executeTakeFirstOrThrow(),
  );

/** The rows to predict for each model. The first is about a client that no graph knows. */
const day = dateOf(900);
const questions: Record<Name, readonly Readonly<Record<string, string | number>>[]> = {
  leaves: [`${canary}-nobody`, 'c1', 'c2', 'c3', 'c4'].map((document) => ({ document, reference_date: day })),
  late: [`${canary}-nobody`, 'c1', 'c2', 'c3', 'c4'].map((client, at) => ({
    ...{ invoice_id: `new${at}`, issued: day, client, total: 10 + at },
  })),
};

const live = async ({ model_id, version_id }: { model_id: string; version_id: string }, name: Name) =>
  Promise.all(
    questions[name].map(async (row) => {
      const answer = await post(`/v1/api/prediction/${model_id}/${version_id}`, row);
      expect(answer.status, answer.text).toBe(200);
      return answer.body.prediction as number;
    }),
  );

async function inBatch({ model_id, version_id }: { model_id: string; version_id: string }, name: Name) {
  const columns = Object.keys(questions[name][0]);
  const text = csv(
    columns.join(','),
    questions[name].map((row) => columns.map((column) => row[column])),
  );
  const file = await tenant.client.upload(`${name}-asked.csv`, text);
  const batch = await post('/v2/api/batches', {
    ...{ files: [file], model: `${model_id}/${version_id}`, output_format: 'jsonl' },
  });
  const done = await tenant.client.finished(`/v2/api/batches/${batch.body.id}`);
  expect(done.body, done.text).toMatchObject({ status: 'succeeded' });
  const result = await tenant.client.get(`/v2/api/batches/${batch.body.id}/result`);
  const lines = (await (await fetch(result.body.download_url)).text()).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line).prediction as number);
}

/** Returns the predictions of `ml` on the same data, with the published folder of the graph model. */
async function inCore(versionId: string, name: Name, gfm: 'one' | 'two'): Promise<number[]> {
  const { app } = service.service;
  const { files: kept, storage_prefix: prefix } = await filesOf(versionId);
  const place = await placeVersion(app.storage, folder, versionId, { prefix, files: kept });
  const { snapshot, names } = await tenantDoor(app.db, tenant.ctx, async (tx) => ({
    snapshot: (await currentSnapshot(tx, tenant.ctx))!,
    names: await currentIdentifiers(tx, tenant.ctx),
  }));
  const tables = await openTables(
    await app.storage.localPath(snapshot.frozen_key, null),
    names && (await app.storage.localPath(names, null)),
  );
  const version = await openVersion(place, tables, { model: await openGraphModel(join(folder, gfm)) });
  const table = contract.tables.find((one) => one.name === (name === 'leaves' ? 'client' : 'invoice'))!;
  const rows = sampleRows(
    table,
    questions[name].map(({ issued, ...row }) => ({ ...row, ...(issued ? { issued: Date.parse(day) * 1000 } : {}) })),
  );
  const moment = name === 'leaves' ? dayAt(901) - 1 : Date.now() * 1000;
  const answer = version.predict(rows, { asOf: moment, dataUntil: moment, factors: 0, language: 'en' });
  version.close();
  const said = answer.columns.get('prediction');
  return said?.kind === 'number' ? [...said.values] : [];
}

test('before a version is adopted nothing is read of any, and asking for it is refused', async () => {
  const refused = await post('/v1/api/training-runs', { task_id: taskIds.leaves, gfm: 'adopted' });
  expect([refused.status, refused.body.code]).toEqual([409, 'no_encoder']);
  expect(await asksFor({ task_id: taskIds.leaves })).toBeNull();
  expect(await asksFor({ entity: 'client' })).toBeNull();
});

test.each(['leaves', 'late'] as const)(
  '%s: what only the graph knows is learned, and batch, real time and core answer alike',
  async (name) => {
    await adopt('one');
    const trained = await train(name, { gfm: 'adopted' });
    expect(trained.gfm_version_id).toBe(gfms.one);
    const version = await aboutVersion(trained);
    expect(version).toMatchObject({
      gfm_version_id: gfms.one,
      metrics: {
        gfm: {
          ...{ gfm_version_id: gfms.one, is_read: true, linked_by: 'client.document' },
          ...{ rows: companies + 1, known_rows: companies },
        },
      },
    });
    const { read, unread } = version.metrics.outputs.prediction.graph;
    expect(read).toBeGreaterThan(unread + 0.1);
    const here = await live(trained, name);
    expect(new Set(here).size).toBeGreaterThan(2);
    expect(await inBatch(trained, name)).toEqual(here);
    expect(await inCore(trained.version_id, name, 'one')).toEqual(here);
    // The predictions do not depend on the version adopted later, nor on the process that opens the model.
    await adopt('two');
    const { app } = service.service;
    const serving = openServing(app.db, app.storage, join(folder, `serving-${name}`), 1_000);
    const opened = await serving.use(
      tenant.ctx,
      { model: trained.model_id, name: trained.version_id },
      async ({ opened }) => opened.inputs.map((field) => field.name),
    );
    await serving.close();
    expect(opened).toContain(name === 'leaves' ? 'document' : 'client');
    expect(await live(trained, name)).toEqual(here);
    expect(await inBatch(trained, name)).toEqual(here);
    await expect(inCore(trained.version_id, name, 'two')).rejects.toThrow(/was given two@/);
  },
  120_000,
);

test('a run reads what was adopted when it was asked for, and repeated it makes the same bytes', async () => {
  const { app } = service.service;
  await adopt('two');
  const silent = { ...app, queue: { ...app.queue, send: async () => {} } };
  const queued: string[] = [];
  for (let times = 0; times < 2; times++) {
    const { body } = await createRun(silent, tenant.ctx, { task_id: taskIds.leaves! });
    queued.push((body as { id: string }).id);
  }
  await adopt('one');
  const [first, second] = queued as [string, string];
  const work = (id: string) =>
    trainRun(app, { id, workspace_id: tenant.ctx.workspaceId }, new AbortController().signal);
  // A worker that was taken for dead continues while another runs the same job.
  await Promise.all([work(first), work(first)]);
  await work(second);
  await work(second);
  const made = [];
  for (const id of queued) {
    const { body } = await tenant.client.get(`/v1/api/training-runs/${id}`);
    expect(body).toMatchObject({ status: 'succeeded', gfm_version_id: gfms.two });
    expect(await aboutVersion(body)).toMatchObject({ gfm_version_id: gfms.two });
    made.push(await filesOf(body.version_id));
  }
  expect(made[0].files).toEqual(made[1].files);
  const versions = await system(app.db, 'test', (tx) =>
    tx.selectFrom('model_versions').select('id').where('training_run_id', 'in', queued).execute(),
  );
  expect(versions.length).toBe(2);
});

test('a run may go without it, and one that nothing links to a graph does', async () => {
  expect(await asksFor({ task_id: taskIds.leaves })).toBe(gfms.one);
  expect(await asksFor({ task_id: taskIds.leaves, gfm: 'none' })).toBeNull();
  expect(await asksFor({ entity: 'client' })).toBe(gfms.one);
  expect(await asksFor({ entity: 'invoice' })).toBe(gfms.one);
  expect(await asksFor({ entity: 'branch' })).toBeNull();
  const definition = task('branch', 'branch_id', 'window: 30d\n');
  const labels = { train: csv('date,branch_id,bad', [[day, 'b1', 1]]) };
  const { id } = await defineTask(tenant.client, { name: 'branches', definition, labels });
  const refused = await post('/v1/api/training-runs', { task_id: id, gfm: 'adopted' });
  expect([refused.status, refused.body.code], refused.text).toEqual([422, 'invalid']);
  expect(refused.body.detail).toContain('nothing links branch to a graph');
  expect(await asksFor({ task_id: id })).toBeNull();
});

test('of a graph that knows none of the rows nothing is read, and the run says so', async () => {
  const { client } = await service.tenant('Stranger', { timeZone: 'UTC' });
  const rows = Array.from({ length: 80 }, (_, c) => ({ c, size: draw.next() }));
  const table = csv(
    'document,size,note',
    rows.map(({ c, size }) => [`x${c}`, size, '']),
  );
  await takeIn(client, writeContract(contract), { client: table });
  const train = csv(
    'date,document,bad',
    rows.map(({ c, size }) => [dateOf(600 + c), `x${c}`, Number(size > 0.5)]),
  );
  const { definition } = tasks.leaves;
  const strange = await defineTask(client, { name: 'strange', definition, labels: { train } });
  await client.post(`/v1/api/gfm-versions/${gfms.one}/adoption`);
  const run = await client.post('/v1/api/training-runs', { task_id: strange.id, gfm: 'adopted' });
  const { body, text } = await client.finished(`/v1/api/training-runs/${run.body.id}`);
  expect(body, text).toMatchObject({ status: 'succeeded', metrics: { gfm: { is_read: false, known_rows: 0 } } });
  expect(body.warnings).toContainEqual({
    code: 'data',
    message: expect.stringContaining('knows none of the 80 rows of client by their document'),
  });
  const version = await client.get(`/v1/api/models/${body.model_id}/versions/${body.version_id}`);
  expect(version.body.gfm_version_id).toBeNull();
});

test('an encoder that is composed with no graph, since it knows none of the rows, says so too', async () => {
  const { client } = await service.tenant('Strange encoder', { timeZone: 'UTC' });
  const clients = Array.from({ length: 60 }, (_, c) => `x${c}`);
  const invoices = Array.from({ length: 600 }, (_, i) => [`i${i}`, dateOf(i), `x${i % 60}`, draw.between(1, 99)]);
  await takeIn(client, writeContract(contract), {
    client: csv(
      'document,size,note',
      clients.map((document) => [document, draw.next(), '']),
    ),
    invoice: csv('invoice_id,issued,client,total', invoices),
  });
  await client.post(`/v1/api/gfm-versions/${gfms.one}/adoption`);
  const run = await client.post('/v1/api/training-runs', { entity: 'client' });
  expect(run.body.gfm_version_id).toBe(gfms.one);
  const { body, text } = await client.finished(`/v1/api/training-runs/${run.body.id}`);
  const gfm = { gfm_version_id: gfms.one, is_read: false, linked_by: 'client.document', rows: 60, known_rows: 0 };
  expect(body, text).toMatchObject({ status: 'succeeded', metrics: { gfm } });
  expect(body.warnings).toEqual([
    { code: 'data', message: expect.stringContaining('knows none of the 60 rows of client') },
  ]);
  expect((await client.get(`/v1/api/rfm-versions/${body.rfm_version_id}`)).body.gfm_version_id).toBeNull();
});

test('nothing of the workspace is in the graph model, or anywhere outside of its own folder', async () => {
  const all = readdirSync(service.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = all.map((entry) => join(entry.parentPath, entry.name));
  const own = paths.filter((path) => path.includes(tenant.ctx.workspaceId));
  const foreign = paths.filter((path) => !path.includes(tenant.ctx.workspaceId));
  expect(own.some((path) => readFileSync(path).includes(canary))).toBe(true);
  for (const path of foreign) expect(readFileSync(path).includes(canary), path).toBe(false);
  for (const name of ['one', 'two'] as const) {
    const { files } = JSON.parse(readFileSync(join(folder, name, 'manifest.json'), 'utf8'));
    for (const [file, sha256] of Object.entries(files)) {
      const kept = await service.service.app.storage.localPath(`${gfmFolder}${gfms[name]}/${file}`, null);
      expect(createHash('sha256').update(readFileSync(kept)).digest('hex')).toBe(sha256);
    }
  }
});
