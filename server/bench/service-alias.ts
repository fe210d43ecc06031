// How long two processes go on answering with the old version after an alias has been moved.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { startService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { newId } from '../src/lib/crypto/ids.ts';
import { compareFigures, type Row } from './figures.ts';
import type { Asked } from './service-load.ts';

const moves = 20;
const betweenMovesMs = 1_500;
const callersPerProcess = 8;
/** What the API promises. */
const promisedMs = 1_000;

type Seen = { readonly answeredAt: number; readonly status: number; readonly version: unknown };

/** Moves the alias again and again, through either process in turn, while both are asked as fast as they answer. */
export async function measureAliasMoves(
  urls: readonly string[],
  {
    dataDir,
    requests,
    modelId,
    alias,
  }: { dataDir: string; requests: readonly Asked[]; modelId: string; alias: string },
): Promise<Row[]> {
  const versions = await copyVersion(dataDir, modelId);
  const seen: Seen[][] = urls.map(() => []);
  let isOver = false;
  const callers = urls.flatMap((url, at) =>
    Array.from({ length: callersPerProcess }, async (_, caller) => {
      for (let turn = caller; !isOver; turn++) seen[at].push(await ask(url, requests[turn % requests.length]));
    }),
  );
  const moved: { version: string; askedAt: number; at: number }[] = [];
  for (let move = 0; move <= moves; move++) {
    const version = versions[move % 2];
    const askedAt = performance.now();
    await point(urls[move % urls.length], version);
    moved.push({ version, askedAt, at: performance.now() });
    await sleep(betweenMovesMs);
  }
  isOver = true;
  await Promise.all(callers);
  const failed = seen.flat().filter(({ status }) => status !== 200).length;
  return seen.map((answers, process) => {
    const lasts = moved.slice(1).map(({ version, at }, move) => {
      const until = moved[move + 2]?.askedAt ?? Number.POSITIVE_INFINITY;
      const old = answers.filter((one) => one.answeredAt > at && one.answeredAt < until && one.version !== version);
      return Math.max(0, ...old.map(({ answeredAt }) => answeredAt - at));
    });
    lasts.sort((a, b) => a - b);
    const note = `longest of ${moves} moves, half within ${lasts[lasts.length >> 1].toFixed(0)} ms; ${answers.length} answers, of both processes ${failed} failed`;
    return compareFigures(`alias moved to last old answer, process ${process + 1}`, lasts.at(-1)!, promisedMs, {
      unit: 'ms',
      target: failed === 0 ? 1 : Number.POSITIVE_INFINITY,
      note,
    });
  });

  async function ask(url: string, { path, headers, body, method }: Asked): Promise<Seen> {
    const answer = await fetch(`${url}${path}`, { method, headers, body });
    const { version_id: version } = (await answer.json()) as { version_id?: unknown };
    return { answeredAt: performance.now(), status: answer.status, version };
  }

  async function point(url: string, version: string): Promise<void> {
    const path = `/v1/api/models/${modelId}/aliases/${alias}`;
    const body = JSON.stringify({ version_id: version, override: { reason: 'the same files' } });
    const answer = await fetch(`${url}${path}`, { method: 'PUT', headers: requests[0].headers, body });
    if (!answer.ok) throw new Error(`moving the alias: ${answer.status} ${await answer.text()}`);
  }
}

/** The model's version and another with the same files, which saves learning one. */
export async function copyVersion(dataDir: string, modelId: string): Promise<string[]> {
  const { app, close } = await startService(readConfig({ LASTRO_DATA_DIR: dataDir, LASTRO_DEMO: '0' }), 'none');
  const copy = newId('ver');
  const { rows } = await sql<{ id: string }>`insert into model_versions
    select (jsonb_populate_record(v, jsonb_build_object('id', ${copy}::text, 'number', v.number + 1))).*
    from model_versions v where v.model_id = ${modelId} returning (select id from model_versions where model_id = ${modelId}) as id`.execute(
    app.db.kysely,
  );
  await close();
  return [rows[0].id, copy];
}
