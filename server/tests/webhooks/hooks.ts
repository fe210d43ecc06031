/** A service that sends to receivers of this machine, and what tests ask of its webhooks; test support. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { expect } from 'vitest';
import { tenant as inTenant, system } from '../../src/access/transactions.ts';
import type { Config } from '../../src/config.ts';
import { newId } from '../../src/lib/crypto/ids.ts';
import type { EventType } from '../../src/trail/catalog.ts';
import { record } from '../../src/trail/record.ts';
import { type Client, type Reply, startTestService, type Tenant, type TestService } from '../service.ts';
import { type Farm, openFarm, type Received } from './farm.ts';

export type Hooks = {
  readonly service: TestService;
  readonly farm: Farm;
  close(): Promise<void>;
};

/** Retries of tests: quick, and few enough for the pause after ten failures not to come. */
export const quickSchedule = [0, 50, 100, 200];
const pollMs = 20;
const deadlineMs = 200_000;

/** `role` 'api' leaves the sending to workers of their own. */
export async function startHooks(overrides: Partial<Config> = {}, role: 'all' | 'api' = 'all'): Promise<Hooks> {
  const farm = await openFarm();
  const config = { webhookAllowHttp: true, webhookScheduleMs: quickSchedule, ...overrides };
  const service = await startTestService(config, role);
  return {
    service,
    farm,
    async close() {
      await service.close();
      await farm.close();
    },
  };
}

export type Hook = { readonly id: string; readonly secret: string };

/** Registers a webhook for all events unless told otherwise. */
export async function register(client: Client, url: string, fields: object = {}): Promise<Hook> {
  const { id, secret } = await ok(client.post('/v1/api/webhooks', { url, events: ['*'], ...fields }));
  return { id, secret };
}

/** Has something happen in a workspace, in one transaction; returns the ids of what it happened to. */
export function emit(
  { service }: Pick<Hooks, 'service'>,
  { ctx }: Pick<Tenant, 'ctx'>,
  { count = 1, type = 'batch-request', payload = {} }: { count?: number; type?: EventType; payload?: object } = {},
): Promise<string[]> {
  return inTenant(service.service.app.db, ctx, async (tx) => {
    const ids = Array.from({ length: count }, () => newId('bat'));
    for (const id of ids) await record(tx, ctx, type, { type: 'batch', id }, { ...payload });
    return ids;
  });
}

export type Delivery = { readonly id: string; readonly status: string; readonly [field: string]: unknown };

/** The deliveries of a webhook, the oldest first. */
export async function deliveriesOf(client: Client, id: string, query = ''): Promise<Delivery[]> {
  const { data } = await ok(client.get(`/v1/api/webhooks/${id}/deliveries?limit=200${query}`));
  return data.reverse();
}

/** Waits until something holds; `look` returns it, or undefined until then. */
export async function until<T>(look: () => Promise<T | undefined>, what = 'it'): Promise<T> {
  for (const end = performance.now() + deadlineMs; ; await sleep(pollMs)) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`${what} did not come to hold within ${deadlineMs / 1_000} seconds`);
  }
}

/** Waits until a webhook has so many deliveries and all of them have ended; returns them, the oldest first. */
export function ended(client: Client, id: string, count: number): Promise<Delivery[]> {
  return until(async () => {
    const rows = await deliveriesOf(client, id);
    const isOver = rows.length >= count && rows.every(({ status }) => !['queued', 'running'].includes(status));
    return isOver ? rows : undefined;
  }, `the end of ${count} deliveries of ${id}`);
}

/** A delivery with its attempts and bytes. */
export async function delivery(client: Client, id: string) {
  return ok(client.get(`/v1/api/webhook-deliveries/${id}`));
}

/** Checks a request by both libraries; returns what it says. */
export function verified(secret: string, { headers, body }: Pick<Received, 'headers' | 'body'>) {
  const text = body.toString('utf8');
  new SvixWebhook(secret).verify(text, headers);
  // biome-ignore lint/suspicious/noExplicitAny: events of every shape
  return new StandardWebhook(secret).verify(text, headers) as any;
}

/** Statements on the rows of all, such as to have time pass. */
export async function inDatabase({ service }: Pick<Hooks, 'service'>, text: string, values: unknown[] = []) {
  return (await service.owner.pool.query(text, values)).rows;
}

/** Has some days go by for webhooks that fail; what failed before is too long ago for a pause. */
export async function passDays(hooks: Pick<Hooks, 'service'>, ids: readonly string[], days: number): Promise<void> {
  const ago = `- ${days} * interval '1 day'`;
  await inDatabase(hooks, `update webhook_attempts set finished_at = finished_at ${ago} where webhook_id = any($1)`, [
    ids,
  ]);
  await inDatabase(
    hooks,
    `update webhook_lanes set failing_since = failing_since ${ago}, last_failed_at = last_failed_at ${ago},
      failures_in_row = least(failures_in_row, 1), paused_until = null where webhook_id = any($1)`,
    [ids],
  );
}

/** The audit entries and events of an act about something. */
export async function trailOf({ service }: Pick<Hooks, 'service'>, action: string, targetId: string) {
  return system(service.service.app.db, 'test', async (tx) => ({
    entries: await tx
      .selectFrom('audit_entries')
      .selectAll()
      .where('action', '=', action)
      .where('target_id', '=', targetId)
      .execute(),
    events: await tx
      .selectFrom('events')
      .selectAll()
      .where('type', '=', action)
      .where('resource_id', '=', targetId)
      .execute(),
  }));
}

/** The most of some moments, in milliseconds and in order, that lie within one second. */
export function mostInASecond(moments: readonly number[]): number {
  return Math.max(...moments.map((from, at) => moments.slice(at).filter((one) => one < from + 1_000).length));
}

/** The body of an answer that is no refusal. */
export async function ok(reply: Promise<Reply>) {
  const { status, text, body } = await reply;
  expect(status, text).toBeLessThan(300);
  return body;
}

export type Worker = {
  readonly child: ChildProcess;
  kill(signal: NodeJS.Signals): void;
  /** Resolves with the code with which it ended. */
  readonly ended: Promise<number | null>;
};

/** Starts a process that delivers, beside a service that only answers requests. */
export function startWorker({ service }: Pick<Hooks, 'service'>, schedule = '0s,50ms,100ms,200ms'): Worker {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../../src/main.ts', import.meta.url)), 'worker'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      LASTRO_DATA_DIR: join(service.folder, `worker-${++workers}`),
      LASTRO_MASTER_SECRET: readFileSync(join(service.folder, 'secret'), 'utf8').trim(),
      STORAGE_URL: join(service.folder, 'files'),
      DATABASE_URL: service.databaseUrl,
      ...{ LOG_LEVEL: 'silent', LASTRO_DEMO: '0', LASTRO_COMPUTE_PROCESSES: '1' },
      ...{ LASTRO_WEBHOOK_ALLOW_HTTP: '1', WEBHOOK_RETRY_SCHEDULE: schedule },
    },
  });
  return {
    child,
    kill: (signal) => void child.kill(signal),
    ended: once(child, 'exit').then(([code]) => code),
  };
}

let workers = 0;
