/**
 * Models watched: drift that was planted and traffic that only sways, outcomes that are worse than was promised, alarms
 * told once, and aliases that are moved back.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { idsFrom } from '../src/lib/crypto/ids.ts';
import { seedRandom } from '../src/ml/statistics/random.ts';
import { normalQuantile } from '../src/ml/statistics/ranks.ts';
import { watchModels } from '../src/resources/monitors/watch.ts';
import { readMetric } from './metrics.ts';
import { expectRefusal } from './problems.ts';
import { type Client, startTestService, type Tenant, type TestService } from './service.ts';
import { returnsTask, shopTables, shopText } from './shop.ts';
import { takeIn } from './take-in.ts';
import { trainTask } from './train-task.ts';

let service: TestService;
let tenant: Tenant;
let client: Client;
let other: Tenant;
/** Two versions of one model that are alike. */
let world: { readonly model: string; readonly version: string; readonly spare: string };

const dayMs = 24 * 60 * 60 * 1000;
const hourMs = dayMs / 24;
/** Noon of day 0 in São Paulo: sixty days ago. */
const noon = Math.floor(Date.now() / dayMs) * dayMs - 60 * dayMs + 15 * hourMs;
const momentOf = (day: number, ms = 0) => new Date(noon + day * dayMs + ms);

beforeAll(async () => {
  service = await startTestService({ metricsPort: 0 });
  tenant = await service.tenant('Watched');
  other = await service.tenant('Other');
  client = tenant.client;
  await takeIn(client, shopText('contract.yaml'), shopTables);
  const { task, run } = await trainTask(client, returnsTask);
  const second = await client.post('/v1/api/training-runs', { task_id: task.id });
  const { body: spare } = await client.finished(`/v1/api/training-runs/${second.body.id}`);
  world = { model: run.model_id, version: run.version_id, spare: spare.version_id };
  await service.owner.pool.query(`update model_versions set created_at = now() - interval '90 days',
    inputs = inputs || '[{"name": "income", "type": "number", "required": false, "description": "", "pii": false},
      {"name": "region", "type": "string", "required": false, "description": "", "pii": false}]'`);
});
afterAll(() => service.close());

type Day = {
  readonly rows: number;
  /** By how many standard deviations the income is moved. */
  readonly shift?: number;
  /** Of how many nobody says where they live. */
  readonly unplaced?: number;
  /** Each answer. */
  readonly score?: number;
};

let made = 0;

/** Writes a day of predictions as they would have been written then. */
async function insertDay(
  version: string,
  day: number,
  { rows, shift = 0, unplaced = 0, score }: Day,
): Promise<string[]> {
  const random = seedRandom(1_000 * day + version.length + made);
  const normal = () => normalQuantile(Math.max(random(), 1e-9));
  const sway = 0.08 * normal();
  const predictions = Array.from({ length: rows }, (_, i) => {
    const at = momentOf(day, Math.floor((i * 4 * hourMs) / rows));
    const p = score ?? Number((0.02 + 0.96 * random()).toFixed(4));
    const income = random() < 0.03 ? null : 3_000 * Math.exp(0.5 * (normal() + sway + shift));
    return {
      id: `${idsFrom('prd', at.getTime())}7aaa${String(made++).padStart(16, '0')}`,
      at,
      version,
      inputs: { customer_id: `C${i % 40}`, income, region: i < unplaced ? null : ['north', 'south', 'east'][i % 3] },
      outputs: { prediction: p },
      key: `C${i % 40}`,
    };
  });
  await service.owner.pool.query(
    `insert into predictions (id, organization_id, workspace_id, model_id, version_id, snapshot_id, as_of, inputs,
        outputs, request_id, created_at, channel, entity_table, entity_key)
      select id, $1, $2, $3, version, 'snp_1', at, inputs, outputs, 'req_1', at, 'api', 'customers', key
      from jsonb_to_recordset($4) as r (id text, at timestamptz, version text, inputs jsonb, outputs jsonb, key text)`,
    [tenant.ctx.organizationId, tenant.ctx.workspaceId, world.model, JSON.stringify(predictions)],
  );
  return predictions.map(({ id }) => id);
}

/** Looks at the end of a day, as the service does each hour. */
const watchAt = (day: number) => watchModels(service.service.app, undefined, momentOf(day, 6 * hourMs));

async function monitoring(version: string) {
  const reply = await client.get(
    `/v1/api/models/${world.model}/monitoring?version=${version}&from=2000-01-01&until=2999-01-01`,
  );
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

async function eventsOf(type: string): Promise<{ payload: Readonly<Record<string, unknown>> }[]> {
  const { rows } = await service.owner.pool.query(
    `select payload from events where workspace_id = $1 and type = $2 order by id`,
    [tenant.ctx.workspaceId, type],
  );
  return rows;
}

const perDay = 60;
/** The last day of the quiet traffic of both versions. */
const quietDays = 34;
/** The last day of what drifts in between. */
const last = quietDays + 21;

beforeAll(async () => {
  for (let day = 0; day <= quietDays; day++) {
    await insertDay(world.spare, day, { rows: perDay });
    await insertDay(world.version, day, { rows: perDay });
  }
  // The service looks by itself when it starts, at what was made today: that is not of this time.
  await service.owner.pool.query('delete from monitored_versions');
});

test('traffic that only sways raises nothing, and shows what it is held against', async () => {
  expect(await watchAt(quietDays)).toBe(2);
  const told = await monitoring(world.version);
  expect(told).toMatchObject({ status: 'watching', alarms: [], version_id: world.version });
  const names = told.signals.map(({ name, of }: { name: string; of: string }) => `${name} ${of}`).sort();
  expect(names).toEqual([
    'income missing',
    'income values',
    'prediction missing',
    'prediction values',
    'region missing',
    'region values',
    'unknown_entity missing',
  ]);
  const income = told.signals.find(
    ({ name, of }: { name: string; of: string }) => name === 'income' && of === 'values',
  );
  expect(income.bins).toHaveLength(10);
  expect(income.reference.rows + income.current.rows).toBeGreaterThan(0.9 * 35 * perDay);
  expect(income.series.length).toBe(quietDays - 27);
  // A tenth each, by which the bins were laid.
  for (const share of income.reference.shares) expect(share).toBeCloseTo(0.1, 1);
  const counted = told.days.find(({ day }: { day: string }) => day === momentOf(3).toISOString().slice(0, 10));
  expect(counted).toMatchObject({ rows: perDay });
  // Nobody counts twice: nothing new came, and within the hour nobody looks again.
  expect(await watchAt(quietDays)).toBe(0);
  expect(await eventsOf('model-drift')).toEqual([]);
});

test('half a standard deviation in a column is told within a week, once, and cleared when it is gone', async () => {
  for (let day = quietDays + 1; day <= quietDays + 7; day++) {
    await insertDay(world.version, day, { rows: perDay, shift: 0.5 });
    await insertDay(world.spare, day, { rows: perDay });
    await watchAt(day);
  }
  const raised = await eventsOf('model-drift');
  expect(raised).toHaveLength(1);
  expect(raised[0].payload).toMatchObject({ status: 'raised', id: world.version, model_id: world.model });
  expect(String(raised[0].payload.signals)).toMatch(/income \(values\): 0\.\d+ > 0\.\d+/);
  expect(String(raised[0].payload.signals)).not.toMatch(/region|prediction/);
  const { alarms, signals } = await monitoring(world.version);
  expect(alarms).toMatchObject([{ kind: 'drift', cleared_at: null, signals: [{ name: 'income', of: 'values' }] }]);
  const raisedNow = () => readMetric(service.service.metricsPort!, 'lastro_model_alarms', { kind: 'drift' });
  expect(await raisedNow()).toBe(1);
  // What is furthest beyond its threshold leads.
  expect(signals[0]).toMatchObject({ name: 'income', of: 'values', is_raised: true });
  expect((await monitoring(world.spare)).alarms).toEqual([]);
  // What comes to it while it is on is told, once.
  for (let day = quietDays + 8; day <= quietDays + 10; day++) {
    await insertDay(world.version, day, { rows: perDay, shift: 0.5, unplaced: 40 });
    await insertDay(world.spare, day, { rows: perDay });
    await watchAt(day);
    await watchAt(day + 0.1);
  }
  const extended = await eventsOf('model-drift');
  expect(extended).toHaveLength(2);
  expect(extended[1].payload).toMatchObject({ status: 'extended', alarm_id: extended[0].payload.alarm_id });
  expect(extended[1].payload.signals).toEqual([expect.stringMatching(/^region \(missing\): [\d.]+ > 0\.\d+/)]);
  for (let day = quietDays + 11; day <= last; day++) {
    await insertDay(world.version, day, { rows: perDay });
    await insertDay(world.spare, day, { rows: perDay });
    await watchAt(day);
  }
  const all = await eventsOf('model-drift');
  expect(all.map(({ payload }) => payload.status)).toEqual(['raised', 'extended', 'cleared']);
  const listed = await client.get(`/v1/api/models/${world.model}/alarms`);
  expect(listed.body.data).toMatchObject([{ id: all[0].payload.alarm_id, cleared_at: expect.any(String) }]);
  expect(await raisedNow()).toBe(0);
});

test('settings are read and set with their ETag; nonsense is refused', async () => {
  const path = `/v1/api/models/${world.model}/monitor`;
  const before = await client.get(path);
  expect(before.body).toMatchObject({ enabled: true, auto_rollback: false });
  const ifMatch = (etag: string) => ({ 'if-match': etag });
  const etag = before.headers.get('etag')!;
  const set = await client.send('PUT', path, { body: { auto_rollback: true }, headers: ifMatch(etag) });
  expect(set.body).toMatchObject({ enabled: true, auto_rollback: true, outcomes_min: 200 });
  expectRefusal(await client.send('PUT', path, { body: {}, headers: ifMatch(etag) }), 412, 'precondition_failed');
  for (const body of [
    { outcomes_min: 1 },
    { reference_from: '2999-01-01' },
    { reference_from: '2024-02-31' },
    { on: 1 },
  ])
    expectRefusal(await client.send('PUT', path, { body }), 422, 'schema_mismatch');
  expectRefusal(await other.client.get(path), 404, 'not_found');
  expectRefusal(await client.get(`/v1/api/models/${world.model}/monitoring?from=soon`), 400, 'invalid_parameter');
});

async function point(alias: string, version: string): Promise<void> {
  const reply = await client.send('PUT', `/v1/api/models/${world.model}/aliases/${alias}`, {
    body: { version_id: version, override: { reason: 'so that it can fail' } },
  });
  expect(reply.status, reply.text).toBe(200);
}

const pointsAt = async (alias: string) =>
  (await client.get(`/v1/api/models/${world.model}/aliases/${alias}`)).body.version_id;

test('a split ends when the answers of its version break', async () => {
  await point('parted', world.spare);
  const path = `/v1/api/models/${world.model}/aliases/parted/split`;
  const body = { version_id: world.version, share: 0.5, override: { reason: 'so that it can fail' } };
  expect((await client.send('PUT', path, { body })).status).toBe(200);
  // The alias was split today, which is day 60; answers before it are no matter.
  for (let day = last + 1; day <= 60; day++) {
    await insertDay(world.spare, day, { rows: perDay });
    if (day < 60) await insertDay(world.version, day, { rows: perDay });
  }
  await watchAt(60);
  expect((await client.get(path)).status, 'nothing has broken').toBe(200);
  await insertDay(world.version, 61, { rows: 250, score: 0.0001 });
  await watchAt(61);
  expectRefusal(await client.get(path), 404, 'not_found');
  const ended = await eventsOf('alias-split-end');
  expect(ended.map(({ payload }) => payload)).toMatchObject([
    { id: world.version, model_id: world.model, alias: 'parted', because: 'failed' },
  ]);
  expect(await pointsAt('parted')).toBe(world.spare);
  expect(await eventsOf('model-version-rollback')).toEqual([]);
});

test('a version whose answers break when it takes over is rolled back, and what is served follows', async () => {
  await point('live', world.spare);
  await point('live', world.version);
  const before = await client.get(`/v1/api/models/${world.model}/aliases/live`);
  expect(await pointsAt('live')).toBe(world.version);
  await watchAt(61.2);
  expect(await pointsAt('live')).toBe(world.spare);
  const told = await eventsOf('model-version-rollback');
  expect(told).toHaveLength(1);
  expect(told[0].payload).toMatchObject({ id: world.version, alias: 'live', to_version_id: world.spare });
  expect(String(told[0].payload.signals)).toMatch(/prediction \(break\)/);
  // The demotion, the promotion and the rollback are one act of the system, in one transaction.
  const { rows } = await service.owner.pool.query(
    `select action, actor_type, target_id from audit_entries where workspace_id = $1 and actor_type = 'system'
      and action like 'model-version-%' and recorded_at > now() - interval '5 minutes' order by id desc limit 3`,
    [tenant.ctx.workspaceId],
  );
  expect(rows.map(({ action, target_id: id }) => [action, id])).toEqual([
    ['model-version-rollback', world.version],
    ['model-version-promotion', world.spare],
    ['model-version-demotion', world.version],
  ]);
  const asked = () => client.post(`/v1/api/prediction/${world.model}/live`, { customer_id: 'C1' });
  await vi.waitUntil(async () => (await asked()).body.version_id === world.spare, { timeout: 120_000 });
  // Whoever saw the alias before may not overwrite it unseen.
  const stale = await client.send('PUT', `/v1/api/models/${world.model}/aliases/live`, {
    body: { version_id: world.version },
    headers: { 'if-match': before.headers.get('etag')! },
  });
  expectRefusal(stale, 412, 'precondition_failed');
  expect((await monitoring(world.version)).rollbacks).toMatchObject([{ from_version_id: world.version }]);
});

test('a version that was rolled back is promoted by people alone, and not rolled back again', async () => {
  await point('live', world.version);
  await insertDay(world.version, 62, { rows: 250, score: 0.0001 });
  await watchAt(62);
  expect(await pointsAt('live')).toBe(world.version);
  expect(await eventsOf('model-version-rollback')).toHaveLength(1);
});

test('outcomes far from what was promised are told, by windows that have closed, and roll back', async () => {
  await point('challenger', world.version);
  await point('challenger', world.spare);
  const { rows } = await service.owner.pool.query(
    `select id, (outputs->>'prediction')::float8 as p, as_of from predictions
      where version_id = $1 and model_id = $2 and outputs ? 'prediction' and request_id = 'req_1' order by id`,
    [world.spare, world.model],
  );
  const random = seedRandom(7);
  /** A quarter of the odds that were promised. */
  const odds = (p: number) => (0.25 * p) / (1 - p);
  const later = (at: Date, days: number) => new Date(at.getTime() + days * dayMs).toISOString();
  const outcomes = rows
    .map(({ id, p, as_of }) => ({
      prediction_id: id,
      value: Number(random() < odds(p) / (1 + odds(p))),
      observed_at: later(as_of, 31),
      asOf: as_of as Date,
    }))
    .filter(({ asOf }) => asOf.getTime() + 31 * dayMs < Date.now());
  expect(outcomes.length).toBeGreaterThan(1_000);
  for (let at = 0; at < outcomes.length; at += 1_000) {
    const part = outcomes.slice(at, at + 1_000).map(({ asOf: _, ...one }) => one);
    const reply = await client.post('/v1/api/outcomes', { outcomes: part });
    expect(reply.status, reply.text).toBe(200);
  }
  // The windows of these are open: they are kept, and count for nothing, whatever they say.
  const open = rows.filter(({ as_of }) => as_of.getTime() > Date.now() - 20 * dayMs && as_of.getTime() < Date.now());
  const early = open.slice(0, 300).map(({ id, as_of }) => ({
    prediction_id: id,
    value: 0,
    observed_at: later(as_of, 0.001),
  }));
  expect((await client.post('/v1/api/outcomes', { outcomes: early })).body.created).toBe(early.length);
  await insertDay(world.spare, 62, { rows: perDay });
  await watchAt(62.2);
  const first = await monitoring(world.spare);
  const [{ bands, ...performance }] = first.performance;
  expect(performance.output).toBe('prediction');
  const newest = Math.max(...outcomes.map(({ asOf }) => asOf.getTime()));
  const counted = outcomes.filter(({ asOf }) => asOf.getTime() > newest - 28 * dayMs);
  expect(Math.abs(performance.rows - counted.length)).toBeLessThanOrEqual(perDay);
  expect(performance.coverage).toBeGreaterThan(0.95);
  expect(performance.observed).toBeLessThan(0.7 * performance.expected);
  for (const band of bands) {
    expect(band.observed_low).toBeLessThanOrEqual(band.observed);
    expect(band.observed).toBeLessThanOrEqual(band.observed_high);
  }
  // One day is none: it is told, and the alias moved, when the next says so too.
  expect(await eventsOf('model-performance')).toEqual([]);
  await insertDay(world.spare, 63, { rows: perDay });
  await watchAt(63);
  const told = await eventsOf('model-performance');
  expect(told).toHaveLength(1);
  expect(told[0].payload).toMatchObject({ status: 'raised', id: world.spare });
  expect(String(told[0].payload.signals)).toMatch(/prediction \(calibration\): 0\.\d+ < 1/);
  expect(await pointsAt('challenger')).toBe(world.version);
  // What it was moved back to is not moved on, though it is broken.
  await insertDay(world.version, 64, { rows: 250, score: 0.0001 });
  await watchAt(64);
  expect(await pointsAt('challenger')).toBe(world.version);
});

test('one workspace sees nothing of what another one watches', async () => {
  for (const path of ['monitoring', 'alarms', 'monitor'])
    expectRefusal(await other.client.get(`/v1/api/models/${world.model}/${path}`), 404, 'not_found');
  expect((await other.client.get('/v1/api/outcomes')).body.data).toEqual([]);
});
