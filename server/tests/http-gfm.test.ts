/** A version of the graph model: released by the operator, chosen by a workspace, asked for vectors. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { graphModel } from '../src/access/transactions.ts';
import { gfmCommand } from '../src/commands/gfm.ts';
import { within } from '../src/lib/storage/within.ts';
import { openGfm } from '../src/ml/gfm/version.ts';
import { announceGfmVersions } from '../src/resources/gfm-versions/announce.ts';
import { gfmFolder, publishGfm } from '../src/resources/gfm-versions/publish.ts';
import { gfmFolderOf, storedGfm } from '../src/serving/graph-models.ts';
import { startTestService, type Tenant, type TestService } from './service.ts';

let service: TestService;
let tenant: Tenant;
let id: string;
let identifiers: string[];
const folder = mkdtempSync(join(tmpdir(), 'lastro-http-gfm-'));
const version = join(folder, 'version');

async function gfm(...args: string[]): Promise<void> {
  const said: string[] = [];
  const code = await gfmCommand(args, { write: () => true }, (line) => said.push(line));
  if (code !== 0) throw new Error(said.join('\n'));
}

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.tenant('Reader');
  await gfm('demo-economy', '--out', join(folder, 'economy'), '--companies', '60', '--seed', '3');
  await gfm('import', join(folder, 'economy', 'graph'), '--out', join(folder, 'store'));
  await gfm('train', join(folder, 'store'), '--out', version, '--name', 'test-1');
  const { app } = service.service;
  id = (await publishGfm(app.db, within(app.storage, gfmFolder), version)).id;
  const { graph } = await openGfm(version);
  identifiers = Array.from({ length: 3 }, (_, entity) => graph.store.entities.entryOf(entity + 1)!.identifier);
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (body: unknown) => tenant.client.post('/v1/api/embeddings', body);

test('nothing is read before the workspace has chosen a version', async () => {
  const reply = await ask({ source: 'gfm', keys: identifiers });
  expect([reply.status, reply.body.code]).toEqual([409, 'no_encoder']);
  const { body } = await tenant.client.get('/v1/api/gfm-versions');
  expect(body.data).toMatchObject([{ id, name: 'test-1', is_synthetic: true, is_adopted: false }]);
});

test('once chosen, it answers what the version answers on the host, bit for bit', async () => {
  const chosen = await tenant.client.post(`/v1/api/gfm-versions/${id}/adoption`);
  expect(chosen.body, chosen.text).toMatchObject({ id, is_adopted: true });
  const gfm = await openGfm(version);
  const day = new Date(gfm.until / 1000).toISOString().slice(0, 10);
  const asked = { source: 'gfm', keys: [...identifiers, 'nobody'], reference_date: day, encoding: 'base64' };
  const { body, text, status } = await ask(asked);
  expect(status, text).toBe(200);
  expect(body).toMatchObject({ source: 'gfm', gfm_version_id: id });
  const at = Date.parse(`${day}T23:59:59.999Z`) * 1000 + 999;
  identifiers.forEach((identifier, i) => {
    const own = gfm.embed(gfm.find(identifier), at)!;
    expect(body.data[i]).toMatchObject({ key: identifier, dimension: 1024, model_snapshot: gfm.modelSnapshot });
    expect(body.data[i].vector).toBe(Buffer.from(own.buffer, own.byteOffset, own.byteLength).toString('base64'));
  });
  expect(body.data.at(-1)).toMatchObject({ key: 'nobody', vector: null, data_coverage: 'none' });
});

test('neighbours are of the same kind, as of the day, and those of the highest cosine', async () => {
  const gfm = await openGfm(version);
  const day = new Date(gfm.until / 1000).toISOString().slice(0, 10);
  const at = Date.parse(`${day}T23:59:59.999Z`) * 1000 + 999;
  const find = (body: object) =>
    tenant.client.post('/v1/api/embeddings/neighbors', { source: 'gfm', reference_date: day, limit: 5, ...body });
  const own = gfm.embed(gfm.find('SYN-C0000007'), at)!;
  const similarity = (id: string) => gfm.embed(gfm.find(id), at)!.reduce((sum, value, k) => sum + value * own[k], 0);
  const companies = Array.from({ length: 60 }, (_, c) => `SYN-C${String(c + 1).padStart(7, '0')}`);
  const best = companies
    .filter((id) => id !== 'SYN-C0000007' && gfm.embed(gfm.find(id), at) !== null)
    .sort((a, b) => similarity(b) - similarity(a));
  const { body, status, text } = await find({ key: 'SYN-C0000007' });
  expect(status, text).toBe(200);
  expect(body).toMatchObject({ source: 'gfm', gfm_version_id: id, kind: 'company', model_snapshot: gfm.modelSnapshot });
  expect(body.data.map(({ key }: { key: string }) => key)).toEqual(best.slice(0, 5));
  expect(body.data[0].similarity).toBeCloseTo(similarity(best[0]), 5);
  const like = await find({ vector: Array.from(own), kind: 'company', limit: 1 });
  expect(like.body.data, like.text).toMatchObject([{ key: 'SYN-C0000007' }]);
  const people = await find({ vector: Array.from(own), kind: 'individual' });
  expect(people.body.data.every(({ key }: { key: string }) => key.startsWith('SYN-P'))).toBe(true);
  expect(await find({ vector: Array.from(own) })).toMatchObject({ status: 422, body: { code: 'invalid' } });
  expect(await find({ key: 'SYN-C0000007', kind: 'individual' })).toMatchObject({ status: 404 });
  // Before there was anything, there was nobody.
  expect(await find({ key: 'SYN-C0000007', reference_date: '1900-01-01' })).toMatchObject({ status: 404 });
});

test('a released version is never changed, and every workspace is told of it once', async () => {
  const { app } = service.service;
  const second = await service.tenant('Second reader');
  await expect(publishGfm(app.db, within(app.storage, gfmFolder), version)).rejects.toMatchObject({ code: 'conflict' });
  await announceGfmVersions(app);
  await announceGfmVersions(app);
  const { rows } = await service.owner.pool.query(`select workspace_id from events where type = 'gfm-version-release'`);
  const told = rows.map((row) => row.workspace_id).sort();
  expect(told).toEqual([tenant, second].map(({ ctx }) => ctx.workspaceId).sort());
});

test('a storage within a folder reaches nothing outside of it', async () => {
  const { storage } = service.service.app;
  await storage.put('elsewhere/file', Buffer.from('x'));
  const own = within(storage, gfmFolder);
  const keys = [];
  for await (const { key } of own.list('')) keys.push(key);
  expect(keys.length).toBeGreaterThan(3);
  expect(keys.every((key) => key.startsWith(`${id}/`))).toBe(true);
  await expect(own.get('../elsewhere/file', null)).rejects.toThrow('is no storage key');
});

test('what goes with the other source is refused', async () => {
  for (const body of [
    { source: 'gfm', keys: ['x'], entity: 'customers' },
    { keys: ['x'], kind: 'company' },
  ]) {
    const reply = await ask(body);
    expect([reply.status, reply.body.code]).toEqual([422, 'invalid']);
  }
  const reply = await tenant.client.post('/v1/api/embeddings/neighbors', { key: 'x', kind: 'company' });
  expect([reply.status, reply.body.code]).toEqual([422, 'invalid']);
});

test('a version that is open goes on when local copies of its files are let go', async () => {
  const { storage } = service.service.app;
  const { until } = await openGfm(version);
  const find = (daysAgo: number) =>
    tenant.client.post('/v1/api/embeddings/neighbors', {
      ...{ source: 'gfm', key: 'SYN-C0000007' },
      reference_date: new Date(until / 1000 - daysAgo * 86_400_000).toISOString().slice(0, 10),
    });
  expect((await find(1)).status).toBe(200);
  // Whoever else opens it leaves nothing beside its files.
  const { app } = service.service;
  const row = await graphModel(app.db, (tx) => tx.selectFrom('gfm_versions').selectAll().executeTakeFirstOrThrow());
  const shared = await gfmFolderOf(storage, app.workFolder, storedGfm(row));
  const found = readdirSync(shared, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
  expect(found).toHaveLength(Object.keys(row.files as object).length);
  for await (const { key } of within(storage, gfmFolder).list(`${id}/periods/`))
    rmSync(await within(storage, gfmFolder).localPath(key, null));
  const { status, text } = await find(120);
  expect(status, text).toBe(200);
});
