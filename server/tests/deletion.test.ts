/** Models and tasks are deleted when nothing needs them any more, and what they did stays. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tenant as tenantDoor } from '../src/access/transactions.ts';
import { startBatch } from '../src/resources/batches/start.ts';
import { sweep } from '../src/resources/maintenance/sweep.ts';
import { expectRefusal } from './problems.ts';
import type { Client, Reply, Tenant, TestService } from './service.ts';
import { shopText } from './shop.ts';
import type { World } from './world.ts';
import { startWorlds } from './worlds.ts';

let service: TestService;
let tenant: Tenant;
let client: Client;
let world: World;
let name: string;

beforeAll(async () => {
  const { service: started, a } = await startWorlds();
  service = started;
  ({ tenant, world } = a);
  ({ client } = tenant);
  name = `${world.canary}-returns`;
});
afterAll(() => service.close());

const remove = (path: string): Promise<Reply> => client.send('DELETE', `/v1/api/${path}`);

/** Expects a refusal for being needed, by what its detail names. */
function expectInUse(reply: Reply, ...named: string[]): void {
  expectRefusal(reply, 409, 'in_use');
  for (const text of named) expect(reply.body.detail).toContain(text);
}

async function keysUnder(folder: string): Promise<string[]> {
  const { organizationId, workspaceId } = tenant.ctx;
  const keys = [];
  for await (const { key } of service.service.app.storage.list(`${organizationId}/${workspaceId}/${folder}`))
    keys.push(key);
  return keys;
}

test('a model stays while an alias points at it, and while work under way needs it, which is named', async () => {
  const aliases = `models/${world.model}/aliases`;
  expectInUse(await remove(`models/${name}`), `${world.alias} points at versions of it`, `${aliases}/${world.alias}`);
  expect((await remove(`${aliases}/${world.alias}`)).status).toBe(204);

  const model = `${name}/${world.version}`;
  const files = [await client.upload('asked.csv', `customer_id,endpoint\n${world.canary}C1,${model}\n`)];
  const works: readonly (readonly [kind: string, path: string, body: object])[] = [
    ['batch', '/v2/api/batches', { files, model }],
    ['evaluation', '/v1/api/evaluations', { file: world.file, model: world.run }],
    ['training run', '/v1/api/training-runs', { task_id: world.task }],
  ];
  for (const [kind, path, body] of works) {
    const { body: work, text } = await client.post(path, body);
    expectInUse(await remove(`models/${world.model}`), `${kind} ${work.id} is `);
    if (kind === 'training run') await client.post(`${path}/${work.id}/interrupt`);
    expect(['succeeded', 'failed', 'interrupted'], text).toContain(
      (await client.finished(`${path}/${work.id}`)).body.status,
    );
  }
  const { app } = service.service;
  const byRows = await tenantDoor(app.db, tenant.ctx, (tx) => startBatch(app, tx, tenant.ctx, { files }));
  expectInUse(await remove(`models/${world.model}`), `batch ${byRows} is `);
  await client.finished(`/v2/api/batches/${byRows}`);
  expectInUse(await remove(`tasks/${world.task}`), `${name} (${world.model})`, `${world.canary}-second (`, 'answer it');
});

test('a deleted model answers nothing any more, its files go, and what it did stays', async () => {
  const customer = { customer_id: `${world.canary}C1` };
  const ask = (model: string) => client.post(`/v1/api/prediction/${model}/${world.version}`, customer);
  expect((await ask(name)).status).toBe(200);
  expect(await keysUnder(`versions/${world.version}/`)).not.toEqual([]);
  expect((await remove(`models/${name}`)).status).toBe(204);
  expectRefusal(await remove(`models/${name}`), 404, 'not_found');

  for (const model of [name, world.model]) await expect.poll(async () => (await ask(model)).status).toBe(404);
  const version = `/v1/api/models/${world.model}/versions/${world.version}`;
  const refused = [
    await client.get(`/v1/api/models/${world.model}`),
    await client.get(`/v1/api/models/${world.model}/versions`),
    await client.get(version),
    await client.get(`${version}/features`),
    await client.post(`${version}/activation`),
    await client.send('PUT', `/v1/api/models/${world.model}/aliases/again`, { body: { version_id: world.version } }),
    await client.post('/v2/api/batches', { files: [world.file], model: `${world.model}/${world.version}` }),
    await client.post('/v1/api/evaluations', { file: world.file, model: `${world.model}/${world.version}` }),
  ];
  for (const reply of refused) expectRefusal(reply, 404, 'not_found');
  const byRun = await client.post('/v1/api/evaluations', { file: world.file, model: world.run });
  expectRefusal(byRun, 404, 'not_found', '/model');
  expect(byRun.body.detail).toContain(`run ${world.run} made was deleted with its model`);

  const about = { model_id: world.model, version_id: world.version };
  expect((await client.get(`/v1/api/training-runs/${world.run}`)).body).toMatchObject(about);
  expect((await client.get(`/v1/api/predictions/${world.prediction}`)).body).toMatchObject(about);
  expect((await client.get(`/v1/api/predictions?model_id=${world.model}`)).body.data).not.toEqual([]);
  const evaluation = await client.get(`/v1/api/evaluations/${world.evaluation}`);
  expect(evaluation.body).toMatchObject({ status: 'succeeded', model: about, result: expect.anything() });
  expect((await client.get(`/v2/api/batches/${world.batch}/result`)).status).toBe(200);
  expect((await client.get(`/v1/api/rfm-versions/${world.encoder}/export`)).status).toBe(200);

  await sweep(service.service.app, -1000);
  for (const id of [world.version, world.spare]) expect(await keysUnder(`versions/${id}/`)).toEqual([]);
});

test('its name is free: a new model of it answers, and not the old one', async () => {
  const asked = await client.post('/v1/api/training-runs', { task_id: name, alias: world.alias, feedback: false });
  const { body: run, text } = await client.finished(`/v1/api/training-runs/${asked.body.id}`);
  expect(run, text).toMatchObject({ status: 'succeeded' });
  expect(run.model_id).not.toBe(world.model);
  const path = `/v1/api/prediction/${name}/${world.alias}`;
  const reply = await client.post(path, { customer_id: `${world.canary}C1` });
  expect(reply.body, reply.text).toMatchObject({ model_id: run.model_id, version_id: run.version_id });
  expect((await remove(`models/${name}/aliases/${world.alias}`)).status).toBe(204);
  expect((await remove(`models/${name}`)).status).toBe(204);
});

test('a model that is wanted and deleted at once is there for who was first, or anew', async () => {
  for (let times = 0; times < 5; times++) {
    const want = () => client.post('/v1/api/training-runs', { task_id: world.task, model: 'wanted' });
    const stop = ({ body }: Reply) => client.post(`/v1/api/training-runs/${body.id}/interrupt`);
    const before = await want();
    await stop(before);
    const [removed, wanted] = await Promise.all([remove('models/wanted'), want()]);
    expect(wanted.status, wanted.text).toBe(202);
    if (removed.status !== 204) expectInUse(removed, wanted.body.id);
    expect(wanted.body.model_id === before.body.model_id).toBe(removed.status !== 204);
    expect((await client.get('/v1/api/models/wanted')).body.id).toBe(wanted.body.model_id);
    await stop(wanted);
  }
  expect((await remove('models/wanted')).status).toBe(204);
});

test('a task without a model is deleted, its runs stay, and its name and label files are free', async () => {
  expect((await remove(`models/${world.canary}-second`)).status).toBe(204);
  const nobody = `${world.canary}-in-labels-alone`;
  const text = shopText('tasks/returns/train.csv').replaceAll('C1,', `${nobody},`);
  expect(text).toContain(nobody);
  const train = await client.upload('labels.csv', text);
  const given = { name: 'given', definition: shopText('tasks/returns/task.yaml'), labels: { train } };
  expect((await client.post('/v1/api/tasks', given)).status).toBe(201);
  for (const task of [world.task, `${world.canary}-other`, 'given'])
    expect((await remove(`tasks/${task}`)).status).toBe(204);
  for (const reply of [
    await remove(`tasks/${name}`),
    await client.get(`/v1/api/tasks/${world.task}`),
    await client.post('/v1/api/training-runs', { task_id: world.task }),
  ])
    expectRefusal(reply, 404, 'not_found');
  const run = await client.get(`/v1/api/training-runs/${world.run}`);
  expect(run.body).toMatchObject({ task_id: world.task, status: 'succeeded' });
  const definition = 'PREDICT exists(orders) WITHIN 30d FOR customers';
  expect((await client.post('/v1/api/tasks', { name, definition })).status).toBe(201);

  // Labels of a task are kept without the rows of who is erased; of none, they are a file like others.
  const { body } = await client.post('/v1/api/erasures', { identifier: nobody });
  const erasure = await client.finished(`/v1/api/erasures/${body.id}`);
  expect(erasure.body, erasure.text).toMatchObject({ status: 'succeeded', erased: { label_files: [] } });
  expect(erasure.body.erased.files).toContain(train);
});
