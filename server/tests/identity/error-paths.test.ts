/** What goes wrong tells callers that it did, and no more, and lets nobody in. */
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withClient } from '../../src/lib/db/migrate.ts';
import { launchPostgres } from '../../src/lib/postgres/launch.ts';
import { removeDataFolder } from '../program.ts';
import { type Client, type Reply, startTestService, type Tenant, type TestService } from '../service.ts';
import { goodPassword } from './browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'lastro-outage-'));
let postgres: Awaited<ReturnType<typeof launch>>;
let service: TestService;
let tenant: Tenant;
let person: Client;
let databaseUrl: string;

const launch = () => launchPostgres({ dataDir: folder, log: () => {} });

beforeAll(async () => {
  chmodSync(folder, 0o755);
  postgres = await launch();
  const { host, user, database } = postgres.connection;
  databaseUrl = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`;
  service = await startTestService({ databaseUrl, logLevel: 'silent' });
  tenant = await service.tenant('Shop');
  person = await tenant.signedIn('creator', 'organization');
});
afterAll(async () => {
  await service.close();
  await postgres.close();
  await removeDataFolder(folder);
});

/** Nothing of how it is made: no stack, file, statement, address or program behind it. */
const inside =
  /\bat [\w.]+ \(|\.ts\b|\.js\b|node_modules|\/tmp|select |insert |relation|postgres|ECONN|ENOENT|socket|:5432/i;

function expectGeneric(reply: Reply, status: number, code: string): void {
  expect(reply.body, reply.text).toMatchObject({ status, code });
  expect(reply.text).not.toMatch(inside);
}

const headers = () => ({ 'content-type': 'application/json', origin: service.url });

describe('T104 a body that is no JSON', () => {
  const bodies = ['{', '', 'null,', '{"email": "a@b.example", }', '\u0000', '{"a":"\\ud800"}', '[[[', "{'a': 1}"];
  const paths = ['/v1/api/sessions', '/v1/api/users', '/v1/api/password-resets', '/v1/api/sessions/second-factor'];

  test.each(paths)('is refused by %s, and tells nothing else', async (path) => {
    for (const raw of bodies) {
      const reply = await service.anonymous.send('POST', path, { raw, headers: headers() });
      expect([400, 422], reply.text).toContain(reply.status);
      expectGeneric(reply, reply.status, reply.status === 400 ? 'malformed_json' : 'schema_mismatch');
    }
  });

  test('is refused to a key, to a session and, before it is read, to nobody', async () => {
    const path = '/v1/api/tasks';
    for (const client of [tenant.client, person])
      expectGeneric(await client.send('POST', path, { raw: '{', headers: headers() }), 400, 'malformed_json');
    const nobody = await service.anonymous.send('POST', path, { raw: '{', headers: headers() });
    expectGeneric(nobody, 401, 'unauthenticated');
  });
});

test('T104 without the database nobody is let in, known or not, and what is told is when to come back', async () => {
  const wrongKey = service.client(tenant.client.key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')));
  const unknownKey = service.client('lst_0000000000000000000000000000000000000000000000000');
  const signIn = () =>
    service.anonymous.send('POST', '/v1/api/sessions', {
      body: { email: 'creator@shop.example', password: goodPassword },
      headers: { origin: service.url },
    });
  expect((await tenant.client.get('/v1/api/models')).status).toBe(200);
  expect((await person.get('/v1/api/user')).status).toBe(200);
  await postgres.close();
  const asked: readonly (readonly [string, () => Promise<Reply>])[] = [
    ['a key', () => tenant.client.get('/v1/api/models')],
    ['a session', () => person.get('/v1/api/user')],
    ['a session that makes a key', () => person.post('/v1/api/api-keys', { name: 'a key' })],
    ['a password', signIn],
    [
      'a link',
      () => service.anonymous.send('POST', '/v1/api/sessions/link', { body: { token: 'x' }, headers: headers() }),
    ],
  ];
  for (const [what, ask] of asked) {
    const reply = await ask();
    expect(reply.status, `${what}: ${reply.text}`).toBe(503);
    expectGeneric(reply, 503, 'unavailable');
    expect(Number(reply.headers.get('retry-after')), what).toBeGreaterThan(0);
    expect(reply.headers.getSetCookie(), what).toEqual([]);
  }
  // Malformed keys are told apart without asking anybody.
  for (const client of [wrongKey, unknownKey]) {
    const reply = await client.get('/v1/api/models');
    expect([401, 503], reply.text).toContain(reply.status);
    expect(reply.text).not.toMatch(inside);
  }
  expect((await service.anonymous.get('/healthz')).status).toBe(200);

  postgres = await launch();
  await expect.poll(async () => (await tenant.client.get('/v1/api/models')).status, { timeout: 120_000 }).toBe(200);
  expect((await person.get('/v1/api/user')).status).toBe(200);
  expect((await unknownKey.get('/v1/api/models')).status).toBe(401);
});

test('T104 a fault of the service itself tells its number and nothing of itself', async () => {
  const owner = { connectionString: databaseUrl };
  await withClient(owner, (client) => client.query('alter table sessions rename column ip to elsewhere'));
  try {
    const reply = await person.get('/v1/api/sessions');
    expectGeneric(reply, 500, 'internal');
    expect(reply.body.request_id).toMatch(/^req_/);
  } finally {
    await withClient(owner, (client) => client.query('alter table sessions rename column elsewhere to ip'));
  }
  expect((await person.get('/v1/api/sessions')).status).toBe(200);
});
