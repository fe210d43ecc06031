/** What receivers do to the service that sends to them, and what webhooks can reach: what is kept of each attempt. */
import tls from 'node:tls';
import { gzipSync } from 'node:zlib';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Network, readNetwork } from '../../src/lib/http/networks.ts';
import { attemptLimits } from '../../src/resources/webhooks/delivering/attempt.ts';
import { type Dns, openDns } from '../dns.ts';
import type { Tenant } from '../service.ts';
import { receiverAuthority } from './certificates.ts';
import { type Behaviour, endless, first, hangUp, late, ok, type Receiver, raw, silent, status } from './farm.ts';
import { delivery, emit, ended, type Hook, type Hooks, inDatabase, register, startHooks, verified } from './hooks.ts';
import { privateSpellings } from './spellings.ts';

/** What all are told of at the beginning. */
const events = { events: ['batch-request'] };
/** The second attempt follows at once. */
const schedule = [0, 50];
const trustedBefore = tls.getCACertificates();
const part = Buffer.alloc(65_536, 'a');
const head = 'HTTP/1.1 200 OK\r\n';
const bomb = gzipSync(Buffer.alloc(20_000_000));

let dns: Dns;
let hooks: Hooks;
let tenant: Tenant;
let redirected: Receiver;
/** Webhooks by name, all told of one event at the beginning: what takes its time does so beside the others. */
const told = new Map<string, Hook & { readonly receiver: Receiver }>();

beforeAll(async () => {
  // As NODE_EXTRA_CA_CERTS does at the start.
  tls.setDefaultCACertificates([...trustedBefore, receiverAuthority]);
  dns = await openDns();
  for (const name of ['hooks.example', 'cert.hooks.example', 'elsewhere.example'])
    dns.addresses.set(name, ['127.0.0.1']);
  dns.addresses.set('broken.example', 'broken');
  dns.addresses.set('silent.example', 'silent');
  hooks = await startHooks({
    dnsServers: [dns.address],
    outboundPrivateNetworks: [readNetwork('127.0.0.1') as Network],
    webhookScheduleMs: schedule,
  });
  tenant = await hooks.service.tenant('Receivers');
  const { farm } = hooks;
  redirected = farm.receiver();
  for (const [name, behaviour] of Object.entries(behaviours())) {
    const receiver = farm.receiver(behaviour);
    told.set(name, { receiver, ...(await register(tenant.client, receiver.url, events)) });
  }
  for (const [name, url] of Object.entries(addresses())) {
    const receiver = farm.receiver();
    told.set(name, { receiver, ...(await register(tenant.client, url(receiver.path), events)) });
  }
  await emit(hooks, tenant);
});
afterAll(async () => {
  expect(hooks.farm.canary.hits()).toBe(0);
  await hooks.close();
  await dns.close();
  tls.setDefaultCACertificates(trustedBefore);
});

function behaviours(): Record<string, Behaviour> {
  const { port, canary } = hooks.farm;
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), part, Buffer.from('\r\n')]);
  return {
    ...Object.fromEntries([301, 302, 307, 308].map((code) => [code, status(code, { location: redirected.url })])),
    metadata: status(302, { location: 'http://169.254.169.254/latest/meta-data' }),
    canary: status(307, { location: `http://${canary.address}:${port}/` }),
    silent: first(1, silent),
    drip: first(1, endless(`${head}transfer-encoding: chunked\r\n\r\n`, '1\r\na\r\n', 400)),
    stays: first(1, raw(`${head}content-length: 9\r\n\r\nabc`, 'keep')),
    late: first(1, late(attemptLimits.timeMs + 1_000)),
    'large, of a length': endless(`${head}content-length: 2000000000\r\n\r\n`, part),
    'large, in chunks': endless(`${head}transfer-encoding: chunked\r\n\r\n`, chunk),
    'headers without end': endless(head, `a: ${'b'.repeat(1_000)}\r\n`),
    'headers of 1 MB': raw(`${head}a: ${'b'.repeat(1_000_000)}\r\n\r\n`),
    'no HTTP': raw('SSH-2.0-OpenSSH_9.9\r\n'),
    reset: first(1, hangUp('reset')),
    end: first(1, hangUp('end')),
    cut: first(1, raw(`${head}content-length: 9\r\n\r\nabc`, 'reset')),
    bomb: (_, { response }) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    healthy: ok,
  };
}

/** Addresses that lead nowhere, or to somebody else. */
function addresses(): Record<string, (path: string) => string> {
  const { securePorts, closedPort, port } = hooks.farm;
  return {
    closed: () => `http://127.0.0.1:${closedPort}/`,
    expired: (path) => `https://cert.hooks.example:${securePorts.expired}${path}`,
    'self-signed': (path) => `https://hooks.example:${securePorts['self-signed']}${path}`,
    'old TLS': (path) => `https://hooks.example:${securePorts['old TLS']}${path}`,
    'other name': (path) => `https://elsewhere.example:${securePorts.good}${path}`,
    'no TLS': (path) => `https://hooks.example:${port}${path}`,
    'good TLS': (path) => `https://cert.hooks.example:${securePorts.good}${path}`,
    'no name': () => 'https://nothing.example/',
    'broken name': () => 'https://broken.example/',
    'silent name': () => 'https://silent.example/',
  };
}

/** The only delivery of a webhook once it has ended, with its attempts. */
async function outcome(name: string) {
  const { id, receiver, secret } = told.get(name)!;
  const [row] = await ended(tenant.client, id, 1);
  return { receiver, secret, ...(await delivery(tenant.client, row!.id)) };
}

/** The classes of both attempts. */
async function classesOf(name: string): Promise<string[]> {
  const { attempts } = await outcome(name);
  return attempts.map((attempt: { error_class: string }) => attempt.error_class);
}

test.each(['301', '302', '307', '308'])('E14: status %s is a failure, whose target gets nothing', async (name) => {
  const { status, attempts } = await outcome(name);
  expect(status).toBe('failed');
  expect(attempts).toMatchObject([
    { error_class: 'redirect_refused', status_code: Number(name) },
    { error_class: 'redirect_refused', status_code: Number(name) },
  ]);
  expect(redirected.requests).toHaveLength(0);
});

test('E15: a receiver that says nothing is given up in time, and asked again', async () => {
  const { status, attempts, receiver } = await outcome('silent');
  expect([status, receiver.requests.length]).toEqual(['succeeded', 2]);
  expect(attempts).toMatchObject([{ error_class: 'timeout', status_code: null }, { error_class: null }]);
  expect(attempts[0].total_ms / attemptLimits.headMs).toBeGreaterThan(0.99);
  expect(attempts[0].total_ms / attemptLimits.timeMs).toBeLessThan(1);
});

test('E16: a body that drips is given up in time, and its place is free again', async () => {
  const { status, attempts } = await outcome('drip');
  expect(status).toBe('succeeded');
  expect(attempts).toMatchObject([{ error_class: 'timeout', status_code: 200, response_body: /^a+$/ }, {}]);
  expect(attempts[0].total_ms / attemptLimits.timeMs).toBeGreaterThan(0.99);
  expect(attempts[0].total_ms / attemptLimits.timeMs).toBeLessThan(1.1);
});

test.each(['large, of a length', 'large, in chunks'])('E17: an answer of 2 GB is cut: %s', async (name) => {
  const { status, attempts } = await outcome(name);
  expect(status).toBe('failed');
  for (const { error_class, status_code, response_body } of attempts)
    expect([error_class, status_code, response_body]).toEqual(['response_too_large', 200, 'a'.repeat(4_096)]);
});

test('E18: headers without end, or of 1 MB, are a failure, and the worker goes on', async () => {
  expect(await classesOf('headers without end')).toEqual(['response_too_large', 'response_too_large']);
  expect(await classesOf('headers of 1 MB')).toEqual(['response_too_large', 'response_too_large']);
  expect(await classesOf('no HTTP')).toEqual(['invalid_response', 'invalid_response']);
  expect((await outcome('healthy')).status).toBe('succeeded');
});

test('E19: connections refused, reset, cut, or silent within the answer, each with its class, are tried again', async () => {
  expect(await classesOf('closed')).toEqual(['connection_refused', 'connection_refused']);
  for (const name of ['reset', 'end', 'cut']) expect(await classesOf(name), name).toEqual(['connection_reset', null]);
  expect(await classesOf('stays')).toEqual(['timeout', null]);
});

test('E20: a bad certificate or old TLS is a failure, and nothing is sent in plain text', async () => {
  for (const name of ['expired', 'self-signed', 'old TLS', 'other name', 'no TLS']) {
    const { status, attempts, receiver } = await outcome(name);
    expect([status, receiver.requests.length], name).toEqual(['failed', 0]);
    expect(attempts, name).toMatchObject([
      { error_class: 'tls_error', status_code: null, remote_ip: '127.0.0.1', first_byte_ms: null },
      { error_class: 'tls_error', response_headers: null, response_body: null },
    ]);
  }
  const good = await outcome('good TLS');
  expect([good.status, good.receiver.requests.length]).toEqual(['succeeded', 1]);
  expect(good.attempts[0]).toMatchObject({ tls_ms: expect.any(Number), remote_ip: '127.0.0.1' });
});

test('E21: names that are not there, whose servers fail or never answer, hold up nobody', async () => {
  for (const name of ['no name', 'broken name', 'silent name']) {
    const { attempts } = await outcome(name);
    expect(attempts, name).toMatchObject([{ error_class: 'dns_error', remote_ip: null, connect_ms: null }, {}]);
  }
  const [lost] = (await outcome('silent name')).attempts;
  expect(Date.parse((await outcome('healthy')).finished_at)).toBeLessThan(Date.parse(lost.finished_at));
});

test('E22: who answers too late gets the same message twice, and can tell', async () => {
  const { status, attempts, receiver, secret } = await outcome('late');
  expect(status).toBe('succeeded');
  expect(attempts).toMatchObject([{ error_class: 'timeout' }, { error_class: null }]);
  const [one, two] = receiver.requests;
  expect(verified(secret, one!)).toEqual(verified(secret, two!));
  const said = [one!, two!].map(({ headers }) => [headers['webhook-id'], headers['webhook-attempt']]);
  expect(said).toEqual([
    [one!.headers['webhook-id'], '1'],
    [one!.headers['webhook-id'], '2'],
  ]);
});

test('E23: a body that unpacks to 20 MB is kept as it came', async () => {
  const { status, attempts } = await outcome('bomb');
  expect([status, attempts.length]).toEqual(['succeeded', 1]);
  expect(attempts[0].response_headers['content-encoding']).toBe('gzip');
  expect(attempts[0].response_body.length).toBeLessThanOrEqual(4_096);
  expect(Buffer.from(attempts[0].response_body).subarray(0, 1)).toEqual(bomb.subarray(0, 1));
});

test.each(['metadata', 'canary'])('E45: a redirect to the %s is not followed', async (name) => {
  expect(await classesOf(name)).toEqual(['redirect_refused', 'redirect_refused']);
  expect(hooks.farm.canary.hits()).toBe(0);
});

test.each([
  'http://hooks.example/',
  'http://8.8.8.8/',
  'https://user:hunter2@hooks.example/',
  'https://user@hooks.example/',
  'https://hooks.example/#part',
  'https://hooks.example/#',
  ...[22, 25, 5432, 6379, 11211, 0, 65_536].map((port) => `https://hooks.example:${port}/`),
  'ftp://hooks.example/',
  'javascript:alert(1)',
  '//hooks.example/',
  'https:/hooks.example/',
  'https://hooks.example\\@127.0.0.2/',
  'https://hooks.example/\r\nhost: other',
  '',
])('E40: %j is refused, when a webhook is made and when it is changed', async (url) => {
  const made = await tenant.client.post('/v1/api/webhooks', { url, events: ['*'] });
  const { id } = told.get('closed')!;
  const changed = await tenant.client.send('PATCH', `/v1/api/webhooks/${id}`, { body: { url } });
  for (const { status, body } of [made, changed]) {
    expect(status).toBe(422);
    expect(body.detail).not.toContain('hunter2');
  }
});

test.each(privateSpellings)('E41: %s is refused, when a webhook is made and when it is changed', async (host) => {
  const { id } = told.get('closed')!;
  const url = `https://${host}:${hooks.farm.securePorts.good}/`;
  const made = await tenant.client.post('/v1/api/webhooks', { url, events: ['*'] });
  const changed = await tenant.client.send('PATCH', `/v1/api/webhooks/${id}`, { body: { url } });
  expect([made.status, made.body.code, changed.status, changed.body.code]).toEqual([
    ...[422, 'outbound_refused', 422, 'outbound_refused'],
  ]);
});

/** A webhook at a name of the good certificate, which only this test changes. */
async function atName(name: string, behaviour: Behaviour = ok) {
  const receiver = hooks.farm.receiver(behaviour);
  const url = `https://${name}:${hooks.farm.securePorts.good}${receiver.path}`;
  return { receiver, ...(await register(tenant.client, url, { events: ['batch-result-download'] })) };
}

const emitTo = (count = 1) => emit(hooks, tenant, { count, type: 'batch-result-download' });

async function attemptsOf(id: string, count: number) {
  const rows = await ended(tenant.client, id, count);
  const details = await Promise.all(rows.map((row) => delivery(tenant.client, row.id)));
  return details.flatMap(({ attempts }) => attempts);
}

const nothingKept = {
  ...{ error_class: 'blocked_address', remote_ip: null, status_code: null, response_headers: null },
  ...{ response_body: null, connect_ms: null },
};

test('E42: a public name with a private address is refused when it is sent to, and nothing of it is kept', async () => {
  const targets = [['127.0.0.2'], ['10.0.0.1'], ['169.254.169.254'], ['::1'], ['::ffff:127.0.0.2'], ['fd00:ec2::254']];
  const made = [];
  for (const [at, target] of targets.entries()) {
    dns.addresses.set(`inside-${at}.hooks.example`, target);
    made.push(await atName(`inside-${at}.hooks.example`));
  }
  await emitTo();
  for (const { id, receiver } of made) {
    expect(await attemptsOf(id, 1)).toMatchObject([nothingKept, nothingKept]);
    expect(receiver.requests).toHaveLength(0);
  }
  expect(hooks.farm.canary.hits()).toBe(0);
  const kept = JSON.stringify(await inDatabase(hooks, 'select * from webhook_attempts'));
  for (const [target] of targets) expect(kept).not.toContain(`"${target}"`);
  expect(kept).not.toContain(hooks.farm.canary.secret);
  for (const { id } of made) await tenant.client.send('DELETE', `/v1/api/webhooks/${id}`);
});

test('E43: a name that moves with every answer leads to nothing that was not checked', async () => {
  let lookups = 0;
  dns.addresses.set('moving.hooks.example', (type) => {
    if (type === 'AAAA') return [];
    return [lookups++ % 2 === 0 ? '127.0.0.1' : hooks.farm.canary.address];
  });
  dns.addresses.set('mixed.hooks.example', ['127.0.0.1', hooks.farm.canary.address]);
  const moving = await atName('moving.hooks.example');
  const mixed = await atName('mixed.hooks.example');
  await emitTo(60);
  const attempts = await attemptsOf(moving.id, 60);
  const reached = attempts.filter(({ status_code }) => status_code === 200);
  const blocked = attempts.filter(({ error_class }) => error_class === 'blocked_address');
  expect(reached.length + blocked.length).toBe(attempts.length);
  expect([moving.receiver.requests.length, attempts.length]).toEqual([reached.length, lookups]);
  expect(blocked.length).toBeGreaterThan(10);
  expect(reached.length).toBeGreaterThan(10);
  expect([mixed.receiver.requests.length, hooks.farm.canary.hits()]).toEqual([0, 0]);
  for (const { id } of [moving, mixed]) await tenant.client.send('DELETE', `/v1/api/webhooks/${id}`);
});

test('E44: a name that moves while a connection is kept open is checked again', async () => {
  dns.addresses.set('moved.hooks.example', ['127.0.0.1']);
  const stays: Behaviour = (_, { response }) =>
    void response.writeHead(200, { connection: 'keep-alive', 'keep-alive': 'timeout=600' }).end();
  const { id, receiver } = await atName('moved.hooks.example', stays);
  await emitTo();
  expect(await attemptsOf(id, 1)).toMatchObject([{ status_code: 200 }]);
  dns.addresses.set('moved.hooks.example', [hooks.farm.canary.address]);
  await emitTo();
  const attempts = await attemptsOf(id, 2);
  expect(attempts.filter(({ error_class }) => error_class === 'blocked_address')).toHaveLength(2);
  expect([receiver.requests.length, hooks.farm.canary.hits()]).toEqual([1, 0]);
  await tenant.client.send('DELETE', `/v1/api/webhooks/${id}`);
});

test.each([
  ['Host', 'inside.example'],
  ['webhook-signature', 'v1,abc'],
  ['Webhook-Id', 'msg_1'],
  ['content-length', '1'],
  ['Content-Type', 'text/plain'],
  ['Transfer-Encoding', 'chunked'],
  ['Connection', 'upgrade'],
  ['Expect', '100-continue'],
  ['Proxy-Authorization', 'Basic x'],
  ['x-forwarded-for', '127.0.0.1'],
  ['x-own', 'a\r\nx-injected: b'],
  ['x-own', 'a\nb'],
  ['x-own', 'é€'],
  ['x own', 'a'],
  ['x-own:', 'a'],
  ['x\r\nown', 'a'],
  ['', 'a'],
  [':authority', 'a'],
  ['x-own', 'a'.repeat(10_000)],
])('E47: the header %j: %j is refused', async (name, value) => {
  const { receiver } = told.get('healthy')!;
  const { status } = await tenant.client.post('/v1/api/webhooks', {
    ...{ url: receiver.url, events: ['*'], headers: { [name]: value } },
  });
  expect(status).toBe(422);
});

test('E49: what was changed on the way, or is signed by another, is refused by whoever verifies', async () => {
  const { secret, receiver } = told.get('healthy')!;
  const [request] = await receiver.received(1);
  const { headers } = request!;
  const body = request!.body.toString();
  const verify = (changed: Record<string, string> = {}, text = body, by = secret) =>
    new StandardWebhook(by).verify(text, { ...headers, ...changed });
  expect(verify()).toMatchObject({ type: 'batch-request' });
  const timestamp = Number(headers['webhook-timestamp']);
  const other = told.get('reset')!;
  const [foreign] = await other.receiver.received(1);
  for (const tamper of [
    () => verify({}, body.replace('batch', 'Batch')),
    () => verify({}, `${body} `),
    () => verify({ 'webhook-id': 'msg_other' }),
    () => verify({ 'webhook-timestamp': String(timestamp + 1) }),
    () => verify({ 'webhook-timestamp': String(timestamp - 3_600) }),
    () => verify({ 'webhook-signature': foreign!.headers['webhook-signature']! }),
    () => verify({ 'webhook-signature': headers['webhook-signature']!.replace('v1,', 'v2,') }),
    () => verify({}, body, other.secret),
  ])
    expect(tamper).toThrow();
});
