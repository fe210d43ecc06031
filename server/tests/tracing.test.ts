/** Traces go to a collector, and a request, its job and what that job has done hang together in them. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type Tenant, type TestService } from './service.ts';
import { shopTables, shopText } from './shop.ts';
import { sendTables } from './take-in.ts';

type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status: { readonly code?: number };
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
};

/** As OTLP numbers them. */
const kinds = { internal: 1, server: 2, client: 3, consumer: 5 };
const remote = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const traceparent = `00-${remote.traceId}-${remote.spanId}-01`;

const spans: Span[] = [];
const heads: IncomingMessage['headers'][] = [];
/** What the receiver of webhooks was sent. */
const received: IncomingMessage['headers'][] = [];
let resource = '';
let collector: Server;
let receiver: Server;
let service: TestService;
let tenant: Tenant;

beforeAll(async () => {
  collector = await listen((request, text) => {
    expect([request.method, request.url]).toEqual(['POST', '/v1/traces']);
    heads.push(request.headers);
    for (const { resource: of, scopeSpans } of JSON.parse(text).resourceSpans) {
      resource = JSON.stringify(of.attributes);
      for (const { spans: told } of scopeSpans) spans.push(...told);
    }
  });
  receiver = await listen((request) => received.push(request.headers));
  service = await startTestService({
    webhookAllowHttp: true,
    tracing: {
      endpoint: `${addressOf(collector)}/`,
      headers: { 'api-key': 'hunter2' },
      serviceName: 'scores',
      share: 1,
    },
  });
  tenant = await service.tenant('Shop');
});
afterAll(async () => {
  await service.close();
  collector.close();
  receiver.close();
});

test('an ingestion hangs together from the request of a caller to the child process', async () => {
  const { client } = tenant;
  await client.post('/v1/api/contracts', { document: shopText('contract.yaml'), accept: true });
  const files = await sendTables(client, shopTables);
  const asked = await client.post('/v1/api/ingestions', { files }, { traceparent });
  expect((await client.finished(`/v1/api/ingestions/${asked.body.id}`)).body.status).toBe('succeeded');
  const request = await seen(({ name, traceId }) => name === 'POST /v1/api/ingestions' && traceId === remote.traceId);
  expect(request).toMatchObject({ parentSpanId: remote.spanId, kind: kinds.server });
  expect(valuesOf(request)).toMatchObject({ 'http.response.status_code': '202', 'http.route': '/v1/api/ingestions' });
  const job = await seen(({ name, traceId }) => name === 'job ingestions' && traceId === remote.traceId);
  expect(job).toMatchObject({ parentSpanId: request.spanId, kind: kinds.consumer });
  const task = await seen(({ name, traceId }) => name === 'task ingest' && traceId === remote.traceId);
  expect(task).toMatchObject({ parentSpanId: job.spanId, kind: kinds.internal });
  expect(Number(valuesOf(task)['process.pid'])).toBeGreaterThan(1);
  expect(Number(valuesOf(task)['process.pid'])).not.toBe(process.pid);
  const stored = await seen(({ name, parentSpanId }) => name === 'storage put' && parentSpanId === job.spanId);
  expect(stored).toMatchObject({ traceId: remote.traceId, kind: kinds.client });
  expect(resource).toContain('"scores"');
  expect(heads.at(-1)).toMatchObject({ 'api-key': 'hunter2', 'content-type': 'application/json' });
});

test('a job carries the span of who sent it, for whichever process does it', async () => {
  const { rows } = await service.owner.pool.query("select data from pgboss.job_common where name = 'ingestions'");
  expect(rows[0].data.traceparent).toMatch(new RegExp(`^00-${remote.traceId}-[0-9a-f]{16}-01$`));
});

test('a receiver of webhooks is told the span of its delivery', async () => {
  const { client } = tenant;
  const webhook = await client.post('/v1/api/webhooks', { url: `${addressOf(receiver)}/hook`, events: ['*'] });
  expect(webhook.status, webhook.text).toBe(201);
  await client.post(`/v1/api/webhooks/${webhook.body.id}/test`);
  await expect.poll(() => received.length).toBeGreaterThan(0);
  const [, traceId, spanId] = String(received[0].traceparent).split('-');
  const sent = await seen((span) => span.spanId === spanId);
  expect(sent).toMatchObject({ traceId, name: 'outbound POST', kind: kinds.client });
  expect(valuesOf(sent)).toMatchObject({ 'http.response.status_code': '200', 'network.peer.address': '127.0.0.1' });
});

test('a request that names no trace, or none that is one, begins its own; an address is told by its route', async () => {
  const wrong = ['', 'no', `00-${'0'.repeat(32)}-${remote.spanId}-01`, `ff-${remote.traceId}-${remote.spanId}-01`];
  for (const header of wrong) {
    const answer = await tenant.client.send('GET', '/v1/api/models/mdl_none', { headers: { traceparent: header } });
    expect(answer.status).toBe(404);
  }
  const isIt = ({ name }: Span) => name.startsWith('GET /v1/api/models/:');
  await expect.poll(() => spans.filter(isIt).length).toBe(wrong.length);
  const own = spans.filter(isIt);
  expect(own.filter(({ parentSpanId }) => parentSpanId)).toEqual([]);
  expect(new Set(own.map(({ traceId }) => traceId)).size).toBe(wrong.length);
  expect(JSON.stringify(own)).not.toContain('mdl_none');
  // One that the caller does not want sent is not.
  const unwanted = `00-${remote.traceId.replace('4', '5')}-${remote.spanId}-00`;
  await tenant.client.send('GET', '/v1/api/models', { headers: { traceparent: unwanted } });
  await tenant.client.get('/v1/api/tasks');
  await seen(({ name }) => name === 'GET /v1/api/tasks');
  expect(spans.filter(({ traceId }) => unwanted.includes(traceId))).toEqual([]);
  // Nor are those of the operator's own questions.
  await service.anonymous.get('/readyz');
  expect(spans.filter(({ name }) => name.includes('readyz'))).toEqual([]);
});

async function listen(take: (request: IncomingMessage, text: string) => void): Promise<Server> {
  const server = createServer(async (request, answer) => {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    take(request, text);
    answer.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function seen(fits: (span: Span) => boolean): Promise<Span> {
  await expect.poll(() => spans.filter(fits).length).toBeGreaterThan(0);
  return spans.find(fits)!;
}

function valuesOf({ attributes }: Span): Record<string, string> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]));
}
