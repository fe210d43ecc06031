/** The service told to stop, or stopped, by everything that may do so. */

import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { largeShop } from './large-shop.ts';
import {
  bootstrap,
  gone,
  kill,
  killAll,
  makeDataFolder,
  type Program,
  processesOf,
  queryRows,
  removeDataFolder,
  startProgram,
} from './program.ts';
import { type Client, openClient } from './service.ts';
import { sendTables } from './take-in.ts';
import { defineTask } from './train-task.ts';

const shop = largeShop(150, 8_000);

/** One for all tests: a database is made once, and what one of them left undone is taken up by the next. */
let folder: string;
beforeAll(() => {
  folder = makeDataFolder();
});
afterEach(() => killAll(folder));
afterAll(() => removeDataFolder(folder));

async function start(options: Parameters<typeof startProgram>[1] = {}): Promise<Program & { url: string }> {
  const program = startProgram(folder, options);
  return { ...program, url: await program.answers };
}

async function stop(program: Program): Promise<void> {
  kill(program.pid, 'SIGTERM');
  expect(await program.ended, program.lines.join('\n')).toEqual({ code: 0, signal: null });
}

test('a stop lets requests finish and gives work back, and the next start ends it', async () => {
  let program = await start();
  const key = await bootstrap(folder, 'Shop');
  const client = openClient(program.url, key);
  await client.post('/v1/api/contracts', { document: shop.contract, accept: true });
  const files = await sendTables(client, { customers: shop.customers, orders: shop.orders(0) });
  const task = await defineTask(client, { name: 'returns', definition: shop.task, labels: shop.labels });
  const late = await declare(client, 'late.csv', 'a,b\n1,2\n');
  const asked = await client.post('/v1/api/ingestions', { files });
  const ingestion = `/v1/api/ingestions/${asked.body.id}`;
  await running(client, ingestion);

  const slow = beginUpload(late, 'a,b\n');
  const asking = askUntilGone(program.url, key);
  await slow.begun;
  await Promise.all([
    stop(program),
    // The rest of a file on its way comes while the service stops.
    program.said(/finishing/).then(() => slow.end('1,2\n')),
  ]);
  expect(processesOf(folder)).toEqual([]);
  expect(await slow.status).toBe(200);
  const answers = await asking;
  expect(answers.filter((answer) => answer !== '200' && answer !== '503 problem 2')).toEqual([]);

  program = await start();
  const again = openClient(program.url, key);
  expect((await again.finished(ingestion)).body).toMatchObject({ status: 'succeeded', changed: true });
  expect((await again.get(`/v2/api/files/${late.id}`)).body).toMatchObject({ status: 'uploaded', bytes: 8 });
  expect(await transitions(asked.body.id)).toEqual(['queued', 'running', 'succeeded']);

  const run = await again.post('/v1/api/training-runs', { task_id: task.id, alias: 'production' });
  await running(again, `/v1/api/training-runs/${run.body.id}`);
  await stop(program);
  expect(processesOf(folder)).toEqual([]);
  expect((await queryRows(folder, 'select failure, attempt from training_runs'))[0]).toEqual({
    failure: null,
    attempt: 1,
  });
  const { url } = await start();
  expect((await openClient(url, key).finished(`/v1/api/training-runs/${run.body.id}`)).body).toMatchObject({
    status: 'succeeded',
  });
  expect(await transitions(run.body.id)).toEqual(['queued', 'running', 'succeeded']);
  // A job that was given back has not failed.
  const jobs = await queryRows(folder, 'select name, state, retry_count from pgboss.job_common order by name');
  expect(jobs.map(({ state, retry_count }) => ({ state, retry_count }))).toEqual(
    jobs.map(() => ({ state: 'completed', retry_count: 0 })),
  );
});

test('Ctrl-C, twice, stops it once and in order', async () => {
  const program = await start();
  process.kill(-program.pid, 'SIGINT');
  await program.said(/SIGINT/);
  process.kill(-program.pid, 'SIGINT');
  expect(await program.ended).toEqual({ code: 0, signal: null });
  expect(processesOf(folder)).toEqual([]);
});

test('it stops by itself when the process that started it is killed', async () => {
  const program = await start();
  const client = openClient(program.url, await bootstrap(folder, 'Another'));
  await client.post('/v1/api/contracts', { document: shop.contract, accept: true });
  const file_id = await client.upload('orders.csv', shop.orders(0));
  const { body } = await client.post('/v1/api/ingestions', { files: [{ file_id, table: 'orders' }] });
  await running(client, `/v1/api/ingestions/${body.id}`);
  kill(program.pid, 'SIGKILL');
  await gone(folder);
  expect(await transitions(body.id)).toEqual(['queued', 'running']);
});

test('a port in use is said so, and nothing is left', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as { port: number };
  const program = startProgram(folder, { env: { PORT: String(port) } });
  expect(await program.ended).toEqual({ code: 2, signal: null });
  expect(program.lines).toContainEqual(expect.stringMatching(`^error: .*${port} is in use by another program`));
  expect(processesOf(folder)).toEqual([]);
  other.close();
});

test('a process stops, as if told to, when a newer release has migrated its database', async () => {
  const program = await start();
  const newer = '9999-of-a-newer-release.sql';
  await queryRows(folder, "insert into migrations (name, sha256) values ($1, '')", [newer]);
  try {
    expect(await program.ended, program.lines.join('\n')).toEqual({ code: 2, signal: null });
    expect(await program.said(/newer release/)).toContain(newer);
    expect(processesOf(folder)).toEqual([]);
  } finally {
    await queryRows(folder, 'delete from migrations where name = $1', [newer]);
  }
});

type Declared = { readonly id: string; readonly upload_url: string; readonly headers: Record<string, string> };

async function declare(client: Client, path: string, text: string): Promise<Declared> {
  const md5 = createHash('md5').update(text).digest('base64');
  const { body } = await client.post('/v2/api/files/upload', { files: [{ path, content_type: 'text/csv', md5 }] });
  return body.files[0];
}

/** Sends the first bytes of a file; the rest follows with `end`. */
function beginUpload({ upload_url, headers }: Declared, first: string) {
  const sending = request(upload_url, { method: 'PUT', headers: { ...headers, expect: '100-continue' } });
  // The server asks for the body once the request has reached it.
  const begun = new Promise<void>((resolve) => {
    sending.once('continue', () => sending.write(first, () => resolve()));
  });
  const status = new Promise<number>((resolve, reject) => {
    sending.once('error', reject);
    sending.once('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode!);
    });
  });
  sending.flushHeaders();
  return { begun, status, end: (rest: string) => sending.end(rest) };
}

/** Asks over and over, several at a time, and tells every answer; ends when nobody takes connections any more. */
async function askUntilGone(url: string, key: string): Promise<string[]> {
  const answers: string[] = [];
  const ask = async (): Promise<void> => {
    for (;;) {
      try {
        const answer = await fetch(`${url}/v2/api/files`, { headers: { authorization: `Bearer ${key}` } });
        const type = answer.headers.get('content-type')?.startsWith('application/problem+json') ? ' problem' : '';
        const retry = answer.headers.get('retry-after');
        await answer.text();
        answers.push(`${answer.status}${type}${retry === null ? '' : ` ${retry}`}`);
      } catch {
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: 4 }, ask));
  return answers;
}

/** Resolves when the work at `path` is under way; it fails where it had ended before that was seen. */
async function running(client: Client, path: string): Promise<void> {
  for (;;) {
    const { body } = await client.get(path);
    if (body.status === 'running' && (body.progress ?? body.phase) !== null) return;
    expect(['queued', 'running']).toContain(body.status);
    await sleep(10);
  }
}

/** What became of a resource, as its events tell it, which are numbered without a gap. */
async function transitions(id: string): Promise<string[]> {
  const rows = await queryRows<{ sequence: number; status: string }>(
    folder,
    "select sequence, payload->>'status' as status from events where resource_id = $1 order by sequence",
    [id],
  );
  expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_, at) => at + 1));
  return rows.map(({ status }) => status);
}
