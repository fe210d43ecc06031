/**
 * kill -9 of the service, of its computing processes, of its database and of everything at random moments of uploads,
 * ingestions, trainings and batches. One workspace works under the kills, another then does the same undisturbed.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { Failure } from '../src/lib/failure.ts';
import { checkLifecycles, checkObjects, hashesOf, type KeptSnapshot } from './aftermath.ts';
import { largeShop } from './large-shop.ts';
import { openPatientClient, type PatientClient } from './patient-client.ts';
import {
  bootstrap,
  gone,
  kill,
  makeDataFolder,
  type Program,
  processesOf,
  queryRows,
  removeDataFolder,
  startProgram,
} from './program.ts';
import { draws } from './samples.ts';
import { startTestService } from './service.ts';
import { takeIn } from './take-in.ts';
import { defineTask } from './train-task.ts';

const killsPlanned = 40;
const killsPerRound = 2;
const roundsMax = 20;
/** Until the work of a dead worker is done again, roughly. */
const recoveryMs = 12_000;
const seed = 20_261_121;

const activities = ['upload', 'ingestion', 'training', 'batch'] as const;
type Activity = (typeof activities)[number];
const victims = ['service', 'computing', 'database', 'everything'] as const;
type Victim = (typeof victims)[number];

const shop = largeShop(400, 20_000);
const batchRows = 50_000;
const uploadBytes = 24 << 20;
const draw = draws(seed);

let folder: string;
let port: string;
let program: Program;

beforeAll(async () => {
  folder = makeDataFolder();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = String((server.address() as { port: number }).port);
  server.close();
  await once(server, 'close');
  program = await start();
});
afterAll(() => removeDataFolder(folder));

async function start(): Promise<Program> {
  const program = startProgram(folder, { env: { PORT: port } });
  await program.answers;
  return program;
}

type Workspace = PatientClient & { readonly taskId: string; readonly batchFiles: readonly string[]; modelId: string };
/** What an activity came to: hashes of what was made. */
type Outcome = readonly string[];

test('nothing acknowledged is lost, and everything ends as if nobody had been killed', async () => {
  const struck = await openWorkspace('Struck');
  const outcomes = await underKills(struck);
  const calm = await openWorkspace('Calm');
  for (const { activity, round, outcome } of outcomes)
    expect(outcome, `${activity} ${round}`).toEqual(await perform[activity](calm, round));

  for (const path of [...calm.acknowledged, ...struck.acknowledged]) {
    const { body } = await struck
      .send('GET', path)
      .then((reply) => (reply.status === 404 ? calm.send('GET', path) : reply));
    expect(['succeeded', 'uploaded'], `${path} ${JSON.stringify(body)}`).toContain(body.status);
  }
  kill(program.pid, 'SIGTERM');
  expect(await program.ended).toEqual({ code: 0, signal: null });
  expect(processesOf(folder)).toEqual([]);
  expect(readdirSync(join(folder, 'work'))).toEqual([]);
  await checkRows(outcomes);
  await checkKept();
  expect(processesOf(folder)).toEqual([]);
});

test('what kills its process every time ends as failed, and says by what', async () => {
  const service = await startTestService();
  try {
    const { client } = await service.tenant('Deadly');
    await takeIn(client, shop.contract, { customers: shop.customers, orders: shop.orders(0) });
    const labels = { train: shop.labels.train };
    const task = await defineTask(client, { name: 'returns', definition: shop.task, labels });
    const run = await client.post('/v1/api/training-runs', { task_id: task.id });
    const more = [{ file_id: await client.upload('orders.csv', shop.orders(1)), table: 'orders' }];
    const ingestion = await client.post('/v1/api/ingestions', { files: more });
    const erasure = await client.post('/v1/api/erasures', { identifier: 'C1' });
    let isOver = false;
    const killing = (async () => {
      while (!isOver) {
        const mine = processesOf(service.folder, process.pid).filter(({ parent }) => parent === process.pid);
        for (const { pid, command } of mine) if (command.includes('compute.ts')) kill(pid, 'SIGKILL');
        await sleep(20);
      }
    })();
    const paths = [
      `/v1/api/training-runs/${run.body.id}`,
      `/v1/api/ingestions/${ingestion.body.id}`,
      `/v1/api/erasures/${erasure.body.id}`,
    ];
    const ends = await Promise.all(paths.map((path) => client.finished(path)));
    isOver = true;
    await killing;
    for (const { body } of ends)
      expect(body).toMatchObject({
        status: 'failed',
        failure: { code: 'internal', detail: expect.stringContaining('ended by SIGKILL') },
      });
    const again = await client.post('/v1/api/ingestions', { files: more });
    expect((await client.finished(`/v1/api/ingestions/${again.body.id}`)).body).toMatchObject({ status: 'succeeded' });
  } finally {
    await service.close();
  }
});

type Done = { readonly activity: Activity; readonly round: number; readonly outcome: Outcome };

/** Does everything in turn, the first time undisturbed, until each activity was struck as often as it should be. */
async function underKills(workspace: Workspace): Promise<Done[]> {
  const done: Done[] = [];
  const tookMs = new Map<Activity, number>();
  // Two of every kind for each activity, then some drawn.
  const planned = new Map(
    activities.map((activity): [Activity, Victim[]] => [
      activity,
      draw.shuffle([...victims, ...victims, draw.pick(victims), draw.pick(victims)]),
    ]),
  );
  const struck: Record<string, number> = {};
  for (let round = 0; round < roundsMax && [...planned.values()].some((left) => left.length > 0); round++) {
    for (const activity of activities) {
      const left = planned.get(activity)!;
      if (round > 0 && left.length === 0 && activity !== 'training') continue;
      const began = performance.now();
      let isOver = false;
      const outcome = perform[activity](workspace, round).finally(() => {
        isOver = true;
      });
      let kills = 0;
      while (round > 0 && kills < killsPerRound && left.length > 0) {
        const withinMs = tookMs.get(activity)! + (kills > 0 ? recoveryMs : 0);
        await Promise.race([sleep(draw.next() * withinMs), outcome.catch(() => {})]);
        // Too late: it strikes the next one.
        if (isOver) break;
        const victim = await strike(left[0]);
        left.shift();
        kills++;
        struck[`${activity}, ${victim}`] = (struck[`${activity}, ${victim}`] ?? 0) + 1;
      }
      done.push({ activity, round, outcome: await outcome });
      if (kills === 0) tookMs.set(activity, performance.now() - began);
    }
  }
  console.log('killed during', struck);
  expect(Object.values(struck).reduce((sum, count) => sum + count)).toBe(killsPlanned);
  return done;
}

/** Returns who was there to be killed: where nobody computes, it is the service. */
async function strike(asked: Victim): Promise<Victim> {
  const all = processesOf(folder);
  const serving = all.find(({ parent }) => parent === program.pid)!;
  const computing = all.filter(({ parent, command }) => parent === serving.pid && command.includes('compute.ts'));
  const victim = asked === 'computing' && computing.length === 0 ? 'service' : asked;
  const targets = {
    service: [serving],
    computing,
    database: all.filter(({ command }) => command.includes('bin/postgres')),
    everything: all,
  }[victim];
  for (const { pid } of targets) kill(pid, 'SIGKILL');
  if (victim === 'computing' || victim === 'database') return victim;
  await program.ended;
  // Half of the time the next one starts while the rest of the last one is still ending.
  if (draw.next() < 0.5) await gone(folder);
  program = await start();
  return victim;
}

const perform: Readonly<Record<Activity, (workspace: Workspace, round: number) => Promise<Outcome>>> = {
  async upload({ upload, send }, round) {
    const bytes = Buffer.alloc(uploadBytes, `${round},a line of an upload\n`);
    const id = await upload(`uploads/${round}.csv`, bytes);
    const { body } = await send('GET', `/v2/api/files/${id}`);
    return [body.sha256, String(body.bytes)];
  },
  async ingestion({ upload, send, finished, acknowledged }, round) {
    const files = [];
    for (const at of [2 * round + 1, 2 * round + 2])
      files.push({ file_id: await upload(`orders-${at}.csv`, Buffer.from(shop.orders(at))), table: 'orders' });
    const asked = await send('POST', '/v1/api/ingestions', { files });
    const path = `/v1/api/ingestions/${asked.body.id}`;
    acknowledged.push(path);
    const { body } = await finished(path);
    expect(body, JSON.stringify(body)).toMatchObject({ status: 'succeeded', changed: true });
    const text = 'select manifest, frozen_sha256 from snapshots where id = $1';
    const [snapshot] = (await rowsOf(text, [body.snapshot_id])) as KeptSnapshot[];
    return [
      ...hashesOf(snapshot),
      JSON.stringify(body.report.tables.map(({ name, rows }: { name: string; rows: number }) => [name, rows])),
    ];
  },
  async training(workspace, round) {
    const { send, finished, acknowledged, taskId } = workspace;
    const alias = `round-${round}`;
    const asked = await send('POST', '/v1/api/training-runs', { task_id: taskId, alias });
    const path = `/v1/api/training-runs/${asked.body.id}`;
    acknowledged.push(path);
    const { body } = await finished(path);
    expect(body, JSON.stringify(body)).toMatchObject({ status: 'succeeded' });
    workspace.modelId = body.model_id;
    const [{ files }] = await rowsOf('select files from model_versions where id = $1', [body.version_id]);
    return Object.entries(files)
      .map(([name, sha256]) => `${name} ${sha256}`)
      .sort();
  },
  async batch({ send, finished, acknowledged, batchFiles, modelId }, round) {
    const asked = await send('POST', '/v2/api/batches', { files: batchFiles, model: `${modelId}/round-${round}` });
    const path = `/v2/api/batches/${asked.body.id}`;
    acknowledged.push(path);
    const { body } = await finished(path);
    expect(body, JSON.stringify(body)).toMatchObject({ status: 'succeeded' });
    const { body: result } = await send('GET', `${path}/result`);
    const outcome: string[] = [];
    for (const file of result.files) {
      const { text } = await send('GET', file.download_url);
      expect(createHash('sha256').update(text).digest('hex')).toBe(file.sha256);
      // Only ids differ between workspaces.
      outcome.push(
        `${file.path} ${file.rows} ${createHash('sha256')
          .update(text.replaceAll(/(mdl|ver)_\w+/g, ''))
          .digest('hex')}`,
      );
    }
    return outcome;
  },
};

/**
 * A workspace with a contract, first data, a task, and files to be scored, whose caller asks again when not answered.
 */
async function openWorkspace(name: string): Promise<Workspace> {
  const client = openPatientClient(`http://127.0.0.1:${port}`, await bootstrap(folder, name));
  const { send, upload, finished, acknowledged } = client;
  const textFile = (path: string, text: string) => upload(path, Buffer.from(text));
  await send('POST', '/v1/api/contracts', { document: shop.contract, accept: true });
  const files = [
    { file_id: await textFile('customers.csv', shop.customers), table: 'customers' },
    { file_id: await textFile('orders.csv', shop.orders(0)), table: 'orders' },
  ];
  const asked = await send('POST', '/v1/api/ingestions', { files });
  acknowledged.push(`/v1/api/ingestions/${asked.body.id}`);
  await finished(acknowledged.at(-1)!);
  const task = await send('POST', '/v1/api/tasks', {
    name: 'returns',
    definition: shop.task,
    labels: {
      train: await textFile('train.csv', shop.labels.train),
      validation: await textFile('val.csv', shop.labels.validation),
    },
  });
  expect(task.status, task.text).toBe(201);
  const batchFiles = [];
  for (const at of [0, 1]) {
    const rows = Array.from(
      { length: batchRows },
      (_, i) => `C${(i * 7 + at) % 400},${at}-${i},2024-0${1 + (i % 9)}-01`,
    );
    batchFiles.push(
      await textFile(`score-${at}.csv`, `customer_id,correlation_id,reference_date\n${rows.join('\n')}\n`),
    );
  }
  return { ...client, taskId: task.body.id, batchFiles, modelId: '' };
}

/** The database may just have been killed. */
async function rowsOf(text: string, values: unknown[]) {
  for (;;) {
    try {
      return await queryRows(folder, text, values);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'unavailable') throw error;
    }
  }
}

/**
 * Every change happened once and left one entry and one event; no work is left, and no row without what it belongs to.
 */
async function checkRows(done: readonly Done[]): Promise<void> {
  const rows = <T>(text: string) => queryRows(folder, text) as unknown as Promise<T[]>;
  const count = (activity: Activity) => done.filter((each) => each.activity === activity).length;
  const perWorkspace = 1 + count('ingestion') + count('training') + count('batch');
  expect(await checkLifecycles(rows)).toBe(2 * perWorkspace);
  const twice = await rows(`
    select target_id, action, data, count(*) from audit_entries
    where action not like '%-download' group by target_id, action, data having count(*) > 1`);
  expect(twice).toEqual([]);
  const [unmatched] = await rows<{ events: number; entries: number }>(`
    select
      (select count(*) from events e where not exists
        (select from audit_entries a where a.target_id = e.resource_id and a.action = e.type))::int as events,
      (select count(*) from audit_entries a
        where action in ('ingestion-lifecycle', 'training-run-lifecycle', 'batch-lifecycle', 'model-version-creation')
        and not exists (select from events e where e.resource_id = a.target_id and e.type = a.action))::int as entries`);
  expect(unmatched).toEqual({ events: 0, entries: 0 });
  const [counts] = await rows(`
    select (select count(*) from snapshots)::int as snapshots,
      (select count(*) from model_versions)::int as versions,
      (select count(*) from batch_units where status <> 'succeeded')::int as units,
      (select count(*) from pgboss.job_common where state <> 'completed')::int as jobs`);
  expect(counts).toEqual({
    snapshots: 2 * (1 + count('ingestion')),
    versions: 2 * count('training'),
    units: 0,
    jobs: 0,
  });
}

/** Storage holds what rows refer to, in no other files than its own, and nothing of work is left beside it. */
async function checkKept(): Promise<void> {
  const service = await startService(readConfig({ LASTRO_DATA_DIR: folder, LASTRO_DEMO: '0' }), 'none');
  try {
    const objects = await checkObjects(service);
    const files = readdirSync(join(folder, 'files'), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files, 'one of bytes and one record each').toHaveLength(2 * objects);
  } finally {
    await service.close();
  }
  expect(existsSync(join(folder, 'work')) ? readdirSync(join(folder, 'work')) : []).toEqual([]);
}
