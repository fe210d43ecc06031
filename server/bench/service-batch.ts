// What callers who ask one question at a time feel of a batch that the same machine scores meanwhile, and what the
// service adds to the learning core's own scoring of a file.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { compareFigures, compareTurns, type Row } from './figures.ts';
import { load, type Server, type Turn } from './service-load.ts';

const rowsLong = 10_000_000;
const rowsShort = 2_000_000;
const turns = 3;
const openLoop = { connections: 64, seconds: 12 };
const capacitySeconds = 6;
const pollMs = 200;
/** For the file to be counted and the first rows to be scored. */
const startTimeoutMs = 300_000;

type Asked = {
  readonly key: string;
  /** As `<model>/<alias>`. */
  readonly model: string;
  readonly documents: readonly string[];
  readonly long: boolean;
};

/** Waits of an open loop at half of capacity, by turns without and with a batch of 2 or 10 million rows. */
export async function compareWithBatch(server: Server, { key, model, documents, long }: Asked): Promise<Row[]> {
  const rows = long ? rowsLong : rowsShort;
  const file = await upload(server.url, key, fileOf(documents, rows));
  const { perSecond } = await load(server, { connections: openLoop.connections, seconds: capacitySeconds });
  const at = { ...openLoop, rate: Math.round(perSecond / 2) };
  const found: Record<'without' | 'with', Turn[]> = { without: [], with: [] };
  let scored = 0;
  for (let turn = 0; turn < turns; turn++) {
    found.without.push(await load(server, at));
    const batch = await startBatch(server.url, key, file, model);
    found.with.push(await load(server, at));
    scored += await interrupt(server.url, key, batch);
  }
  const errors = [...found.without, ...found.with].reduce((sum, one) => sum + one.errors, 0);
  const least = (of: readonly Turn[], read: (turn: Turn) => number): number => Math.min(...of.map(read));
  const told = (of: readonly Turn[]): string => of.map(({ p50, p99 }) => `${p50}/${p99}`).join(' ');
  const note = `least of ${turns} turns at ${at.rate}/s; p50/p99 without ${told(found.without)}, with ${told(found.with)}; ${errors} errors; ${scored} of ${rows} rows scored meanwhile`;
  const p99 = ({ p99 }: Turn): number => p99;
  const p50 = ({ p50 }: Turn): number => p50;
  return [
    compareFigures('p99 while a batch runs, vs without', least(found.with, p99), least(found.without, p99), {
      unit: 'ms',
      target: 0.5,
      note,
    }),
    compareFigures('p50 while a batch runs, vs without', least(found.with, p50), least(found.without, p50), {
      unit: 'ms',
    }),
  ];
}

/**
 * Seconds from asking for a batch to its end, in turns with `lastro predict` of the same task, tables, file and
 * factors, which is ended at the machine's leisure likewise. `folder`: where the demo keeps its data; nothing else may
 * ask meanwhile.
 */
export async function compareWithCore(server: Server, asked: Asked, folder: string): Promise<Row[]> {
  const rows = asked.long ? rowsLong / 4 : rowsShort / 2;
  const bytes = fileOf(asked.documents, rows);
  const own = join(folder, 'core');
  const tables = join(folder, 'data', 'demo-lender');
  mkdirSync(own);
  await lastro('fit', tables, '--task', 'credit', '--out', join(own, 'version'));
  writeFileSync(join(own, 'in.csv'), bytes);
  const file = await upload(server.url, asked.key, bytes);
  const predict = ['predict', join(own, 'version'), '--data', tables, '--in', join(own, 'in.csv')];
  const found: Record<'service' | 'core', number[]> = { service: [], core: [] };
  for (let turn = 0; turn < turns; turn++) {
    found.core.push(await secondsOf(() => lastro(...predict, '--out', join(own, 'out.csv'), '--factors', '4')));
    found.service.push(await secondsOf(() => finish(server.url, asked, file)));
  }
  return [
    compareTurns('batch through the service, vs lastro predict', found.service, found.core, {
      unit: `s of ${rows / 1e6}M rows`,
      target: 0.9,
    }),
  ];
}

async function secondsOf(run: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await run();
  return (performance.now() - from) / 1000;
}

async function lastro(...args: readonly string[]): Promise<void> {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, ...args], { stdio: 'ignore' });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`lastro ${args[0]} ended with ${code}`);
}

async function finish(url: string, { key, model }: Asked, file: string): Promise<void> {
  const asked = { files: [file], model, output_format: 'csv' };
  const { id } = await call(url, key, 'POST', '/v2/api/batches', asked);
  for (;;) {
    const { status, failure } = (await call(url, key, 'GET', `/v2/api/batches/${id}`)) as unknown as Batch;
    if (failure) throw new Error(`the batch failed: ${JSON.stringify(failure)}`);
    if (status === 'succeeded') return;
    await sleep(pollMs);
  }
}

function fileOf(documents: readonly string[], rows: number): Buffer {
  const block = Buffer.from(documents.map((document) => `${document}\n`).join(''));
  const blocks = Array.from({ length: Math.ceil(rows / documents.length) }, () => block);
  return Buffer.concat([Buffer.from('legal_document\n'), ...blocks]);
}

async function upload(url: string, key: string, bytes: Buffer): Promise<string> {
  const md5 = createHash('md5').update(bytes).digest('base64');
  const declared = await call(url, key, 'POST', '/v2/api/files/upload', {
    files: [{ path: 'bench.csv', content_type: 'text/csv', md5 }],
  });
  const [{ id, upload_url, headers }] = declared.files as {
    id: string;
    upload_url: string;
    headers: Record<string, string>;
  }[];
  const put = await fetch(upload_url, { method: 'PUT', headers, body: bytes });
  if (!put.ok) throw new Error(`uploading the file: ${put.status} ${await put.text()}`);
  return id;
}

/** Resolves once rows are being scored. */
async function startBatch(url: string, key: string, file: string, model: string): Promise<string> {
  const { id } = await call(url, key, 'POST', '/v2/api/batches', { files: [file], model });
  const until = Date.now() + startTimeoutMs;
  for (;;) {
    const { status, progress, failure } = (await call(url, key, 'GET', `/v2/api/batches/${id}`)) as unknown as Batch;
    if (progress.rows.processed > 0) return id as string;
    if (failure || status === 'succeeded' || Date.now() > until)
      throw new Error(`the batch did not run while it was watched: ${status} ${JSON.stringify(failure)}`);
    await sleep(pollMs);
  }
}

/** Returns how many rows were scored. */
async function interrupt(url: string, key: string, id: string): Promise<number> {
  await call(url, key, 'POST', `/v2/api/batches/${id}/interrupt`);
  for (;;) {
    const { status, progress, failure } = (await call(url, key, 'GET', `/v2/api/batches/${id}`)) as unknown as Batch;
    if (status === 'succeeded') throw new Error('the batch ended before its turn did: it needs more rows');
    if (failure) return progress.rows.processed;
    await sleep(pollMs);
  }
}

type Batch = {
  readonly status: string;
  readonly progress: { readonly rows: { readonly processed: number } };
  readonly failure: unknown;
};

async function call(url: string, key: string, method: string, path: string, body?: unknown) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}
