// What healthy receivers feel of a dead one: 1,000 webhooks, the same service, by turns without and with a receiver that
// never answers and that a sixth of all events is for.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../src/access/context.ts';
import { tenant } from '../src/access/transactions.ts';
import { type Service, startService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { createOrganization } from '../src/resources/organizations/create.ts';
import { createWebhook } from '../src/resources/webhooks/create.ts';
import { record } from '../src/trail/record.ts';
import { compareFigures, type Row } from './figures.ts';

const workspaces = 10;
const webhooksEach = 100;
const turns = 3;
const turnSeconds = 20;
const healthyPerSecond = 50;
/** A sixth of all. */
const deadPerSecond = healthyPerSecond / 5;
const receiverMs = 15;
const p99Target = 2;

/** About three minutes. */
export async function benchWebhooks(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lastro-bench-webhooks-'));
  // The user of the embedded database may enter it.
  chmodSync(folder, 0o755);
  const env = {
    PORT: '0',
    LASTRO_DATA_DIR: folder,
    LASTRO_DEMO: '0',
    LOG_LEVEL: 'error',
    LASTRO_WEBHOOK_ALLOW_HTTP: '1',
  };
  const service = await startService(readConfig(env), 'all');
  const receivers = await openReceivers();
  try {
    const places = await openPlaces(service, receivers.port);
    const waits: Record<'without' | 'with', number[]> = { without: [], with: [] };
    for (let turn = 0; turn < turns; turn++)
      for (const dead of ['without', 'with'] as const) {
        const expected = await sendTurn(service, places, dead === 'with');
        const taken = await receivers.taken(expected);
        waits[dead].push(...taken);
        console.log(
          `  turn ${turn + 1}, ${dead} the dead one: p99 ${Math.round(quantile(taken, 0.99))} ms of ${taken.length}`,
        );
      }
    const note = `${waits.without.length} deliveries without, ${waits.with.length} with`;
    const figures = (name: string, share: number, target?: number) =>
      compareFigures(name, quantile(waits.with, share), quantile(waits.without, share), {
        ...{ unit: 'ms', note, ...(target === undefined ? {} : { target }) },
      });
    return [
      figures('event to receiver, p99, with a dead one vs without', 0.99, 1 / p99Target),
      figures('event to receiver, median', 0.5),
    ];
  } finally {
    await service.close();
    receivers.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Notes how long after its event each request came; `/dead` is never answered. */
async function openReceivers() {
  let waits: number[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/dead') return;
    let text = '';
    request.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
    request.on('end', () => {
      waits.push(Date.now() - Date.parse(JSON.parse(text).timestamp));
      setTimeout(() => response.end(), receiverMs);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    async taken(count: number): Promise<number[]> {
      while (waits.length < count) await sleep(100);
      const taken = waits;
      waits = [];
      return taken;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Workspaces whose webhooks are told of one batch each; the first has the dead one too. */
async function openPlaces({ app }: Service, port: number): Promise<Context[]> {
  const places: Context[] = [];
  for (let at = 0; at < workspaces; at++) {
    const name = `bench-${at}`;
    const { ctx } = await createOrganization(app.db, {
      organization: name,
      workspace: name,
      email: `${name}@bench.example`,
    });
    const register = (path: string, batch: string) =>
      createWebhook(app, ctx, { url: `http://127.0.0.1:${port}${path}`, events: ['batch-*'], resource_ids: [batch] });
    if (at === 0) await register('/dead', 'bat_dead');
    for (let own = at === 0 ? 1 : 0; own < webhooksEach; own++) await register('/healthy', batchOf(at, own));
    places.push(ctx);
  }
  return places;
}

const batchOf = (place: number, own: number): string => `bat_${place}_${own}`;

/** Has events happen evenly over a turn; returns how many healthy receivers are told of. */
async function sendTurn({ app }: Service, places: readonly Context[], isDeadToo: boolean): Promise<number> {
  const began = performance.now();
  const sending: Promise<void>[] = [];
  const happen = (ctx: Context, id: string) =>
    sending.push(tenant(app.db, ctx, (tx) => record(tx, ctx, 'batch-interrupt-request', { type: 'batch', id })));
  const healthy = healthyPerSecond * turnSeconds;
  for (let at = 0; at < healthy; at++) {
    const due = (at * 1_000) / healthyPerSecond;
    await sleep(Math.max(0, began + due - performance.now()));
    const place = at % places.length;
    // Not the first of each workspace, which in one of them is dead.
    happen(places[place]!, batchOf(place, 1 + (at % (webhooksEach - 1))));
    if (isDeadToo && at % (healthyPerSecond / deadPerSecond) === 0) happen(places[0]!, 'bat_dead');
  }
  await Promise.all(sending);
  return healthy;
}

function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;
}
