// What twenty workspaces that send a little now and then feel of another one that floods every queue: the same service,
// by turns without and with the flood.
import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { createKey } from '../src/resources/api-keys/create.ts';
import { createOrganization } from '../src/resources/organizations/create.ts';
import { compareFigures, type Row } from './figures.ts';

const tenants = 20;
const turns = 3;
const turnSeconds = 60;
/** Each workspace sends one ingestion and one batch in this time. */
const everySeconds = 30;
const waitsPerTurn = (tenants * turnSeconds) / everySeconds;
/** More than is done in a turn, so that every queue stays full. */
const flood = { ingestions: 500, batches: 500, trainings: 150, rows: 5_000 };
const customers = 40;
const ordersPerCustomer = 12;
const pollMs = 300;
const p95Target = 1.5;

type Kind = 'ingestions' | 'batches';
type Waits = Record<Kind, number[]>;
type Answer = {
  readonly id: string;
  readonly status: string;
  readonly created_at: string;
  readonly finished_at: string;
};
export type Call = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;
export type Workspace = {
  readonly call: Call;
  readonly taskId: string;
  readonly model: string;
  readonly asked: string;
};

/** About ten minutes. */
export async function benchFairness(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lastro-bench-fairness-'));
  // The user of the embedded database may enter it.
  chmodSync(folder, 0o755);
  const env = { PORT: '0', LASTRO_DATA_DIR: folder, LASTRO_DEMO: '0', LOG_LEVEL: 'error' };
  const service = await startService({ ...readConfig(env), requestsPerMinute: 1_000_000 }, 'all');
  try {
    const open = async (name: string) => {
      const { ctx, userId } = await createOrganization(service.app.db, {
        ...{ organization: name, workspace: name, email: `${name}@bench.example` },
      });
      const { secret } = await createKey(service.app.db, ctx, { name, userId });
      return prepare(caller(service.url, secret));
    };
    const flooder = await open('flooder');
    const good: Workspace[] = [];
    while (good.length < tenants) good.push(await open(`good-${good.length}`));
    const waits: Record<'quiet' | 'flooded', Waits> = {
      quiet: { ingestions: [], batches: [] },
      flooded: { ingestions: [], batches: [] },
    };
    for (let turn = 0; turn < turns; turn++) {
      await sendModestly(good, waits.quiet);
      const stop = await startFlood(flooder);
      await sendModestly(good, waits.flooded);
      await stop();
      console.log(`  turn ${turn + 1}: ${turnText('without', waits.quiet)}; ${turnText('with', waits.flooded)}`);
    }
    return [...rowsOf('ingestion', waits, 'ingestions'), ...rowsOf('batch', waits, 'batches')];
  } finally {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowsOf(name: string, { quiet, flooded }: Record<'quiet' | 'flooded', Waits>, kind: Kind): Row[] {
  const note = `${quiet[kind].length} without, ${flooded[kind].length} with`;
  return [
    compareFigures(
      `${name} to its end, p95, flooded vs quiet`,
      quantile(flooded[kind], 0.95),
      quantile(quiet[kind], 0.95),
      {
        ...{ unit: 's', target: 1 / p95Target, note },
      },
    ),
    compareFigures(`${name} to its end, median`, quantile(flooded[kind], 0.5), quantile(quiet[kind], 0.5), {
      ...{ unit: 's', note },
    }),
  ];
}

/** The median, p95 and longest of the last turn. */
function turnText(name: string, waits: Waits): string {
  const kinds = ['ingestions', 'batches'] as const;
  const told = kinds.map((kind) => {
    const last = waits[kind].slice(-waitsPerTurn);
    return `${kind} ${[0.5, 0.95, 1].map((share) => quantile(last, share).toFixed(1)).join('/')} s`;
  });
  return `${name} ${told.join(', ')}`;
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1];
}

/** Every workspace sends its work at its own moment of the pace, and the waits are added to `waits`. */
async function sendModestly(good: readonly Workspace[], waits: Waits): Promise<void> {
  await Promise.all(
    good.map(async (workspace, n) => {
      await sleep((everySeconds * 1_000 * n) / good.length);
      for (let round = 0; round < turnSeconds / everySeconds; round++) {
        const began = Date.now();
        const [ingestion, batch] = await Promise.all([ingest(workspace, customers), score(workspace)]);
        waits.ingestions.push(await secondsOf(workspace.call, `/v1/api/ingestions/${ingestion}`));
        waits.batches.push(await secondsOf(workspace.call, `/v2/api/batches/${batch}`));
        await sleep(Math.max(0, began + everySeconds * 1_000 - Date.now()));
      }
    }),
  );
}

/** Fills every queue; the function it returns empties them again. */
async function startFlood(flooder: Workspace): Promise<() => Promise<void>> {
  const paths: string[] = [];
  const file = await upload(flooder.call, ordersText(flood.rows));
  const asked = await upload(flooder.call, customersText(flood.rows));
  const send = async (most: number, path: string, body: unknown) => {
    for (let n = 0; n < most; n++) paths.push(`${path}/${(await flooder.call('POST', path, body)).id}`);
  };
  const files = [{ file_id: file, table: 'orders' }];
  await send(flood.trainings, '/v1/api/training-runs', { task_id: flooder.taskId });
  await send(flood.ingestions, '/v1/api/ingestions', { files });
  await send(flood.batches, '/v2/api/batches', { files: [asked], model: flooder.model });
  return async () => {
    const open = [];
    for (const path of paths) if (isOpen(await flooder.call('GET', path))) open.push(path);
    console.log(`  of ${paths.length} jobs of the flood ${open.length} were left`);
    // What has ended meanwhile is refused.
    for (const path of open) await flooder.call('POST', `${path}/interrupt`).catch(() => {});
    for (const path of open) await secondsOf(flooder.call, path);
  };
}

/** Takes a shop in and trains a model. Customers have `ordersPerCustomer` orders each. */
export async function prepare(call: Call, size = { customers, ordersPerCustomer }): Promise<Workspace> {
  await call('POST', '/v1/api/contracts', { document: contract, accept: true });
  const files = [
    { file_id: await upload(call, customersText(size.customers)), table: 'customers' },
    {
      file_id: await upload(call, ordersText(size.customers * size.ordersPerCustomer, size.customers)),
      table: 'orders',
    },
  ];
  const { id } = await call('POST', '/v1/api/ingestions', { files });
  await secondsOf(call, `/v1/api/ingestions/${id}`);
  const task = await call('POST', '/v1/api/tasks', { name: 'orders', definition });
  const run = await call('POST', '/v1/api/training-runs', { task_id: task.id, alias: 'production' });
  await secondsOf(call, `/v1/api/training-runs/${run.id}`);
  const { model_id, status } = await call('GET', `/v1/api/training-runs/${run.id}`);
  if (status !== 'succeeded') throw new Error(`the training ${status}`);
  const asked = await upload(call, customersText(customers));
  return { call, taskId: task.id as string, model: `${model_id}/production`, asked };
}

let orders = 0;

export async function ingest({ call }: Workspace, rows: number, mode = 'append'): Promise<string> {
  const files = [{ file_id: await upload(call, ordersText(rows)), table: 'orders', mode }];
  return (await call('POST', '/v1/api/ingestions', { files })).id as string;
}

async function score({ call, asked, model }: Workspace): Promise<string> {
  return (await call('POST', '/v2/api/batches', { files: [asked], model })).id as string;
}

/** Seconds from the creation to the end of what is at a path, by the service's clock. */
export async function secondsOf(call: Call, path: string): Promise<number> {
  for (;;) {
    const found = (await call('GET', path)) as Answer;
    if (!isOpen(found)) return (Date.parse(found.finished_at) - Date.parse(found.created_at)) / 1_000;
    await sleep(pollMs);
  }
}

function isOpen(found: Record<string, unknown>): boolean {
  return found.status === 'queued' || found.status === 'running';
}

const day = (days: number): string => new Date(Date.UTC(2023, 0, 1 + days)).toISOString().slice(0, 10);

export function customersText(rows: number): string {
  const lines = Array.from({ length: rows }, (_, n) => `C${n},${n % 2 ? 'retail' : 'trade'},${day(n % 5)}`);
  return `customer_id,segment,since\n${lines.join('\n')}\n`;
}

/** New orders each time, of the first `among` customers. */
function ordersText(rows: number, among = customers): string {
  const lines = Array.from({ length: rows }, (_, n) => {
    const customer = n % among;
    return `O${orders++},C${customer},${day(7 + ((n * 13 + customer) % 390))},${10 + ((n * 31) % 97)}`;
  });
  return `order_id,customer_id,ordered_at,amount\n${lines.join('\n')}\n`;
}

export async function upload(call: Call, text: string): Promise<string> {
  const md5 = createHash('md5').update(text).digest('base64');
  const files = [{ path: 'bench.csv', content_type: 'text/csv', md5 }];
  const declared = (await call('POST', '/v2/api/files/upload', { files })) as unknown as {
    readonly files: readonly { id: string; upload_url: string; headers: Record<string, string> }[];
  };
  const [{ id, upload_url, headers }] = declared.files;
  const put = await fetch(upload_url, { method: 'PUT', headers, body: text });
  if (!put.ok) throw new Error(`uploading: ${put.status} ${await put.text()}`);
  return id;
}

export function caller(url: string, key: string): Call {
  return async (method, path, body) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
}

const definition = `PREDICT count(orders) WITHIN 30d FOR customers EVERY 30d FROM ${day(90)} UNTIL ${day(330)}`;

const contract = `apiVersion: v3.1.0
kind: DataContract
id: bench
version: "1"
schema:
  - name: customers
    customProperties: [{ property: eventTime, value: since }]
    properties:
      - { name: customer_id, logicalType: string, primaryKey: true, required: true, unique: true }
      - { name: segment, logicalType: string }
      - { name: since, logicalType: date }
  - name: orders
    customProperties: [{ property: eventTime, value: ordered_at }]
    properties:
      - { name: order_id, logicalType: string, primaryKey: true, required: true, unique: true }
      - { name: customer_id, logicalType: string, relationships: [{ to: customers.customer_id }] }
      - { name: ordered_at, logicalType: date }
      - { name: amount, logicalType: number }
`;
