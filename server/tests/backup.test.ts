/** Backups of a running service, and installations made of them. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService } from '../src/app.ts';
import { readObjects } from '../src/commands/backup/point.ts';
import { readConfig } from '../src/config.ts';
import { fingerprintOf, schemaFolder } from '../src/installation.ts';
import { parseMasterSecret } from '../src/lib/crypto/secrets.ts';
import { readMigrations, withClient } from '../src/lib/db/migrate.ts';
import { openQueue } from '../src/lib/queue/queue.ts';
import { makeDataFolder, type Program, queryRows, removeDataFolder, startProgram } from './program.ts';
import { type Query, readLog } from './replay.ts';
import { openClient } from './service.ts';
import { lastro as runHere } from './shop.ts';
import { createTestDatabase } from './support/samples/lib-db.ts';
import { startS3Server } from './support/samples/lib-storage.ts';
import { marked } from './world.ts';
import { startWorlds } from './worlds.ts';

let worlds: Awaited<ReturnType<typeof startWorlds>>;
let backups: string;
let home: string;
let running: Program | undefined;
/** Between two requests of a load: what is answered meanwhile is looked at in the copy. */
const pauseMs = 150;

beforeAll(async () => {
  worlds = await startWorlds();
  backups = makeDataFolder();
  home = makeDataFolder();
});
afterAll(async () => {
  await worlds?.service.close();
  await removeDataFolder(home);
  rmSync(backups, { recursive: true, force: true });
});

type Env = Readonly<Record<string, string>>;

/** Runs a command of the operator as a process of its own, and returns what it said. */
async function beside(args: readonly string[], env: Env) {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, LASTRO_DEMO: '0', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (part) => {
    said += part;
  });
  const [code] = await once(child, 'close');
  return { code, said };
}

/** The same in this process, which has read the program's code already. */
async function lastro(args: readonly string[], env: Env) {
  const before = { ...process.env };
  Object.assign(process.env, { LOG_LEVEL: 'error', ...env });
  try {
    return await runHere(...args);
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  }
}

const source = () => ({
  LASTRO_DATA_DIR: worlds.service.folder,
  DATABASE_URL: worlds.service.databaseUrl,
});
const newestOf = (folder: string) => readdirSync(join(folder, 'points')).sort().at(-1)!;
const about = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'points', newestOf(folder), 'backup.json'), 'utf8'));
/** The rows of every table, in no order. */
function rowsOf(folder: string): Record<string, string> {
  const tables = join(folder, 'points', newestOf(folder), 'tables');
  const read = (name: string) =>
    gunzipSync(readFileSync(join(tables, name)))
      .toString()
      .split('\n')
      .sort()
      .join('\n');
  return Object.fromEntries(
    readdirSync(tables).map((name) => [name, createHash('sha256').update(read(name)).digest('hex')]),
  );
}

/** Makes a backup of what was restored of `backups`: it has the same rows to the byte, and the same files. */
async function expectSameInstallation(env: Env): Promise<void> {
  const again = makeDataFolder();
  const made = await lastro(['backup', again], env);
  expect(made, made.said).toMatchObject({ code: 0 });
  // But for files that were deleted while the backup was made, which are deleted.
  const [{ 'public.files.copy.gz': _, ...copied }, { 'public.files.copy.gz': __, ...original }] = [again, backups].map(
    rowsOf,
  );
  expect(copied).toEqual(original);
  expect(await readObjects(again, newestOf(again))).toEqual(await readObjects(backups, newestOf(backups)));
  const keptJob = ({ queue, ...rest }: { queue: string; data: unknown }) => JSON.stringify([queue, rest.data]);
  const [there, here] = [again, backups].map((folder) => about(folder).queue.jobs.map(keptJob).sort());
  expect(there).toEqual(here);
  rmSync(again, { recursive: true });
}

test('a backup under load, restored into an empty place, is the installation of that moment', async () => {
  const { tenant, world } = worlds.a;
  const { client } = tenant;
  const asking = `/v1/api/prediction/${world.model}/${world.alias}`;
  const inputs = { customer_id: marked(world.canary, 'C1'), reference_date: '2024-01-01' };
  // With and without a day, reasons and a name that the data have.
  const question = (at: number): [string, object] => [
    `${asking}${at % 3 === 1 ? '?include=explanation,interval,unknown&language=pt-BR' : ''}`,
    at === 0
      ? inputs
      : { ...inputs, customer_id: marked(world.canary, `C${at % 50}`), ...(at % 4 === 3 && { reference_date: null }) },
  ];
  // More than S3 is sent in one part.
  await client.upload('load/large.csv', Buffer.alloc(9_000_000, 'a,b\n'));
  // Until the backup has ended: answers, files that come and go, and batches of which some are on their way.
  let isOver = false;
  const acknowledged: { id: string; answer: unknown; at: number }[] = [];
  const load = [
    (async () => {
      for (let at = 0; !isOver; at++) {
        const { status, body } = await client.post(...question(at));
        expect(status).toBe(200);
        acknowledged.push({ id: body.prediction_id, answer: body, at: Date.now() });
        await sleep(pauseMs);
      }
    })(),
    (async () => {
      for (let at = 0; !isOver; at++) {
        const id = await client.upload(`load/${at}.csv`, `a\n${at}\n`);
        if (at % 2 === 0) await client.send('DELETE', `/v2/api/files/${id}`);
        await sleep(pauseMs);
      }
    })(),
    (async () => {
      const rows = Array.from({ length: 200 }, (_, at) => marked(world.canary, `C${at % 40}`)).join('\n');
      const file = await client.upload('load/rows.csv', `customer_id\n${rows}\n`);
      for (let at = 0; at < 12; at++)
        await client.post('/v2/api/batches', { files: [file], model: `${world.model}/${world.alias}` });
    })(),
  ];
  while (acknowledged.length < 3) await sleep(10);
  const first = await beside(['backup', backups], source());
  isOver = true;
  await Promise.all(load);
  expect(first, first.said).toMatchObject({ code: 0 });
  const point = about(backups);

  cpSync(join(worlds.service.folder, 'secret'), join(home, 'secret'));
  const restored = await lastro(['restore', backups], { LASTRO_DATA_DIR: home });
  expect(restored, restored.said).toMatchObject({ code: 0 });

  // Before a service has changed anything, a backup of the copy has the same rows to the byte, and the same files.
  await expectSameInstallation({ LASTRO_DATA_DIR: home });

  running = startProgram(home);
  const there = openClient(await running.answers, client.key);
  const moment = Date.parse(point.made_at);
  const early = acknowledged.filter(({ at }) => at < moment);
  expect(early.length).toBeGreaterThan(0);
  for (const { id } of early) {
    const { status, body } = await there.get(`/v1/api/predictions/${id}`);
    expect(status, id).toBe(200);
    expect(body).toEqual((await client.get(`/v1/api/predictions/${id}`)).body);
  }
  // Asked anew it answers the same, of the same version and snapshot.
  const timeless = ({ prediction_id: _, generated_at: __, ...rest }: Record<string, unknown>) => rest;
  const { body: asked } = await there.post(asking, inputs);
  expect(timeless(asked)).toEqual(timeless(acknowledged[0]!.answer as Record<string, unknown>));
  // What was on its way goes on.
  const batches = (await there.get('/v2/api/batches?limit=200')).body.data as { id: string; status: string }[];
  for (const { id } of batches) await there.finished(`/v2/api/batches/${id}`);
  // Every file that it knows has its bytes.
  const files = (await there.get('/v2/api/files?status=uploaded&limit=200')).body.data as { id: string }[];
  expect(files.length).toBeGreaterThan(3);
  for (const { id } of files) expect((await there.get(`/v2/api/files/${id}/content`)).status, id).toBe(200);
  running.child.kill('SIGTERM');
  await running.ended;
});

test('restored into a PostgreSQL and a bucket of one’s own, it answers all predictions of the log to the byte, and is backed up from there', async () => {
  const database = await createTestDatabase();
  const bucket = await startS3Server();
  const place = makeDataFolder();
  const env = {
    LASTRO_DATA_DIR: place,
    LASTRO_MASTER_SECRET: readFileSync(join(worlds.service.folder, 'secret'), 'utf8').trim(),
    DATABASE_URL: database.url,
    STORAGE_URL: `s3://${bucket.bucket}/restored?endpoint=${bucket.endpoint}&region=sa-east-1`,
    AWS_ACCESS_KEY_ID: bucket.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: bucket.credentials.secretAccessKey,
  };
  const query: Query = (text, values) =>
    withClient(database.connection, async (client) => (await client.query(text, values)).rows);
  try {
    const restored = await lastro(['restore', backups], env);
    expect(restored, restored.said).toMatchObject({ code: 0 });
    expect([...bucket.objects.keys()].every((key) => key.startsWith('restored/'))).toBe(true);
    expect(readdirSync(place)).not.toContain('files');
    // The hashes of what was sent in parts lie beside it.
    expect([...bucket.objects.keys()].some((key) => key.includes('~'))).toBe(true);
    await expectSameInstallation(env);

    const log = await readLog(query);
    const before = log.filter(({ workspace_id }) => workspace_id === worlds.a.tenant.ctx.workspaceId);
    expect(before.length).toBeGreaterThan(10);
    expect(log.length).toBeGreaterThan(before.length);
    Object.assign(process.env, env);
    const service = await startService(readConfig({ ...env, PORT: '0', LASTRO_DEMO: '0', LOG_LEVEL: 'error' }), 'api');
    try {
      const clients = new Map(
        [worlds.a, worlds.b].map(({ tenant: { ctx, client } }) => [
          ctx.workspaceId,
          openClient(service.url, client.key),
        ]),
      );
      for (const { id, workspace_id } of log) {
        const { body, text } = await clients.get(workspace_id)!.post(`/v1/api/predictions/${id}/replay`);
        expect(body, text).toMatchObject({ bit_identical: true, log_intact: true });
      }
    } finally {
      await service.close();
    }
  } finally {
    for (const name of Object.keys(env)) delete process.env[name];
    await bucket.stop();
    await database.drop();
    await removeDataFolder(place);
  }
});

test('a place that has data, another secret, none at all and a damaged backup are refused', async () => {
  const full = await lastro(['restore', backups], { LASTRO_DATA_DIR: home });
  expect(full).toMatchObject({ code: 2, said: expect.stringContaining('the database has data') });
  const empty = makeDataFolder();
  try {
    const none = await lastro(['restore', backups], { LASTRO_DATA_DIR: empty });
    expect(none).toMatchObject({ code: 2, said: expect.stringContaining('the master secret is missing') });
    const other = await lastro(['restore', backups], { LASTRO_DATA_DIR: empty, LASTRO_MASTER_SECRET: 'ab'.repeat(32) });
    expect(other).toMatchObject({ code: 2, said: expect.stringContaining('another master secret') });
    cpSync(join(home, 'secret'), join(empty, 'secret'));
    const [name] = readdirSync(join(backups, 'points'));
    const table = join(backups, 'points', name!, 'tables', 'public.predictions.copy.gz');
    const bytes = readFileSync(table);
    writeFileSync(table, Buffer.concat([bytes, bytes]));
    const damaged = await lastro(['restore', backups], { LASTRO_DATA_DIR: empty });
    expect(damaged).toMatchObject({ code: 2, said: expect.stringContaining('not as it was written') });
    writeFileSync(table, bytes);
    // Nothing stands in the way of another try.
    const whole = await lastro(['restore', backups], { LASTRO_DATA_DIR: empty });
    expect(whole, whole.said).toMatchObject({ code: 0 });
  } finally {
    await removeDataFolder(empty);
  }
});

test('what an earlier backup has is not copied again, and what none needs is removed', async () => {
  const { client } = worlds.a.tenant;
  const id = await client.upload('once.csv', 'a\n1\n');
  expect((await lastro(['backup', backups], source())).code).toBe(0);
  await client.send('DELETE', `/v2/api/files/${id}`);
  // A backup has the name of its second.
  await sleep(1_000);
  const last = await lastro(['backup', backups, '--keep', '1'], source());
  expect(last.said).toMatch(/of which 0\.0 MB were copied now/);
  expect(last.said).toMatch(/2 older removed, 1 kept/);
  expect(readdirSync(join(backups, 'points'))).toHaveLength(1);
  const names = readdirSync(join(backups, 'objects'), { recursive: true }).map(String);
  expect(names.some((name) => name.includes(id))).toBe(false);
});

test('a backup of an earlier release is brought up to this one', async () => {
  const older = makeDataFolder();
  const place = makeDataFolder();
  const all = (await readMigrations(schemaFolder)).map(({ name }) => name);
  for (const name of all.slice(0, -2)) cpSync(join(schemaFolder, name), join(older, name));
  const database = await createTestDatabase(older);
  const secret = 'cd'.repeat(32);
  try {
    const connection = { connectionString: database.url };
    const log = pino({ level: 'silent' });
    await (await openQueue(connection, { log, queues: ['mails'], roles: ['lastro_app', 'lastro_system'] })).close();
    await withClient(connection, async (client) => {
      await client.query("insert into organizations (id, name) values ('org_1', 'Earlier')");
      const fingerprint = fingerprintOf(parseMasterSecret(secret));
      await client.query('insert into installation (secret_fingerprint) values ($1)', [fingerprint]);
    });
    const env = { LASTRO_MASTER_SECRET: secret };
    const made = await lastro(['backup', older], { ...env, LASTRO_DATA_DIR: older, DATABASE_URL: database.url });
    expect(made, made.said).toMatchObject({ code: 0 });
    const restored = await lastro(['restore', older], { ...env, LASTRO_DATA_DIR: place });
    expect(restored, restored.said).toMatchObject({ code: 0 });
    expect(await queryRows(place, 'select name from organizations')).toEqual([{ name: 'Earlier' }]);
    expect(await queryRows(place, 'select name from migrations order by name')).toEqual(all.map((name) => ({ name })));
  } finally {
    await database.drop();
    await removeDataFolder(place);
    rmSync(older, { recursive: true });
  }
});
