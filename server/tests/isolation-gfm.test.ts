/**
 * What a workspace holds stays in it: nothing of it is in the graph model, or in another workspace, and the graph
 * model's commands open none of its files.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join, resolve, sep } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { graphModel } from '../src/access/transactions.ts';
import { describeFile, readTable } from '../src/lib/files/read.ts';
import { within } from '../src/lib/storage/within.ts';
import { gfmFolder } from '../src/resources/gfm-versions/publish.ts';
import type { Tenant, TestService } from './service.ts';
import { canaries, startWorlds } from './worlds.ts';

const main = join(import.meta.dirname, '..', 'src', 'main.ts');
/** In every text of the first workspace. */
const [canary] = canaries;
const preload = join(import.meta.dirname, 'note-files.mjs');
const folder = mkdtempSync(join(tmpdir(), 'lastro-isolation-gfm-'));
const version = join(folder, 'version');
const notes = join(folder, 'opened.txt');

let service: TestService;
let a: Tenant;
let b: Tenant;
let gfmId: string;
/** Where the objects of the first workspace lie. */
let own: string;
let answers: string;

beforeAll(async () => {
  // Names and documents in every text that a customer can give; ingested, learned from, asked about.
  const worlds = await startWorlds();
  service = worlds.service;
  [a, b] = [worlds.a.tenant, worlds.b.tenant];
  const here = worlds.a.world;
  const asked = await a.client.post('/v1/api/embeddings', { keys: [`${canary}C1`], rfm_version_id: here.encoder });
  expect(asked.body.data?.[0].vector, asked.text).not.toBeNull();
  own = resolve(await service.service.app.storage.localPath(await someKeyOf(a), null), '..').split(
    a.ctx.workspaceId,
  )[0];
  own = join(own, a.ctx.workspaceId);
  // Beside the service, as its operator runs them.
  await gfm('demo-economy', '--out', join(folder, 'economy'), '--companies', '60', '--seed', '3');
  await gfm('import', join(folder, 'economy', 'graph'), '--out', join(folder, 'store'));
  await gfm('train', join(folder, 'store'), '--out', version, '--name', 'isolated-1');
  gfmId = JSON.parse(await gfm('publish', version)).gfm_version_id;
  await b.client.post(`/v1/api/gfm-versions/${gfmId}/adoption`);
  const vector = await b.client.post('/v1/api/embeddings', { source: 'gfm', keys: [`${canary}C1`] });
  expect(vector.body.data, vector.text).toMatchObject([{ vector: null }]);
  const paths = [
    '/v1/api/models',
    '/v1/api/gfm-versions',
    '/v1/api/rfm-versions',
    '/v1/api/predictions',
    '/v2/api/files',
  ];
  answers = (await Promise.all(paths.map((path) => b.client.get(path)))).map(({ text }) => text).join('\n');
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command of the graph model in a process of its own that notes what it opens. Returns what it printed. */
function gfm(...args: string[]): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    OPENED_NOTES: notes,
    DATABASE_URL: service.databaseUrl,
    LASTRO_DATA_DIR: service.folder,
    LOG_LEVEL: 'error',
  };
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      ['--import', preload, main, 'gfm', ...args],
      { env, cwd: folder },
      (error, out, said) => {
        if (error) reject(new Error(said, { cause: error }));
        else resolve(out);
      },
    );
  });
}

async function someKeyOf({ ctx }: Tenant): Promise<string> {
  for await (const { key } of service.service.app.storage.list('')) if (key.includes(ctx.workspaceId)) return key;
  throw new Error('the workspace has no object');
}

function filesUnder(place: string): string[] {
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Whether bytes hold the canary, as they lie or as the texts of a Parquet file. */
async function holdsCanary(path: string): Promise<boolean> {
  const bytes = readFileSync(path);
  if (bytes.includes(canary) || bytes.includes(Buffer.from(canary, 'utf16le'))) return true;
  if (extname(path) !== '.parquet') return false;
  const { columns } = await describeFile(path);
  const { rows } = await readTable(
    [path],
    columns.map(({ name }) => ({ name, type: 'string' as const, required: false })),
    {},
  );
  return [...rows.columns.values()].some(
    (column) => column.kind === 'text' && column.dictionary.some((text) => text.includes(canary)),
  );
}

test('the canary is where it was planted', async () => {
  expect(own.endsWith(a.ctx.workspaceId)).toBe(true);
  const held = [];
  for (const path of filesUnder(own)) if (await holdsCanary(path)) held.push(path.slice(own.length + 1).split(sep)[0]);
  // Uploads, the dictionary of names and results name them.
  expect(new Set(held).size).toBeGreaterThan(2);
});

test('no byte of the graph model holds it: version folder, storage, rows', async () => {
  const published = filesUnder(join(own.split(a.ctx.organizationId)[0], gfmFolder));
  expect(published.length).toBeGreaterThan(3);
  for (const path of [...filesUnder(version), ...filesUnder(join(folder, 'store')), ...published])
    expect(await holdsCanary(path), path).toBe(false);
  const rows = await graphModel(service.service.app.db, (tx) => tx.selectFrom('gfm_versions').selectAll().execute());
  expect(rows).toMatchObject([{ id: gfmId }]);
  expect(JSON.stringify(rows)).not.toContain(canary);
});

test('no object or row of another workspace holds it, nor what is nobody’s', async () => {
  // Its own Creator may read of it in their mails.
  const isOwnMail = (path: string) =>
    path.includes(`${sep}mails${sep}`) && readFileSync(path, 'utf8').includes('\nTo: creator@first.example');
  const elsewhere = filesUnder(service.folder).filter((path) => !path.startsWith(`${own}${sep}`) && !isOwnMail(path));
  expect(elsewhere.length).toBeGreaterThan(20);
  for (const path of elsewhere) expect(await holdsCanary(path), path).toBe(false);
  expect(answers).toContain('isolated-1');
  expect(answers).not.toContain(canary);
  let found = 0;
  for (const { schema, name, columns } of await tablesOf()) {
    const theirs = columns.includes('workspace_id')
      ? sql`workspace_id is distinct from ${a.ctx.workspaceId}`
      : sql`true`;
    const rows = (condition: RawBuilder<unknown>) =>
      sql`select 1 from ${sql.table(`${schema}.${name}`)} as t where t::text like ${`%${canary}%`} and ${condition}`.execute(
        service.owner.kysely,
      );
    expect((await rows(theirs)).rows, `${schema}.${name}`).toEqual([]);
    if ((await rows(sql`true`)).rows.length > 0) found++;
  }
  expect(found).toBeGreaterThan(5);
});

/** Every table there is, those of the machinery too. */
async function tablesOf() {
  const { rows } = await sql<{ schema: string; name: string; columns: string[] }>`
    select table_schema as schema, table_name as name, array_agg(column_name::text) as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'
    group by 1, 2 order by 1, 2`.execute(service.owner.kysely);
  return rows;
}

test('no file of a workspace is among those that the commands of the graph model open', async () => {
  const lines = readFileSync(notes, 'utf8').trimEnd().split('\n');
  const opened = lines.map((line) => resolve(line.slice(line.indexOf(' ') + 1)));
  // What they must open was noted: else nothing is proved.
  for (const path of [join(folder, 'economy', 'graph'), join(folder, 'store'), version])
    expect(
      opened.some((one) => one.startsWith(path)),
      path,
    ).toBe(true);
  expect(opened.some((path) => path.includes(`${gfmFolder}${gfmId}`))).toBe(true);
  for (const { ctx } of [a, b])
    for (const path of opened) {
      expect(path).not.toContain(ctx.workspaceId);
      expect(path).not.toContain(ctx.organizationId);
    }
  // DuckDB, which opens files by itself, was let into no folder that lies above them.
  for (const line of lines.filter((line) => line.startsWith('duckdb ')))
    expect(own.startsWith(resolve(line.slice('duckdb '.length)))).toBe(false);
  // One that is told to look there is found out.
  await expect(gfm('import', own, '--out', join(folder, 'never'))).rejects.toThrow();
  expect(readFileSync(notes, 'utf8')).toContain(own);
});

test('the storage and the role of the graph model reach nothing of a workspace', async () => {
  const { app } = service.service;
  const storage = within(app.storage, gfmFolder);
  const key = await someKeyOf(a);
  for (const path of [`../${key}`, `/${key}`, `x/../../${key}`])
    for (const reach of [storage.get, storage.localPath, storage.delete])
      await expect(reach(path, null)).rejects.toThrow('is no storage key');
  await expect(storage.get(key, null)).rejects.toMatchObject({ code: 'not_found' });
  expect(await app.storage.stat(key)).not.toBeNull();
  const tables = (await tablesOf()).filter(({ schema, name }) => schema === 'public' && name !== 'gfm_versions');
  expect(tables.length).toBeGreaterThan(15);
  for (const { name, columns } of tables)
    for (const statement of [
      sql`select 1 from ${sql.table(name)}`,
      sql`insert into ${sql.table(name)} default values`,
      sql`update ${sql.table(name)} set ${sql.ref(columns[0])} = null`,
      sql`delete from ${sql.table(name)}`,
    ])
      await expect(
        graphModel(app.db, (tx) => statement.execute(tx)),
        name,
      ).rejects.toMatchObject({ code: '42501' });
});
