// How long two processes go on answering with the old version after an alias has been moved, by hand or by itself.
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { system, tenant } from '../src/access/transactions.ts';
import { workspaceContext } from '../src/access/workspace-context.ts';
import { startService as startApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { newId } from '../src/lib/crypto/ids.ts';
import type { App } from '../src/resources/app.ts';
import { rollBack } from '../src/resources/models/roll-back.ts';
import { compareFigures, type Row } from './figures.ts';
import { makeRequests, readDemo, startService, stop } from './service.ts';
import type { Asked } from './service-load.ts';

const moves = 20;
const betweenMovesMs = 1_500;
const callersPerProcess = 8;
/** What the API promises. */
const promisedMs = 1_000;

type Seen = { readonly answeredAt: number; readonly status: number; readonly version: unknown };

/** Seeds the demo lender, then asks two processes for about a minute and a half. */
export async function benchAliases(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lastro-bench-aliases-'));
  const children: ChildProcess[] = [];
  try {
    const service = await startService(folder, 'all', children);
    const { demo, documents } = await readDemo(service.url, folder);
    const second = await startService(folder, 'api', children);
    return await measureAliasMoves([service.url, second.url], {
      ...{ dataDir: join(folder, 'data'), modelId: demo.model_id, alias: demo.alias },
      requests: makeRequests(demo, documents),
    });
  } finally {
    for (const child of children.reverse()) await stop(child);
    rmSync(folder, { recursive: true, force: true });
  }
}

type Asking = {
  readonly dataDir: string;
  readonly requests: readonly Asked[];
  readonly modelId: string;
  readonly alias: string;
};

/**
 * Moves the alias again and again while both processes are asked as fast as they answer: first by the API, through
 * either process in turn, and then back to the version before by what decides it of itself when a version fails.
 */
async function measureAliasMoves(urls: readonly string[], asking: Asking): Promise<Row[]> {
  const { app, close } = await startApp(readConfig({ LASTRO_DATA_DIR: asking.dataDir, LASTRO_DEMO: '0' }), 'none');
  const [first, copy] = await copyVersion(app, asking.modelId);
  const seen: Seen[][] = urls.map(() => []);
  let isOver = false;
  const callers = urls.flatMap((url, at) =>
    Array.from({ length: callersPerProcess }, async (_, caller) => {
      for (let turn = caller; !isOver; turn++)
        seen[at].push(await ask(url, asking.requests[turn % asking.requests.length]));
    }),
  );
  try {
    const byHand = await moveInTurn(async (move) => {
      const version = move % 2 === 0 ? copy : first;
      await point(urls[move % urls.length], asking, version);
      return version;
    });
    const back = await moveInTurn(async (move) => {
      if (move % 2 === 1) await fail(app, asking.modelId, copy);
      else await point(urls[0], asking, copy);
      return move % 2 === 1 ? first : copy;
    });
    isOver = true;
    await Promise.all(callers);
    const rolledBack = back.filter(({ version }) => version === first);
    return [
      ...rowsOf('alias moved to last old answer', byHand.slice(1), seen, ({ at }) => at),
      // From the decision on, so that its transaction counts.
      ...rowsOf('rollback decided to last old answer', rolledBack, seen, ({ askedAt }) => askedAt),
    ];
  } finally {
    isOver = true;
    await close();
  }
}

/** To which version an alias was moved, when that was asked for, when it was done, and when it was next moved. */
type Moved = { readonly version: string; readonly askedAt: number; readonly at: number; readonly until: number };

async function moveInTurn(move: (turn: number) => Promise<string>): Promise<Moved[]> {
  const moved: Omit<Moved, 'until'>[] = [];
  for (let turn = 0; turn <= moves; turn++) {
    const askedAt = performance.now();
    const version = await move(turn);
    moved.push({ version, askedAt, at: performance.now() });
    await sleep(betweenMovesMs);
  }
  return moved.map((one, turn) => ({ ...one, until: moved[turn + 1]?.askedAt ?? one.at + betweenMovesMs }));
}

function rowsOf(name: string, moved: readonly Moved[], seen: readonly Seen[][], since: (one: Moved) => number): Row[] {
  const failed = seen.flat().filter(({ status }) => status !== 200).length;
  return seen.map((answers, process) => {
    const lasts = moved.map((one) => {
      const old = answers.filter(
        ({ answeredAt, version }) => answeredAt > since(one) && answeredAt < one.until && version !== one.version,
      );
      return Math.max(0, ...old.map(({ answeredAt }) => answeredAt - since(one)));
    });
    lasts.sort((a, b) => a - b);
    const note = `longest of ${lasts.length} moves, half within ${lasts[lasts.length >> 1].toFixed(0)} ms; ${answers.length} answers, of both processes ${failed} failed`;
    return compareFigures(`${name}, process ${process + 1}`, lasts.at(-1)!, promisedMs, {
      unit: 'ms',
      target: failed === 0 ? 1 : Number.POSITIVE_INFINITY,
      note,
    });
  });
}

async function ask(url: string, { path, headers, body, method }: Asked): Promise<Seen> {
  const answer = await fetch(`${url}${path}`, { method, headers, body });
  const { version_id: version } = (await answer.json()) as { version_id?: unknown };
  return { answeredAt: performance.now(), status: answer.status, version };
}

async function point(url: string, { requests, modelId, alias }: Asking, version: string): Promise<void> {
  const path = `/v1/api/models/${modelId}/aliases/${alias}`;
  const body = JSON.stringify({ version_id: version, override: { reason: 'the same files' } });
  const answer = await fetch(`${url}${path}`, { method: 'PUT', headers: requests[0].headers, body });
  if (!answer.ok) throw new Error(`moving the alias: ${answer.status} ${await answer.text()}`);
}

/** Decides that a version has failed, as whoever watches it does; none of its aliases was moved back before. */
async function fail({ db }: App, modelId: string, versionId: string): Promise<void> {
  const { workspace_id } = await system(db, 'bench', async (tx) => {
    await tx.deleteFrom('rollbacks').where('model_id', '=', modelId).execute();
    return tx.selectFrom('models').select('workspace_id').where('id', '=', modelId).executeTakeFirstOrThrow();
  });
  const ctx = await workspaceContext(db, workspace_id);
  const failed = { modelId, versionId, reason: {}, signals: [] };
  const moved = await tenant(db, ctx, (tx) => rollBack(tx, ctx, failed, { days: 1, now: new Date() }));
  if (moved.length !== 1) throw new Error(`${moved.length} aliases were moved back`);
}

/** The model's version and another with the same files, which saves learning one. */
export async function copyVersion({ db }: App, modelId: string): Promise<[string, string]> {
  const copy = newId('ver');
  const { id } = await system(db, 'bench', async (tx) => {
    const first = await tx
      .selectFrom('model_versions')
      .select('id')
      .where('model_id', '=', modelId)
      .executeTakeFirstOrThrow();
    await sql`insert into model_versions
      select (jsonb_populate_record(v, jsonb_build_object('id', ${copy}::text, 'number', v.number + 1))).*
      from model_versions v where v.id = ${first.id}`.execute(tx);
    return first;
  });
  return [id, copy];
}
