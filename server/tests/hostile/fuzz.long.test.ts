/**
 * Every route and every file format with input spoilt at random, from a seed, until the time is over: nothing is
 * answered as a fault of the service, and the service goes on.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentApi } from '../../src/http.ts';
import { draws } from '../samples.ts';
import { startTestService, type TestService } from '../service.ts';
import { shopText } from '../shop.ts';
import { writersIn } from '../support/write-files.ts';
import type { Attacker } from './attack.ts';
import { mutateBytes, mutateJson } from './mutate.ts';
import { openAttacker } from './open-attacker.ts';

const seed = 20_261_123;
const eachMs = 90_000;

type Operation = {
  readonly 'x-permission': string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
};

let service: TestService;
let attacker: Attacker;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lastro-fuzz-'));
  service = await startTestService({ requestsPerMinute: 0 });
  const [{ client }, { client: newcomer }] = [await service.tenant('Attacker'), await service.tenant('Newcomer')];
  attacker = await openAttacker(service.url, client, newcomer);
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

test('every route with requests spoilt at random', async () => {
  const draw = draws(seed);
  const document = (await documentApi()) as { paths: Record<string, Record<string, Operation>> };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const counts = new Map<number, number>();
  const until = Date.now() + eachMs;
  for (let asked = 0; Date.now() < until; asked++) {
    const { path, method, operation } = operations[asked % operations.length];
    const place = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(idFor(draw, name)));
    const query = (operation.parameters ?? [])
      .filter((parameter) => parameter.in === 'query' && draw.next() < 0.4)
      .map(({ name }) => `${name}=${encodeURIComponent(textOf(mutateJson(draw, '1')))}`);
    const body = operation.requestBody?.content['application/json'] && mutateJson(draw, bodyFor(path));
    const reply = await attacker.client.send(method, `${place}${query.length > 0 ? `?${query.join('&')}` : ''}`, {
      ...(body === undefined ? {} : { raw: JSON.stringify(body) ?? 'null', headers: json }),
      ...(path.endsWith('/stream') ? { isEndless: true } : {}),
    });
    const told = `${method} ${place} ${query} ${JSON.stringify(body)?.slice(0, 2_000)}\n${reply.text.slice(0, 500)}`;
    expect(reply.status, told).toBeLessThan(500);
    counts.set(reply.status, (counts.get(reply.status) ?? 0) + 1);
  }
  console.log('answers by status', Object.fromEntries([...counts].sort()));
  expect((await attacker.anonymous.get('/readyz')).status).toBe(200);
});

test('every file format with bytes spoilt at random', async () => {
  const draw = draws(seed + 1);
  const orders = shopText('tables/orders.csv');
  const { writeParquet } = writersIn(folder);
  const rows =
    "select 'O' || i as order_id, 'C' || i % 40 as customer_id, date '2023-02-01' as ordered_at, i * 1.5 as amount";
  const lists = "select i as id, [i, i + 1] as list, {'a': i, 'b': 'x'} as struct, map {'k': i} as map";
  const files: readonly [string, Uint8Array][] = [
    ['orders.csv', Buffer.from(orders)],
    ['orders.csv.gz', gzipSync(orders)],
    [
      'orders.jsonl',
      Buffer.from('{"order_id":"O9","customer_id":"C1","ordered_at":"2023-02-01","amount":3}\n'.repeat(20)),
    ],
    ['orders.parquet', readFileSync(await writeParquet('orders.parquet', `${rows} from range(500) t(i)`, 2_048))],
    ['nested.parquet', readFileSync(await writeParquet('nested.parquet', `${lists} from range(500) t(i)`, 2_048))],
  ];
  const counts = new Map<string, number>();
  const until = Date.now() + eachMs;
  for (let taken = 0; Date.now() < until; taken++) {
    const [path, whole] = files[taken % files.length];
    const { client, newcomer } = attacker;
    const by = draw.next() < 0.3 ? newcomer : client;
    const id = await by.upload(path, mutateBytes(draw, whole));
    const asked = await by.post('/v1/api/ingestions', { files: [{ file_id: id, table: 'orders' }] });
    expect(asked.status, asked.text).toBe(202);
    const { body } = await by.finished(`/v1/api/ingestions/${asked.body.id}`);
    expect(body.failure?.code ?? '', `${path}, file ${taken}: ${JSON.stringify(body)}`).not.toBe('internal');
    const end = `${path} ${body.status} ${body.failure?.code ?? ''}`.trim();
    counts.set(end, (counts.get(end) ?? 0) + 1);
  }
  console.log('ends of ingestions', Object.fromEntries([...counts].sort()));
});

const json = { 'content-type': 'application/json' };

function idFor(draw: ReturnType<typeof draws>, name: string): string {
  const { modelId, taskId, fileId } = attacker;
  const known: Readonly<Record<string, string>> = {
    model_id: modelId,
    name: 'production',
    alias: 'production',
    position: '0',
  };
  if (draw.next() < 0.6) return known[name] ?? draw.pick([fileId, taskId, modelId]);
  return textOf(mutateJson(draw, 'mdl_0')).slice(0, 400) || 'x';
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.toWellFormed().slice(0, 3_000);
}

/** A body that the route takes. */
function bodyFor(path: string): unknown {
  const { fileId, taskId, model, modelId } = attacker;
  if (path.includes('/prediction/')) return { customer_id: 'C1', reference_date: '2023-09-01', correlation_id: 'c' };
  if (path.includes('upload'))
    return { files: [{ path: 'a.csv', content_type: 'text/csv', md5: '1B2M2Y8AsgTpgAmY7PhCfg==' }] };
  if (path.endsWith('/contracts')) return { document: shopText('contract.yaml') };
  if (path.endsWith('/ingestions'))
    return { files: [{ file_id: fileId, table: 'orders', mode: 'append' }], metadata: { a: 1 } };
  if (path.endsWith('/erasures')) return { identifier: 'nobody' };
  if (path.endsWith('/tasks'))
    return { name: 'fuzz', definition: shopText('tasks/returns/task.yaml'), labels: { train: fileId } };
  if (path.endsWith('/training-runs')) return { task_id: taskId, alias: 'fuzz' };
  if (path.includes('/aliases/')) return { version_id: modelId };
  if (path.endsWith('/embeddings')) return { entity: 'customers', keys: ['C1'] };
  if (path.endsWith('/neighbors')) return { entity: 'customers', key: 'C1', limit: 3 };
  if (path.endsWith('/batches')) return { files: [fileId], model, metadata: {}, priority: 0 };
  return {};
}
