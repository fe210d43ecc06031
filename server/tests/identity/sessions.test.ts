/** Sign-up, sign-in and sessions over HTTP. The numbers are those of the cases in the study of identity. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { permissionNames } from '../../src/access/authorize.ts';
import { startTestService, type TestService } from '../service.ts';
import { type Browser, goodPassword, mailsTo, mailTo, openBrowser, signIn, signUp } from './browser.ts';

let service: TestService;
let ana: Awaited<ReturnType<typeof signUp>>;
const sessionCookie = '__Host-lastro-session';
const deviceCookie = '__Host-lastro-device';

beforeAll(async () => {
  service = await startTestService();
  ana = await signUp(service, 'Ana');
});
afterAll(() => service.close());

const account = (browser: Browser) => browser.get('/v1/api/user');

async function auditOf(action: string, userId: string) {
  const { rows } = await service.owner.pool.query(
    'select * from audit_entries where action = $1 and (actor_id = $2 or target_id = $2) order by recorded_at',
    [action, userId],
  );
  return rows;
}

test('whoever signs up has an organization, a workspace and all rights in them', async () => {
  const { body } = await account(ana.browser);
  expect(body).toMatchObject({
    email: ana.email,
    name: 'Ana',
    email_verified_at: expect.any(String),
    organizations: [{ id: ana.organization, name: 'Ana Company', role: 'creator' }],
    workspaces: [{ id: ana.workspace, name: 'Main', status: 'active', roles: ['creator'] }],
  });
  for (const { permissions } of [...body.organizations, ...body.workspaces])
    expect(permissions).toEqual(permissionNames);
  const models = await ana.browser.get('/v1/api/models');
  expect(models.status, models.text).toBe(200);
  const members = await ana.browser.get('/v1/api/members');
  expect(members.body.data).toMatchObject([{ user_id: ana.id, role: 'creator', workspace_id: null }]);
});

test('T16 the cookies are of this host alone, sent by HTTPS alone, and out of reach of scripts', async () => {
  const browser = await signIn(service, ana.email);
  expect(browser.lastCookies).toHaveLength(2);
  for (const line of browser.lastCookies) {
    expect(line).toMatch(
      /^__Host-lastro-(session|device)=ls[sd]_\w+; Path=\/; Max-Age=\d+; Secure; HttpOnly; SameSite=Lax$/,
    );
    expect(line).not.toMatch(/Domain/i);
  }
});

test('T17 a session that was there before signing in is not taken over', async () => {
  const planted = `lss_${'0'.repeat(49)}`;
  const browser = openBrowser(service.url, new Map([[sessionCookie, planted]]));
  await signIn(service, ana.email, browser);
  expect(browser.cookies.get(sessionCookie)).not.toBe(planted);
  expect((await account(openBrowser(service.url, new Map([[sessionCookie, planted]])))).status).toBe(401);
});

test('T18 proving once more who one is gives the session another token', async () => {
  const browser = await signIn(service, ana.email);
  const before = new Map(browser.cookies);
  const wrong = await browser.post('/v1/api/session/reauthentication', { password: 'not the password' });
  expect(wrong.body).toMatchObject({ status: 401, code: 'sign_in_failed' });
  const again = await browser.post('/v1/api/session/reauthentication', { password: goodPassword });
  expect(again.status, again.text).toBe(204);
  expect(browser.cookies.get(sessionCookie)).not.toBe(before.get(sessionCookie));
  expect((await account(openBrowser(service.url, before))).status).toBe(401);
  expect((await account(browser)).status).toBe(200);
});

describe('a session ends', () => {
  const age = (browser: Browser, set: string) =>
    service.owner.pool.query(`update sessions set ${set} where token_hash = $1`, [
      createHash('sha256').update(browser.cookies.get(sessionCookie)!).digest('hex'),
    ]);

  test('T19 after half an hour without a request', async () => {
    const browser = await signIn(service, ana.email);
    await age(browser, "last_seen_at = now() - interval '29 minutes'");
    expect((await account(browser)).status).toBe(200);
    await age(browser, "last_seen_at = now() - interval '31 minutes'");
    expect((await account(browser)).status).toBe(401);
    const { body } = await ana.browser.get('/v1/api/sessions');
    expect(body.data.length).toBeGreaterThan(0);
    expect(
      body.data.every(
        ({ last_seen_at }: { last_seen_at: string }) => Date.parse(last_seen_at) > Date.now() - 30 * 60_000,
      ),
    ).toBe(true);
  });

  test('T20 after twelve hours, however active', async () => {
    const browser = await signIn(service, ana.email);
    const { rows } = await service.owner.pool.query(
      'select extract(epoch from expires_at - created_at) / 3600 as hours from sessions order by created_at desc limit 1',
    );
    expect(Number(rows[0].hours)).toBeCloseTo(12, 1);
    await age(browser, "expires_at = now() - interval '1 minute'");
    expect((await account(browser)).status).toBe(401);
  });

  test('T21 by signing out', async () => {
    const browser = await signIn(service, ana.email);
    const kept = new Map(browser.cookies);
    expect((await browser.send('DELETE', '/v1/api/session')).status).toBe(204);
    expect(browser.cookies.has(sessionCookie)).toBe(false);
    expect(browser.cookies.has(deviceCookie)).toBe(true);
    expect((await account(openBrowser(service.url, kept))).status).toBe(401);
  });

  test('T22 when its cookie comes without that of its device; its user is told', async () => {
    const browser = await signIn(service, ana.email);
    const seen = mailsTo(service, ana.email).filter(({ subject }) => /signed out/.test(subject)).length;
    const stolen = new Map([[sessionCookie, browser.cookies.get(sessionCookie)!]]);
    expect((await account(openBrowser(service.url, stolen))).status).toBe(401);
    expect((await account(browser)).status).toBe(401);
    await mailTo(service, ana.email, /signed out/, seen);
    const ends = await service.owner.pool.query(
      "select data from audit_entries where action = 'session-revocation' and data->>'reason' = 'unrecognized_device'",
    );
    expect(ends.rows).toHaveLength(1);
  });

  test('T24 T25 by its user from another one, and by nobody else', async () => {
    const [one, two] = [await signIn(service, ana.email), await signIn(service, ana.email)];
    const bob = await signUp(service, 'Bob');
    const { body } = await two.get('/v1/api/sessions');
    const mine = body.data.find(({ current }: { current: boolean }) => current);
    for (const id of [mine.id, 'ses_none'])
      expect((await bob.browser.send('DELETE', `/v1/api/sessions/${id}`)).body).toMatchObject({
        status: 404,
        code: 'not_found',
      });
    expect((await account(two)).status).toBe(200);
    expect((await one.send('DELETE', `/v1/api/sessions/${mine.id}`)).status).toBe(204);
    expect((await account(two)).status).toBe(401);
    const three = await signIn(service, ana.email);
    expect((await three.send('DELETE', '/v1/api/sessions')).body.ended).toBeGreaterThan(0);
    expect((await account(one)).status).toBe(401);
    expect((await account(three)).status).toBe(200);
    ana.browser.cookies.clear();
    for (const [name, value] of three.cookies) ana.browser.cookies.set(name, value);
  });
});

test('T23 T26 neither lists nor the database tell what a cookie holds', async () => {
  const browser = await signIn(service, ana.email);
  const token = browser.cookies.get(sessionCookie)!;
  const list = await browser.get('/v1/api/sessions');
  expect(list.body.data.filter(({ current }: { current: boolean }) => current)).toHaveLength(1);
  expect(list.text).not.toMatch(/ls[sd]_/);
  const hash = createHash('sha256').update(token).digest('hex');
  const { rows } = await service.owner.pool.query('select * from sessions where token_hash = $1', [hash]);
  expect(JSON.stringify(rows)).not.toContain(token);
  const forged = new Map([...browser.cookies, [sessionCookie, `lss_${hash.slice(0, 49)}`] as const]);
  expect((await account(openBrowser(service.url, forged))).status).toBe(401);
  expect(list.text).not.toContain(hash);
});

test('T27 nothing is changed for a page of another origin', async () => {
  const change = { name: 'Somebody else' };
  for (const origin of ['https://evil.example', 'null', null]) {
    const reply = await ana.browser.send('PATCH', '/v1/api/user', change, { origin });
    expect(reply.body, `${origin}`).toMatchObject({ status: 403, code: 'cross_origin' });
  }
  const site = await ana.browser.send('PATCH', '/v1/api/user', change, {
    origin: null,
    'sec-fetch-site': 'cross-site',
  });
  expect(site.status).toBe(403);
  const form = await ana.browser.send('PATCH', '/v1/api/user', 'name=x', {
    'content-type': 'application/x-www-form-urlencoded',
  });
  expect(form.status).toBe(415);
  const login = await openBrowser(service.url).send(
    'POST',
    '/v1/api/sessions',
    { email: ana.email, password: goodPassword },
    { origin: 'https://evil.example' },
  );
  expect(login.status).toBe(403);
  expect((await account(ana.browser)).body.name).toBe('Ana');
  const own = await ana.browser.send(
    'PATCH',
    '/v1/api/user',
    { name: 'Ana' },
    { origin: null, 'sec-fetch-site': 'same-origin' },
  );
  expect(own.status, own.text).toBe(200);
});

test('T30 a token in the address is nothing', async () => {
  const token = ana.browser.cookies.get(sessionCookie);
  const reply = await openBrowser(service.url).get(`/v1/api/user?session=${token}`);
  expect([400, 401]).toContain(reply.status);
});

test('T101 signing in leaves one entry with who, from where and how', async () => {
  const before = (await auditOf('session-creation', ana.id)).length;
  await signIn(service, ana.email);
  const entries = await auditOf('session-creation', ana.id);
  expect(entries).toHaveLength(before + 1);
  expect(entries.at(-1)).toMatchObject({
    outcome: 'succeeded',
    actor_type: 'user',
    actor_label: ana.email,
    channel: 'dashboard',
    organization_id: ana.organization,
    workspace_id: null,
    ip: expect.any(String),
    request_id: expect.stringMatching(/^req_/),
  });
});

test('a stream that a session has open ends with it', async () => {
  const browser = await signIn(service, ana.email);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const stream = await fetch(`${service.url}/v1/api/events/stream`, { headers: { cookie } });
  expect(stream.status).toBe(200);
  let isOver = false;
  const read = (async () => {
    for await (const _ of stream.body!) {
      // Comments come until it ends.
    }
    isOver = true;
  })();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(isOver).toBe(false);
  expect((await browser.send('DELETE', '/v1/api/session')).status).toBe(204);
  await read.catch(() => {});
  expect(isOver).toBe(true);
});
