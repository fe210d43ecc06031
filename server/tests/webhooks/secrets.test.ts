/** Secrets of webhooks, their rotation, and what is told of them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tenant } from '../service.ts';
import { status } from './farm.ts';
import { emit, ended, type Hooks, inDatabase, ok, register, startHooks, verified } from './hooks.ts';

let hooks: Hooks;
let here: Tenant;

beforeAll(async () => {
  hooks = await startHooks();
  here = await hooks.service.tenant('Here');
});
afterAll(() => hooks.close());

const events = ['batch-request'];
const rotate = async (id: string, hours?: number) =>
  (await ok(here.client.post(`/v1/api/webhooks/${id}/rotation`, hours === undefined ? {} : { overlap_hours: hours })))
    .secret as string;

test('E50: for a while after a rotation either secret verifies, and then the new one alone', async () => {
  const receiver = hooks.farm.receiver();
  const { id, secret: old } = await register(here.client, receiver.url, { events });
  const fresh = await rotate(id);
  await emit(hooks, here);
  const [both] = await receiver.received(1);
  expect(both.headers['webhook-signature'].split(' ')).toHaveLength(2);
  for (const secret of [old, fresh]) verified(secret, both);
  await inDatabase(
    hooks,
    'update webhook_secrets set expires_at = now() where expires_at is not null and webhook_id = $1',
    [id],
  );
  await emit(hooks, here);
  const [, one] = await receiver.received(2);
  expect(one.headers['webhook-signature'].split(' ')).toHaveLength(1);
  verified(fresh, one);
  expect(() => verified(old, one)).toThrow();
});

test('E51: what is sent again after a rotation is signed by the new secret and the old', async () => {
  const receiver = hooks.farm.receiver(status(500));
  const { id, secret: old } = await register(here.client, receiver.url, { events });
  await emit(hooks, here);
  const [before] = await receiver.received(1);
  expect(() => verified(old, before)).not.toThrow();
  const fresh = await rotate(id);
  const count = receiver.requests.length;
  const after = (await receiver.received(count + 1))[count];
  for (const secret of [old, fresh]) verified(secret, after);
  expect(after.headers['webhook-id']).toBe(before.headers['webhook-id']);
});

test('E52: a rotation without overlap ends the old secret at once, and as many are good as may be', async () => {
  const receiver = hooks.farm.receiver();
  const { id, secret: old } = await register(here.client, receiver.url, { events });
  const second = await rotate(id, 0);
  await emit(hooks, here);
  const [request] = await receiver.received(1);
  verified(second, request);
  expect(() => verified(old, request)).toThrow();
  const secrets = [second, await rotate(id), await rotate(id)];
  const fourth = await here.client.post(`/v1/api/webhooks/${id}/rotation`, {});
  expect([fourth.status, fourth.body.code]).toEqual([409, 'conflict']);
  await emit(hooks, here);
  const [, signedByAll] = await receiver.received(2);
  for (const secret of secrets) verified(secret, signedByAll);
  // One that ends early makes room.
  const shown = (await ok(here.client.get(`/v1/api/webhooks/${id}`))).secrets;
  expect(shown.map((one: { expires_at: unknown }) => one.expires_at === null)).toEqual([true, false, false]);
  const path = `/v1/api/webhooks/${id}/secrets`;
  expect((await here.client.send('DELETE', `${path}/${shown[0].id}`)).status).toBe(409);
  for (const { id: one } of shown.slice(1)) await ok(here.client.send('DELETE', `${path}/${one}`));
  await emit(hooks, here);
  const [, , last] = await receiver.received(3);
  expect(last.headers['webhook-signature'].split(' ')).toHaveLength(1);
  verified(secrets[2], last);
});

test('E48: a secret and the values of headers are told once, or never, and are sealed where they are kept', async () => {
  const receiver = hooks.farm.receiver();
  const token = 'Bearer canary-token-51fe';
  const created = await here.client.post(
    '/v1/api/webhooks',
    { url: receiver.url, events, headers: { Authorization: token } },
    { 'idempotency-key': 'once' },
  );
  const { id, secret, header_names } = created.body;
  expect(header_names).toEqual(['authorization']);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  await emit(hooks, here);
  const [request] = await receiver.received(1);
  expect(request.headers.authorization).toBe(token);
  await ended(here.client, id, 1);
  const rotated = await rotate(id);
  // Whoever lost the answer to a creation gets it again by its Idempotency-Key, and by nothing else.
  const again = await here.client.post(
    '/v1/api/webhooks',
    { url: receiver.url, events, headers: { Authorization: token } },
    { 'idempotency-key': 'once' },
  );
  expect([again.status, again.body.id, again.body.secret]).toEqual([201, id, secret]);
  const hidden = [secret, rotated].map((text) => text.slice('whsec_'.length)).concat(token);
  const [row] = (await ok(here.client.get(`/v1/api/webhooks/${id}/deliveries`))).data;
  for (const path of [`/webhooks/${id}`, '/webhooks', `/webhook-deliveries/${row.id}`, '/events?limit=200'])
    for (const text of hidden) expect((await here.client.get(`/v1/api${path}`)).text, path).not.toContain(text);
  const tables = await inDatabase(
    hooks,
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  );
  for (const { name } of tables)
    for (const text of hidden) {
      const rows = await inDatabase(hooks, `select 1 from "${name}" as t where strpos(t::text, $1) > 0`, [text]);
      expect(rows, `${name} has ${text}`).toEqual([]);
    }
});

test('E46: a changed address is checked as a new one, and what waits goes there', async () => {
  const [broken, mended] = [hooks.farm.receiver(status(500)), hooks.farm.receiver()];
  const { id } = await register(here.client, broken.url, { events });
  for (const url of ['http://example.com/', 'https://10.0.0.1/', 'https://user:pass@example.com/', 'https://[::1]/']) {
    const refused = await here.client.send('PATCH', `/v1/api/webhooks/${id}`, { body: { url } });
    expect([refused.status, refused.body.code], url).toEqual([422, 'outbound_refused']);
  }
  await emit(hooks, here);
  await broken.received(1);
  await ok(here.client.send('PATCH', `/v1/api/webhooks/${id}`, { body: { url: mended.url } }));
  expect(await ended(here.client, id, 1)).toMatchObject([{ status: 'succeeded' }]);
  const { requests } = mended;
  expect(requests).toHaveLength(1);
});

test('E40: an address must be https, public, without what is secret or lost, and of no other kind of service', async () => {
  const bare = await startHooks({ webhookAllowHttp: false });
  try {
    const { client } = await bare.service.tenant('Bare');
    const urls = [
      ...['http://example.com/', 'http://127.0.0.1:8080/', 'ftp://example.com/', 'https://', 'example.com', ''],
      ...['https://user:pass@example.com/', 'https://user@example.com/', 'https://example.com/#part'],
      ...[22, 25, 53, 389, 445, 5432, 6379, 9200, 11211, 27017].map((port) => `https://example.com:${port}/`),
      ...['https://127.0.0.1/', 'https://10.1.2.3/', 'https://169.254.169.254/', 'https://[::1]/', 'https://0x7f.1/'],
      ...['https://168.63.129.16/', 'https://100.100.100.200/', 'https://[fd00:ec2::254]/', 'https://[::7f00:1]/'],
    ];
    for (const url of urls) {
      const refused = await client.post('/v1/api/webhooks', { url, events });
      expect([refused.status, refused.body.code], url).toEqual([422, 'outbound_refused']);
    }
    for (const url of ['https://example.com/', 'https://example.com:8443/a?b=c', 'https://8.8.8.8/'])
      expect((await client.post('/v1/api/webhooks', { url, events })).status, url).toBe(201);
  } finally {
    await bare.close();
  }
});

test('E47: headers of the service or of the connection, and lines within values, are refused', async () => {
  const receiver = hooks.farm.receiver();
  const bad: Record<string, string>[] = [
    ...[
      'Host',
      'webhook-signature',
      'Webhook-Id',
      'content-length',
      'Content-Type',
      'transfer-encoding',
      'connection',
    ].map((name) => ({ [name]: 'x' })),
    ...[
      { 'x-a': 'one\r\nx-b: two' },
      { 'x-a': 'one\ntwo' },
      { 'x-a': '\0' },
      { 'x-a': 'é' },
      { 'x a': 'b' },
      { '': 'b' },
    ],
    ...[{ 'x-a': '' }, { 'x-a': '1', 'X-A': '2' }, { 'x-a': 'x'.repeat(3_000) }],
    Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`x-${at}`, 'a'])),
  ];
  for (const headers of bad) {
    const refused = await here.client.post('/v1/api/webhooks', { url: receiver.url, events, headers });
    expect([400, 422], JSON.stringify(headers)).toContain(refused.status);
  }
});

test('E49: what is altered, or signed by another secret, is refused by a receiver', async () => {
  const receiver = hooks.farm.receiver();
  const { secret } = await register(here.client, receiver.url, { events });
  const other = await register(here.client, receiver.url, { events: ['model-version-*'] });
  await emit(hooks, here);
  const [request] = await receiver.received(1);
  const { headers, body } = request;
  verified(secret, request);
  const later = String(Number(headers['webhook-timestamp']) + 1);
  for (const altered of [
    { headers, body: Buffer.from(body.toString().replace('batch', 'botch')) },
    { headers: { ...headers, 'webhook-id': `${headers['webhook-id']}0` }, body },
    { headers: { ...headers, 'webhook-timestamp': later }, body },
  ])
    expect(() => verified(secret, altered)).toThrow();
  expect(() => verified(other.secret, request)).toThrow();
});
