/**
 * What is served changes while two processes answer: an alias moves, or new data come. Both follow, and no caller
 * notices more than that.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../src/lib/crypto/ids.ts';
import { expectRefusal } from './problems.ts';
import { type SecondProcess, startSecondProcess } from './second-process.ts';
import type { Tenant, TestService } from './service.ts';
import { csv } from './shop.ts';
import { startShop, type Trained } from './support/samples/batches.ts';
import { sendTables } from './take-in.ts';

/** What the API promises. */
const followedWithinMs = 1_000;
const callersPerProcess = 4;
const moves = 3;
/** Between two requests of one caller: eight who asked on and on took the processors from what they ask. */
const pauseMs = 5;

type Seen = {
  readonly process: number;
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly status: number;
  readonly version: string;
  readonly snapshot: string;
};

let service: TestService;
let tenant: Tenant;
let second: SecondProcess;
let urls: string[];
let model: string;
let versions: string[];

beforeAll(async () => {
  const { returns, ...shop } = await startShop();
  ({ service, tenant } = shop);
  [{ model, versions }, second] = await Promise.all([makeVersions(returns), startSecondProcess(service)]);
  urls = [service.url, second.url];
}, 60_000);
afterAll(async () => {
  await second.close();
  await service.close();
});

test('both processes follow an alias, and neither goes back or fails', async () => {
  const seen: Seen[] = [];
  let isOver = false;
  const callers = urls.flatMap((url, process) =>
    Array.from({ length: callersPerProcess }, async () => {
      for (; !isOver; await sleep(pauseMs)) seen.push(await ask(url, process));
    }),
  );
  const moved = [{ version: versions[0], askedAt: 0, at: performance.now() - followedWithinMs }];
  await until(seen, () => true);
  for (let move = 1; move <= moves; move++) {
    const version = versions[move % 2];
    const askedAt = performance.now();
    // Through either process.
    await point(urls[move % 2], version);
    const at = performance.now();
    moved.push({ version, askedAt, at });
    await until(seen, ({ sentAt }) => sentAt > at + followedWithinMs);
  }
  isOver = true;
  await Promise.all(callers);

  expect(seen.filter(({ status }) => status !== 200)).toEqual([]);
  moved.forEach(({ version, at }, move) => {
    const next = moved[move + 1]?.askedAt ?? Number.POSITIVE_INFINITY;
    for (const process of urls.keys()) {
      const own = seen.filter((one) => one.process === process && one.sentAt > at && one.answeredAt < next);
      const late = own.filter(({ sentAt }) => sentAt > at + followedWithinMs);
      expect(late.length).toBeGreaterThan(0);
      expect(late.filter((one) => one.version !== version)).toEqual([]);
      const first = Math.min(...own.filter((one) => one.version === version).map(({ answeredAt }) => answeredAt));
      expect(own.filter(({ sentAt, version: told }) => sentAt > first && told !== version)).toEqual([]);
    }
  });
});

test('who was not asked while an alias moved answers by it from the first request on', async () => {
  const version = await copyVersion(versions[0], versions.length + 1);
  // Both have the version before open.
  for (const [process, url] of urls.entries()) await ask(url, process);
  await point(urls[0], version);
  await sleep(followedWithinMs);
  for (const [process, url] of urls.entries()) expect((await ask(url, process)).version, url).toBe(version);
});

test('new data are followed by both processes, each answering from those before until then', async () => {
  const seen: Seen[] = [];
  let isOver = false;
  const callers = urls.flatMap((url, process) =>
    Array.from({ length: callersPerProcess }, async () => {
      for (; !isOver; await sleep(pauseMs)) seen.push(await ask(url, process));
    }),
  );
  await until(seen, () => true);
  const before = seen[0].snapshot;
  const { client } = tenant;
  const orders = csv('order_id,customer_id,ordered_at,amount', [['late-1', 'C1', '2024-01-31', 50]]);
  const { body } = await client.post('/v1/api/ingestions', { files: await sendTables(client, { orders }) });
  const ingested = await client.finished(`/v1/api/ingestions/${body.id}`);
  expect(ingested.body, ingested.text).toMatchObject({ status: 'succeeded', changed: true });
  const after: string = ingested.body.snapshot_id;
  const asked = await ask(urls[1], 1, `?snapshot_id=${after}`);
  // Who took them in has them open beforehand, unless the machine had no time for it.
  await expect.poll(async () => (await ask(urls[0], 0)).snapshot, { timeout: 10_000 }).toBe(after);
  await until(seen, ({ snapshot }) => snapshot === after);
  isOver = true;
  await Promise.all(callers);

  expect(asked.snapshot, 'who did not take them in answers from them where it is asked to').toBe(after);
  expect(seen.filter(({ status }) => status !== 200)).toEqual([]);
  for (const process of urls.keys()) {
    const own = seen.filter((one) => one.process === process);
    expect(new Set(own.map(({ snapshot }) => snapshot))).toEqual(new Set([before, after]));
    const first = Math.min(...own.filter(({ snapshot }) => snapshot === after).map(({ answeredAt }) => answeredAt));
    expect(own.filter(({ sentAt, snapshot }) => sentAt > first && snapshot === before)).toEqual([]);
  }
  const path = `/v1/api/prediction/${model}/production`;
  const unknown = `snp_${'f'.repeat(32)}`;
  expectRefusal(await client.post(`${path}?snapshot_id=${unknown}`, { customer_id: 'C1' }), 404, 'not_found');
  expect((await client.post(`${path}?snapshot_id=${before}`, { customer_id: 'C1' })).body.snapshot_id).toBe(after);
});

async function ask(url: string, process: number, query = ''): Promise<Seen> {
  const sentAt = performance.now();
  const path = `/v1/api/prediction/${model}/production${query}`;
  const { status, body } = await send(url, 'POST', path, { customer_id: 'C1' });
  const [version, snapshot] = [body.version_id, body.snapshot_id].map(String);
  return { process, sentAt, answeredAt: performance.now(), status, version, snapshot };
}

async function point(url: string, version: string): Promise<void> {
  const asked = { version_id: version, override: { reason: 'moved to and fro' } };
  const { status } = await send(url, 'PUT', `/v1/api/models/${model}/aliases/production`, asked);
  expect(status).toBe(200);
}

async function send(url: string, method: string, path: string, body: unknown) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${tenant.client.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

/** Waits until each process has answered a few that fit. */
async function until(seen: readonly Seen[], fits: (one: Seen) => boolean): Promise<void> {
  const few = 10;
  while (urls.some((_, process) => seen.filter((one) => one.process === process && fits(one)).length < few))
    await sleep(20);
}

/** Two versions of one model, the alias at the first. */
async function makeVersions(trained: Trained): Promise<{ model: string; versions: string[] }> {
  return { model: trained.model_id, versions: [trained.version_id, await copyVersion(trained.version_id, 2)] };
}

/** A version with the files of another. */
async function copyVersion(of: string, number: number): Promise<string> {
  const version = newId('ver');
  await sql`insert into model_versions select (jsonb_populate_record(v, jsonb_build_object('id', ${version}::text, 'number', ${number}::int))).*
    from model_versions v where id = ${of}`.execute(service.owner.kysely);
  return version;
}
