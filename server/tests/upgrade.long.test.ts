/**
 * An installation of the release before, from the newest commit with fewer migrations, is started by this one: what it
 * kept is as it was, and is answered from as before.
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OlderRelease, unpackOlder } from './older-release.ts';
import { bootstrap, makeDataFolder, type Program, queryRows, removeDataFolder, startProgram } from './program.ts';
import { askAgain, expectSameAnswers, type Query, readLog } from './replay.ts';
import { type Client, openClient } from './service.ts';
import { askForBatch, fetchBytes, learnReturns, resultOf, runBatch } from './support/samples/batches.ts';

const predictions = 120;
const batchRows = 2_000;
/** Of the batch that is on its way when the older release is stopped. */
const longRows = 60_000;

let folder: string;
let release: OlderRelease;
beforeAll(async () => {
  folder = makeDataFolder();
  release = await unpackOlder();
});
afterAll(async () => {
  await removeDataFolder(folder);
  release.remove();
});

const query: Query = (text, values) => queryRows(folder, text, values);
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

async function stop({ child, ended }: Program): Promise<void> {
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 0, signal: null });
}

test('started by this release, an installation of the one before answers all of its log, and has its results, to the byte', async () => {
  const { tree, newest } = release;
  const older = startProgram(folder, { tree });
  const url = await older.answers;
  const key = await bootstrap(folder, 'Upgraded', tree);
  const before = openClient(url, key);
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

  const current = startProgram(folder);
  await current.answers;
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
