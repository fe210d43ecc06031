/** The client against the running service. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tenant, TestService } from '../../server/tests/service.ts';
import { marked, type World } from '../../server/tests/world.ts';
import { startWorlds } from '../../server/tests/worlds.ts';
import {
  AuthenticationError,
  BatchFailedError,
  ConflictError,
  Lastro,
  NotFoundError,
  PermissionError,
  type Target,
  ValidationError,
} from '../src/main.ts';
import { localFile, toFile, toFolder } from '../src/node.ts';
import { openLine } from './breaking-line.ts';

let service: TestService;
let tenant: Tenant;
let world: World;
let client: Lastro;
let target: Target;
let folder: string;

beforeAll(async () => {
  const worlds = await startWorlds();
  service = worlds.service;
  ({ tenant, world } = worlds.a);
  client = clientOf(tenant.client.key);
  target = `${world.model}/${world.alias}`;
  folder = mkdtempSync(join(tmpdir(), 'lastro-sdk-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.close();
});

const clientOf = (apiKey: string) => new Lastro({ baseUrl: service.url, apiKey });
const customer = (at: number) => marked(world.canary, `C${at}`);
/** Asks about the first customers, of whom every tenth has a day that is none. */
function rowsCsv(rows: number): string {
  const lines = Array.from(
    { length: rows },
    (_, at) => `${customer(at % 40)},row ${at},${at % 10 === 9 ? 'soon' : '2024-01-01'}`,
  );
  return `customer_id,correlation_id,reference_date\n${lines.join('\n')}\n`;
}

describe('a prediction', () => {
  test('comes with its request id where that is wanted', async () => {
    const inputs = { customer_id: customer(1), reference_date: '2024-01-01', correlation_id: 'mine' };
    const { data, requestId, response } = await client.predict(target, inputs).withResponse();
    expect(data).toMatchObject({ model_id: world.model, version_id: world.version, correlation_id: 'mine' });
    expect(requestId).toMatch(/^req_/);
    expect(response.status).toBe(200);
    expect(await client.predictions.get(data.prediction_id)).toMatchObject({ alias: world.alias });
  });

  test('has what is asked to be included', async () => {
    const { explanation, interval } = await client.predict(
      target,
      { customer_id: customer(1) },
      { include: ['explanation', 'interval'] },
    );
    expect(explanation?.length).toBeGreaterThan(0);
    expect(interval).toBeDefined();
    expect(await client.predict(`${world.model}/${world.spare}`, { customer_id: customer(1) })).toMatchObject({
      version_id: world.spare,
    });
  });

  test('is refused with the place that is wrong', async () => {
    const error = await client.predict(target, { customer: customer(1) }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ status: 422, code: 'unknown_input', errors: [{ pointer: '/customer' }] });
  });
});

test('refusals are errors of the class that says what to do', async () => {
  await expect(client.models.get('mdl_none')).rejects.toThrow(NotFoundError);
  await expect(clientOf('lst_none').models.list()).rejects.toThrow(AuthenticationError);
  await expect(client.organization.get()).rejects.toThrow(PermissionError);
  await expect(client.models.versions.deactivate(world.model, world.version)).rejects.toThrow(ConflictError);
});

test('a list is a page when it is awaited, and all pages when it is iterated over', async () => {
  const page = await client.files.list({ limit: 2 });
  expect(page.data).toHaveLength(2);
  expect(page.has_more).toBe(true);
  const seen: string[] = [];
  for await (const { id } of client.files.list({ limit: 2 })) seen.push(id);
  expect(seen.length).toBeGreaterThan(4);
  expect(seen).toEqual((await client.files.list({ limit: 200 })).data.map(({ id }) => id));
});

test('an alias is moved from the version that the caller knows, and from no other', async () => {
  const { response } = await client.models.aliases.get(world.model, world.alias).withResponse();
  const ifMatch = response.headers.get('etag')!;
  await client.models.aliases.set(world.model, world.alias, { version_id: world.spare }, { ifMatch });
  const late = client.models.aliases.set(world.model, world.alias, { version_id: world.version }, { ifMatch });
  await expect(late).rejects.toMatchObject({ name: 'ConflictError', code: 'precondition_failed' });
  await client.models.aliases.set(world.model, world.alias, { version_id: world.version });
});

test('the same Idempotency-Key is one task', async () => {
  const definition = 'PREDICT NOT exists(orders) WITHIN 60d FOR customers WHERE exists(orders IN LAST 120d)';
  const body = { name: 'asked-twice', definition };
  const first = await client.tasks.create(body, { idempotencyKey: 'k1' });
  const { data, response } = await client.tasks.create(body, { idempotencyKey: 'k1' }).withResponse();
  expect(data.id).toBe(first.id);
  expect(response.headers.get('idempotent-replayed')).toBe('true');
  await expect(client.tasks.create(body)).rejects.toMatchObject({ code: 'name_taken' });
});

describe('files', () => {
  test('are sent with their digests, and come back byte for byte', async () => {
    const bytes = new Uint8Array(200_000).map((_, at) => (at * 7) % 251);
    writeFileSync(join(folder, 'bytes.parquet'), bytes);
    const told: number[] = [];
    const ids = await client.files.send(
      [
        { path: 'sdk/text.csv', content: 'a,b\n1,ção\n' },
        { path: 'sdk/empty.txt', content: new Uint8Array() },
        new File(['{}\n'], 'blob.jsonl'),
        localFile(join(folder, 'bytes.parquet'), { path: 'sdk/bytes.parquet' }),
      ],
      { onProgress: ({ phase, loaded }) => void (phase === 'uploading' && told.push(loaded)) },
    );
    const files = await Promise.all(ids.map((id) => client.files.get(id)));
    expect(files.map(({ path, content_type, status }) => [path, content_type, status])).toEqual([
      ['sdk/text.csv', 'text/csv', 'uploaded'],
      ['sdk/empty.txt', 'text/plain', 'uploaded'],
      ['blob.jsonl', 'application/x-ndjson', 'uploaded'],
      ['sdk/bytes.parquet', 'application/vnd.apache.parquet', 'uploaded'],
    ]);
    const back = await client.files.download(ids[3]);
    expect(new Uint8Array(await back.arrayBuffer())).toEqual(bytes);
    const part = await client.files.download(ids[0], { range: 'bytes=4-6' });
    expect([part.status, await part.text()]).toEqual([206, '1,\ufffd']);
    expect(told.at(-1)).toBe(200_000 + 'a,b\n1,ção\n'.length + 2 + 3);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
  });

  test('that are large go on where the line broke, from disk and from memory', async () => {
    const bytes = randomBytes(30_000_000);
    writeFileSync(join(folder, 'large.parquet'), bytes);
    const line = await openLine(service.url, 12_000_000);
    const through: typeof fetch = (address, init) => fetch(String(address).replace(service.url, line.url), init);
    const own = new Lastro({ baseUrl: service.url, apiKey: tenant.client.key, fetch: through, maxRetries: 2 });
    try {
      for (const file of [localFile(join(folder, 'large.parquet')), { path: 'large.parquet', content: bytes }]) {
        const before = line.sent();
        const [id] = await own.files.send([file]);
        const hash = createHash('sha256').update(bytes).digest('hex');
        expect(await own.files.get(id)).toMatchObject({ status: 'uploaded', bytes: bytes.length, sha256: hash });
        // What was on its way when the line broke goes twice, and once more if it is still being stored when it is asked
        // how much has arrived; begun anew at each break, the file would never get through the line.
        expect(line.sent() - before).toBeLessThan(2.5 * bytes.length);
      }
      expect(line.broken()).toBeGreaterThanOrEqual(4);
    } finally {
      line.close();
    }
  });

  test('sent again with the same key are the same files', async () => {
    const files = [{ path: 'again.csv', content: 'a\n1\n' }];
    const [first] = await client.files.send(files, { idempotencyKey: 'again' });
    expect(await client.files.send(files, { idempotencyKey: 'again' })).toEqual([first]);
  });

  test('whose digest is not theirs are refused', async () => {
    const md5 = createHash('md5').update('other').digest('base64');
    await expect(client.files.send([{ path: 'a.csv', content: 'a\n', md5 }])).rejects.toMatchObject({
      code: 'digest_mismatch',
    });
  });
});

describe('a batch in one call', () => {
  test('tells how far it is, and gives rows, errors and files', async () => {
    const text = rowsCsv(40);
    writeFileSync(join(folder, 'asked.csv'), text);
    const run = client.batches.run<{ correlation_id: string; prediction: number }>({
      model: target,
      files: [localFile(join(folder, 'asked.csv')), { path: 'more/asked.csv', content: rowsCsv(10) }],
      output_format: 'jsonl',
      metadata: { of: 'sdk' },
    });
    const phases: string[] = [];
    const bytes = text.length + rowsCsv(10).length;
    for await (const { phase, loaded, total } of run) {
      phases.push(phase);
      if (phase === 'hashing' || phase === 'uploading') expect(total).toBe(bytes);
      if (phase === 'done') expect([loaded, total]).toEqual([50, 50]);
    }
    expect([...new Set(phases)]).toEqual(expect.arrayContaining(['hashing', 'uploading', 'done']));
    expect(phases.at(-1)).toBe('done');
    const done = await run;
    expect(done.batch).toMatchObject({
      status: 'succeeded',
      metadata: { of: 'sdk' },
      progress: { rows: { succeeded: 45, failed: 5 } },
    });
    const rows = [];
    for await (const row of done.results()) rows.push(row);
    expect(rows).toHaveLength(45);
    expect(rows[0].correlation_id).toBe('row 0');
    const alone = await client.predict(
      target,
      { customer_id: customer(0), reference_date: '2024-01-01' },
      { snapshot_id: done.batch.snapshot_id },
    );
    expect(rows[0].prediction).toBe(alone.prediction);
    const errors = [];
    for await (const error of done.errors()) errors.push(error);
    expect(errors).toHaveLength(5);
    expect(errors[0]).toMatchObject({ file: 'asked.csv', row: 10, column: 'reference_date' });
    await done.download(toFolder(join(folder, 'out')));
    const [first, second] = await done.files();
    for (const { path, sha256 } of [first, second])
      expect(
        createHash('sha256')
          .update(readFileSync(join(folder, 'out', path)))
          .digest('hex'),
      ).toBe(sha256);
    await expect(done.download(toFile(join(folder, 'one.jsonl')))).rejects.toThrow('several files');
  });

  test('of files that are there, as CSV into one file', async () => {
    const [id] = await client.files.send([{ path: 'asked.csv', content: rowsCsv(9) }]);
    const { batch, results, download } = await client.batches.run({ model: target, files: [id] });
    expect(batch.files.map(({ file_id }) => file_id)).toEqual([id]);
    const rows = [];
    for await (const row of results()) rows.push(row.correlation_id);
    expect(rows).toEqual(Array.from({ length: 9 }, (_, at) => `row ${at}`));
    await download(toFile(join(folder, 'scores.csv')));
    expect(readFileSync(join(folder, 'scores.csv'), 'utf8').trimEnd().split('\n')).toHaveLength(10);
    const opened = client.batches.openResult(batch.id);
    expect((await opened.files()).map(({ rows: count }) => count)).toEqual([9]);
  });

  test('is one batch when it is run again with the same key', async () => {
    const asked = { model: target, files: [{ path: 'asked.csv', content: rowsCsv(3) }] };
    const first = await client.batches.run(asked, { idempotencyKey: 'run' });
    const second = await client.batches.run(asked, { idempotencyKey: 'run' });
    expect(second.batch.id).toBe(first.batch.id);
  });

  test('that fails throws why, and still has what was scored', async () => {
    const files = [
      { path: 'good.csv', content: rowsCsv(3) },
      { path: 'bad.csv', content: 'nothing\n1\n' },
    ];
    const error = await client.batches.run({ model: target, files }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(BatchFailedError);
    expect(error.message).toMatch(/bad\.csv: .*customer_id/);
    expect(await error.failed.files()).toMatchObject([{ path: expect.stringContaining('good') }]);
  });

  test('whose rows are Parquet says that their bytes are to be taken', async () => {
    const { results } = await client.batches.run({
      model: target,
      files: [{ path: 'a.csv', content: rowsCsv(3) }],
      output_format: 'parquet',
    });
    await expect(results().next()).rejects.toThrow("output_format 'jsonl'");
  });

  test('that is refused throws before anything is scored, where it is awaited and where it is iterated over', async () => {
    const run = () => client.batches.run({ model: 'none/production', files: [world.file] });
    await expect(run()).rejects.toThrow(NotFoundError);
    const read = async () => {
      for await (const _ of run());
    };
    await expect(read()).rejects.toThrow(NotFoundError);
  });
});

test('work is waited for until it ends, whichever way', async () => {
  const table = (name: string) => ({
    path: `${name}.csv`,
    content: 'customer_id,segment,since\nC900,retail,2023-05-01\n',
  });
  const [file_id] = await client.files.send([table('customers')]);
  const ingestion = await client.ingestions.create({ files: [{ file_id, table: 'customers', mode: 'append' }] });
  expect(await client.ingestions.wait(ingestion.id)).toMatchObject({ id: ingestion.id, status: 'succeeded' });
  const run = await client.trainingRuns.create({ task_id: world.task, feedback: false });
  const phases: string[] = [];
  for await (const { status } of client.trainingRuns.stream(run.id)) phases.push(status);
  expect(phases.at(-1)).toBe('succeeded');
  expect((await client.trainingRuns.wait(run.id)).version_id).toMatch(/^ver_/);
  expect((await client.evaluations.wait(world.evaluation)).status).toBe('succeeded');
  expect((await client.erasures.wait(world.erasure)).status).toBe('succeeded');
  const batch = await client.batches.create({ files: [world.file], model: target });
  expect((await client.batches.wait(batch.id)).status).toBe('succeeded');
});

test('waiting ends when the caller has no more time', async () => {
  const run = await client.trainingRuns.create({ task_id: world.task, model: 'unhurried' });
  await expect(client.trainingRuns.wait(run.id, { withinMs: 0 })).rejects.toThrow('still queued');
  await client.trainingRuns.interrupt(run.id);
  expect((await client.trainingRuns.wait(run.id)).status).toBe('interrupted');
});

test('events are told as they happen, and again from any of them', async () => {
  let last = world.event;
  for await (const { id } of client.events.list({ limit: 200 })) last = id;
  const { id } = await client.batches.create({ files: [world.file], model: target });
  const told: { id: string; status: string }[] = [];
  for await (const event of client.events.stream({ types: ['batch-lifecycle'], resource_id: id, after: last })) {
    if (event.type !== 'batch-lifecycle') continue;
    told.push({ id: event.id, status: event.data.status });
    if (event.data.status === 'succeeded') break;
  }
  expect(told.map(({ status }) => status)).toEqual(['queued', 'running', 'succeeded']);
  for await (const event of client.events.stream({ resource_id: id, after: told[1].id })) {
    expect(event).toMatchObject({ id: told[2].id, resource_id: id });
    break;
  }
});

test('whoever is signed in acts where the client says, and is told what comes', async () => {
  const session = await tenant.signedIn('creator', 'workspace');
  const own: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    for (const name of ['cookie', 'origin']) headers.set(name, session.headers[name]);
    return fetch(input, { ...init, headers });
  };
  const signedIn = new Lastro({ baseUrl: service.url, workspace: tenant.ctx.workspaceId, fetch: own });
  expect((await signedIn.user.get()).id).toBe(session.userId);
  const key = await signedIn.apiKeys.create({ name: 'made by the sdk' });
  expect(await clientOf(key.secret).workspace.get()).toMatchObject({ id: tenant.ctx.workspaceId });
  for await (const { event, data } of signedIn.notifications.stream())
    if (event === 'counts') {
      expect(data.unseen.count).toBeGreaterThanOrEqual(0);
      break;
    }
  const csv = await signedIn.members.downloadHistory();
  expect(await csv.text()).toContain('creator');
});
