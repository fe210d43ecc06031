/** Work that is running and has no process yet says what it waits for. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitsOpenMax } from '../src/api/wait.ts';
import { newId } from '../src/lib/crypto/ids.ts';
import type { App } from '../src/resources/app.ts';
import { runBeside } from './beside.ts';
import { expectRefusal } from './problems.ts';
import { type Client, type Reply, startTestService, type TestService } from './service.ts';
import { returnsTask, shopTables, shopText } from './shop.ts';
import { sendTables, takeIn } from './take-in.ts';
import { defineTask } from './train-task.ts';

let service: TestService;
/** What shows the progress of the next task: it begins once that tells of the wait. */
let shown: (() => Promise<unknown>) | null = null;

beforeAll(async () => {
  service = await startTestService();
  const { app } = service.service;
  const compute = app.compute!;
  const busy = {
    ...compute,
    async run(task: never, options: { onWait?: () => void }) {
      options.onWait?.();
      while (shown !== null && (await shown()) !== 'waiting for a process') await sleep(10);
      return compute.run(task, options);
    },
  };
  Object.assign(app, { compute: busy as unknown as App['compute'] });
});
afterAll(() => service.close());

/** Starts what is to wait; resolves when it has said so and then ended. */
async function waits(client: Client, path: string, asked: object, phaseOf: (body: never) => unknown): Promise<void> {
  const told = Promise.withResolvers<string>();
  shown = async () => phaseOf((await client.get(`${path}/${await told.promise}`)).body as never);
  const started = await client.post(path, asked);
  expect(started.status, started.text).toBe(202);
  told.resolve(started.body.id);
  const ended = await client.finished(`${path}/${started.body.id}`);
  expect(ended.body.status, ended.text).toBe('succeeded');
  shown = null;
}

test('a queued training run says how many of its workspace are before it', async ({ onTestFailed }) => {
  const { client, ctx } = await service.tenant('In turn');
  await takeIn(client, shopText('contract.yaml'), shopTables);
  const task = await defineTask(client, returnsTask);
  // Held until all three have been asked for.
  const asked = Promise.withResolvers<void>();
  shown = async () => {
    await asked.promise;
    return 'waiting for a process';
  };
  onTestFailed(() => asked.resolve());
  const ids: string[] = [];
  const path = '/v1/api/training-runs';
  for (let run = 0; run < 3; run++) ids.push((await client.post(path, { task_id: task.id })).body.id);
  while ((await client.get(`${path}/${ids[0]}`)).body.status !== 'running') await sleep(10);
  const { data } = (await client.get(path)).body;
  expect(data.map(({ id, runs_before }: { id: string; runs_before: number | null }) => [id, runs_before])).toEqual([
    [ids[2], 2],
    [ids[1], 1],
    [ids[0], null],
  ]);
  expect((await client.get(`${path}/${ids[2]}`)).body).toMatchObject({
    ...{ status: 'queued', runs_before: 2, waits_for: 'turn', phase: 'waiting for its turn' },
  });
  // Nothing has ended here yet that would tell how long one takes.
  expect((await client.get(`${path}/${ids[2]}`)).body.start_eta).toBeNull();
  await service.owner.pool.query(
    `insert into training_runs select (jsonb_populate_record(run, jsonb_build_object('id', 'run_0' || n,
       'status', 'interrupted', 'started_at', now() - interval '1 hour',
       'finished_at', now() - interval '1 hour' + n * interval '20 minutes'))).*
     from training_runs as run, generate_series(1, 3) as n where id = $1`,
    [ids[0]],
  );
  const eta = (await client.get(`${path}/${ids[2]}`)).body.start_eta;
  // They took 20, 40 and 60 minutes: of the one under way half is left, and one comes after it.
  const minutes = (Date.parse(eta) - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(59);
  expect(minutes).toBeLessThanOrEqual(60);
  const { code, body: shownQueue } = await runBeside(service, ['admin', 'queue']);
  expect(code).toBe(0);
  const trainings = shownQueue.queues.find(({ queue }: { queue: string }) => queue === 'training-runs');
  expect(trainings.workspaces).toMatchObject([{ weight: 1, waiting: 2, running: 1, oldest_work: ids[1] }]);
  // Those that were interrupted are before nobody.
  const interrupt = async (id: string) => {
    await client.post(`${path}/${id}/interrupt`);
    expect((await client.finished(`${path}/${id}`)).body).toMatchObject({ status: 'interrupted', runs_before: null });
  };
  await interrupt(ids[1]);
  expect((await client.get(`${path}/${ids[2]}`)).body).toMatchObject({ status: 'queued', runs_before: 1 });
  const byOperator = (workspace: string, work: string) =>
    runBeside(service, ['admin', 'interrupt', '--workspace', workspace, '--work', work]);
  const elsewhere = await service.tenant('Not in turn');
  expect((await byOperator(elsewhere.ctx.workspaceId, ids[2])).err).toContain(`there is no training run ${ids[2]}`);
  expect((await byOperator(ctx.workspaceId, 'ver_1')).err).toContain('--work must be the id of a batch');
  expect(await byOperator(ctx.workspaceId, ids[2])).toMatchObject({ code: 0, body: { work: ids[2] } });
  const { body: ended } = await client.get(`${path}/${ids[2]}`);
  expect(ended).toMatchObject({ status: 'interrupted', runs_before: null });
  const entries = await client.get(`/v1/api/audit-entries?target_id=${ids[2]}`);
  expect(entries.body.data[0]).toMatchObject({ action: 'training-run-lifecycle', actor: { type: 'operator' } });
  asked.resolve();
  expect((await client.finished(`${path}/${ids[0]}`)).body).toMatchObject({ status: 'succeeded', runs_before: null });
  shown = null;
});

test('an ingestion and a training run that wait for a process say so', async () => {
  const { client } = await service.tenant('Waiting');
  await client.post('/v1/api/contracts', { document: shopText('contract.yaml'), accept: true });
  const files = await sendTables(client, shopTables);
  await waits(
    client,
    '/v1/api/ingestions',
    { files },
    ({ progress }: { progress: { phase: string } | null }) => progress?.phase,
  );
  const task = await defineTask(client, returnsTask);
  const asked = { task_id: task.id };
  await waits(client, '/v1/api/training-runs', asked, ({ phase }: { phase: string | null }) => phase);
});

test('whoever waits has so many places, whatever for, and what is waited for is read at its end alone', async () => {
  const { client, ctx } = await service.tenant('Waiters');
  await takeIn(client, shopText('contract.yaml'), shopTables);
  const task = await defineTask(client, returnsTask);
  const files = await sendTables(client, shopTables);
  const held = Promise.withResolvers<void>();
  shown = async () => {
    await held.promise;
    return 'waiting for a process';
  };
  const run = await client.post('/v1/api/training-runs', { task_id: task.id });
  const ingestion = await client.post('/v1/api/ingestions', { files });
  const next = await client.post('/v1/api/ingestions', { files });
  expect(next.body).toMatchObject({ status: 'queued', ingestions_before: 1, waits_for: 'turn' });
  const elsewhere = await service.tenant('Elsewhere');
  await elsewhere.client.post('/v1/api/contracts', { document: shopText('contract.yaml'), accept: true });
  while ((await client.get(`/v1/api/ingestions/${ingestion.body.id}`)).body.status !== 'running') await sleep(10);
  const own = await sendTables(elsewhere.client, shopTables);
  const other = await elsewhere.client.post('/v1/api/ingestions', { files: own });
  expect(other.body).toMatchObject({ status: 'queued', ingestions_before: 0, waits_for: 'others' });
  const batch = newId('bat');
  await service.owner.pool.query(
    `insert into batches (id, organization_id, workspace_id, targets, snapshot_id, as_of, time_zone, language, created_by)
     select $1, organization_id, workspace_id, '{}', id, now(), 'UTC', 'en', 'nobody' from snapshots where workspace_id = $2`,
    [batch, ctx.workspaceId],
  );
  const works = [
    `/v1/api/training-runs/${run.body.id}`,
    `/v1/api/ingestions/${ingestion.body.id}`,
    `/v2/api/batches/${batch}`,
    `/v1/api/batches/${batch}`,
  ];
  const locking = await service.owner.pool.connect();
  const asking: Promise<Reply>[] = [];
  try {
    await locking.query('begin; lock table batch_files in access exclusive mode');
    for (let at = 0; at <= waitsOpenMax.perKey; at++) asking.push(client.get(`${works[at % works.length]}?wait=20`));
    expectRefusal(await Promise.race(asking), 429, 'rate_limited');
    await service.owner.pool.query(`update batches set status = 'failed', finished_at = now() where id = $1`, [batch]);
  } finally {
    held.resolve();
    shown = null;
    await locking.query('rollback');
    locking.release();
  }
  const answers = await Promise.all(asking);
  expect(answers.map(({ status }) => status).sort()).toEqual([...asking.slice(1).map(() => 200), 429]);
});

test('a queued batch says how many are before it, and when it is likely to begin', async () => {
  const { client, ctx } = await service.tenant('Batches in turn');
  await takeIn(client, shopText('contract.yaml'), shopTables);
  const insert = (id: string, status: string, times: string) =>
    service.owner.pool.query(
      `insert into batches (id, organization_id, workspace_id, targets, snapshot_id, as_of, time_zone, language,
         created_by, status, started_at, planned_at)
       select $1, organization_id, workspace_id, '{}', id, now(), 'UTC', 'en', 'nobody', $3, ${times}
       from snapshots where workspace_id = $2`,
      [id, ctx.workspaceId, status],
    );
  const idOf = (at: number) => `bat_in_turn_${at}`;
  for (const at of [0, 1]) await insert(idOf(at), 'running', 'now(), null');
  for (const at of [2, 3]) await insert(idOf(at), 'queued', 'null, null');
  const turnOf = async (at: number) => (await client.get(`/v2/api/batches/${idOf(at)}`)).body;
  expect(await turnOf(0)).toMatchObject({ batches_before: null, start_eta: null });
  expect(await turnOf(3)).toMatchObject({ batches_before: 3, waits_for: 'turn', start_eta: null });
  for (const minutes of [20, 40, 60])
    await insert(
      `bat_ended_${minutes}`,
      'failed',
      `now() - interval '1 hour', now() - interval '1 hour' + interval '${minutes} minutes'`,
    );
  // Files of one are looked at for 40 minutes, of two batches at once: of those under way half is left.
  for (const [at, expected] of [
    [2, 20],
    [3, 40],
  ] as const) {
    const { batches_before: before, start_eta: eta } = await turnOf(at);
    expect(before).toBe(at);
    const minutes = (Date.parse(eta) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(expected - 1);
    expect(minutes).toBeLessThanOrEqual(expected);
  }
});
