/** What an operator is told of a process: whether it is ready, and by its metrics what waits, runs and fails. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { readMetric, readMetrics } from './metrics.ts';
import { expectRefusal } from './problems.ts';
import { type SecondProcess, startSecondProcess } from './second-process.ts';
import { startTestService, type Tenant, type TestService } from './service.ts';
import { shopTables, shopText } from './shop.ts';
import { sendTables } from './take-in.ts';

/** Answers, and does no work. */
let service: TestService;
let tenant: Tenant;
let port: number;
let worker: SecondProcess;

beforeAll(async () => {
  service = await startTestService({ metricsPort: 0, logLevel: 'silent' }, 'api');
  port = service.service.metricsPort!;
  tenant = await service.tenant('Shop');
});
afterAll(async () => {
  await worker?.kill();
  await service.close();
});

test('the port for metrics tells health and metrics, and nothing else', async () => {
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  expect(await Promise.all(['/healthz', '/readyz', '/metrics', '/v2/api/files', '/'].map(ask))).toEqual([
    ...[200, 200, 200, 404, 404],
  ]);
});

test('a command beside the service leaves its port alone', async () => {
  const environment = {
    DATABASE_URL: service.databaseUrl,
    LASTRO_DATA_DIR: service.folder,
    METRICS_PORT: String(port),
  };
  const beside = await startService(readConfig(environment), 'none');
  expect(beside.metricsPort).toBe(null);
  await beside.close();
});

test('what nobody does is told to wait, and a worker that comes does it', async () => {
  const { client } = tenant;
  await client.post('/v1/api/contracts', { document: shopText('contract.yaml'), accept: true });
  const asked = await client.post('/v1/api/ingestions', { files: await sendTables(client, shopTables) });
  const queue = 'ingestions';
  expect(await readMetric(port, 'lastro_jobs_waiting', { queue })).toBe(1);
  expect(await readMetric(port, 'lastro_jobs_running', { queue })).toBe(0);
  for (const name of ['unsealed_entry', 'unnumbered_event'])
    expect(await readMetric(port, `lastro_oldest_${name}_seconds`)).toBeGreaterThan(0);
  expect(await readMetric(port, 'lastro_oldest_waiting_job_seconds', { queue })).toBeGreaterThan(0);
  expect(await readMetric(port, 'lastro_database_up')).toBe(1);

  worker = await startSecondProcess(service, { METRICS_PORT: '0', LASTRO_COMPUTE_PROCESSES: '1' }, 'worker');
  const workersPort = Number(new URL(`http://${worker.url}`).port);
  expect((await client.finished(`/v1/api/ingestions/${asked.body.id}`)).body.status).toBe('succeeded');
  await expect.poll(() => readMetric(port, 'lastro_oldest_unsealed_entry_seconds')).toBe(0);
  await expect.poll(() => readMetric(port, 'lastro_oldest_unnumbered_event_seconds')).toBe(0);
  expect(await readMetric(port, 'lastro_jobs_waiting', { queue })).toBe(0);
  const done = { queue, outcome: 'done' };
  await expect.poll(() => readMetric(workersPort, 'lastro_job_seconds_count', done)).toBe(1);
  const readers = (await readMetrics(port)).flatMap(({ labels }) => labels.reader ?? []);
  expect(readers.length).toBeGreaterThan(1);
  for (const reader of readers) await expect.poll(() => readMetric(port, 'lastro_events_unread', { reader })).toBe(0);
});

test('what the storage fails is counted; what it has not is not', async () => {
  const file = await tenant.client.upload('kept.csv', 'a,b\n1,2\n');
  const storageErrors = async () =>
    (await readMetrics(port)).filter(({ name, value }) => name === 'lastro_storage_errors_total' && value > 0);
  expectRefusal(await tenant.client.get('/v2/api/files/file_none/content'), 404, 'not_found');
  expect(await storageErrors()).toEqual([]);
  // The whole folder is gone, and something else is in its place.
  rmSync(join(service.folder, 'files'), { recursive: true });
  writeFileSync(join(service.folder, 'files'), '');
  expect((await tenant.client.get(`/v2/api/files/${file}/content`)).status).toBe(500);
  await expect(tenant.client.upload('late.csv', 'a,b\n1,2\n')).rejects.toThrow(/PUT of late.csv: 500/);
  // What should be there and is not counts as damaged, and what cannot be stored as failed.
  expect(await readMetric(port, 'lastro_damaged_objects_total')).toBe(1);
  expect((await storageErrors()).map(({ labels }) => labels.operation)).toEqual(['put']);
});

test('a process that leaves is not ready, answers all the same, and keeps no connection', async () => {
  service.service.leave();
  for (const url of [service.url, `http://127.0.0.1:${port}`]) {
    const answer = await fetch(`${url}/readyz`);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ code: 'unavailable' });
  }
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  const answer = await tenant.client.get('/v1/api/models');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('connection')).toBe('close');
});
