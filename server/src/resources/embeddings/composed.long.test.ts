/**
 * Encoders composed with the GFM version that their workspace had adopted: pre-trained, asked for embeddings,
 * fine-tuned, exported.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { draws, type Row, sampleContract } from '../../../tests/samples.ts';
import { startTestService, type Tenant, type TestService } from '../../../tests/service.ts';
import { csv } from '../../../tests/shop.ts';
import { dayAt, sampleStore, sectorsOf } from '../../../tests/support/samples/gfm.ts';
import { releaseTwo } from '../../../tests/support/samples/gfm-versions.ts';
import { takeIn } from '../../../tests/take-in.ts';
import { defineTask } from '../../../tests/train-task.ts';
import { unzipInto } from '../../../tests/unzip.ts';
import { tenant as tenantDoor } from '../../access/transactions.ts';
import { answerAtHome, homeUser, openHome } from '../../commands/rfm-home.ts';
import { writeContract } from '../../ml/contract/write.ts';
import { openGraphModel } from '../../ml/gfm-link/reading.ts';
import { openTables } from '../../ml/lake/open.ts';
import { openRfm } from '../../ml/rfm/open.ts';
import { placeVersion } from '../../serving/place-version.ts';
import { currentIdentifiers, currentSnapshot } from '../../serving/snapshot.ts';
import { embed } from './embed.ts';

const companies = 60;
const store = sampleStore({ companies });
const contract = sampleContract([
  {
    name: 'client',
    key: 'document',
    entityKind: 'company',
    columns: { document: { type: 'string', graphKey: true }, note: 'string' },
  },
  {
    name: 'invoice',
    key: 'invoice_id',
    time: 'issued',
    references: { client: 'client' },
    columns: { invoice_id: 'string', issued: 'date', client: 'string', total: 'number' },
  },
]);
const dateOf = (day: number) => new Date(dayAt(day) / 1000).toISOString().slice(0, 10);

/** The sector of a company, on which the amounts of its invoices depend. */
const sectorOf = (company: number) => sectorsOf(store).codes[company];
const draw = draws(3);
const invoices = Array.from({ length: companies }, (_, c) => c).flatMap((c) => {
  const rows: (readonly (string | number)[])[] = [];
  for (let day = draw.between(0, 200); day < 950; day += draw.between(40, 160))
    rows.push([`i${c}-${day}`, dateOf(day), `c${c}`, Math.round(10 ** (1 + sectorOf(c)) * (0.5 + draw.next()))]);
  return rows;
});
const files = {
  client: csv(
    'document,note',
    Array.from({ length: companies }, (_, c) => [`c${c}`, 'x']),
  ),
  invoice: csv('invoice_id,issued,client,total', invoices),
};
const labels = csv(
  'date,document,bad',
  Array.from({ length: 10 * companies }, (_, i) => [
    dateOf(400 + 40 * Math.floor(i / companies)),
    `c${i % companies}`,
    Number(draw.next() < (sectorOf(i % companies) < 2 ? 0.85 : 0.15)),
  ]),
);

const folder = mkdtempSync(join(tmpdir(), 'lastro-composed-'));
let service: TestService;
let tenant: Tenant;
let gfms: Awaited<ReturnType<typeof releaseTwo>>;
/** The RFM version that is composed with the graph model. */
let composed: Row & { id: string };

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.tenant('Composer', { timeZone: 'UTC' });
  gfms = await releaseTwo(service.service.app, store, folder);
  const { client } = tenant;
  await takeIn(client, writeContract(contract), files);
  await adopt('one');
  const run = await client.post('/v1/api/training-runs', { entity: 'client' });
  expect(run.body, run.text).toMatchObject({ gfm_version_id: gfms.one });
  const trained = await client.finished(`/v1/api/training-runs/${run.body.id}`);
  expect(trained.body, trained.text).toMatchObject({
    status: 'succeeded',
    metrics: { gfm: { gfm_version_id: gfms.one } },
  });
  composed = (await client.get(`/v1/api/rfm-versions/${trained.body.rfm_version_id}`)).body;
}, 240_000);
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

async function adopt(name: 'one' | 'two'): Promise<void> {
  const adopted = await tenant.client.post(`/v1/api/gfm-versions/${gfms[name]}/adoption`);
  expect(adopted.status, adopted.text).toBe(200);
}

const keys = Array.from({ length: companies }, (_, c) => `c${c}`);
const day = dateOf(760);
const request = { keys, reference_date: day, encoding: 'base64' as const };

async function vectors(): Promise<string[]> {
  const { body, status, text } = await tenant.client.post('/v1/api/embeddings', request);
  expect(status, text).toBe(200);
  return body.data.map(({ vector }: { vector: string }) => vector);
}

test('its vectors are what the core makes with that version of the graph model, whichever is adopted later', async () => {
  expect(composed).toMatchObject({ gfm_version_id: gfms.one, report: { graph_model: { inputs: expect.any(Number) } } });
  const { app } = service.service;
  const { row, snapshot, names } = await tenantDoor(app.db, tenant.ctx, async (tx) => ({
    row: await tx.selectFrom('rfm_versions').selectAll().where('id', '=', composed.id).executeTakeFirstOrThrow(),
    snapshot: (await currentSnapshot(tx, tenant.ctx))!,
    names: await currentIdentifiers(tx, tenant.ctx),
  }));
  const place = await placeVersion(app.storage, folder, composed.id, {
    prefix: row.storage_prefix,
    files: row.files,
  });
  const tables = await openTables(
    await app.storage.localPath(snapshot.frozen_key, null),
    await app.storage.localPath(names!, null),
  );
  const rfm = await openRfm(place, tables, await openGraphModel(join(folder, 'one')));
  const rows = Int32Array.from(keys, (key) => tables.get('client')!.rowOf.get(key)!);
  const made = rfm.embed(rows, new Float64Array(companies).fill(dayAt(761) - 1));
  const said = await vectors();
  expect(said).toEqual(keys.map((_, i) => Buffer.from(made.slice(1024 * i, 1024 * (i + 1)).buffer).toString('base64')));
  await adopt('two');
  expect(await vectors()).toEqual(said);
  await expect(openRfm(place, tables, await openGraphModel(join(folder, 'two')))).rejects.toThrow(/was given two@/);
});

test('a run may leave it out, and one that is fine-tuned reads what its parent does', async () => {
  const { client } = tenant;
  const plain = await client.post('/v1/api/training-runs', { entity: 'client', gfm: 'none' });
  expect(plain.body, plain.text).toMatchObject({ gfm_version_id: null });
  await client.post(`/v1/api/training-runs/${plain.body.id}/interrupt`);
  await adopt('one');
  const definition =
    'entity: client\nkey: document\ntime: date\nlabel: bad\nkind: binary\nmetric: auroc\nwindow: 30d\n';
  const task = await defineTask(client, { name: 'bad', definition, labels: { train: labels } });
  const asked = { task_id: task.id, feedback: true, alias: 'production' };
  const run = await client.post('/v1/api/training-runs', asked);
  await adopt('two');
  const { body, text } = await client.finished(`/v1/api/training-runs/${run.body.id}`);
  expect(body, text).toMatchObject({ status: 'succeeded', gfm_version_id: gfms.one });
  const { feedback } = body.metrics;
  expect(feedback).toMatchObject({ parent_id: composed.id });
  expect(feedback.labels, JSON.stringify(feedback)).toBeGreaterThan(100);
  if (feedback.accepted) {
    const child = await client.get(`/v1/api/rfm-versions/${body.rfm_version_id}`);
    expect(child.body).toMatchObject({ gfm_version_id: gfms.one, parent_id: composed.id });
  }
}, 180_000);

test('at home it answers as in the service, with the graph model that came along', async () => {
  const { key } = tenant.client;
  const archive = await fetch(`${service.url}/v1/api/rfm-versions/${composed.id}/export`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(archive.status).toBe(200);
  unzipInto(folder, Buffer.from(await archive.arrayBuffer()));
  const data = mkdtempSync(join(folder, 'tables-'));
  for (const [table, text] of Object.entries(files)) writeFileSync(join(data, `${table}.csv`), text);
  const home = await openHome(join(folder, composed.id), data, () => {});
  const user = { ...homeUser(home), channel: 'api', requestId: null, ip: null, userAgent: null } as const;
  const answer = await embed(answerAtHome(home), user, request);
  const { data: records } = answer.body as { data: { vector: string }[] };
  const { body } = await tenant.client.post('/v1/api/embeddings', { ...request, rfm_version_id: composed.id });
  expect(records.map(({ vector }) => vector)).toEqual(body.data.map(({ vector }: { vector: string }) => vector));
  expect(home.exported.graphModel).toBeDefined();
  expect(home.versions.size).toBe(1);
});
