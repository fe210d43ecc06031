/**
 * An installation of the release before, from the newest commit with fewer migrations, is started by this one: what it
 * kept is as it was, and is answered from as before.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schemaFolder } from '../src/installation.ts';
import { readMigrations } from '../src/lib/db/migrate.ts';
import { bootstrap, makeDataFolder, type Program, queryRows, removeDataFolder, startProgram } from './program.ts';
import { askAgain, expectSameAnswers, type Query, readLog } from './replay.ts';
import { type Client, openClient } from './service.ts';
import { askForBatch, fetchBytes, learnReturns, resultOf, runBatch } from './support/samples/batches.ts';

const repository = join(import.meta.dirname, '..', '..');
const predictions = 120;
const batchRows = 2_000;
/** Of the batch that is on its way when the older release is stopped. */
const longRows = 60_000;

let folder: string;
let tree: string;
let running: Program | undefined;
beforeAll(() => {
  folder = makeDataFolder();
  tree = mkdtempSync(join(tmpdir(), 'lastro-older-'));
});
afterAll(async () => {
  await removeDataFolder(folder);
  rmSync(tree, { recursive: true, force: true });
});

const query: Query = (text, values) => queryRows(folder, text, values);
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

async function start(of?: string): Promise<Program> {
  running = startProgram(folder, of === undefined ? {} : { tree: of });
  await running.answers;
  return running;
}

async function stop({ child, ended }: Program): Promise<void> {
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 0, signal: null });
}

test('started by this release, an installation of the one before answers all of its log, and has its results, to the byte', async () => {
  const migrations = (await readMigrations(schemaFolder)).map(({ name }) => name);
  const newest = migrations.at(-1)!;
  const commit = commitBefore(migrations);
  unpack(commit, tree);
  expect(existsSync(join(tree, 'server/src/schema', newest))).toBe(false);

  const older = await start(tree);
  const key = await bootstrap(folder, 'Upgraded', tree);
  const before = openClient(await older.answers, key);
  const { model_id } = await learnReturns(before);
  await ask(before, model_id);
  const file = await before.upload('rows.csv', rowsText(batchRows));
  const { id, batch } = await runBatch(before, { files: [file], model: `${model_id}/production` });
  expect(batch).toMatchObject({ status: 'succeeded' });
  const results = await hashesOf(before, id);
  const long = await before.upload('long.csv', rowsText(longRows));
  const queued = await askForBatch(before, { files: [long], model: `${model_id}/production` });
  const log = await readLog(query);
  expect(log).toHaveLength(predictions);
  await stop(older);
  const left = await query("select from batches where status in ('queued', 'running')");
  expect(left).toHaveLength(1);

  const current = await start();
  expect((await query('select name from migrations order by name')).at(-1)).toEqual({ name: newest });
  const client = openClient(await current.answers, key);
  expect(await readLog(query)).toEqual(log);
  await expectSameAnswers(query, log, await askAgain(log, () => client));
  for (const [asked, total] of [
    [{ predictions: {} }, predictions * 2],
    [{ batch: id }, batchRows],
  ] as const) {
    const { body } = await client.post('/v1/api/replays', asked);
    const replay = await client.finished(`/v1/api/replays/${body.id}`);
    expect(replay.body, replay.text).toMatchObject({ status: 'succeeded', total, identical: total, different: 0 });
  }
  expect(await hashesOf(client, id)).toEqual(results);
  const again = await runBatch(client, { files: [file], model: `${model_id}/production` });
  expect(again.batch).toMatchObject({ status: 'succeeded' });
  expect(await textsOf(client, again.id)).toEqual(await textsOf(client, id));
  expect((await client.finished(`/v2/api/batches/${queued}`)).body).toMatchObject({ status: 'succeeded' });
  await stop(current);

  const refused = startProgram(folder, { tree });
  expect(await refused.ended).toEqual({ code: 2, signal: null });
  expect(refused.lines.join('\n')).toMatch(new RegExp(`${newest}.*newer|newer.*${newest}`));
});

/**
 * The newest commit that has only the first of these migrations: those within a piece of work may have had others.
 * Throws an Error where the history of git does not go back so far.
 */
function commitBefore(migrations: readonly string[]): string {
  const git = (...args: string[]): string[] =>
    execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8' })
      .trim()
      .split('\n');
  const commit = git('rev-list', 'HEAD').find((one) => {
    const had = git('ls-tree', '--name-only', `${one}:server/src/schema`).filter((file) => file.endsWith('.sql'));
    return had.length < migrations.length && had.every((file, at) => file === migrations[at]);
  });
  if (commit === undefined) throw new Error(`the history of git has no release before ${migrations.at(-1)}`);
  return commit;
}

/** Puts the files of a commit into a folder, with the packages of this tree. */
function unpack(commit: string, into: string): void {
  const archive = join(into, 'older.tar');
  execFileSync('git', ['-C', repository, 'archive', '--output', archive, commit]);
  execFileSync('tar', ['-x', '-f', archive, '-C', into]);
  rmSync(archive);
  for (const packages of ['node_modules', 'server/node_modules']) {
    const path = join(repository, packages);
    if (!existsSync(path)) continue;
    mkdirSync(join(into, packages, '..'), { recursive: true });
    symlinkSync(path, join(into, packages), 'dir');
  }
}

/** Asks of customers that are there and of some that are not, as of many days, with and without all there is to tell. */
async function ask(client: Client, model: string): Promise<void> {
  for (let at = 0; at < predictions; at++) {
    const day = `2024-0${1 + (at % 9)}-${10 + (at % 19)}`;
    const parts = at % 2 === 0 ? '?include=explanation,interval,unknown' : '';
    const { status, text } = await client.post(`/v1/api/prediction/${model}/production${parts}`, {
      customer_id: `C${at % 44}`,
      correlation_id: `asked ${at}`,
      reference_date: day,
    });
    expect(status, text).toBe(200);
  }
}

function rowsText(count: number): string {
  const rows = Array.from({ length: count }, (_, at) => `C${at % 44},row ${at},2024-0${1 + (at % 9)}-01`);
  return `customer_id,correlation_id,reference_date\n${rows.join('\n')}\n`;
}

async function filesOf(client: Client, batch: string): Promise<Buffer[]> {
  const { files } = await resultOf(client, batch);
  return Promise.all(files.map(({ download_url }: { download_url: string }) => fetchBytes(download_url)));
}

const hashesOf = async (client: Client, batch: string) => (await filesOf(client, batch)).map(sha256);

/** Ids differ between batches, and nothing else does. */
const textsOf = async (client: Client, batch: string) =>
  (await filesOf(client, batch)).map((bytes) => bytes.toString().replaceAll(/\b[a-z]+_[0-9a-f]{32}\b/g, ''));
