/** Models and tasks asked for by name in place of their ids, and what is said where an alias does not answer yet. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../src/lib/crypto/ids.ts';
import { expectRefusal } from './problems.ts';
import type { Client, Tenant, TestService } from './service.ts';
import { shopText } from './shop.ts';
import { defineTask } from './train-task.ts';
import type { World } from './world.ts';
import { startWorlds } from './worlds.ts';

let service: TestService;
let client: Client;
let world: World;
let other: World;
let signedIn: Tenant['signedIn'];
let name: string;
let customer: { customer_id: string };

beforeAll(async () => {
  const { service: started, a, b } = await startWorlds();
  service = started;
  ({ client, signedIn } = a.tenant);
  [world, other] = [a.world, b.world];
  name = `${world.canary}-returns`;
  customer = { customer_id: `${world.canary}C1` };
});
afterAll(() => service.close());

describe('a training run', () => {
  test('says who asked for it, of which data, and which version it made', async () => {
    const { body: run } = await client.get(`/v1/api/training-runs/${world.run}`);
    const { body: version } = await client.get(`/v1/api/models/${world.model}/versions/${world.version}`);
    const { body: ingestion } = await client.get(`/v1/api/ingestions/${world.ingestion}`);
    expect(run).toMatchObject({ version_number: version.number, data_until: ingestion.report.event_days.newest });
    expect(run.created_by).toEqual({ type: 'api_key', id: world.key, label: expect.any(String) });
    expect(Date.parse(run.snapshot_created_at)).toBeLessThan(Date.parse(run.created_at));
    // The version says of itself what its run does, in lists too.
    const { created_by, data_until, snapshot_created_at, pretrain, feedback } = run;
    const asked = { created_by, data_until, snapshot_created_at, pretrain, feedback };
    expect(version).toMatchObject(asked);
    const { data } = (await client.get(`/v1/api/models/${world.model}/versions`)).body;
    expect(data.find(({ id }: { id: string }) => id === world.version)).toMatchObject(asked);
  });

  test('tells a person who asked for it by their id alone', async () => {
    const person = await signedIn('developer', 'workspace');
    const asked = await person.post('/v1/api/training-runs', { task_id: world.task });
    expect(asked.status, asked.text).toBe(202);
    expect(asked.body.created_by).toEqual({ type: 'user', id: person.userId, label: null });
    await client.post(`/v1/api/training-runs/${asked.body.id}/interrupt`);
  });
});

describe('a model', () => {
  test('answers by its name as by its id, and the answer has the ids', async () => {
    const byId = await client.post(`/v1/api/prediction/${world.model}/${world.alias}`, customer);
    const byName = await client.post(`/v1/api/prediction/${name}/${world.alias}`, customer);
    const pinned = await client.post(`/v1/api/prediction/${name}/${world.version}`, customer);
    for (const { status, body, text } of [byName, pinned]) {
      expect(status, text).toBe(200);
      expect(body).toMatchObject({ model_id: world.model, version_id: world.version });
      expect(body.prediction).toBe(byId.body.prediction);
    }
    const logged = await client.get(`/v1/api/predictions?model_id=${name}&limit=1`);
    expect(logged.body.data).toMatchObject([{ id: pinned.body.prediction_id, model_id: world.model }]);
  });

  test.each([
    '',
    '/versions',
    '/versions/{version}',
    '/versions/{version}/features',
    '/versions/{version}/metrics',
    '/aliases/{alias}',
  ])('is the same at /v1/api/models/{name}%s', async (rest) => {
    const path = rest.replace('{version}', world.version).replace('{alias}', world.alias);
    const [byId, byName] = [
      await client.get(`/v1/api/models/${world.model}${path}`),
      await client.get(`/v1/api/models/${name}${path}`),
    ];
    expect(byName.status, byName.text).toBe(200);
    expect(byName.body).toEqual(byId.body);
  });

  test.each(['', '/features', '/metrics'])(
    'has versions that are read by number and alias as by id%s',
    async (rest) => {
      const path = `/v1/api/models/${name}/versions`;
      const byId = await client.get(`${path}/${world.version}${rest}`);
      const { number } = (await client.get(`${path}/${world.version}`)).body;
      for (const one of [number, world.alias]) {
        const reply = await client.get(`${path}/${one}${rest}`);
        expect(reply.status, reply.text).toBe(200);
        expect({ ...reply.body, next_cursor: null }).toEqual({ ...byId.body, next_cursor: null });
      }
      for (const none of ['0', '99', '1.0', '9'.repeat(30), 'nothing'])
        expectRefusal(await client.get(`${path}/${none}${rest}`), 404, 'not_found');
      const near = await client.get(`${path}/${world.alias}e${rest}`);
      expect(near.body.detail).toContain(world.alias);
    },
  );

  test('has its aliases moved by name', async () => {
    const path = `/v1/api/models/${name}/aliases/by-name`;
    const set = await client.send('PUT', path, { body: { version_id: world.spare } });
    expect(set.body, set.text).toMatchObject({ model_id: world.model, version_id: world.spare });
    const answer = await client.post(`/v1/api/prediction/${world.model}/by-name`, customer);
    expect(answer.body, answer.text).toMatchObject({ version_id: world.spare });
    expect((await client.send('DELETE', path)).status).toBe(204);
  });

  test('scores a batch by name, as a whole and row by row', async () => {
    const bytes = `customer_id,endpoint\n${customer.customer_id},${name}/${world.alias}\n${customer.customer_id},\n`;
    const files = [await client.upload('named.csv', bytes)];
    const models = [`${name}/${world.alias}`, { model_id: name, version_id: world.version }];
    for (const model of models) {
      const { body: asked, text } = await client.post('/v2/api/batches', { files, model });
      expect(asked.model, text).toMatchObject({ model_id: world.model, version_id: world.version });
      const { body } = await client.finished(`/v2/api/batches/${asked.id}`);
      expect(body).toMatchObject({ status: 'succeeded', progress: { rows: { total: 2, failed: 0 } } });
    }
  });

  test.each([
    ['of another workspace', () => `${other.canary}-returns`],
    ['that nobody has', () => 'nobodys'],
    ['of a task without a model', () => `${world.canary}-other`],
  ])('%s is not found by its name', async (what, named) => {
    const replies = [
      await client.post(`/v1/api/prediction/${named()}/production`, customer),
      await client.post('/v2/api/batches', { files: [world.file], model: `${named()}/production` }),
      await client.get(`/v1/api/models/${named()}`),
    ];
    for (const reply of replies) expectRefusal(reply, 404, 'not_found');
    if (what === 'of a task without a model')
      expect(replies[0]!.body.detail).toMatch(
        /no model answers the task .*-other: train one with POST \/v1\/api\/training-runs/,
      );
  });

  test('whose name is misspelt is refused with the one that was meant', async () => {
    for (const reply of [
      await client.post(`/v1/api/prediction/${name}s/production`, customer),
      await client.get(`/v1/api/models/${name}s`),
    ]) {
      expectRefusal(reply, 404, 'not_found');
      expect(reply.body.detail).toContain(`did you mean ${name}?`);
    }
  });

  test('that has other aliases is refused with those', async () => {
    const reply = await client.post(`/v1/api/prediction/${name}/production`, customer);
    expectRefusal(reply, 404, 'not_found');
    expect(reply.body.detail).toBe(
      `there is no model ${name} with an alias or version production; the model has ${world.alias}`,
    );
  });
});

describe('a task', () => {
  test('is shown by its name', async () => {
    const byName = await client.get(`/v1/api/tasks/${name}`);
    expect(byName.body, byName.text).toEqual((await client.get(`/v1/api/tasks/${world.task}`)).body);
    const misspelt = await client.get(`/v1/api/tasks/${name}s`);
    expectRefusal(misspelt, 404, 'not_found');
    expect(misspelt.body.detail).toContain(`did you mean ${name}?`);
  });

  test('cannot have a name that could be an id', async () => {
    for (const taken of [newId('tsk'), newId('mdl')]) {
      const reply = await client.post('/v1/api/tasks', {
        name: taken,
        definition: 'PREDICT count(orders) WITHIN 30d FOR customers',
      });
      expectRefusal(reply, 422, 'schema_mismatch');
      expect(reply.body.errors).toMatchObject([{ pointer: '/name', detail: expect.stringContaining('form of an id') }]);
      const run = await client.post('/v1/api/training-runs', { task_id: world.task, model: taken });
      expectRefusal(run, 422, 'schema_mismatch');
    }
  });
});

test('an alias that a run is to point is said to be training, and then what became of the run', async () => {
  const run = await client.post('/v1/api/training-runs', { task_id: name, alias: 'next' });
  expect(run.body, run.text).toMatchObject({ task_id: world.task, model_id: world.model });
  const { id } = run.body;
  const ask = () => client.post(`/v1/api/prediction/${name}/next`, customer);
  const batch = () => client.post('/v2/api/batches', { files: [world.file], model: `${world.model}/next` });
  for (const reply of [await ask(), await batch()]) {
    expectRefusal(reply, 409, 'model_training');
    expect(reply.body.detail).toContain(`model ${name} is training`);
    expect(reply.body.detail).toContain(id);
  }
  for (let told = ''; !/ is training: \d+ % \(.+\), run /.test(told); ) {
    const reply = await ask();
    expectRefusal(reply, 409, 'model_training');
    told = reply.body.detail;
  }
  expect((await client.post(`/v1/api/training-runs/${id}/interrupt`)).status).toBe(200);
  await client.finished(`/v1/api/training-runs/${id}`);
  for (const reply of [await ask(), await batch()]) {
    expectRefusal(reply, 404, 'not_found');
    expect(reply.body.detail).toContain(`run ${id}, which was to make it, was stopped`);
  }
});

test('an alias whose run has failed says why', async () => {
  const train = shopText('tasks/returns/train.csv').replaceAll(/,[01]$/gm, ',1');
  const marked = train.replaceAll(/,(C\d+),/g, `,${world.canary}$1,`);
  const definition = shopText('tasks/returns/task.yaml');
  const task = await defineTask(client, { name: 'always', definition, labels: { train: marked } });
  const { body } = await client.post('/v1/api/training-runs', { task_id: task.id, alias: 'production' });
  const { body: run } = await client.finished(`/v1/api/training-runs/${body.id}`);
  expect(run.status).toBe('failed');
  const reply = await client.post('/v1/api/prediction/always/production', customer);
  expectRefusal(reply, 404, 'not_found');
  expect(reply.body.detail).toContain(`run ${run.id}, which was to make it, failed: ${run.failure.detail}`);
});
