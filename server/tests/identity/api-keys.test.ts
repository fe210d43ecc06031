/** API keys over HTTP. The numbers are those of the cases in the study of identity. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { permissionNames } from '../../src/access/authorize.ts';
import { startTestService, type TestService } from '../service.ts';
import { type Browser, goodPassword, mailTo, openBrowser, signUp } from './browser.ts';

let service: TestService;
let ana: Awaited<ReturnType<typeof signUp>>;

beforeAll(async () => {
  service = await startTestService();
  ana = await signUp(service, 'Ana');
});
afterAll(() => service.close());

const make = async (asked: object = { name: 'a key' }, browser: Browser = ana.browser) => {
  const { status, text, body } = await browser.post('/v1/api/api-keys', asked);
  expect(status, text).toBe(201);
  return body;
};
const asks = async (secret: string) => (await service.client(secret).get('/v1/api/models')).status;
const rotate = (id: string, body: object = {}) => ana.browser.post(`/v1/api/api-keys/${id}/rotation`, body);

async function eventsOf(id: string) {
  const { rows } = await service.owner.pool.query('select type from events where resource_id = $1 order by sequence', [
    id,
  ]);
  return rows.map(({ type }) => type);
}

test('T82 a secret is told once and kept nowhere', async () => {
  const { id, secret, hint } = await make();
  expect(secret).toMatch(/^lst_[0-9A-Za-z]{49}$/);
  expect(await asks(secret)).toBe(200);
  const list = await ana.browser.get('/v1/api/api-keys');
  expect(list.body.data).toContainEqual(expect.objectContaining({ id, hint, user_id: ana.id }));
  expect(list.text).not.toContain(secret);
  const { rows } = await service.owner.pool.query(
    `select row_to_json(k)::text as row from api_keys k union all select row_to_json(a)::text from audit_entries a
     union all select row_to_json(e)::text from events e`,
  );
  expect(rows.filter(({ row }) => row.includes(secret))).toEqual([]);
});

test('a key lasts for 90 days unless its maker says otherwise, and tells when it was used', async () => {
  const days = async (asked: object) => {
    const { expires_at, created_at } = await make({ name: 'days', ...asked });
    return expires_at === null ? null : Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 86_400_000);
  };
  expect([await days({}), await days({ expires_in_days: 7 }), await days({ expires_in_days: null })]).toEqual([
    90,
    7,
    null,
  ]);
  const { id, secret } = await make();
  await service.client(secret).send('GET', '/v1/api/models', { headers: { 'user-agent': 'nightly/1.0' } });
  const used = await vi.waitUntil(async () => {
    const { body } = await ana.browser.get('/v1/api/api-keys');
    const key = body.data.find((key: { id: string }) => key.id === id);
    return key.last_used_at === null ? false : key;
  });
  expect(used).toMatchObject({
    last_used_agent: 'nightly/1.0',
    last_used_ip: expect.stringMatching(/127\.0\.0\.1|::1/),
  });
});

test('T83 what is not the whole key in its header is refused', async () => {
  const { secret } = await make();
  const ask = async (headers: Record<string, string>, query = '') =>
    (await service.anonymous.send('GET', `/v1/api/models${query}`, { headers })).status;
  const swapped = secret.slice(0, -1) + (secret.at(-1) === 'x' ? 'y' : 'x');
  expect(await ask({ authorization: `Bearer ${swapped}` })).toBe(401);
  expect(await ask({ authorization: `Bearer ${secret.replace('lst_', 'lss_')}` })).toBe(401);
  expect(await ask({ authorization: `Bearer ${secret.slice(0, 30)}` })).toBe(401);
  expect(await ask({ authorization: `Basic ${Buffer.from(secret).toString('base64')}` })).toBe(401);
  expect(await ask({ 'x-api-key': secret })).toBe(401);
  expect(await ask({}, `?key=${secret}`)).not.toBe(200);
});

test('T85 a key does what its scopes and the role of its maker allow at that moment', async () => {
  const narrow = await make({ name: 'narrow', scopes: ['view_models'] });
  const key = service.client(narrow.secret);
  expect((await key.get('/v1/api/models')).status).toBe(200);
  expect((await key.get('/v1/api/predictions')).body.code).toBe('permission_denied');
  expect((await ana.browser.post('/v1/api/api-keys', { name: 'x', scopes: ['everything'] })).status).toBe(422);
  expect((await make({ name: 'all', scopes: [...permissionNames] })).scopes).toEqual([...permissionNames]);
});

test('T86 a rotated key has two secrets at most, and the old one ends in time', async () => {
  const { id, secret: first } = await make();
  const second = (await rotate(id)).body;
  expect(second.previous_until).not.toBeNull();
  expect(Date.parse(second.previous_until) - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
  expect([await asks(first), await asks(second.secret)]).toEqual([200, 200]);
  const third = (await rotate(id)).body;
  expect([await asks(first), await asks(second.secret), await asks(third.secret)]).toEqual([401, 200, 200]);
  await service.owner.pool.query("update api_keys set previous_until = now() - interval '1 second' where id = $1", [
    id,
  ]);
  expect([await asks(second.secret), await asks(third.secret)]).toEqual([401, 200]);
  const fourth = (await rotate(id, { overlap_hours: 0 })).body;
  expect(fourth.previous_until).toBeNull();
  expect([await asks(third.secret), await asks(fourth.secret)]).toEqual([401, 200]);
  expect((await rotate(id, { overlap_hours: 169 })).status).toBe(422);
  expect(await eventsOf(id)).toEqual([
    'api-key-creation',
    'api-key-recycling',
    'api-key-recycling',
    'api-key-recycling',
  ]);
});

test('T86 no secret outlives its key', async () => {
  const { id, secret } = await make({ name: 'short', expires_in_days: 1 });
  await service.owner.pool.query("update api_keys set expires_at = now() + interval '2 seconds' where id = $1", [id]);
  const rotated = (await rotate(id)).body;
  expect(Date.parse(rotated.previous_until)).toBe(Date.parse(rotated.expires_at));
  expect([await asks(secret), await asks(rotated.secret)]).toEqual([200, 200]);
  await sleep(2_100);
  expect([await asks(secret), await asks(rotated.secret)]).toEqual([401, 401]);
});

test('T87 a key that is deleted answers nothing from the next request on', async () => {
  const { id, secret } = await make();
  expect(await asks(secret)).toBe(200);
  expect((await ana.browser.send('DELETE', `/v1/api/api-keys/${id}`)).status).toBe(204);
  expect(await asks(secret)).toBe(401);
  expect((await ana.browser.send('DELETE', `/v1/api/api-keys/${id}`)).status).toBe(404);
  expect(await eventsOf(id)).toEqual(['api-key-creation', 'api-key-deletion']);
});

test('T29 a key is made and rotated only by who has just proved who they are', async () => {
  const { id } = await make();
  await service.owner.pool.query(
    "update sessions set (authenticated_at, account_authenticated_at) = (now() - interval '15 minutes', now() - interval '15 minutes')",
  );
  for (const reply of [
    await ana.browser.post('/v1/api/api-keys', { name: 'x' }),
    await rotate(id),
    await ana.browser.send('DELETE', '/v1/api/user'),
  ])
    expect(reply.body).toMatchObject({ status: 403, code: 'reauthentication_required' });
  const renamed = await ana.browser.send('PATCH', `/v1/api/api-keys/${id}`, { name: 'another' });
  expect(renamed.body.name).toBe('another');
  expect((await ana.browser.post('/v1/api/session/reauthentication', { password: goodPassword })).status).toBe(204);
  expect((await rotate(id)).status).toBe(200);
  expect(await eventsOf(id)).toEqual(['api-key-creation', 'api-key-renaming', 'api-key-recycling']);
});

test('T89 T90 a key of somebody else is deleted by a Creator, and otherwise left alone; what is refused makes no event', async () => {
  const { id, secret } = await make();
  const email = 'dev@ana-company.example';
  await ana.browser.post('/v1/api/invitations', { email, role: 'developer' });
  const { token } = await mailTo(service, email, /invited/);
  const dev = openBrowser(service.url);
  await dev.post('/v1/api/invitations/account', { token, name: 'Dev', password: goodPassword });
  const own = await make({ name: 'own' }, dev);
  for (const reply of [
    await dev.send('PATCH', `/v1/api/api-keys/${id}`, { name: 'theirs' }),
    await dev.post(`/v1/api/api-keys/${id}/rotation`, {}),
    await dev.send('DELETE', `/v1/api/api-keys/${id}`),
    await ana.browser.send('PATCH', `/v1/api/api-keys/${own.id}`, { name: 'theirs' }),
    await ana.browser.post(`/v1/api/api-keys/${own.id}/rotation`, {}),
  ])
    expect(reply.body).toMatchObject({ status: 403, code: 'permission_denied' });
  expect([await asks(secret), await asks(own.secret)]).toEqual([200, 200]);
  expect((await ana.browser.send('DELETE', `/v1/api/api-keys/${own.id}`)).status).toBe(204);
  expect(await asks(own.secret)).toBe(401);
  expect(await eventsOf(id)).toEqual(['api-key-creation']);
  expect(await eventsOf(own.id)).toEqual(['api-key-creation', 'api-key-deletion']);
});
