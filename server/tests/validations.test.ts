/** Validations and gates over HTTP: a version of the shop beside the one that answers, and what keeps it from aliases. */
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { system, tenant } from '../src/access/transactions.ts';
import { findHeldAgainst } from '../src/resources/models/replaced.ts';
import { validationSchema } from '../src/resources/validations/validation.ts';
import type { Reply, TestService } from './service.ts';
import { type Inhabited, startWorlds } from './worlds.ts';

let service: TestService;
let a: Inhabited;
let b: Inhabited;
let model: string;

beforeAll(async () => {
  ({ service, a, b } = await startWorlds());
  model = `/v1/api/models/${a.world.model}`;
});
afterAll(() => service.close());

const versionPath = (version: string) => `${model}/versions/${version}`;

async function validated(version: string, body: object): Promise<Reply['body']> {
  const { client } = a.tenant;
  const asked = await client.post(`${versionPath(version)}/validations`, body);
  expect(asked.status, asked.text).toBe(202);
  expect(asked.body).toMatchObject({ status: 'queued', verdict: null, result: null, fraction: 0 });
  return (await client.get(`${versionPath(version)}/validations/${asked.body.id}?wait=60`)).body;
}

const point = (alias: string, version: string, more: object = {}, client = a.tenant.client) =>
  client.send('PUT', `${model}/aliases/${alias}`, { body: { version_id: version, ...more } });

const gatesOf = ({ body }: Reply) => body.errors.map(({ detail }: { detail: string }) => detail.split(':')[0]);

function eventsOf(id: string) {
  return system(service.service.app.db, 'test', (tx) =>
    tx.selectFrom('events').selectAll().where('resource_id', '=', id).orderBy('sequence').execute(),
  );
}

const setGates = (body: object) => a.tenant.client.send('PUT', `${model}/gates`, { body });

test('a version is kept from an alias until it has been held against the version that it would replace', async () => {
  const { spare, version } = a.world;
  const alias = 'swapped';
  expect((await point(alias, spare)).status, 'a new alias replaces nothing').toBe(200);
  const early = await point(alias, version);
  expect([early.status, early.body.code], early.text).toEqual([409, 'gates_failed']);
  expect(gatesOf(early)).toEqual(['validation']);
  expect(early.body.errors[0].detail).toContain(`POST ${versionPath(version)}/validations {"alias": "${alias}"}`);

  const done = await validated(version, { alias, segments: ['segment'] });
  expect(done, JSON.stringify(done.failure)).toMatchObject({
    ...{ status: 'succeeded', failure: null, fraction: 1, phase: null, alias, compare_with_version_id: spare },
  });
  expect([...Compile(validationSchema).Errors(done)]).toEqual([]);
  // The same data and labels make the same version.
  expect(done.result.present).toMatchObject({ rows: 40, stability_index: 0, rank_correlation: 1 });
  expect(done.result.checks.filter(({ status }: { status: string }) => status === 'failed')).toEqual([]);
  expect(['equal', 'cannot_tell']).toContain(done.verdict);
  const { data } = (await a.tenant.client.get(`${versionPath(version)}/validations`)).body;
  expect(data.map(({ id }: { id: string }) => id)).toContain(done.id);
  expect((await eventsOf(done.id)).map(({ payload }) => (payload as { status: string }).status)).toEqual([
    ...['queued', 'running', 'succeeded'],
  ]);
  const told = (await eventsOf(version)).findLast(({ type }) => type === 'model-version-validation');
  expect(told?.payload).toMatchObject({
    verdict: done.verdict,
    validation_id: done.id,
    compare_with: spare,
    failed: [],
  });

  expect((await point(alias, version)).status).toBe(200);
});

test('gates that fail are named with what was measured and asked, and going back passes them', async () => {
  const { alias, spare, version } = a.world;
  expect((await point(alias, spare)).status, 'it was held against it').toBe(200);
  expect((await point(alias, version)).status, 'it has held the alias').toBe(200);
  const asked = await setGates({ checks: { rank_consistency: { threshold: 2 }, plausibility: { required: false } } });
  expect(asked.body, asked.text).toMatchObject({
    ...{ approvals: 0, automatic: true, is_default: false },
    checks: {
      rank_consistency: { threshold: 2, required: true, must_tell: false },
      plausibility: { threshold: 0, required: false },
      discrimination: { required: true },
    },
  });
  expect((await a.tenant.client.get(`${model}/gates`)).body).toEqual(asked.body);
  expect((await point(alias, spare)).status, 'and so has this one').toBe(200);
  expect((await point(alias, version)).status).toBe(200);

  // Another alias is another matter.
  expect((await point('steady', version)).status, 'a new alias replaces nothing').toBe(200);
  const refused = await point('steady', spare);
  expect(refused.status, refused.text).toBe(409);
  expect(gatesOf(refused)).toEqual(['rank_consistency']);
  expect(refused.body.errors[0].detail).toMatch(/: 1, at least 2 asked/);
  expect((await a.tenant.client.send('DELETE', `${model}/aliases/steady`)).status).toBe(204);
  expect((await point('steady', spare)).status, 'removing the alias is no way around').toBe(409);
  expect((await point('steady', version)).status).toBe(200);
});

test('a Creator overrides with a reason, which the trail keeps, and nobody else does', async () => {
  const { spare } = a.world;
  const override = { reason: 'the regulator asked for this one' };
  const developer = await a.tenant.as('developer');
  const refused = await point('steady', spare, { override }, developer);
  expect([refused.status, refused.body.code], refused.text).toEqual([403, 'permission_denied']);
  expect((await point('steady', spare, { override: { reason: 'short' } })).status).toBe(422);
  const moved = await point('steady', spare, { override });
  expect(moved.status, moved.text).toBe(200);
  const events = await eventsOf(spare);
  const told = events.find(({ type }) => type === 'model-gates-override');
  expect(told?.payload).toMatchObject({ alias: 'steady', reason: override.reason, gates: ['rank_consistency'] });
});

test('with two people, one approves and another moves; who trained a version does not approve it', async () => {
  const { spare, version } = a.world;
  await setGates({ approvals: 1 });
  await point('paired', version);
  expect(gatesOf(await point('paired', spare))).toEqual(['approvals']);
  const approve = (client: typeof a.tenant.client) =>
    client.post(`${versionPath(spare)}/approvals`, { alias: 'paired', comment: 'bands look right' });
  const own = await approve(a.tenant.client);
  expect([own.status, own.body.code], own.text).toEqual([403, 'forbidden']);
  const developer = await a.tenant.as('developer');
  const made = await approve(developer);
  expect(made.status, made.text).toBe(201);
  expect((await approve(developer)).status, 'once is enough').toBe(409);
  expect((await a.tenant.client.get(`${versionPath(spare)}/approvals`)).body.data).toEqual([made.body]);
  const alone = await point('paired', spare, {}, developer);
  expect(gatesOf(alone), 'who approved does not move it').toEqual(['approvals']);
  expect((await point('paired', spare)).status).toBe(200);
  await setGates({});
});

test('a run validates what it made, and moves its alias only past the gates', async () => {
  const { task, alias, version } = a.world;
  const { client } = a.tenant;
  const { name } = (await client.get(model)).body;
  const train = async () => {
    const { body } = await client.post('/v1/api/training-runs', { task_id: task, model: name, alias });
    return (await client.finished(`/v1/api/training-runs/${body.id}`)).body;
  };
  await setGates({ checks: { rank_consistency: { threshold: 2 } }, segments: ['segment'] });
  const held = await train();
  expect(held).toMatchObject({ status: 'succeeded' });
  const warning = held.warnings.find(({ code }: { code: string }) => code === 'gates_failed');
  expect(warning.message).toContain(`${alias} still points at ${version}`);
  expect(warning.message).toContain('rank_consistency');
  const { data } = (await client.get(`${versionPath(held.version_id)}/validations`)).body;
  expect(data).toMatchObject([{ status: 'succeeded', alias, compare_with_version_id: version, segments: ['segment'] }]);
  const types = (await eventsOf(held.version_id)).map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(['model-version-creation', 'model-version-validation']));
  expect(types).not.toContain('model-version-promotion');

  await setGates({});
  const moved = await train();
  expect(moved.warnings.filter(({ code }: { code: string }) => code === 'gates_failed')).toEqual([]);
  expect((await client.get(`${model}/aliases/${alias}`)).body.version_id).toBe(moved.version_id);
});

test('a run without an alias is held against the only one or production, and moves nothing', async () => {
  const { client, ctx } = a.tenant;
  const held = (alias: string | null, of = a.world.model) =>
    tenant(service.service.app.db, ctx, (tx) => findHeldAgainst(tx, of, alias));
  const { aliases } = (await client.get(model)).body;
  expect(aliases.length).toBeGreaterThan(1);
  expect(await held(null), 'several, of which none is production').toBe(null);
  expect(await held('unheard'), 'an alias that points nowhere yet').toBe(null);
  expect(await held(null, 'mdl_unheard'), 'no alias at all').toBe(null);
  const { version, spare, alias, task } = a.world;
  expect((await point('production', version)).status).toBe(200);
  const production = { alias: 'production', versionId: version };
  expect([await held(null), await held('unheard')]).toEqual([production, production]);
  expect((await held('paired'))?.versionId, 'its own, where it has one').toBe(spare);

  const before = (await client.get(model)).body.aliases;
  const { name } = (await client.get(model)).body;
  const { body: asked } = await client.post('/v1/api/training-runs', { task_id: task, model: name });
  const run = (await client.finished(`/v1/api/training-runs/${asked.id}`)).body;
  expect(run, JSON.stringify(run.failure)).toMatchObject({ status: 'succeeded', alias: null });
  const { data } = (await client.get(`${versionPath(run.version_id)}/validations`)).body;
  expect(data).toMatchObject([{ status: 'succeeded', alias: 'production', compare_with_version_id: version }]);
  expect((await client.get(model)).body.aliases).toEqual(before);

  for (const other of before.filter((one: { alias: string }) => one.alias !== alias))
    expect((await client.send('DELETE', `${model}/aliases/${other.alias}`)).status).toBe(204);
  expect((await held(null))?.alias, 'the only one that is left').toBe(alias);
});

test('validations and gates of another workspace are not found', async () => {
  const { client } = b.tenant;
  const { data } = (await a.tenant.client.get(`${versionPath(a.world.spare)}/validations`)).body;
  expect((await client.get(`${versionPath(a.world.spare)}/validations`)).status).toBe(404);
  expect((await client.get(`${versionPath(a.world.spare)}/validations/${data[0].id}`)).status).toBe(404);
  const own = `/v1/api/models/${b.world.model}/versions/${b.world.spare}`;
  expect((await client.get(`${own}/validations/${data[0].id}`)).status).toBe(404);
  expect((await client.send('PUT', `${model}/gates`, { body: {} })).status).toBe(404);
});
