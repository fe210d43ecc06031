/**
 * Gates of a model over HTTP: which validations they count, who may loosen them, what they ask for at the end of a
 * training, and what goes back to a version that failed.
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { system, tenant as within } from '../src/access/transactions.ts';
import { newId } from '../src/lib/crypto/ids.ts';
import { addVersion } from '../src/resources/models/add-version.ts';
import { rollBack } from '../src/resources/models/roll-back.ts';
import { answerShadows } from '../src/resources/shadows/answer.ts';
import { expectRefusal } from './problems.ts';
import type { Client, Reply, Tenant, TestService } from './service.ts';
import { startShop } from './support/samples/batches.ts';

let service: TestService;
let tenant: Tenant;
let developer: Client;
let model: string;
let own: string;

beforeAll(async () => {
  ({
    service,
    tenant,
    returns: { model_id: model, version_id: own },
  } = await startShop());
  developer = await tenant.as('developer');
});
afterAll(() => service.close());

let versions = 1;

/** Another version with the files of the trained one. */
async function copyVersion(): Promise<string> {
  const version = newId('ver');
  await sql`insert into model_versions
    select (jsonb_populate_record(v, jsonb_build_object('id', ${version}::text, 'number', ${++versions}::int))).*
    from model_versions v where id = ${own}`.execute(service.owner.kysely);
  return version;
}

const day = 24 * 60 * 60 * 1000;
const measured = (name: string, value: number | null) => ({
  ...{ name, value, low: null, high: null, before: null, borne_out: false, why: null },
});
const fine = [measured('rank_consistency', 1), measured('replay', null)];

type Made = {
  readonly version: string;
  readonly checks?: readonly object[];
  /** Days ago that it was asked for, and days before that until which it reads. */
  readonly ago?: number;
  readonly early?: number;
  /** The newest data, by default. */
  readonly snapshot?: string;
};

/** Writes a validation against the trained version as a run would have written it. */
async function insertValidation({ version, checks = fine, ago = 0, early = 0, snapshot }: Made): Promise<string> {
  const id = newId('val');
  const at = new Date(Date.now() - ago * day);
  await sql`insert into validations (id, organization_id, workspace_id, model_id, version_id, status,
      compare_with_version_id, snapshot_id, as_of, time_zone, result, created_by, created_at)
    select ${id}, organization_id, id, ${model}, ${version}, 'succeeded', ${own}, coalesce(${snapshot ?? null}, snapshot_id),
      ${new Date(at.getTime() - early * day)}, time_zone, ${JSON.stringify({ checks })}, 'test', ${at}
    from workspaces where id = ${tenant.ctx.workspaceId}`.execute(service.owner.kysely);
  return id;
}

const aliasPath = (alias: string) => `/v1/api/models/${model}/aliases/${alias}`;
const versionPath = (version: string) => `/v1/api/models/${model}/versions/${version}`;
const point = (alias: string, version: string, more: object = {}, client: Client = tenant.client) =>
  client.send('PUT', aliasPath(alias), { body: { version_id: version, ...more } });
const setGates = (body: object, client: Client = tenant.client) =>
  client.send('PUT', `/v1/api/models/${model}/gates`, { body });
const told = ({ body }: Reply): string[] => body.errors.map(({ detail }: { detail: string }) => detail);

async function lastEntry(action: string): Promise<Record<string, unknown>> {
  const { rows } = await service.owner.pool.query(
    'select data from audit_entries where workspace_id = $1 and action = $2 order by id desc limit 1',
    [tenant.ctx.workspaceId, action],
  );
  return rows[0]?.data;
}

test('a validation as of an earlier day, or asked for long ago over other data, opens no gate', async () => {
  const version = await copyVersion();
  const older = newId('snp');
  await sql`insert into snapshots select (jsonb_populate_record(s, jsonb_build_object('id', ${older}::text))).*
    from snapshots s where id = (select snapshot_id from workspaces where id = ${tenant.ctx.workspaceId})`.execute(
    service.owner.kysely,
  );
  expect((await point('dated', own)).status, 'a new alias replaces nothing').toBe(200);
  const stale = await insertValidation({ version, ago: 31, snapshot: older });
  const refused = await point('dated', version);
  expectRefusal(refused, 409, 'gates_failed', '/version_id');
  expect(told(refused)).toEqual([
    `validation: ${stale} is passed over: it was asked for more than 30 days ago, and newer data have come since; ask again with POST ${versionPath(version)}/validations {"alias": "dated"}`,
  ]);

  const asked = { compare_with: own, reference_date: '2024-01-31' };
  const { body: early } = await tenant.client.post(`${versionPath(version)}/validations`, asked);
  const still = await point('dated', version);
  expectRefusal(still, 409, 'gates_failed', '/version_id');
  expect(told(still)[0]).toContain(`${early.id} is passed over: it reads nothing after 2024-01-31`);
  await tenant.client.post(`${versionPath(version)}/validations/${early.id}/interrupt`);

  // One that reads less does not hide a newer verdict either.
  await insertValidation({ version, checks: [measured('rank_consistency', 0)], ago: 2, snapshot: older });
  const hiding = await insertValidation({ version, ago: 1, early: 1 });
  const [failing] = told(await point('dated', version));
  expect(failing).toMatch(/^rank_consistency: /);
  expect(failing).toContain(`; ${hiding} is passed over: it reads nothing after`);

  await insertValidation({ version, ago: 0, snapshot: older });
  expect((await point('dated', version)).status, 'lately asked for').toBe(200);
  const other = await copyVersion();
  await insertValidation({ version: other, ago: 300 });
  expect((await point('dated', own)).status).toBe(200);
  expect((await point('dated', other)).status, 'over the newest data').toBe(200);
});

test('gates are tightened by who may move aliases, and loosened by Creators alone; the trail keeps what was', async () => {
  const strict = {
    approvals: 1,
    automatic: false,
    checks: {
      discrimination: { threshold: -0.01, must_tell: true },
      calibration_level: { threshold: 1.2 },
      latency: { required: true },
    },
  };
  const tightened = await setGates(strict, developer);
  expect(tightened.status, tightened.text).toBe(200);
  expect((await lastEntry('model-gates-update')).changes).toEqual([
    'discrimination.threshold: -0.02 → -0.01',
    'discrimination.must_tell: false → true',
    'calibration_level.threshold: 1.3 → 1.2',
    'latency.required: false → true',
    'approvals: 0 → 1',
    'automatic: true → false',
  ]);
  const { checks } = strict;
  for (const [body, pointer, says] of [
    [{ ...strict, approvals: 0 }, '/approvals', 'approvals: 1 → 0'],
    [{ ...strict, automatic: true }, '/automatic', 'automatic: false → true'],
    [
      { ...strict, checks: { ...checks, discrimination: { threshold: -0.5, must_tell: true } } },
      '/checks/discrimination/threshold',
      'discrimination.threshold: -0.01 → -0.5',
    ],
    [
      { ...strict, checks: { ...checks, discrimination: { threshold: -0.01 } } },
      '/checks/discrimination/must_tell',
      'discrimination.must_tell: true → false',
    ],
    [
      { ...strict, checks: { ...checks, calibration_level: { threshold: 9 } } },
      '/checks/calibration_level/threshold',
      'calibration_level.threshold: 1.2 → 9',
    ],
    [
      { ...strict, checks: { ...checks, distribution: { required: false } } },
      '/checks/distribution/required',
      'distribution.required: true → false',
    ],
  ] as const) {
    const refused = await setGates(body, developer);
    expectRefusal(refused, 403, 'permission_denied', pointer);
    expect(refused.body.detail).toContain(says);
    expect(refused.body.because).toEqual({ code: 'roles_needed', roles: ['creator'] });
  }
  expectRefusal(
    await setGates({}, developer),
    403,
    'permission_denied',
    ...['/approvals', '/automatic', '/checks/discrimination/threshold', '/checks/discrimination/must_tell'],
    ...['/checks/calibration_level/threshold', '/checks/latency/required'],
  );
  // Of a check that kept nobody a threshold may be what it likes.
  const wide = { ...strict, checks: { ...checks, stability: { threshold: -0.9 } } };
  expect((await setGates(wide, developer)).status).toBe(200);
  const negative = { ...strict, checks: { ...checks, calibration_level: { threshold: -1 } } };
  expectRefusal(await setGates(negative), 422, 'schema_mismatch', '/checks/calibration_level/threshold');
  expect((await setGates({})).status, 'a Creator').toBe(200);
  expect((await lastEntry('model-gates-update')).changes).toContain('approvals: 1 → 0');
});

test('gates name the columns that validations tell apart, which are refused at once where the table lacks them', async () => {
  const version = await copyVersion();
  const { client } = tenant;
  const validate = (body: object) => client.post(`${versionPath(version)}/validations`, body);
  for (const [name, says] of [
    ['colour', /^segment colour is no column of customers, which has customer_id, segment, since$/],
    ['customer_id', /^segment customer_id tells who a row is about/],
  ] as const)
    for (const reply of [
      await setGates({ segments: ['segment', name] }),
      await validate({ compare_with: own, segments: [name] }),
    ]) {
      expectRefusal(reply, 422, 'invalid', '/segments');
      expect(reply.body.detail).toMatch(says);
    }

  const strict = { checks: { segments: { required: true, must_tell: true } }, segments: ['segment'] };
  expect((await setGates(strict)).body).toMatchObject({ segments: ['segment'] });
  expect((await lastEntry('model-gates-update')).changes).toContain('segments: none → segment');
  const fewer = await setGates({ ...strict, segments: [] }, developer);
  expectRefusal(fewer, 403, 'permission_denied', '/segments');
  expect(fewer.body.detail).toContain('segments: segment → none');

  const asked = await validate({ compare_with: own });
  expect(asked.body, asked.text).toMatchObject({ segments: ['segment'] });
  await client.finished(`${versionPath(version)}/validations/${asked.body.id}`);
  expect((await validate({ compare_with: own, segments: [] })).body.segments, 'none, if so asked').toEqual([]);

  // What is to be told, and was not measured, is not passed.
  const unmeasured = await copyVersion();
  await insertValidation({ version: unmeasured });
  await point('apart', own);
  const refused = await point('apart', unmeasured);
  expectRefusal(refused, 409, 'gates_failed', '/version_id');
  expect(told(refused)).toEqual([expect.stringMatching(/^segments: the validation has not measured it: name columns/)]);
  await setGates({});
});

test('what an alias was moved back from passes the gates anew, and other earlier versions go back at once', async () => {
  const version = await copyVersion();
  const alias = 'returned';
  await setGates({ approvals: 1 });
  const approve = () => developer.post(`${versionPath(version)}/approvals`, { alias });
  await insertValidation({ version });
  expect((await approve()).status).toBe(201);
  await point(alias, own);
  expect((await point(alias, version)).status).toBe(200);
  expect((await point(alias, own)).status, 'by hand').toBe(200);
  expect((await point(alias, version)).status, 'and forth').toBe(200);
  const moved = await within(service.service.app.db, tenant.ctx, (tx) =>
    rollBack(
      tx,
      tenant.ctx,
      { modelId: model, versionId: version, reason: [], signals: [] },
      { days: 1, now: new Date() },
    ),
  );
  expect(moved).toContain(alias);

  const refused = await point(alias, version);
  expectRefusal(refused, 409, 'gates_failed', '/version_id', '/version_id');
  expect(told(refused)[0]).toMatch(
    /^validation: val_\w+ is passed over: it was asked for before returned was moved back/,
  );
  expect(told(refused)[1]).toMatch(/^approvals: /);
  const override = { reason: 'what was held against it was wrong' };
  expect((await point(alias, version, { override })).status).toBe(200);
  expect(await lastEntry('model-gates-override')).toMatchObject({ alias, reason: override.reason });
  // To be overridden is not to have passed.
  expect((await point(alias, own)).status).toBe(200);
  expectRefusal(await point(alias, version), 409, 'gates_failed');

  await insertValidation({ version });
  expect((await approve()).status, 'anew').toBe(201);
  expect((await approve()).status, 'once').toBe(409);
  expect((await point(alias, version)).status).toBe(200);
  expect((await point(alias, own)).status).toBe(200);
  await setGates({ checks: { rank_consistency: { threshold: 2 } } });
  expect((await point(alias, version)).status, 'it has passed since').toBe(200);
  await setGates({});
});

test('a check that must be told keeps what cannot be told, and without a required check nothing is asked for', async () => {
  const version = await copyVersion();
  await insertValidation({ version });
  await point('unsure', own);
  await setGates({ checks: { replay: { must_tell: true } } });
  const refused = await point('unsure', version);
  expectRefusal(refused, 409, 'gates_failed', '/version_id');
  expect(told(refused)[0]).toMatch(/^replay: .*cannot be told/);
  await setGates({});
  expect((await point('unsure', version)).status).toBe(200);

  const unseen = await copyVersion();
  await point('open', own);
  expect(told(await point('open', unseen))[0]).toMatch(/^validation: it has not been held against/);
  const { body: gates } = await tenant.client.get(`/v1/api/models/${model}/gates`);
  const none = Object.keys(gates.checks).map((name) => [name, { required: false }]);
  await setGates({ checks: Object.fromEntries(none) });
  expect((await point('open', unseen)).status).toBe(200);
  await setGates({});
});

test('what a version answered in the shadow is part of its validation, and of its gates as it is when the alias moves', async () => {
  const version = await copyVersion();
  const { client } = tenant;
  const alias = 'shadowed';
  const shadowPath = `/v1/api/models/${model}/shadows/${version}`;
  const validate = async () => {
    const { body } = await client.post(`${versionPath(version)}/validations`, { alias });
    return (await client.finished(`${versionPath(version)}/validations/${body.id}`)).body;
  };
  const ask = async (count: number) => {
    for (let at = 0; at < count; at++) {
      const { status, text } = await client.post(`/v1/api/prediction/${model}/${alias}`, {
        customer_id: `C${at % 40}`,
      });
      expect(status, text).toBe(200);
    }
  };
  await point(alias, own);
  // Others want its shadow, and it has none.
  await setGates({ checks: { shadow_refusals: { must_tell: true } } });
  const unseen = await validate();
  expect(unseen.result, JSON.stringify(unseen.failure)).toMatchObject({ shadow: null });
  const early = await point(alias, version);
  expectRefusal(early, 409, 'gates_failed', '/version_id');
  expect(told(early)).toEqual([
    expect.stringMatching(/^shadow_refusals: .*0 questions in the shadow .*of 200 at least/),
  ]);

  await client.send('PUT', shadowPath, { body: { alias, share: 1 } });
  const questions = 204;
  await ask(questions);
  const answered = async () => {
    await answerShadows(service.service.app);
    return (await client.get(shadowPath)).body.answered;
  };
  await vi.waitUntil(async () => (await answered()) >= questions, { timeout: 120_000, interval: 200 });
  expect((await validate()).result.shadow).toMatchObject({
    ...{ answered: questions, refused: 0, stability_index: 0, largest_distance: 0, rank_correlation: 1 },
  });
  const spoil = (change: string, most: number) =>
    service.owner.pool.query(
      `update shadow_predictions set ${change} where version_id = $1 and prediction_id in
        (select prediction_id from shadow_predictions where version_id = $1 and after is not null limit ${most})`,
      [version],
    );
  // Three of 204 are more than a hundredth; what the validation saw were none.
  await spoil('after = null', 3);
  await setGates({});
  expect(told(await point(alias, version))).toEqual([
    expect.stringMatching(/^shadow_refusals: .*: 0\.0147, at most 0\.01 asked; it asks for inputs/),
  ]);
  await spoil('after = after / 2', 150);
  const again = await validate();
  expect(again).toMatchObject({ verdict: 'drifted', result: { shadow: { answered: questions - 3, refused: 3 } } });
  const moved = again.result.shadow.stability_index;
  expect(moved).toBeGreaterThan(0.5);
  expect(told(await point(alias, version)).map((one) => one.split(':')[0])).toEqual([
    ...['shadow_refusals', 'shadow_distribution'],
  ]);
  // Answers of a version that the alias does not point at any more, and of long ago, say nothing.
  const other = await copyVersion();
  await service.owner.pool.query('update predictions set version_id = $1 where alias = $2', [other, alias]);
  expect((await validate()).result.shadow).toBeNull();
  expect((await point(alias, version)).status).toBe(200);
});

/** Ends a training as `addVersion` does, by the files of the trained version. */
async function endTraining(alias: string) {
  const { db } = service.service.app;
  const [row] = await system(db, 'test', (tx) =>
    tx.selectFrom('model_versions').selectAll().where('id', '=', own).execute(),
  );
  const run = {
    ...{ id: row.training_run_id, model_id: model, snapshot_id: row.snapshot_id, contract_id: row.contract_id },
    ...{ contract_number: row.contract_number, alias, accept_input_changes: false, hold_back_worse: false },
  };
  const learned = {
    ...{ inputs: row.inputs as unknown[], outputs: row.outputs as unknown[], metrics: row.metrics },
    ...{ warnings: [], worse: null, gfmVersionId: null },
  };
  const stored = { id: newId('ver'), prefix: row.storage_prefix, files: row.files };
  const validation = { validated: { compareWith: own, checks: [] }, keep: async () => {} };
  return within(db, tenant.ctx, (tx) => addVersion(tx, tenant.ctx, run, stored, learned, validation));
}

test('where gates leave it to people, the alias of a training stays, and says so', async () => {
  const alias = 'trained';
  const pointsAt = async () => (await tenant.client.get(aliasPath(alias))).body.version_id;
  await point(alias, own);
  for (const [gates, says] of [
    [{ approvals: 1 }, 'approvals (somebody must approve it, and another person move the alias)'],
    [{ automatic: false }, 'automatic (the gates leave it to people)'],
  ] as const) {
    await setGates(gates);
    const { warnings } = await endTraining(alias);
    expect(warnings).toMatchObject([{ code: 'gates_failed' }]);
    expect(warnings[0].message).toContain(`${alias} still points at ${own}`);
    expect(warnings[0].message).toContain(says);
    expect(await pointsAt()).toBe(own);
  }
  await setGates({});
  const { id, warnings } = await endTraining(alias);
  expect(warnings).toEqual([]);
  expect(await pointsAt()).toBe(id);
});
