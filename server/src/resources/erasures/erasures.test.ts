import { createHash } from 'node:crypto';
import { createReadStream, readlinkSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type Tenant, type TestService } from '../../../tests/service.ts';
import { csv, customerRows, orderRows, returnsTask, shopTables, shopText } from '../../../tests/shop.ts';
import { takeIn } from '../../../tests/take-in.ts';
import { trainTask } from '../../../tests/train-task.ts';
import * as transactions from '../../access/transactions.ts';
import { workspaceContext } from '../../access/workspace-context.ts';
import { Failure } from '../../lib/failure.ts';
import { readManifest } from '../../ml/lake/manifest.ts';
import { openServing } from '../../serving/serving.ts';
import { currentIdentifiers, requireSnapshot } from '../../serving/snapshot.ts';
import type { App } from '../app.ts';
import { updateBatch } from '../batches/sql.ts';
import { startBatch } from '../batches/start.ts';
import { partsFolder } from '../batches/storage-key.ts';
import { insertUnits } from '../batches/work/sql.ts';
import { createEvaluation } from '../evaluations/create.ts';
import { identifiersKey, partKey } from '../ingestions/storage-key.ts';
import { sweep } from '../maintenance/sweep.ts';
import { createTask } from '../tasks/create.ts';
import { createErasure } from './create.ts';
import { nameOf, piecesOf, takeInventory } from './look.ts';
import { runErasure } from './run.ts';
import { swap } from './swap.ts';

let service: TestService;
let tenant: Tenant;
let modelId: string;
let taskId: string;

/** A name long enough to be unique in stored bytes. */
const person = 'person-to-be-forgotten-7f3a';
const named = (id: string | number | undefined) => (id === 'C1' ? person : id);
const contract = shopText('contract.yaml');
const contractWithPeople = contract.replace(
  '        value: since\n',
  '        value: since\n      - property: entityKind\n        value: individual\n',
);
const customers = csv(
  'customer_id,segment,since',
  customerRows.map(([id, ...rest]) => [named(id)!, ...rest]),
);
const orders = csv(
  'order_id,customer_id,ordered_at,amount',
  orderRows.map(([order, id, ...rest]) => [order, named(id)!, ...rest]),
);

const ingest = ({ client }: Tenant, document: string, mode: 'append' | 'replace', tables = { customers, orders }) =>
  takeIn(client, document, tables, mode);

async function erase({ client }: Tenant) {
  const asked = await client.post('/v1/api/erasures', { identifier: person });
  expect(asked.status, asked.text).toBe(202);
  expect(asked.text).not.toContain(person);
  return client.finished(`/v1/api/erasures/${asked.body.id}`);
}

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.tenant('Forgetful');
  const { client } = tenant;
  await ingest(tenant, contractWithPeople, 'append');
  const train = returnsTask.labels.train.replaceAll(',C1,', `,${person},`);
  const { task, run } = await trainTask(client, { ...returnsTask, labels: { train } });
  modelId = run.model_id;
  taskId = task.id;
});
afterAll(() => service.close());

async function ask(customer: string) {
  const reply = await tenant.client.post(`/v1/api/prediction/${modelId}/production`, {
    customer_id: customer,
    reference_date: '2023-09-01',
  });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

async function objectsNaming(name: string, { ctx }: Tenant): Promise<string[]> {
  const { storage } = service.service.app;
  const found = [];
  for await (const { key } of storage.list('')) {
    if (key.split('/')[1] !== ctx.workspaceId) continue;
    const chunks: Buffer[] = [];
    for await (const chunk of createReadStream(await storage.localPath(key, null))) chunks.push(chunk as Buffer);
    if (Buffer.concat(chunks).includes(name)) found.push(key.split('/')[2]);
  }
  return found.sort();
}

test('forgets one, and answers about the others stay as they were', async () => {
  const { client } = tenant;
  const before = { person: await ask(person), other: await ask('C2') };
  const replay = (id: string) => client.post(`/v1/api/predictions/${id}/replay`);
  expect(before.person.data_coverage).toBe('full');
  // The answer about somebody else may tell the name, as that of a company on the way to a known bad actor.
  const { prediction_id: teller } = await ask('C3');
  const flags = JSON.stringify({ network_flags: [{ kind: 'known_bad_actor', path: [{ entity: { key: person } }] }] });
  await service.owner.pool.query('update predictions set outputs = outputs || $1 where id = $2', [flags, teller]);
  // Tables, snapshots and models hold numbers: only the uploaded files and the dictionary contain the name.
  expect(new Set(await objectsNaming(person, tenant))).toEqual(new Set(['files', 'identifiers']));

  const done = await erase(tenant);
  expect(done.body, done.text).toMatchObject({ status: 'succeeded', erased: { identifiers: 1, predictions: 2 } });
  expect(done.body.erased.files).toHaveLength(2);
  expect(done.body.erased.label_files).toHaveLength(1);

  expect(await objectsNaming(person, tenant)).toEqual([]);
  const { rows } = await service.owner.pool.query('select 1 from predictions as p where p::text like $1', [
    `%${person}%`,
  ]);
  expect(rows).toEqual([]);
  const about = await client.get(`/v1/api/predictions?entity=customers&key=${person}`);
  expect(about.body.data, about.text).toEqual([]);
  expect((await client.get(`/v1/api/entities?table=customers&query=${person}`)).body.data).toEqual([]);
  expect((await client.get(`/v1/api/predictions/${before.person.prediction_id}`)).body).toMatchObject({
    code: 'entity_erased',
    status: 410,
  });
  const replayed = await replay(before.person.prediction_id);
  expect(replayed.body).toMatchObject({ code: 'entity_erased', status: 410 });
  expect(replayed.body.detail).toMatch(/^what was asked about was erased on request, at \d{4}-/);
  expect((await replay(teller)).body).toMatchObject({ code: 'entity_erased', status: 410 });
  // Answers about others are given again to the byte, over the same snapshot without the name.
  const same = await replay(before.other.prediction_id);
  expect(same.body, same.text).toMatchObject({ bit_identical: true, outputs: before.other });
  expect((await ask(person)).data_coverage).toBe('none');
  const after = await ask('C2');
  for (const name of ['prediction', 'key_factors', 'data_coverage', 'version_id'])
    expect(after[name], name).toEqual(before.other[name]);
});

test('leaves the labels of others, so that the task can be trained again', async () => {
  const { client } = tenant;
  const { labels } = (await client.get(`/v1/api/tasks/${taskId}`)).body;
  const file = (await client.get(`/v2/api/files/${labels.train}`)).body;
  const { text } = await client.get(`/v2/api/files/${labels.train}/content`);
  const before = returnsTask.labels.train.trimEnd().split('\n');
  expect(text.trimEnd().split('\n')).toEqual(before.filter((line) => !line.includes(',C1,')));
  expect(createHash('sha256').update(text).digest('hex')).toBe(file.sha256);
  const run = await client.post('/v1/api/training-runs', { task_id: taskId });
  const trained = await client.finished(`/v1/api/training-runs/${run.body.id}`);
  expect(trained.body.status, trained.text).toBe('succeeded');
});

test('names that are kept as text are not called erased; they can be once they are numbers', async () => {
  const other = await service.tenant('Textual');
  await ingest(other, contract, 'append');
  const refused = await erase(other);
  expect(refused.body).toMatchObject({ status: 'failed', erased: {}, failure: { code: 'name_kept_as_text' } });
  expect(refused.body.failure.detail).toContain('customers.customer_id, orders.customer_id');
  expect(refused.body.failure.detail).toContain('the tables are then read again');
  expect(new Set(await objectsNaming(person, other))).toEqual(new Set(['files', 'lake', 'snapshots']));

  await ingest(other, contractWithPeople, 'replace');
  const done = await erase(other);
  expect(done.body, done.text).toMatchObject({ status: 'succeeded', erased: { identifiers: 1 } });
  expect(done.body.erased.snapshots).toHaveLength(1);
  expect(await objectsNaming(person, other)).toEqual([]);

  // The emptied snapshot does not block another erasure.
  expect((await erase(other)).body).toMatchObject({ status: 'succeeded', erased: { snapshots: [] } });
  const [emptied] = done.body.erased.snapshots;
  const pinned = transactions.tenant(service.service.app.db, other.ctx, (tx) => requireSnapshot(tx, emptied));
  await expect(pinned).rejects.toMatchObject({
    reason: 'entity_erased',
    message: expect.stringContaining('start again'),
  });
});

test('what is no table goes only if the name stands in it, and labels that cannot be read are in nobody’s way', async () => {
  const other = await service.tenant('Broken');
  const { client, ctx } = other;
  const unrelated = [
    await client.upload('model.bin', Buffer.from([0, 1, 2, 255, 0]), 'application/octet-stream'),
    await client.upload('empty.csv', ''),
    await client.upload('cut.parquet', Buffer.from('PAR1 and no end')),
    await client.upload('longer.txt', `\0${person}9`, 'text/plain'),
  ];
  const naming = await client.upload('note.txt', `\0 ${person}, again`, 'text/plain');
  const rejected = await client.upload('ragged.csv', `a,b\n1,2\n3,${person},5\n`);
  const definition = shopText('tasks/returns/task.yaml');
  const train = await client.upload('train.csv', Buffer.from([0, 1, 2, 255]));
  // As by a process without children, which cannot look at labels before it makes a task of them.
  const { app } = service.service;
  const { status, body } = await createTask({ ...app, compute: null }, ctx, {
    name: 'broken',
    definition,
    labels: { train },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  const done = await erase(other);
  expect(done.body, done.text).toMatchObject({ status: 'succeeded', erased: { files: [naming, rejected] } });
  for (const id of [...unrelated, train])
    expect((await client.get(`/v2/api/files/${id}`)).body.status, id).toBe('uploaded');
});

/** Creates an erasure that is in no queue, with a function that runs it on an app with other dependencies. */
async function erasing({ ctx }: Tenant) {
  const { app } = service.service;
  const quiet = { ...app, queue: { ...app.queue, send: async () => {} } };
  const { body } = await createErasure(quiet, ctx, person);
  const { id } = body as { id: string };
  const job = { id, workspace_id: ctx.workspaceId };
  const run = (means: Partial<App> = {}) => runErasure({ ...app, ...means }, job, new AbortController().signal);
  return { id, run };
}

test('what comes in while it looks is looked into, and nothing is read twice', async () => {
  const other = await service.tenant('Busy');
  await ingest(other, contractWithPeople, 'append');
  const { compute } = service.service.app;
  const looked: string[] = [];
  let added = '';
  const watched = {
    ...compute,
    async run(task: { name: string; input: { pieces: { path: string }[] } }, options: object) {
      if (task.name === 'lookFor') for (const { path } of task.input.pieces) looked.push(readlinkSync(path));
      if (task.name === 'forgetName' && added === '') {
        added = await other.client.upload('late.csv', `name\n${person}\n`);
        const late = orders.replaceAll('\nO', '\nL');
        const files = [{ file_id: await other.client.upload('more.csv', late), table: 'orders', mode: 'append' }];
        const asked = await other.client.post('/v1/api/ingestions', { files });
        const ended = await other.client.finished(`/v1/api/ingestions/${asked.body.id}`);
        expect(ended.body.status, ended.text).toBe('succeeded');
      }
      return compute!.run(task as never, options as never);
    },
  } as unknown as App['compute'];
  const { id, run } = await erasing(other);
  await run({ compute: watched });
  const { body } = await other.client.get(`/v1/api/erasures/${id}`);
  expect(body).toMatchObject({ status: 'succeeded', erased: { identifiers: 1 } });
  expect(body.erased.files).toContain(added);
  expect(body.erased.files).toHaveLength(4);
  expect(new Set(looked).size).toBe(looked.length);
  expect(await objectsNaming(person, other)).toEqual([]);
});

test('a sweep takes dictionaries from before an erasure, and none that one is about to use', async () => {
  const other = await service.tenant('Swept');
  await ingest(other, contractWithPeople, 'append');
  const { app } = service.service;
  const { compute } = app;
  const swept = {
    ...compute,
    async run(task: { name: string }, options: object) {
      const done = await compute!.run(task as never, options as never);
      if (task.name === 'forgetName') await late();
      return done;
    },
  } as unknown as App['compute'];
  const late = async () =>
    void (await app.storage.put(identifiersKey(other.ctx, 'first', 'late', '0'.repeat(64)), Buffer.from(person)));
  const storage = {
    ...app.storage,
    async put(...given: Parameters<typeof app.storage.put>) {
      const stored = await app.storage.put(...given);
      await sweep(app);
      return stored;
    },
  };
  const { id, run } = await erasing(other);
  await run({ compute: swept, storage });
  expect((await other.client.get(`/v1/api/erasures/${id}`)).body.status).toBe('succeeded');
  await late();
  await sweep(app);
  expect(await objectsNaming(person, other)).toEqual([]);
  // The current dictionary was not swept: another ingestion succeeds.
  await ingest(other, contractWithPeople, 'append');
});

test('goes on where it stopped once the name is out, and takes what was still stored under way', async () => {
  const other = await service.tenant('Halted');
  await ingest(other, contractWithPeople, 'append');
  const { storage } = service.service.app;
  const dictionaries = `${other.ctx.organizationId}/${other.ctx.workspaceId}/identifiers/`;
  const keys: string[] = [];
  for await (const { key } of storage.list(dictionaries)) keys.push(key);
  let isFirst = true;
  const halting = {
    ...storage,
    async delete(key: string) {
      if (isFirst) {
        isFirst = false;
        throw new Error('died');
      }
      return storage.delete(key);
    },
  };
  const { id, run } = await erasing(other);
  await expect(run({ storage: halting })).rejects.toThrow('died');
  // An ingestion that began before stores its dictionary late.
  await storage.put(`${keys[0]}-late`, Buffer.from(person));
  await run();
  const { body } = await other.client.get(`/v1/api/erasures/${id}`);
  expect(body).toMatchObject({ status: 'succeeded', erased: { identifiers: 1 } });
  expect(body.erased.files).toHaveLength(2);
  expect(await objectsNaming(person, other)).toEqual([]);
});

test('what is asked before it has ended is forgotten too', async () => {
  const { client } = tenant;
  const { storage } = service.service.app;
  let meanwhile = '';
  // Listing is the last step before the predictions are erased, long after the swap.
  const asking = {
    ...storage,
    async *list(folder: string) {
      meanwhile = (await ask(person)).prediction_id;
      yield* storage.list(folder);
    },
  };
  const { id, run } = await erasing(tenant);
  await run({ storage: asking });
  expect((await client.get(`/v1/api/erasures/${id}`)).body).toMatchObject({ status: 'succeeded' });
  expect((await client.get(`/v1/api/predictions/${meanwhile}`)).body.code).toBe('entity_erased');
});

test('a batch over what is erased is stopped, and nothing that it wrote stays', async () => {
  const { ctx, client } = tenant;
  const { app } = service.service;
  const input = await client.upload('ask.csv', `customer_id,reference_date\n${person},2023-09-01\n`);
  const target = { model_id: modelId, alias: 'production' };
  const quiet = { ...app, queue: { ...app.queue, send: async () => {} } };
  const batch = await transactions.tenant(app.db, ctx, async (tx) => {
    const id = await startBatch(quiet, tx, ctx, { files: [input], model: target });
    await updateBatch(tx, id, { status: 'running', planned_at: new Date() });
    const own = { organization_id: ctx.organizationId, workspace_id: ctx.workspaceId, batch_id: id, position: 0 };
    const key = `${partsFolder(ctx, id)}0-0-1`;
    // One unit has succeeded. The other is queued again after its worker died.
    const unit = {
      ...own,
      unit: 0,
      first_row: 0,
      rows: 1,
      status: 'succeeded',
      part_key: key,
      errors_key: `${key}.errors`,
    };
    await insertUnits(tx, [unit, { ...own, unit: 1, first_row: 1, rows: 1, status: 'queued' }]);
    return { id, key };
  });
  for (const key of [batch.key, `${batch.key}.errors`]) await app.storage.put(key, Buffer.from(person));
  const done = await erase(tenant);
  expect(done.body).toMatchObject({ status: 'succeeded', erased: { batches: [batch.id] } });
  const ended = await client.get(`/v1/api/batches/${batch.id}`);
  expect(ended.body, ended.text).toMatchObject({ status: 'failed', failure: { code: 'entity_erased' } });
  expect(await objectsNaming(person, tenant)).toEqual([]);
});

test('results go that name it though their inputs are gone, and others stay', async () => {
  const { client } = tenant;
  const score = async (customer: string) => {
    const rows = `customer_id,reference_date\n${customer},2023-09-01\n${customer},never\n`;
    const file = await client.upload(`${customer}.csv`, rows);
    const model = { model_id: modelId, alias: 'production' };
    const asked = await client.post('/v2/api/batches', { files: [file], model });
    const { body, text } = await client.finished(`/v2/api/batches/${asked.body.id}`);
    expect(body.status, text).toBe('succeeded');
    expect((await client.send('DELETE', `/v2/api/files/${file}`)).status).toBe(200);
    return body.id as string;
  };
  const [theirs, other] = [await score(person), await score('C2')];
  expect((await erase(tenant)).body).toMatchObject({ status: 'succeeded', erased: { batches: [theirs] } });
  expect((await client.get(`/v2/api/batches/${theirs}/result`)).body.code).toBe('result_deleted');
  expect((await client.get(`/v2/api/batches/${other}/result`)).status).toBe(200);
  expect(await objectsNaming(person, tenant)).toEqual([]);
});

test('evaluations go that are of its files or tell it as a value, though the file is gone, and others stay', async () => {
  const { client, ctx } = tenant;
  const send = (seller: string, name: string) => {
    const [header, ...rows] = returnsTask.labels.validation.trim().split('\n');
    const sold = rows.map((row, at) => `${row},${at % 2 ? seller : 'other'}`);
    return client.upload(name, [`${header},seller`, ...sold, ''].join('\n'));
  };
  const asked = (file: string) => ({ file, model: `${modelId}/production`, segments: ['seller'] });
  const evaluate = async (file: string) => {
    const { body } = await client.post('/v1/api/evaluations', asked(file));
    const done = await client.finished(`/v1/api/evaluations/${body.id}`);
    expect(done.body.status, done.text).toBe('succeeded');
    return done.body.id as string;
  };
  const files = { kept: await send(person, 'kept.csv'), gone: await send(person, 'gone.csv') };
  const naming = [await evaluate(files.kept), await evaluate(files.gone)];
  expect((await client.get(`/v1/api/evaluations/${naming[1]}`)).text).toContain(person);
  expect((await client.send('DELETE', `/v2/api/files/${files.gone}`)).status).toBe(200);
  const other = await evaluate(await send('another', 'others.csv'));
  const { app } = service.service;
  const quiet = { ...app, queue: { ...app.queue, send: async () => {} } };
  const waiting = ((await createEvaluation(quiet, ctx, asked(files.kept))).body as { id: string }).id;

  const done = await erase(tenant);
  expect(done.body.status, done.text).toBe('succeeded');
  expect(done.body.erased.evaluations).toEqual([...naming, waiting].sort());
  for (const [id, status] of [...naming.map((id) => [id, 'succeeded']), [waiting, 'failed']]) {
    const { body, text } = await client.get(`/v1/api/evaluations/${id}`);
    expect(body, text).toMatchObject({ status, result: null, failure: { code: 'entity_erased' } });
    expect(text).not.toContain(person);
  }
  expect((await client.get(`/v1/api/evaluations/${other}`)).body.result.outputs).toHaveLength(1);
});

test('a process that meets a dictionary just replaced looks for the new one', async () => {
  const { db, storage, workFolder } = service.service.app;
  let isFirst = true;
  const replaced = {
    ...storage,
    async localPath(key: string) {
      if (!isFirst || !key.includes('/identifiers/')) return storage.localPath(key, null);
      isFirst = false;
      throw new Failure('not_found', `Nothing is stored under ${key}.`);
    },
  };
  const serving = openServing(db, replaced, workFolder, 1_000);
  try {
    const served = await serving.use(tenant.ctx, { model: modelId, name: 'production' }, async (served) => served);
    expect(served).toMatchObject({ modelId, alias: 'production' });
    expect(isFirst).toBe(false);
  } finally {
    await serving.close();
  }
});

test('parts that were sent again since are left alone', async () => {
  const other = await service.tenant('Returned');
  const sent = (segment: string) => ({
    customers: csv(
      'customer_id,segment,since',
      customerRows.map(([id, , since], at) => [id!, at === 0 ? segment : 'other', since!]),
    ),
    orders: shopTables.orders,
  });
  await ingest(other, contractWithPeople, 'append', sent(person));
  await ingest(other, contractWithPeople, 'replace', sent('other'));
  const { storage } = service.service.app;
  let isFirst = true;
  const halting = {
    ...storage,
    async delete(key: string) {
      if (isFirst && key.includes('/files/')) {
        isFirst = false;
        throw new Error('died');
      }
      return storage.delete(key);
    },
  };
  const { run } = await erasing(other);
  await expect(run({ storage: halting })).rejects.toThrow('died');
  await ingest(other, contractWithPeople, 'replace', sent(person));
  await run();
  const { body } = await other.client.get('/v1/api/ingestions');
  const { manifest } = await transactions.tenant(service.service.app.db, other.ctx, (tx) =>
    requireSnapshot(tx, body.data[0].snapshot_id),
  );
  for (const { parts } of readManifest(manifest).tables)
    for (const { path } of parts) expect(await storage.verify(partKey(other.ctx, path))).toBe(true);
});

test('the first data may come after an erasure', async () => {
  const other = await service.tenant('Early');
  expect((await erase(other)).body).toMatchObject({ status: 'succeeded', erased: { identifiers: 0 } });
  await ingest(other, contractWithPeople, 'append');
  expect((await erase(other)).body).toMatchObject({ status: 'succeeded', erased: { identifiers: 1 } });
});

test('erasing a name nobody has changes nothing', async () => {
  const asked = await tenant.client.post('/v1/api/erasures', { identifier: 'nobody-by-this-name' });
  const done = await tenant.client.finished(`/v1/api/erasures/${asked.body.id}`);
  expect(done.body).toMatchObject({
    status: 'succeeded',
    erased: { identifiers: 0, predictions: 0, files: [], batches: [], evaluations: [] },
  });
});

test('a worker that comes when the erasure has ended replaces nothing', async () => {
  const late = await service.tenant('Late');
  await ingest(late, contractWithPeople, 'append');
  const { id } = (await erase(late)).body;
  const { app } = service.service;
  const ctx = await workspaceContext(app.db, late.ctx.workspaceId);
  const current = () => transactions.tenant(app.db, ctx, (tx) => currentIdentifiers(tx, ctx));
  const kept = await current();
  const inventory = await transactions.tenant(app.db, ctx, (tx) => takeInventory(app, tx, ctx));
  const findings = new Map(piecesOf(inventory).map((piece) => [nameOf(piece), { naming: [], rest: null }]));
  const replacement = { identifiersKey: `${kept}-of-the-late`, entries: 0, rests: new Map() };
  expect(await swap(app, ctx, id, inventory, findings, replacement, person)).toBe('outdated');
  expect(await current()).toBe(kept);
});
