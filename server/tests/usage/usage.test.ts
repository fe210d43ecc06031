/** What is metered, against the requests that were made, counted by hand. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '../../src/access/context.ts';
import { tenant as inTenant } from '../../src/access/transactions.ts';
import { renewedAfterMs } from '../../src/resources/allowances/allowances.ts';
import { answering, type Embedders } from '../../src/resources/embeddings/about.ts';
import { setQuota } from '../../src/resources/quotas/set.ts';
import { meterUsage } from '../../src/resources/usage/meter.ts';
import { sampleStorage } from '../../src/resources/usage/sample-storage.ts';
import { record } from '../../src/trail/record.ts';
import { expectRefusal } from '../problems.ts';
import { type Client, startTestService, type Tenant, type TestService } from '../service.ts';
import { learnReturns } from '../support/samples/batches.ts';
import { answerPredictions, listAll, meterAll, totals } from './metered.ts';

/** Days begin there fourteen hours before they do in UTC. */
const timeZone = 'Pacific/Kiritimati';

let service: TestService;
let tenant: Tenant;
let creator: Client & { userId: string };
let model: string;
let version: string;

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.tenant('Metered', { timeZone });
  ({ model_id: model, version_id: version } = await learnReturns(tenant.client));
  creator = await tenant.signedIn('creator', 'organization');
  await meterAll(service);
});
afterAll(() => service.close());

const predictBy = (client: Client, name = 'production') =>
  client.post(`/v1/api/prediction/${model}/${name}`, { customer_id: 'C1' });
const today = () => new Date(Date.now() + 14 * 60 * 60 * 1000).toISOString().slice(0, 10);
/** What an answer with embeddings leaves. */
const embed = (ctx: Context, entities: number) =>
  answering(service.service.app, {} as Embedders).leaveTrail(
    ctx,
    { type: 'rfm_version', id: 'rfm_1' },
    'rfm',
    entities,
  );

/** What was metered while `work` ran. */
async function meteredBy(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await totals(tenant.client);
  await work();
  await meterAll(service);
  const after = await totals(tenant.client);
  const changed = Object.entries(after).map(([meter, sum]) => [meter, sum - (before[meter] ?? 0)] as const);
  return Object.fromEntries(changed.filter(([, sum]) => sum !== 0));
}

test('a training run that has succeeded is metered, in begun minutes', async () => {
  const { storage_megabyte_days, ...used } = await totals(tenant.client);
  expect(used).toEqual({ training_runs: 1, training_minutes: expect.any(Number) });
  const { started_at, finished_at } = (await tenant.client.get('/v1/api/training-runs')).body.data[0];
  const tookMinutes = (Date.parse(finished_at) - Date.parse(started_at)) / 60_000;
  expect(Math.abs(used.training_minutes - Math.ceil(tookMinutes))).toBeLessThanOrEqual(1);
  const [minutes] = await listAll(tenant.client, '/v1/api/usage-records?meter=training_minutes');
  expect(minutes).toMatchObject({ model_id: model, version_id: version, actor: { type: 'system' } });
});

test('each answer is metered, by its version and its day, and none that was refused', async () => {
  const developer = await tenant.as('developer');
  const used = await meteredBy(async () => {
    for (let i = 0; i < 5; i++) expect((await predictBy(tenant.client)).status).toBe(200);
    for (let i = 0; i < 3; i++) expect((await predictBy(developer, version)).status).toBe(200);
    expect((await tenant.client.post(`/v1/api/prediction/${model}/production`, {})).status).toBe(422);
    expect((await predictBy(await tenant.as('analyst'))).status).toBe(403);
    await embed(tenant.ctx, 3);
    await embed(tenant.ctx, 1);
  });
  expect(used).toEqual({ predictions: 8, embeddings: 4 });
  const versions = await listAll(tenant.client, '/v1/api/usage?group_by=version');
  expect(versions.find(({ meter }) => meter === 'predictions')).toMatchObject({
    ...{ model_id: model, version_id: version, quantity: 8, day: null, month: null, workspace_id: null },
  });
  const days = await listAll(tenant.client, `/v1/api/usage?from=${today()}`);
  expect(days.find(({ meter }) => meter === 'embeddings')).toMatchObject({ day: today(), quantity: 4, model_id: null });
});

test('rows of a batch are metered once it has ended: those of its result', async () => {
  const text = 'customer_id,reference_date\nC1,2024-01-01\nC2,2024-01-01\nC3,soon\n';
  const used = await meteredBy(async () => {
    const files = [await tenant.client.upload('asked.csv', text)];
    const { body } = await tenant.client.post('/v2/api/batches', { files, model: `${model}/production` });
    expect((await tenant.client.finished(`/v2/api/batches/${body.id}`)).body.progress.rows).toMatchObject({
      ...{ succeeded: 2, failed: 1 },
    });
  });
  expect(used).toEqual({ batch_rows: 2 });
  const [rows] = await listAll(tenant.client, '/v1/api/usage-records?meter=batch_rows');
  expect(rows).toMatchObject({ quantity: 2, model_id: model, version_id: version, target: { type: 'batch' } });
});

test('the log has a record for each, with who, what and by which request; sums equal the log', async () => {
  const auditor = await tenant.as('auditor');
  const developer = await tenant.as('developer');
  const answer = await predictBy(developer);
  await meterAll(service);
  const [newest] = (await auditor.get('/v1/api/usage-records?limit=1')).body.data;
  expect(newest).toMatchObject({
    ...{ meter: 'predictions', quantity: 1, model_id: model, version_id: version, channel: 'api' },
    workspace_id: tenant.ctx.workspaceId,
    actor: { type: 'api_key', id: developer.keyId },
    request_id: answer.headers.get('request-id'),
    target: { type: 'prediction', id: answer.body.prediction_id },
  });
  const records = await listAll(auditor, '/v1/api/usage-records');
  const sums: Record<string, number> = {};
  for (const { meter, quantity } of records) sums[meter] = (sums[meter] ?? 0) + quantity;
  const { storage_megabyte_days, ...used } = await totals(tenant.client);
  expect(sums).toEqual(used);
  expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
  const times = records.map(({ recorded_at }) => recorded_at);
  expect(times).toEqual([...times].sort().reverse());
});

test('the log is filtered, each filter against the whole log', async () => {
  const all = await listAll(tenant.client, '/v1/api/usage-records');
  const keyId = all[0].actor.id;
  for (const [query, holds] of [
    ['meter=batch_rows', ({ meter }) => meter === 'batch_rows'],
    [`actor_id=${keyId}`, ({ actor }) => actor.id === keyId],
    [`model_id=${model}`, ({ model_id }) => model_id === model],
    [`version_id=${version}&meter=predictions`, (one) => one.version_id === version && one.meter === 'predictions'],
    ['channel=dashboard', ({ channel }) => channel === 'dashboard'],
    [
      `from=${today()}&to=${today()}`,
      ({ recorded_at }) => recorded_at >= new Date(`${today()}T00:00:00+14:00`).toISOString(),
    ],
    ['to=2020-01-01', () => false],
  ] as [string, (one: (typeof all)[number]) => boolean][])
    expect(await listAll(tenant.client, `/v1/api/usage-records?${query}`), query).toEqual(all.filter(holds));
  for (const query of ['from=2026-02-30', 'from=2026-03-02&to=2026-03-01', 'from=2020-01-01&to=2026-01-01'])
    expect((await tenant.client.get(`/v1/api/usage?${query}`)).body.code, query).toBe('invalid_parameter');
});

test('the log is exported as CSV, line by record, and the trail says so', async () => {
  const all = await listAll(tenant.client, '/v1/api/usage-records');
  const reply = await tenant.client.get('/v1/api/usage-records/export');
  expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const [header, ...lines] = reply.text.trimEnd().split('\r\n');
  expect(header).toMatch(/^recorded_at,workspace_id,meter,quantity,/);
  expect(lines.map((line) => line.split(',').at(-1))).toEqual(all.map(({ id }) => id));
  const { rows } = await service.owner.pool.query(
    "select action from audit_entries where request_id = $1 and action = 'usage-record-download'",
    [reply.headers.get('request-id')],
  );
  expect(rows).toHaveLength(1);
});

test('an organization sees its workspaces together and apart, and nothing of others', async () => {
  const made = await creator.post('/v1/api/workspaces', { name: 'Second' });
  expect(made.status, made.text).toBe(201);
  const second = { ...tenant.ctx, workspaceId: made.body.id };
  await answerPredictions(service, second, 3);
  const other = await service.tenant('Elsewhere');
  await answerPredictions(service, other.ctx, 5);
  await meterAll(service);
  const own = await totals(tenant.client);
  expect(await totals(creator, '/v1/api/organization/usage')).toEqual({ ...own, predictions: own.predictions + 3 });
  const apart = await listAll(creator, '/v1/api/organization/usage?group_by=workspace');
  expect(new Set(apart.map(({ workspace_id }) => workspace_id))).toEqual(
    new Set([tenant.ctx.workspaceId, made.body.id]),
  );
  const records = await listAll(creator, '/v1/api/organization/usage-records');
  const here = records.filter(({ workspace_id }) => workspace_id === tenant.ctx.workspaceId);
  expect(here).toEqual(await listAll(tenant.client, '/v1/api/usage-records'));
  expect(records.length - here.length).toBe(3);
});

test('storage is sampled once a day, however often it is asked for', async () => {
  const { app } = service.service;
  await sampleStorage(app);
  const before = (await totals(tenant.client)).storage_megabyte_days;
  await tenant.client.upload('more.csv', 'x'.repeat(3_000_000));
  await Promise.all([sampleStorage(app), sampleStorage(app)]);
  expect((await totals(tenant.client)).storage_megabyte_days).toBe(before);
  let bytes = 0;
  for await (const { size } of app.storage.list(`${tenant.ctx.organizationId}/${tenant.ctx.workspaceId}/`))
    bytes += size;
  expect(before).toBe(Math.ceil((bytes - 3_000_000) / 1_000_000));
});

test('many meters at once, and ones that break off, count each entry once', async () => {
  const { db } = service.service.app;
  const used = await meteredBy(async () => {
    const asking = Promise.all(Array.from({ length: 40 }, () => answerPredictions(service, tenant.ctx, 1)));
    let isOver = false;
    const metering = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        await meterUsage(db, undefined, { workspaces: 1, leaves: 3 }).catch((error: Error) => {
          if (error.message !== 'lost') throw error;
        });
        await sleep(5);
      }
    });
    // A transaction that has metered, and is lost before it commits.
    await service.owner.pool.query(`create function lose() returns trigger language plpgsql as $$
      begin if random() < 0.5 then raise exception 'lost'; end if; return null; end $$;
      create constraint trigger lose after update on usage_positions deferrable initially deferred
        for each row execute function lose()`);
    await asking;
    await sleep(1_500);
    isOver = true;
    await Promise.all(metering);
    await service.owner.pool.query('drop trigger lose on usage_positions; drop function lose');
  });
  expect(used).toEqual({ predictions: 40 });
});

test('a quota refuses what is beyond it, of its kind alone, and says so', async () => {
  const { db, allowances } = service.service.app;
  const { organizationId, workspaceId } = tenant.ctx;
  const { predictions, embeddings } = await totals(tenant.client);
  const quota = { organizationId, workspaceId, resource: 'predictions' } as const;
  await setQuota(db, { ...quota, limit: predictions + 2 });
  const untilKnown = async (status: number) => {
    for (;;) {
      const reply = await predictBy(tenant.client);
      if (reply.status === status) return reply;
      await meterAll(service);
      await sleep(renewedAfterMs);
    }
  };
  const refused = await untilKnown(429);
  expect(refused.body).toMatchObject({ code: 'quota_exceeded' });
  expect(refused.body.detail).toMatch(/^the workspace has used \d+ of the \d+ predictions that it may use in a month/);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  await allowances.require(tenant.ctx, 'embeddings');
  // One of the organization holds in each of its workspaces.
  await setQuota(db, { ...quota, limit: null });
  await untilKnown(200);
  await setQuota(db, { organizationId, workspaceId: null, resource: 'embeddings', limit: embeddings });
  await sleep(2 * renewedAfterMs);
  await predictBy(tenant.client);
  await expect
    .poll(() => allowances.require(tenant.ctx, 'embeddings').then(String, ({ reason }) => reason), { timeout: 120_000 })
    .toBe('quota_exceeded');
  await setQuota(db, { organizationId, workspaceId: null, resource: 'embeddings', limit: null });
});

test('batches that are asked for at once do not exceed a quota together, in their workspace or its organization', async () => {
  const { db } = service.service.app;
  const { organizationId, workspaceId } = tenant.ctx;
  const { batch_rows: before = 0 } = await totals(tenant.client);
  const [asked, fitting, rowsEach] = [10, 4, 2];
  const quota = { organizationId, resource: 'batch_rows' } as const;
  const text = 'customer_id,reference_date\nC1,2024-01-01\nC2,2024-01-01\n';
  const files = [await tenant.client.upload('asked.csv', text)];
  const run = async () => {
    const { body, status } = await tenant.client.post('/v2/api/batches', { files, model: `${model}/production` });
    expect(status, JSON.stringify(body)).toBe(202);
    return (await tenant.client.finished(`/v2/api/batches/${body.id}`)).body;
  };
  // One row more than so many batches have is not enough for another.
  await setQuota(db, { ...quota, workspaceId, limit: before + fitting * rowsEach + 1 });
  const ended = await Promise.all(Array.from({ length: asked }, run));
  const refused = ended.filter(({ status }) => status === 'failed');
  expect(refused).toHaveLength(asked - fitting);
  for (const { failure, progress } of refused) {
    expect(failure.code).toBe('quota_exceeded');
    expect(failure.detail).toMatch(/^the workspace may use \d+ batch_rows in a month, .* and this batch has 2; /);
    expect(progress.rows.processed).toBe(0);
  }
  await meterAll(service);
  expect((await totals(tenant.client)).batch_rows).toBe(before + fitting * rowsEach);
  await setQuota(db, { ...quota, workspaceId, limit: null });
  await setQuota(db, { ...quota, workspaceId: null, limit: before + (fitting + 1) * rowsEach });
  expect((await Promise.all([run(), run()])).map(({ status }) => status).sort()).toEqual(['failed', 'succeeded']);
  await setQuota(db, { ...quota, workspaceId: null, limit: null });
  expect((await run()).status).toBe('succeeded');
});

test('what is queued or running at once stays within a quota, also of requests that arrive together', async () => {
  const { db } = service.service.app;
  const { organizationId, workspaceId } = tenant.ctx;
  const files = [await tenant.client.upload('at-once.csv', 'customer_id,reference_date\nC1,2024-01-01\n')];
  const ask = () => tenant.client.post('/v2/api/batches', { files, model: `${model}/production` });
  const ended = async (replies: Awaited<ReturnType<typeof ask>>[]) => {
    for (const { status, body } of replies)
      if (status === 202) await tenant.client.finished(`/v2/api/batches/${body.id}`);
  };
  for (const of of ['workspace', 'organization'] as const) {
    const quota = {
      organizationId,
      workspaceId: of === 'workspace' ? workspaceId : null,
      resource: 'open_batches',
    } as const;
    await setQuota(db, { ...quota, limit: 2 });
    const replies = await Promise.all(Array.from({ length: 6 }, ask));
    expect(replies.filter(({ status }) => status === 202)).toHaveLength(2);
    for (const { status, body, headers } of replies.filter((reply) => reply.status !== 202)) {
      expect([status, body.code]).toEqual([429, 'quota_exceeded']);
      expect(body.detail).toContain(`the ${of} may have 2 batches queued or running at once`);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const { data } = (await tenant.client.get('/v1/api/quotas')).body;
    expect(data).toContainEqual({
      resource: 'open_batches',
      of,
      period: 'now',
      limit: 2,
      used: expect.any(Number),
      resets_at: null,
    });
    await ended(replies);
    // What has ended makes room.
    const again = await ask();
    expect(again.status).toBe(202);
    await ended([again]);
    await setQuota(db, { ...quota, limit: null });
  }
  expect((await tenant.client.get('/v1/api/quotas')).body.data).toEqual([]);
});

test('each kind of work has a quota of its own of what is open', async () => {
  const { db } = service.service.app;
  const { client } = tenant;
  const file = await client.upload('judged.csv', 'customer_id,date,label\nC1,2024-01-01,1\n');
  const task = (await client.get('/v1/api/tasks')).body.data[0].id;
  const works = {
    open_ingestions: ['ingestions', { files: [{ table: 'customers', file_id: file }] }],
    open_training_runs: ['training runs', { task_id: task }, 'training-runs'],
    open_evaluations: ['evaluations', { file, model: `${model}/production` }],
  } as const;
  for (const [resource, [words, body, path = words]] of Object.entries(works)) {
    const quota = { ...tenant.ctx, resource: resource as keyof typeof works };
    await setQuota(db, { ...quota, limit: 0 });
    const refused = await client.post(`/v1/api/${path}`, body);
    expectRefusal(refused, 429, 'quota_exceeded');
    expect(refused.body.detail).toContain(`the workspace may have 0 ${words} queued or running at once`);
    await setQuota(db, { ...quota, limit: null });
  }
});

test('files are not taken that would be more than may be stored, declared or not, and a deletion makes room', async () => {
  const { db } = service.service.app;
  const stored = await service.tenant('Stored');
  await setQuota(db, { ...stored.ctx, resource: 'stored_megabytes', limit: 3 });
  const bytes = Buffer.alloc(2_000_000, 'x');
  const md5 = createHash('md5').update(bytes).digest('base64');
  const declare = (path: string, declared?: number) =>
    stored.client.post('/v2/api/files/upload', {
      files: [{ path, content_type: 'text/csv', md5, ...(declared && { bytes: declared }) }],
    });
  const send = async (path: string) => {
    const [{ upload_url, headers }] = (await declare(path)).body.files;
    return fetch(upload_url, { method: 'PUT', headers, body: bytes });
  };
  const first = await declare('declared.csv', bytes.length);
  expect(first.status).toBe(201);
  const beyond = await declare('beyond.csv', bytes.length);
  expect([beyond.status, beyond.body.code]).toEqual([429, 'quota_exceeded']);
  expect(beyond.body.detail).toContain(
    'the workspace may have 3 megabytes of files and results, and with this it would have 4',
  );
  expect((await send('undeclared.csv')).status).toBe(429);
  const [{ upload_url, headers, id }] = first.body.files;
  expect((await fetch(upload_url, { method: 'PUT', headers, body: bytes })).status).toBe(200);
  expect((await stored.client.send('DELETE', `/v2/api/files/${id}`)).status).toBe(200);
  expect((await send('undeclared.csv')).status).toBe(200);
});

test('predictions beyond those of a second are refused, and let in in the next', async () => {
  const { db } = service.service.app;
  const quota = { ...tenant.ctx, resource: 'predictions_per_second' } as const;
  await setQuota(db, { ...quota, limit: 2 });
  const burst = () => Promise.all(Array.from({ length: 8 }, () => predictBy(tenant.client)));
  await expect
    .poll(async () => (await burst()).some(({ status }) => status === 429), {
      timeout: 120_000,
      interval: renewedAfterMs,
    })
    .toBe(true);
  await sleep(1_000);
  const replies = await burst();
  const letIn = replies.filter(({ status }) => status === 200);
  // A machine under load may take longer than a second for them all.
  expect(letIn.length).toBeGreaterThanOrEqual(2);
  const refused = replies.find(({ status }) => status === 429);
  if (refused) {
    expect(refused.body).toMatchObject({ code: 'rate_limited' });
    expect(refused.headers.get('retry-after')).toBe('1');
  }
  await setQuota(db, { ...quota, limit: null });
});

test('people are told when four fifths of a quota are used and when all is, once in a month', async () => {
  const limited = await service.tenant('Limited');
  const { db } = service.service.app;
  const { organizationId } = limited.ctx;
  await setQuota(db, { organizationId, workspaceId: null, resource: 'predictions', limit: 10 });
  const told = async () => {
    const { rows } = await service.owner.pool.query(
      `select type || ' ' || (payload->>'used') as told from events
       where workspace_id = $1 and type like 'usage-limit%' order by ordinal`,
      [limited.ctx.workspaceId],
    );
    return rows.map((row) => row.told);
  };
  const seen = [];
  for (const count of [7, 1, 1, 2, 1]) {
    await answerPredictions(service, limited.ctx, count);
    await meterAll(service);
    seen.push(await told());
  }
  const warned = ['usage-limit-warning 8'];
  expect(seen).toEqual([
    [],
    warned,
    warned,
    [...warned, 'usage-limit-reached 11'],
    [...warned, 'usage-limit-reached 11'],
  ]);
  // Of both at once the greater is told.
  const sudden = await service.tenant('Sudden');
  await setQuota(db, { ...sudden.ctx, resource: 'training_runs', limit: 1 });
  const target = { type: 'training_run', id: 'run_1' };
  await inTenant(db, sudden.ctx, (tx) =>
    record(tx, sudden.ctx, 'training-run-lifecycle', target, { status: 'queued' }),
  );
  await meterAll(service);
  const { rows } = await service.owner.pool.query(
    "select type, payload from events where workspace_id = $1 and type like 'usage-limit%'",
    [sudden.ctx.workspaceId],
  );
  expect(rows).toMatchObject([
    {
      type: 'usage-limit-reached',
      payload: { resource: 'training_runs', of: 'workspace', percent: 100, limit: 1, used: 1 },
    },
  ]);
});
